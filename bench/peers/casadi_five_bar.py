"""The gradient of the five-bar model by CasADi beside that of gradus: the same numbers, accuracy and time.

    casadi_five_bar.py --gradus PATH --model models/five-bar/five-bar.json [--repeats N] [--designs N] [--json FILE]

All compute psi1, psi2, psi3 and their derivatives by five parameters, on one thread:

- A, what an expert writes with CasADi: equations by hand in two coordinates, the angles of bars A1 and 12, since the
  intersection of two circles gives the others in closed form. CasADi differentiates them and generates C, which gcc
  compiles with Dormand and Prince's method of order 8 (dop853) around it. Steps are chosen by the error of the state,
  its sensitivities and all integrals, measured as gradus measures it (but for what closing the loop corrects).
- B, what CasADi's documentation shows: casadi.integrator with CVODES and its forward sensitivities, by BDF with
  Newton's method (the default) and by Adams' method with functional iteration, interpreted and compiled.
- gradus with index1 and dop853 for a batch of designs, with 1 and 8 lanes, by general and specialised kernels, the
  time being timing.total_s over the designs (median of three runs). Specialised kernels come from a cache that earlier
  runs have filled until the compiler has nothing left to do.

Errors are relative to A at a tolerance of 1e-13, once gradus at 1e-11 has confirmed it: "value" is the worst of the
objectives, "row" the worst error of a gradient over its largest entry, "entry" the worst one over the entry itself.
Needs casadi, numpy and scipy (for coefficients) from PyPI, and gcc. The numbers of the model are repeated in this file.
"""

import argparse
import ctypes
import datetime
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import time

import casadi as ca
import numpy as np
from scipy.integrate._ivp import dop853_coefficients as dop853

NAMES = ("L_s1", "L_s2", "m_A1", "r_G", "L_A1")
NOMINAL = np.array([np.sqrt(5), np.sqrt(17) / 2, 1, np.sqrt(2) / 2, np.sqrt(2)])
# The angles of both joints are given, so that the start depends on no parameter and its sensitivities are zero. Those
# of bars 23 and 3B depend on L_A1, but as functions of the state, which the chain rule covers wherever they occur.
START = np.array([-3 * np.pi / 4, -np.pi / 2 + np.arctan(1.5), 0, 0])
DURATION = 5.0
FLAGS = ["-O3", "-march=native"]
STATES, COLUMNS, OBJECTIVES = 4, 5, 3
PAIRS = ((1e-6, 1e-6), (1e-6, 1e-10))  # of rtol and atol; the second is what gradus takes if only rtol is given


def equations(x, p):
    """Rates of the state and integrands of the objectives, as expressions of the state and the parameters."""
    natural1, natural2, m1, centre1, l1 = ca.vertsplit(p)
    l2 = l3 = np.sqrt(13) / 2
    l4, m2, m3, m4, i1, i2, i3, i4 = np.sqrt(2), 1.5, 1.5, 1.0, 1 / 6, 0.40625, 0.40625, 1 / 6
    g, stiffness, ground = 9.81, 100.0, ca.DM([1, 0])
    w1, w2 = x[2], x[3]

    def across(v):
        return ca.vertcat(-v[1], v[0])

    e1, e2 = (ca.vertcat(ca.cos(x[i]), ca.sin(x[i])) for i in range(2))
    n1, n2 = across(e1), across(e2)
    tip1 = l1 * e1
    tip2 = tip1 + l2 * e2
    # Bars 23 and 3B span the way from point 2 to B, whose length gives their directions. The sign of `beside` is that
    # of the assembly, which could change in singular configurations only.
    way = ground - tip2
    square = ca.sumsqr(way)
    along = (square + l3 ** 2 - l4 ** 2) / (2 * l3)
    beside = -ca.sqrt(square - along ** 2)
    e3 = (along * way + beside * across(way)) / square
    e4 = (way - l3 * e3) / l4
    sine = e3[0] * e4[1] - e3[1] * e4[0]

    # The rates of bars 23 and 3B by those of A1 and 12, and their accelerations where a1'' = a2'' = 0.
    by3, by4 = -e4 / (l3 * sine), e3 / (l4 * sine)
    lever1, lever2 = l1 * n1, l2 * n2
    r31, r32, r41, r42 = ca.dot(lever1, by3), ca.dot(lever2, by3), ca.dot(lever1, by4), ca.dot(lever2, by4)
    w3, w4 = r31 * w1 + r32 * w2, r41 * w1 + r42 * w2
    bias2 = -l1 * w1 ** 2 * e1 - l2 * w2 ** 2 * e2
    bias = bias2 - l3 * w3 ** 2 * e3 - l4 * w4 ** 2 * e4
    b3, b4 = ca.dot(bias, by3), ca.dot(bias, by4)

    # Two double pendulums, one from A and one from B, each by its two absolute angles.
    m11, m22 = i1 + m1 * centre1 ** 2 + m2 * l1 ** 2, i2 + m2 * l2 ** 2 / 4
    m44, m33 = i4 + m4 * l4 ** 2 / 4 + m3 * l4 ** 2, i3 + m3 * l3 ** 2 / 4
    left, right = m2 * l1 * l2 / 2, m3 * l4 * l3 / 2
    m12, m34 = left * ca.dot(e1, e2), right * ca.dot(e3, e4)
    turn = left * (e1[1] * e2[0] - e1[0] * e2[1])
    length1, length2 = ca.norm_2(tip1 - ground), ca.sqrt(square)
    pull1 = stiffness * (natural1 / length1 - 1) * (tip1 - ground)
    pull2 = stiffness * (1 - natural2 / length2) * way
    f1 = ca.dot(lever1, pull1 + pull2) - g * (m1 * centre1 + m2 * l1) * e1[0] - turn * w2 ** 2
    f2 = ca.dot(lever2, pull2) - g * m2 * l2 / 2 * e2[0] + turn * w1 ** 2
    f3 = g * m3 * l3 / 2 * e3[0] + right * sine * w4 ** 2 - m33 * b3 - m34 * b4
    f4 = g * (m4 / 2 + m3) * l4 * e4[0] - right * sine * w3 ** 2 - m34 * b3 - m44 * b4

    # Projected on the two coordinates: two equations, solved by Cramer's rule.
    u1, u2 = m33 * r31 + m34 * r41, m33 * r32 + m34 * r42
    v1, v2 = m34 * r31 + m44 * r41, m34 * r32 + m44 * r42
    a11, a12, a22 = m11 + r31 * u1 + r41 * v1, m12 + r31 * u2 + r41 * v2, m22 + r32 * u2 + r42 * v2
    f1, f2 = f1 + r31 * f3 + r41 * f4, f2 + r32 * f3 + r42 * f4
    determinant = a11 * a22 - a12 ** 2
    acceleration = ca.vertcat(a22 * f1 - a12 * f2, a11 * f2 - a12 * f1) / determinant

    speed = lever1 * w1 + lever2 * w2
    change = lever1 * acceleration[0] + lever2 * acceleration[1] + bias2
    integrands = ca.vertcat(ca.sumsqr(tip2 - ca.DM([0.5, -2])), ca.sumsqr(speed), ca.sumsqr(change))
    return ca.vertcat(w1, w2, acceleration), integrands


def augmented():
    """The equations with those of the sensitivities, with and without integrands, by forward mode or the Jacobian,
    whichever has fewer operations."""
    # One array: the state, behind it the columns of its sensitivities, one after another, as CasADi stores matrices.
    y, p = ca.SX.sym("y", STATES * (1 + COLUMNS)), ca.SX.sym("p", COLUMNS)
    x, columns = y[:STATES], ca.reshape(y[STATES:], STATES, COLUMNS)
    rate, integrands = equations(x, p)
    both = ca.vertcat(rate, integrands)
    forward = ca.jtimes(both, ca.vertcat(x, p), ca.vertcat(columns, ca.SX.eye(COLUMNS)))
    jacobian = ca.mtimes(ca.jacobian(both, x), columns) + ca.jacobian(both, p)
    candidates = {}
    for name, derivative in (("forward", forward), ("jacobian", jacobian)):
        derivative = ca.densify(derivative)
        outputs = [ca.vertcat(rate, ca.vec(derivative[:STATES, :])),
                   ca.vertcat(integrands, ca.vec(derivative[STATES:, :]))]
        candidates[name] = [ca.Function("all", [y, p], ca.cse(outputs)),
                            ca.Function("rates", [y, p], ca.cse(outputs[:1]))]
    operations = {name: [f.n_instructions() for f in pair] for name, pair in candidates.items()}
    best = min(operations, key=operations.get)
    return candidates[best], operations, best


DRIVER = r"""
#include <math.h>
#include <string.h>
enum { NX = %(nx)d, NP = %(np)d, NG = %(ng)d, N = NX * (1 + NP), Q = NG * (1 + NP) };

int all(const double** arg, double** res, long long* iw, double* w, int mem);
int rates(const double** arg, double** res, long long* iw, double* w, int mem);

static void evaluate(const double* y, const double* p, double* rate, double* integrand) {
  const double* arg[] = {y, p};
  double* res[] = {rate, integrand};
  (integrand ? all : rates)(arg, res, 0, 0, 0); /* what comes of SX needs no room to work in */
}

static double larger(double a, double b) { return a > b ? a : b; }

/* Squared error of the worst of: the state, a column (as a whole, so that units do not matter), the integral of an
   objective, an entry of its gradient. Rates e and f are wrong over the step from (y, q) to (z, r). */
static double worst(double h, const double* p, const double* y, const double* z, const double* q, const double* r,
                    const double* e, const double* f, double rtol, double atol) {
  double result = 0;
  for (int c = -1; c < NP; ++c) {
    const int at = NX * (1 + c);
    double sum = 0, size[2] = {0, 0}; /* of positions and of velocities */
    for (int i = 0; i < NX; ++i) {
      const int half = i / (NX / 2);
      size[half] = larger(size[half], larger(fabs(y[at + i]), fabs(z[at + i])));
    }
    for (int i = 0; i < NX; ++i) {
      const double of_state = atol + rtol * larger(fabs(y[i]), fabs(z[i]));
      const double ratio = h * e[at + i] / (c < 0 ? of_state : atol / p[c] + rtol * size[i / (NX / 2)]);
      sum += ratio * ratio;
    }
    result = larger(sum / NX, result);
  }
  for (int o = 0; o < NG; ++o) {
    double size = larger(fabs(q[o]), fabs(r[o]));
    double ratio = h * f[o] / (atol + rtol * size);
    result = larger(ratio * ratio, result);
    for (int at = NG + o, c = 0; c < NP; ++c, at += NG) size = larger(size, p[c] * larger(fabs(q[at]), fabs(r[at])));
    for (int at = NG + o, c = 0; c < NP; ++c, at += NG) {
      ratio = h * p[c] * f[at] / (atol + rtol * size);
      result = larger(ratio * ratio, result);
    }
  }
  return result;
}

/* One gradient: q receives the objectives, their derivatives by the first parameter, and so on. Returns the steps. */
static int gradient(const double* start, const double* p, double duration, double rtol, double atol, double* q,
                    int* rejected) {
  double y[N], z[N], stage[N], k[12][N], g[12][Q], r[Q], e[2][N], f[2][Q];
  double t = 0, h, before = 1;
  int steps = 0;
  memcpy(y, start, sizeof y);
  memset(q, 0, Q * sizeof *q);
  *rejected = 0;
  evaluate(y, p, k[0], g[0]);
  /* First step by the size of the accelerations alone: everything starts from rest. */
  h = 0;
  for (int i = 0; i < NX; ++i) h = larger(h, fabs(k[0][i]));
  h = 0.01 / sqrt(1 + h) * pow(rtol / 1e-6, 0.125);
  while (t < duration) {
    const int last = t + h >= duration * (1 - 1e-14);
    if (last) h = duration - t;
    if (h < 1e-12 || steps + *rejected > 100000) return -1;
%(stages)s
    const double fifth = worst(h, p, y, z, q, r, e[0], f[0], rtol, atol);
    const double third = worst(h, p, y, z, q, r, e[1], f[1], rtol, atol);
    const double error = fifth > 0 ? fifth / sqrt(fifth + 0.01 * third) : 0;
    /* By the errors of this step and the one before (K. Gustafsson): fewer steps are rejected. */
    double change = error <= 1e-8 ? 6
                    : error <= 1  ? 0.9 * pow(error, -0.7 / 8) * pow(before, 0.4 / 8)
                                  : 0.9 * pow(error, -0.125);
    change = change < 0.333 ? 0.333 : change > 6 ? 6 : change;
    if (!(error <= 1)) {
      ++*rejected;
      h *= isfinite(error) ? change : 0.2;
      continue;
    }
    ++steps;
    before = larger(error, 1e-4);
    t = last ? duration : t + h;
    h *= change;
    memcpy(y, z, sizeof y);
    memcpy(q, r, sizeof r);
    if (!last) evaluate(y, p, k[0], g[0]);
  }
  return steps;
}

int batch(int count, const double* start, const double* p, double duration, double rtol, double atol, double* q,
          int* steps) {
  int rejected = 0, one;
  for (int i = 0; i < count; ++i) {
    steps[i] = gradient(start, p + i * NP, duration, rtol, atol, q + i * Q, &one);
    rejected += one;
  }
  return rejected;
}
"""


def stages_in_c():
    """Stages, end of the step and both error estimates, with the coefficients that are not zero written out."""
    def combination(weights, array):
        return " + ".join(f"{w!r} * {array}[{j}][i]" for j, w in enumerate(map(float, weights)) if w != 0.0)

    def loop(count, body):
        return f"    for (int i = 0; i < {count}; ++i) {body}"

    lines = []
    for s in range(1, 12):
        lines.append(loop("N", f"stage[i] = y[i] + h * ({combination(dop853.A[s, :s], 'k')});"))
        integrand = f"g[{s}]" if any(weights[s] for weights in (dop853.B, dop853.E3, dop853.E5)) else "0"
        lines.append(f"    evaluate(stage, p, k[{s}], {integrand});")
    lines.append(loop("N", f"z[i] = y[i] + h * ({combination(dop853.B, 'k')});"))
    lines.append(loop("Q", f"r[i] = q[i] + h * ({combination(dop853.B, 'g')});"))
    assert dop853.E3[12] == 0 and dop853.E5[12] == 0  # so that a step is judged before the rates at its end are known
    for which, weights in enumerate((dop853.E5, dop853.E3)):
        lines.append(loop("N", f"e[{which}][i] = {combination(weights[:12], 'k')};"))
        lines.append(loop("Q", f"f[{which}][i] = {combination(weights[:12], 'g')};"))
    return "\n".join(lines)


class CompiledRungeKutta:
    """Contender A."""

    def __init__(self, folder):
        functions, self.operations, self.mode = augmented()
        generator = ca.CodeGenerator("rhs.c")
        for function in functions:
            generator.add(function)
        generator.generate(str(folder) + os.sep)
        sizes = {"nx": STATES, "np": COLUMNS, "ng": OBJECTIVES, "stages": stages_in_c()}
        (folder / "driver.c").write_text(DRIVER % sizes)
        begin = time.perf_counter()
        subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "-o", "five_bar.so", "rhs.c", "driver.c", "-lm"], cwd=folder,
                       check=True)
        self.compile_s = time.perf_counter() - begin
        self.library = ctypes.CDLL(str(folder / "five_bar.so"))
        self.start = np.concatenate([START, np.zeros(STATES * COLUMNS)])

    def prepare(self, designs, rtol, atol):
        """A call without arguments that computes all designs, and where it leaves results and steps."""
        designs = np.ascontiguousarray(designs, dtype=float).reshape(-1, COLUMNS)
        result = np.empty((len(designs), 1 + COLUMNS, OBJECTIVES))
        steps = np.empty(len(designs), dtype=np.int32)
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (self.start, designs, result, steps)]
        numbers = map(ctypes.c_double, (DURATION, rtol, atol))
        arguments = [ctypes.c_int(len(designs)), *arrays[:2], *numbers, *arrays[2:]]

        def call(keep=(designs, self.start)):
            rejected = self.library.batch(*arguments)
            if steps.min() < 0:
                raise RuntimeError("a design failed")
            return rejected
        return call, result, steps


def cvodes(method, tolerance, compiled):
    """Contender B: a call that returns objectives and gradients, and the steps of the motion alone."""
    x, p = ca.SX.sym("x", STATES), ca.SX.sym("p", COLUMNS)
    rate, integrands = equations(x, p)
    options = {"abstol": tolerance, "reltol": tolerance, "quad_err_con": True}
    if method == "adams":
        options.update(linear_multistep_method="adams", nonlinear_solver_iteration="functional")
    if compiled:
        # CasADi leaves the files in the current folder, which is a temporary one.
        options.update(jit=True, compiler="shell", jit_cleanup=False, jit_options={"flags": FLAGS, "compiler": "gcc"})
    motion = ca.integrator("F", "cvodes", {"x": x, "p": p, "ode": rate, "quad": integrands}, 0.0, DURATION, options)
    motion(x0=START, p=NOMINAL)
    parameters = ca.MX.sym("p", COLUMNS)
    integrals = motion(x0=START, p=parameters)["qf"]
    sensitivities = ca.jtimes(integrals, parameters, ca.MX.eye(COLUMNS))  # forward mode for all five
    function = ca.Function("G", [parameters], [integrals, sensitivities])
    return lambda: np.vstack([part.full().T for part in function(NOMINAL)]), motion.stats().get("nsteps")


class Gradus:
    """The program; its specialised kernels lie in a cache of their own."""

    def __init__(self, program, model, cache):
        self.command = [str(pathlib.Path(program).resolve()), "gradient", str(pathlib.Path(model).resolve()),
                        "--formulation", "index1", "--integrator", "dop853", "--json"]
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}

    def run(self, *options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*self.command, *map(str, options)], check=True, capture_output=True, text=True,
                              env=self.environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        document = json.loads(done.stdout)
        document["cpu_s"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        document["remark"] = " ".join(line for line in done.stderr.splitlines() if "kernels:" in line)
        return document

    @staticmethod
    def numbers(document):
        objectives = ("psi1", "psi2", "psi3")
        return np.array([[document["objectives"][o] for o in objectives],
                         *([document["gradient"][o][name] for o in objectives] for name in NAMES)])


def errors(result, reference):
    """Value, row and entry, see the top."""
    difference, rows = np.abs(result - reference), np.abs(reference[1:])
    return {"value": float((difference[0] / np.abs(reference[0])).max()),
            "row": float((difference[1:] / rows.max(axis=0)).max()),
            "entry": float((difference[1:] / rows).max())}


def median_time(call, repeats):
    """Medians of the seconds of a call, of the clock and of the processor: apart where other work disturbs."""
    call()
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return [statistics.median(column) for column in zip(*times)]


class Table:
    """Prints rows as they come, and keeps them."""

    def __init__(self, reference):
        self.reference, self.rows = reference, []
        print(f"{'':48}{'rtol':>7}{'atol':>7}{'us':>10}{'cpu us':>10}{'steps':>7}{'value':>9}{'row':>9}{'entry':>9}")

    def add(self, name, tolerances, times, steps=None, result=None, **more):
        error = {} if result is None else errors(result, self.reference)
        self.rows.append({"contender": name, "rtol": tolerances[0], "atol": tolerances[1], "seconds": times[0],
                          "cpu_seconds": times[1], "steps": steps, "error": error, **more})
        cells = [format(t, "7.0e") for t in tolerances] + [format(1e6 * t, "10.1f") for t in times]
        cells += [" " * 7 if steps is None else format(steps, "7.1f")] + [format(e, "9.1e") for e in error.values()]
        print(f"{name:48}" + "".join(cells), flush=True)


def prove(contender, gradus):
    """The reference, and how far gradus and A at other tolerances are from it."""
    call, result, _ = contender.prepare(NOMINAL, 1e-13, 1e-13)
    call()
    reference, proof = result[0].copy(), {}
    for tolerance in (1e-9, 1e-11):
        document = gradus.run("--rtol", tolerance, "--atol", tolerance, "--quiet")
        proof[f"gradus at {tolerance}"] = errors(gradus.numbers(document), reference)
    call, result, _ = contender.prepare(NOMINAL, 1e-10, 1e-10)
    call()
    proof["A at 1e-10"] = errors(result[0], reference)
    for label, error in proof.items():
        print(f"{label:16} differs from A at 1e-13 by", "  ".join(f"{k} {v:.1e}" for k, v in error.items()))
    if not max(proof["gradus at 1e-11"].values()) < 1e-8:
        raise SystemExit("gradus and CasADi do not compute the same")
    return reference, proof


def time_contenders(contender, table, repeats, count):
    designs = NOMINAL * (1 + 0.02 * np.random.default_rng(1).uniform(-1, 1, (count, COLUMNS)))
    for tolerances in PAIRS:
        call, result, steps = contender.prepare(NOMINAL, *tolerances)
        table.add("A: one", tolerances, median_time(call, repeats), int(steps[0]), result[0], rejected=call())
        call, result, steps = contender.prepare(designs, *tolerances)
        times = [seconds / count for seconds in median_time(call, 5)]
        table.add(f"A: {count} designs, each", tolerances, times, float(steps.mean()), rejected=call())
    for method in ("bdf", "adams"):
        for compiled in (False, True):
            for tolerance in (1e-6, 1e-8):
                call, steps = cvodes(method, tolerance, compiled)
                table.add(f"B: {method}, {'compiled' if compiled else 'interpreted'}", (tolerance, tolerance),
                          median_time(call, max(5, repeats // 10)), steps, call())


def time_gradus(gradus, contender, table, proof, count):
    for kernels in ("general", "specialised"):
        for lanes in (1, 8):
            fixed = ("--rtol", 1e-6, "--spread", 0.02, "--lanes", lanes, "--kernels", kernels, "--backend", "cpu:1",
                     "--estimate-every", 0)
            for attempt in range(5 if kernels == "specialised" else 0):
                # Each run compiles what it lacks for the next ones; twice the designs come to more that is rare.
                if "the compiler took 0 s" in gradus.run(*fixed, "--designs", 2 * count)["remark"]:
                    break
            for rtol, atol in PAIRS:
                runs = [gradus.run(*fixed, "--atol", atol, "--designs", count) for _ in range(3)]
                document = runs[0]
                times = [statistics.median(values) / count for values in
                         ([run["timing"]["total_s"] for run in runs], [run["cpu_s"] for run in runs])]
                name = f"gradus: {kernels}, lanes {document['lanes']}, {count} designs, each"
                table.add(name, (rtol, atol), times, statistics.fmean(document["steps_taken"]),
                          gradus.numbers(document), steps_of_model=document["steps_taken"][0],
                          rejected=sum(document["steps_rejected"]),
                          remarks=[run["remark"] for run in runs],
                          seconds_of_runs=[run["timing"]["total_s"] / count for run in runs])
                if kernels == "general" and lanes == 1:
                    # The designs of gradus through A: both agree beyond the model itself.
                    designs = document["designs"]
                    same = [[d["parameters"][name] for name in NAMES] for d in designs]
                    call, result, _ = contender.prepare(same, rtol, atol)
                    call()
                    worst = max(errors(result[i], gradus.numbers(d))["row"] for i, d in enumerate(designs))
                    proof[f"A and gradus at {rtol}, {atol}, worst of {count} designs"] = {"row": worst}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", required=True, help="the program gradus")
    parser.add_argument("--model", required=True, help="five-bar.json")
    parser.add_argument("--repeats", type=int, default=200, help="calls of which the median is taken (200)")
    parser.add_argument("--designs", type=int, default=4096, help="designs of A; gradus has twice as many (4096)")
    parser.add_argument("--json", metavar="FILE", help="write all numbers to FILE")
    options = parser.parse_args()
    output = options.json and pathlib.Path(options.json).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        gradus = Gradus(options.gradus, options.model, folder / "cache")
        os.chdir(folder)
        contender = CompiledRungeKutta(folder)
        load = os.getloadavg()
        reference, proof = prove(contender, gradus)
        print(f"operations of the right-hand side: {contender.operations}, taken: {contender.mode}\n")
        table = Table(reference)
        time_contenders(contender, table, options.repeats, options.designs)
        time_gradus(gradus, contender, table, proof, 2 * options.designs)
        for label, error in list(proof.items())[3:]:
            print(f"{label}: row {error['row']:.1e}")
        os.chdir(folder.parent)
    processor = re.search("model name\\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())  # Linux on x86
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    record = {"date": datetime.date.today().isoformat(), "processor": processor and processor[1],
              "load": [load, os.getloadavg()], "compiler": compiler, "flags": FLAGS, "casadi": ca.__version__,
              "numpy": np.__version__, "repeats": options.repeats, "operations": contender.operations,
              "mode": contender.mode, "compile_s": contender.compile_s, "reference": reference.tolist(),
              "agreement": proof, "rows": table.rows}
    if output:
        output.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
