"""Stiff problems by gradus beside CVODES (of CasADi) and SciPy's Radau: stiff.py BUILD [--repeats N] [--only TEXT] [--out FILE].

BUILD is a folder of a build, as build/release. Equations of motion are derived by CasADi from energies, independently of gradus. Errors are the largest
relative ones of the objectives and of the rows of their gradient, beside SciPy's Radau at rtol 1e-12 for the equations with those of
their sensitivities. Times are medians of calls for mechanisms that are compiled; markdown goes to standard output.
Needs casadi, numpy and scipy from PyPI."""

import argparse
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)


def robertson():
    """H. H. Robertson's reaction, as states beside a mass that does nothing."""
    p, y = ca.SX.sym("p", 3), ca.SX.sym("y", 3)
    slow, fast, middle = p[0] * y[0], p[2] * y[1] ** 2, p[1] * y[1] * y[2]
    model = {"parameters": {"k1": 0.04, "k2": 1e4, "k3": 3e7},
             "bodies": {"carrier": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
             "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "carrier", "axis": [1, 0, 0],
                                 "initial": {"position": 0}}},
             "states": {"y1": {"rate": "-k1*y1 + k2*y2*y3", "initial": 1},
                        "y2": {"rate": "k1*y1 - k2*y2*y3 - k3*y2^2", "initial": 0}, "y3": {"rate": "k3*y2^2", "initial": 0}},
             "objectives": {"y1": {"terminal": "y1"}, "y2": {"terminal": "y2"}, "y3": {"terminal": "y3"},
                            "area": {"integral": "y1"}}}
    return {"name": "Robertson's reaction", "model": model, "duration": 1e4, "atol": 1e-6, "p": p, "x": y, "start": ca.DM([1, 0, 0]),
            "rate": ca.vertcat(middle - slow, slow - middle - fast, fast), "terminal": y, "integral": y[0]}


def van_der_pol():
    p, x = ca.SX.sym("p", 2), ca.SX.sym("x", 2)
    model = {"parameters": {"mu": 1000, "x0": 2},
             "bodies": {"mass": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
             "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "mass", "axis": [1, 0, 0],
                                 "initial": {"position": "x0"}}},
             "sensors": {"x": {"coordinate": "rail"}, "v": {"rate": "rail"}},
             "forces": {"push": {"type": "joint-force", "joint": "rail", "value": "mu*(1 - x^2)*v - x"}},
             "objectives": {"x": {"terminal": "x"}, "area": {"integral": "x^2"}}}
    return {"name": "van der Pol's oscillator, mu = 1000", "model": model, "duration": 2000.0, "atol": 1e-2, "p": p, "x": x,
            "start": ca.vertcat(p[1], 0), "rate": ca.vertcat(x[1], p[0] * (1 - x[0] ** 2) * x[1] - x[0]), "terminal": x[0],
            "integral": x[0] ** 2}


def of_energies(q, v, kinetic, potential, dissipation):
    """Accelerations by Lagrange's equations."""
    momentum = ca.gradient(kinetic, v)
    force = ca.gradient(kinetic - potential, q) - ca.gradient(dissipation, v) - ca.jtimes(momentum, q, v)
    return ca.solve(ca.jacobian(momentum, v), force)


def pendulum_on_bushing():
    """A pendulum whose pin sits in a bushing of 1e9 N/m and 3e4 N s/m."""
    p, q, v = ca.SX.sym("p", 5), ca.SX.sym("q", 3), ca.SX.sym("v", 3)
    k, c, m, length, angle = ca.vertsplit(p)
    centre = ca.vertcat(q[0] + length * ca.sin(q[2]), q[1] - length * ca.cos(q[2]))
    kinetic = (v[0] ** 2 + v[0] ** 2 + v[1] ** 2 + m * ca.sumsqr(ca.jtimes(centre, q, v)) + 0.1 * v[2] ** 2) / 2
    potential = 9.81 * (q[1] + m * centre[1]) + k * (q[0] ** 2 + q[1] ** 2) / 2
    body = {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}
    joint = {"type": "prismatic", "parent": "ground", "child": "pin", "axis": [1, 0, 0], "initial": {"position": 0}}
    model = {"gravity": [0, -9.81, 0], "parameters": {"k": 1e9, "c": 3e4, "m": 2, "L": 0.4, "a": 0.7},
             "bodies": {"pin": body, "slider": body, "rod": {**body, "mass": "m", "com": [0, "-L", 0]}},
             "joints": {"along": joint,
                        "across": {**joint, "parent": "pin", "child": "slider", "axis": [0, 1, 0],
                                   "initial": {"position": "-9.81*(m*cos(a)^2 + 2)/k"}},
                        "hinge": {**joint, "type": "revolute", "parent": "slider", "child": "rod", "axis": [0, 0, 1],
                                  "initial": {"position": "a"}}},
             "sensors": {"x": {"coordinate": "along"}, "vx": {"rate": "along"}, "y": {"coordinate": "across"},
                         "vy": {"rate": "across"}, "q": {"coordinate": "hinge"}, "w": {"rate": "hinge"}},
             "forces": {"bushing x": {"type": "joint-force", "joint": "along", "value": "-k*x - c*vx"},
                        "bushing y": {"type": "joint-force", "joint": "across", "value": "-k*y - c*vy"}},
             "objectives": {"q": {"terminal": "q"}, "w": {"terminal": "w"}, "load": {"integral": "(k*x)^2 + (k*y)^2"}}}
    return {"name": "pendulum on a bushing of 1e9 N/m", "model": model, "duration": 0.2, "atol": 1e-3, "p": p, "x": ca.vertcat(q, v),
            "start": ca.vertcat(0, -9.81 * (m * ca.cos(angle) ** 2 + 2) / k, angle, 0, 0, 0),
            "rate": ca.vertcat(v, of_energies(q, v, kinetic, potential, c * (v[0] ** 2 + v[1] ** 2) / 2)),
            "terminal": ca.vertcat(q[2], v[2]), "integral": k ** 2 * (q[0] ** 2 + q[1] ** 2)}


def governor():
    """A flyball governor of IFToMM's benchmarks: rods with balls, coupled to a sleeve by 8e5 N/m and 4e4 N s/m."""
    p, q, v = ca.SX.sym("p", 4), ca.SX.sym("q", 4), ca.SX.sym("v", 4)
    k, c, m, spin = ca.vertsplit(p)
    mass, across, centre = 0.3 + m, 0.025 + 0.075 * m / (0.3 + m), (0.15 + m) / (0.3 + m)
    kinetic, potential, dissipation = (v[3] ** 2 + (5e-6 + 1e-3) * v[0] ** 2) / 2, 9.81 * q[3], 0
    for rod in (1, 2):
        cosine, sine = ca.cos(q[rod]), ca.sin(q[rod])
        kinetic += ((mass * centre ** 2 + across) * (v[rod] ** 2 + (cosine * v[0]) ** 2) + 5e-6 * (sine * v[0]) ** 2) / 2
        potential += 9.81 * mass * (1 - centre * sine)
        distance = ca.sqrt((cosine / 2) ** 2 + (1 - sine / 2 - q[3]) ** 2)
        potential += k * (distance - 0.5) ** 2 / 2
        dissipation += c * ca.jtimes(distance, q, v) ** 2 / 2
    rod = {"mass": "0.3 + m", "com": ["centre", 0, 0], "inertia": {"xx": 5e-6, "yy": "J", "zz": "J"},
           "points": {"middle": [0.5, 0, 0]}}
    coupler = {"type": "spring-damper", "from": "rod1.middle", "to": "sleeve.com", "stiffness": "k", "damping": "c", "length": 0.5}
    hinge = {"type": "revolute", "parent": "spindle.top", "child": "rod1", "axis": [0, 1, 0], "initial": {"position": "pi/3"}}
    model = {"gravity": [0, 0, -9.81], "parameters": {"k": 8e5, "c": 4e4, "m": 5, "w": 6.283185307179586},
             "definitions": {"J": "0.025 + 0.075*m/(0.3 + m)", "centre": "(0.15 + m)/(0.3 + m)"},
             "bodies": {"spindle": {"mass": 0.3, "com": [0, 0, 0.5], "inertia": {"xx": 0.025, "yy": 0.025, "zz": 5e-6},
                                    "points": {"top": [0, 0, 1]}},
                        "rod1": rod, "rod2": rod,
                        "sleeve": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1e-3, "yy": 1e-3, "zz": 1e-3}}},
             "joints": {"bearing": {"type": "revolute", "parent": "ground", "child": "spindle",
                                    "initial": {"position": 0, "velocity": "w"}},
                        "hinge1": hinge, "hinge2": {**hinge, "child": "rod2", "initial": {"position": "2*pi/3"}},
                        "slide": {"type": "prismatic", "parent": "spindle", "child": "sleeve", "axis": [0, 0, 1],
                                  "initial": {"position": "1 - sqrt(3)/2"}}},
             "forces": {"coupler1": coupler, "coupler2": {**coupler, "from": "rod2.middle"}},
             "sensors": {"s": {"coordinate": "slide"}, "v": {"rate": "slide"}},
             "objectives": {"s": {"terminal": "s"}, "mean": {"integral": "s"}, "work": {"integral": "v^2"}}}
    start = ca.vertcat(0, np.pi / 3, 2 * np.pi / 3, 1 - np.sqrt(3) / 2, spin, 0, 0, 0)
    return {"name": "governor on couplers of 8e5 N/m, 10 s", "model": model, "duration": 10.0, "atol": 1e-2, "p": p,
            "x": ca.vertcat(q, v), "start": start,
            "rate": ca.vertcat(v, of_energies(q, v, kinetic, potential, dissipation)), "terminal": q[3],
            "integral": ca.vertcat(q[3], v[3] ** 2)}


def timed(call, repeats):
    call()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), result


def text_of(problem):
    analysis = {"formulation": "semi-recursive", "integrator": "auto", "duration": problem["duration"], "rtol": 1e-8,
                "atol": 1e-8 * problem["atol"]}
    return json.dumps({"schema": "gradus-model/1", "name": "stiff", **problem["model"], "analysis": analysis})


class Gradus:
    """One mechanism, compiled."""

    def __init__(self, library, problem, integrator, rtol):
        self.library, handles = library, [ctypes.c_void_p() for _ in range(3)]
        options, mechanism, self.session = handles
        self.check(library.gradus_options_create(ctypes.byref(options)))
        for name, value in {"backend": "cpu:1", "integrator": integrator, "rtol": repr(rtol), "atol": repr(problem["atol"] * rtol),
                            "formulation": "semi-recursive", "duration": repr(problem["duration"])}.items():
            self.check(library.gradus_options_set(options, name.encode(), value.encode()))
        text = text_of(problem).encode()
        self.check(library.gradus_mechanism_parse(text, ctypes.c_size_t(len(text)), options, ctypes.byref(mechanism)))
        self.check(library.gradus_session_create(mechanism, ctypes.byref(self.session)))
        self.at = np.array([float(v) for v in problem["model"]["parameters"].values()])
        self.values = np.zeros(len(problem["model"]["objectives"]))
        self.rows = np.zeros((len(self.values), len(self.at)))
        self.failed = ctypes.c_size_t()

    def check(self, code):
        if code != 0:
            raise SystemExit(self.library.gradus_last_error().decode())

    def call(self, function, *arrays):
        pointers = [ctypes.c_void_p(a.ctypes.data) if a is not None else None for a in arrays]
        self.check(function(self.session, ctypes.c_size_t(1), *pointers, ctypes.byref(self.failed)))
        if self.failed.value:
            raise SystemExit("the motion failed")

    def motion(self):
        self.call(self.library.gradus_simulate, self.at, self.values, None, None)
        return self.values.copy()

    def gradient(self):
        self.call(self.library.gradus_gradient, self.at, self.values, self.rows)
        return self.values.copy(), self.rows.copy()


class Cvodes:
    def __init__(self, problem, rtol):
        steps = {"abstol": problem["atol"] * rtol, "reltol": rtol, "max_num_steps": 10_000_000}
        run = ca.integrator("run", "cvodes", {"x": problem["x"], "p": problem["p"], "ode": problem["rate"], "quad": problem["integral"]},
                            0.0, problem["duration"], steps)
        p = ca.MX.sym("p", problem["p"].shape[0])
        end = run(x0=ca.Function("start", [problem["p"]], [problem["start"]])(p), p=p)
        terminal = ca.Function("terminal", [problem["x"], problem["p"]], [problem["terminal"]])
        values = ca.vertcat(terminal(end["xf"], p), end["qf"])
        self.at = ca.DM([float(v) for v in problem["model"]["parameters"].values()])
        self.value = ca.Function("value", [p], [values])
        self.both = ca.Function("both", [p], [values, ca.jacobian(values, p)])

    def motion(self):
        return np.array(self.value(self.at)).ravel()

    def gradient(self):
        values, rows = self.both(self.at)
        return np.array(values).ravel(), np.array(rows)


class Scipy:
    """The equations with their integrals, and with those of their columns if they are wanted."""

    def __init__(self, problem, columns):
        x, p = problem["x"], problem["p"]
        self.n, self.count = x.shape[0], p.shape[0] if columns else 0
        integrals = ca.SX.sym("integrals", ca.SX(problem["integral"]).shape[0])
        y, rate = ca.vertcat(x, integrals), ca.vertcat(problem["rate"], problem["integral"])
        start = ca.vertcat(problem["start"], ca.DM.zeros(integrals.shape[0]))
        self.size = y.shape[0]
        state, slope, first = y, rate, start
        if columns:
            column = ca.SX.sym("column", self.size, self.count)
            change = ca.jtimes(rate, y, column) + ca.jacobian(rate, p)
            state, slope = ca.vertcat(y, ca.vec(column)), ca.vertcat(rate, ca.vec(change))
            first = ca.vertcat(start, ca.vec(ca.jacobian(ca.SX(start), p)))
        at = ca.DM([float(v) for v in problem["model"]["parameters"].values()])
        self.rate = ca.Function("rate", [state], [ca.substitute(slope, p, at)])
        self.jacobian = ca.Function("jacobian", [state], [ca.substitute(ca.densify(ca.jacobian(slope, state)), p, at)])
        self.start = np.array(ca.Function("first", [p], [first])(at)).ravel()
        out = ca.vertcat(problem["terminal"], integrals)
        self.out = ca.Function("out", [y, p], [out, ca.jacobian(out, y), ca.jacobian(out, p)])
        self.at, self.problem = at, problem

    def run(self, rtol, scale=1.0):
        # Integrals and columns are as much in control as the motion, each beside its own size.
        found = solve_ivp(lambda _, y: np.array(self.rate(y)).ravel(), (0.0, self.problem["duration"]), self.start, "Radau",
                          rtol=rtol, atol=rtol * self.problem["atol"] * scale, jac=lambda _, y: np.array(self.jacobian(y)))
        if not found.success:
            raise SystemExit(found.message)
        end = found.y[:, -1]
        values, by_state, by_parameter = (np.array(a) for a in self.out(end[:self.size], self.at))
        if not self.count:
            return values.ravel()
        column = end[self.size:].reshape(self.count, self.size).T
        return values.ravel(), by_state @ column + by_parameter


def asked_for(program, problem, accuracy):
    """What the program makes of --accuracy: seconds, values and rows."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "stiff.json"
        model.write_text(text_of(problem), encoding="utf-8")
        command = [program, "gradient", model, "--accuracy", repr(accuracy), "--backend", "cpu:1", "--json", "--quiet"]
        seconds, done = timed(lambda: subprocess.run(command, capture_output=True, text=True, check=False), 1)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    said = json.loads(done.stdout)
    return seconds, (np.array(list(said["objectives"].values())),
                     np.array([list(row.values()) for row in said["gradient"].values()]))


def error_of_rows(rows, truth):
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(rows, truth) if np.abs(b).max() > 0)


def error_of_values(values, truth):
    return np.abs(values / truth - 1).max()


def measure(problem, library, program, repeats, record):
    print(f"{problem['name']} ...", file=sys.stderr, flush=True)
    values, rows = Scipy(problem, True).run(1e-12)
    print(f"\n| {problem['name']} | rtol | motion [ms] | error | gradient [ms] | error |\n| --- | --- | ---: | ---: | ---: | ---: |")

    def show(name, rtol, motion, gradient=None):
        line = {"problem": problem["name"], "method": name, "rtol": rtol, "motion_s": motion[0],
                "error": error_of_values(motion[1], values)}
        time_of_motion = f"{1e3 * motion[0]:.3g}" if motion[0] else ""
        said = f"| {name} | {rtol:.0e} | {time_of_motion} | {line['error']:.1e} |"
        if gradient:
            line |= {"gradient_s": gradient[0], "gradient_error": error_of_rows(gradient[1][1], rows)}
            said += f" {1e3 * gradient[0]:.3g} | {line['gradient_error']:.1e} |"
        print(said if gradient else said + " | |", flush=True)
        record.append(line)

    for name in ("auto", "radau5", "radau9", "rodas5p"):
        for rtol in TOLERANCES:
            mechanism = Gradus(library, problem, name, rtol)
            show(name, rtol, timed(mechanism.motion, repeats), timed(mechanism.gradient, repeats))
    for rtol in TOLERANCES:
        peer = Cvodes(problem, rtol)
        show("CVODES", rtol, timed(peer.motion, repeats), timed(peer.gradient, repeats))
    for accuracy in TOLERANCES[:3]:
        seconds, found = asked_for(program, problem, accuracy)
        show("--accuracy", accuracy, (None, found[0]), (seconds, found))
    peer = Scipy(problem, False)
    for rtol in TOLERANCES:
        show("SciPy's Radau", rtol, timed(lambda tolerance=rtol: peer.run(tolerance), 1))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--repeats", type=int, default=5)
    arguments.add_argument("--only", default="", metavar="TEXT")
    arguments.add_argument("--out", metavar="FILE")
    given = arguments.parse_args()
    library = ctypes.CDLL(str(given.build / "lib" / "libgradus_c.so"))
    library.gradus_last_error.restype = ctypes.c_char_p
    record = []
    for make in (robertson, van_der_pol, pendulum_on_bushing, governor):
        problem = make()
        if given.only in problem["name"]:
            measure(problem, library, given.build / "bin" / "gradus", given.repeats, record)
    if given.out:
        with open(given.out, "w", encoding="utf-8") as file:
            file.write(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
