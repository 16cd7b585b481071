"""Gradients by CasADi beside those of gradus: the same numbers, their accuracy and time.

    casadi_peers.py --gradus PROGRAM --models FOLDER [--machine NAME] [--json FILE] ...

All compute three objectives of a mechanism, which are integrals over its motion, and their derivatives by its
parameters, on one thread.

Steps chosen by their errors:

- A, what an expert writes with CasADi: equations by hand in as few coordinates as there are degrees of freedom
  (casadi_machines.py). CasADi differentiates them and generates C, which gcc compiles with Dormand and Prince's method
  of order 8 around it (dop853.c). Steps are chosen by the error of the state, its sensitivities and all integrals,
  measured as gradus measures it (but for what closing loops corrects).
- B, what CasADi's documentation shows: casadi.integrator with CVODES and its forward sensitivities, by BDF with
  Newton's method (the default) and by Adams' method with functional iteration, interpreted and compiled; and
  Function.map of the fastest for a batch of designs.
- gradus with index1 and dop853.

Steps of one length, that of the model unless --step says otherwise:

- C, the same equations as A by the trapezoidal rule with Newton's method, which also serves the sensitivities (direct
  differentiation of the steps, trapezoidal.c); the accelerations and quadratures are those of the rule as well. It
  ends Newton's method where ali3p does, at changes of the positions of 1e-10.
- gradus with ali3p: the trapezoidal rule, too, but on all coordinates of a tree with penalties, multipliers and
  projections on the constraints. The truncation errors of both are therefore of like size, not equal.

gradus computes batches of designs, with 1 and 8 lanes, by general and specialised kernels. Its time is timing.total_s
over the designs (median of three runs). Specialised kernels come from a cache that `gradus compile` and earlier runs
have filled until the compiler has nothing left to do.

Errors are relative to A at a tolerance of 1e-13, once gradus at 1e-11 has confirmed it to 1e-9 (and C, extrapolated to
steps of no length, to 1e-8): "value" is the worst of the objectives, "row" the worst error of a gradient over its
largest entry, "entry" the worst one over the entry itself. Needs casadi, numpy and scipy (for coefficients) from PyPI,
and gcc.
"""

import argparse
import ctypes
import functools
import json
import os
import pathlib
import subprocess
import tempfile
import time

import casadi as ca

import integrators_in_c
from casadi_machines import MACHINES
from peer_common import Gradus, Table, errors, median_time, surroundings, timed_batches, variations

FLAGS = ["-O3", "-march=native"]
# The second atol is what gradus takes if only rtol is given.
TOLERANCES = ({"rtol": 1e-6, "atol": 1e-6}, {"rtol": 1e-6, "atol": 1e-10})
NEWTON = 1e-10  # as `tolerance` of the models
MAPPED = 64  # most designs of B in one call
ADAPTIVE = ("--formulation", "index1", "--integrator", "dop853")
FIXED = ("--formulation", "ali3p")


def with_columns(machine):
    """The equations with those of the sensitivities, with and without integrands, by forward mode or the Jacobian,
    whichever has fewer operations."""
    states, parameters = len(machine.start), len(machine.parameters)
    # One array: the state, behind it the columns of its sensitivities, one after another, as CasADi stores matrices.
    y, p = ca.SX.sym("y", states * (1 + parameters)), ca.SX.sym("p", parameters)
    x, columns = y[:states], ca.reshape(y[states:], states, parameters)
    rate, integrands = machine.equations(x, p)
    both = ca.vertcat(rate, integrands)
    forward = ca.jtimes(both, ca.vertcat(x, p), ca.vertcat(columns, ca.SX.eye(parameters)))
    jacobian = ca.mtimes(ca.jacobian(both, x), columns) + ca.jacobian(both, p)
    candidates = {}
    for name, derivative in (("forward", forward), ("jacobian", jacobian)):
        derivative = ca.densify(derivative)
        outputs = [ca.vertcat(rate, ca.vec(derivative[:states, :])),
                   ca.vertcat(integrands, ca.vec(derivative[states:, :]))]
        candidates[name] = [ca.Function("all", [y, p], ca.cse(outputs)),
                            ca.Function("rates", [y, p], ca.cse(outputs[:1]))]
    operations = {name: [f.n_instructions() for f in pair] for name, pair in candidates.items()}
    best = min(operations, key=operations.get)
    return candidates[best], operations, best


def step_of_trapezoidal_rule(machine):
    """For Newton's method the rates alone; for its end all that a step leaves: the state with its columns, their rates,
    the integrands with theirs, and the inverse matrix. Inputs are the state at the end of the step, the state with its
    columns and their rates at its beginning, parameters and length of the step."""
    states, parameters = len(machine.start), len(machine.parameters)
    half = states // 2
    x, p, h = ca.SX.sym("x", states), ca.SX.sym("p", parameters), ca.SX.sym("h")
    y, r = (ca.SX.sym(name, states * (1 + parameters)) for name in "yr")
    columns, rates = (ca.reshape(v[states:], states, parameters) for v in (y, r))
    rate, integrands = machine.equations(x, p)
    wanted = ca.vertcat(rate[half:], integrands)  # differentiated at once, which shares more than one by one
    by_state, by_parameters = ca.jacobian(wanted, x), ca.jacobian(wanted, p)
    of_positions, of_velocities = by_state[:half, :half], by_state[:half, half:]
    inverse = ca.inv_minor(ca.SX.eye(half) - h ** 2 / 4 * of_positions - h / 2 * of_velocities)
    # Columns at the end: what they were without accelerations there, and what these add.
    velocities, accelerations = columns[half:, :], rates[half:, :]
    free = ca.vertcat(columns[:half, :] + h * velocities + h ** 2 / 4 * accelerations,
                      velocities + h / 2 * accelerations)
    added = ca.mtimes(inverse, ca.mtimes(by_state[:half, :], free) + by_parameters[:half, :])
    new = free + ca.vertcat(h ** 2 / 4 * added, h / 2 * added)
    of_integrands = ca.mtimes(by_state[half:, :], new) + by_parameters[half:, :]
    outputs = [ca.vertcat(x, ca.vec(new)), ca.vertcat(rate, ca.vec(ca.vertcat(new[half:, :], added))),
               ca.vertcat(integrands, ca.vec(of_integrands)), ca.vec(inverse)]
    return [ca.Function("motion", [x, p], ca.cse([rate])),
            ca.Function("finish_step", [x, y, r, p, h], ca.cse([ca.densify(output) for output in outputs]))]


class Compiled:
    """Contenders A and C: integrators in C around what CasADi generates."""

    def __init__(self, machine, folder):
        self.machine = machine
        functions, self.operations, self.mode = with_columns(machine)
        of_step = step_of_trapezoidal_rule(machine)
        self.operations |= {f.name(): f.n_instructions() for f in of_step}
        generator = ca.CodeGenerator("generated.c")
        for function in functions + of_step:
            generator.add(function)
        generator.generate(str(folder) + os.sep)
        integrators_in_c.write_headers(folder, len(machine.start) // 2, len(machine.parameters),
                                       len(machine.objectives))
        begin = time.perf_counter()
        subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "-I.", "-o", "gradients.so", "generated.c",
                        *map(str, (integrators_in_c.DOP853, integrators_in_c.TRAPEZOIDAL)), "-lm"], cwd=folder,
                       check=True)
        self.compile_s = time.perf_counter() - begin
        self.library = ctypes.CDLL(str(folder / "gradients.so"))

    def prepare(self, function, designs, *numbers):
        machine = self.machine
        return integrators_in_c.prepare(getattr(self.library, function), machine.start, designs,
                                        len(machine.objectives), machine.duration, *numbers)

    def adaptive(self, designs, rtol, atol):
        return self.prepare("adaptive_designs", designs, rtol, atol)

    def trapezoidal(self, designs, step, tolerance=NEWTON):
        return self.prepare("trapezoidal_designs", designs, step, tolerance)


def cvodes(machine, method, tolerance, compiled):
    """Contender B: the function of the parameters that returns objectives and gradients, and the steps of the motion
    alone."""
    x, p = ca.SX.sym("x", len(machine.start)), ca.SX.sym("p", len(machine.parameters))
    rate, integrands = machine.equations(x, p)
    options = {"abstol": tolerance, "reltol": tolerance, "quad_err_con": True}
    if method == "adams":
        options.update(linear_multistep_method="adams", nonlinear_solver_iteration="functional")
    if compiled:
        # CasADi leaves the files in the current folder, which is a temporary one.
        options.update(jit=True, compiler="shell", jit_cleanup=False, jit_options={"flags": FLAGS, "compiler": "gcc"})
    equations = {"x": x, "p": p, "ode": rate, "quad": integrands}
    motion = ca.integrator("F", "cvodes", equations, 0.0, machine.duration, options)
    motion(x0=machine.start, p=machine.nominal)
    parameters = ca.MX.sym("p", len(machine.parameters))
    integrals = motion(x0=machine.start, p=parameters)["qf"]
    sensitivities = ca.jtimes(integrals, parameters, ca.MX.eye(len(machine.parameters)))  # forward mode for all of them
    return ca.Function("G", [parameters], [ca.horzcat(integrals, sensitivities)]), motion.stats().get("nsteps")


def prove(compiled, gradus, step):
    """The reference, and how far gradus, A at other tolerances and C are from it."""
    machine = compiled.machine

    def numbers(prepare, *setting):
        call, result, _ = prepare(machine.nominal, *setting)
        call()
        return result[0]

    reference, proof = numbers(compiled.adaptive, 1e-13, 1e-13), {}
    for tolerance in (1e-9, 1e-11):
        document = gradus.run(*ADAPTIVE, "--rtol", tolerance, "--atol", tolerance)
        proof[f"gradus at {tolerance}"] = errors(machine.numbers(document), reference)
    proof["A at 1e-10"] = errors(numbers(compiled.adaptive, 1e-10, 1e-10), reference)
    # The error of the rule is a series in the square of the step: two terms of it are removed.
    steps = [numbers(compiled.trapezoidal, step / 2 ** i, 1e-14) for i in range(3)]
    twice = [(4 * fine - coarse) / 3 for coarse, fine in zip(steps, steps[1:])]
    proof["C, extrapolated"] = errors((16 * twice[1] - twice[0]) / 15, reference)
    proof["C by ending Newton's method"] = errors(numbers(compiled.trapezoidal, step), steps[0])
    for label, error in proof.items():
        print(f"{label:27} differs by", "  ".join(f"{k} {v:.1e}" for k, v in error.items()))
    extrapolated = proof["C, extrapolated"]
    if not (max(proof["gradus at 1e-11"].values()) < 1e-9 and max(extrapolated["value"], extrapolated["row"]) < 1e-8):
        raise SystemExit("gradus and CasADi do not compute the same")
    return reference, proof


def time_casadi(compiled, table, repeats, designs):
    """A, one design and many, and B."""
    machine, count = compiled.machine, len(designs)
    for setting in TOLERANCES:
        call, result, steps = compiled.adaptive(machine.nominal, **setting)
        table.add("A: one", setting, median_time(call, repeats), int(steps[0]), result[0], rejected=call())
        call, result, steps = compiled.adaptive(designs, **setting)
        times = [seconds / count for seconds in median_time(call, 5)]
        table.add(f"A: {count} designs, each", setting, times, float(steps.mean()), rejected=call())
    few = max(5, repeats // 10)
    for method in ("bdf", "adams"):
        for is_compiled in (False, True):
            for tolerance in (1e-6, 1e-8):
                function, steps = cvodes(machine, method, tolerance, is_compiled)
                name = f"B: {method}, {'compiled' if is_compiled else 'interpreted'}"
                call = functools.partial(function, machine.nominal)
                table.add(name, {"rtol": tolerance, "atol": tolerance}, median_time(call, few), steps,
                          call().full().T)
    # `function` is the fastest of them at the finer tolerance now.
    mapped = designs[:MAPPED]
    call = functools.partial(function.map(len(mapped)), mapped.T)
    times = [seconds / len(mapped) for seconds in median_time(call, 5)]
    table.add(f"{name}, map of {len(mapped)}, each", {"rtol": tolerance, "atol": tolerance}, times)


def time_trapezoidal(compiled, table, repeats, designs, step):
    """C, one design and many."""
    count = len(designs)
    call, result, steps = compiled.trapezoidal(compiled.machine.nominal, step)
    table.add("C: one", {"step": step}, median_time(call, max(5, repeats // 5)), int(steps[0]), result[0],
              iterations=call() / int(steps[0]))
    call, result, steps = compiled.trapezoidal(designs, step)
    times = [seconds / count for seconds in median_time(call, 5)]
    table.add(f"C: {count} designs, each", {"step": step}, times, int(steps[0]))


def time_gradus(machine, gradus, table, counts, settings, *options):
    """Batches of gradus. Returns a document for each setting, by general kernels with one lane."""
    documents = []
    for batch in timed_batches(gradus, counts, settings, *options):
        documents.append(batch.document)
        name = f"gradus: {batch.kernels}, lanes {batch.document['lanes']}, {batch.count} designs, each"
        table.add(name, batch.setting, batch.times, batch.steps, machine.numbers(batch.document), **batch.more)
    return documents[:len(settings)]


def compare_designs(compiled, documents):
    """The worst difference of A from gradus in designs other than the nominal one."""
    machine, proof = compiled.machine, {}
    for setting, document in zip(TOLERANCES, documents):
        designs = document["designs"]
        same = [[d["parameters"][name] for name in machine.parameters] for d in designs]
        call, result, _ = compiled.adaptive(same, **setting)
        call()
        worst = max(errors(result[i], machine.numbers(d))["row"] for i, d in enumerate(designs))
        label = f"A and gradus at {setting['rtol']}, {setting['atol']}, worst of {len(designs)} designs"
        print(f"{label}: row {worst:.1e}")
        proof[label] = {"row": worst}
    return proof


def compare(machine, options, folder):
    """Everything for one mechanism: its part of the record."""
    step = options.step or machine.step
    count = options.designs or machine.designs
    few = max(1, count // 8)  # hundreds of times as many steps
    gradus = Gradus(options.gradus, options.models / machine.model, folder / "cache")
    compiled = Compiled(machine, folder)
    load = os.getloadavg()
    print(f"\n{machine.name}, {machine.duration} s, {len(machine.parameters)} parameters")
    reference, proof = prove(compiled, gradus, step)
    print(f"operations of the right-hand side: {compiled.operations}, taken: {compiled.mode}\n")
    designs = variations(machine.nominal, count)
    table = Table(machine.name, reference)
    table.head()
    time_casadi(compiled, table, options.repeats, designs)
    time_trapezoidal(compiled, table, options.repeats, designs[:few], step)
    # So many designs that it does not count that kernels are opened, which takes less than a tenth of a second.
    counts = {"general": 2 * count, "specialised": 8 * count}
    documents = time_gradus(machine, gradus, table, counts, TOLERANCES, *ADAPTIVE)
    time_gradus(machine, gradus, table, {"general": few, "specialised": 4 * few}, [{"step": step}], *FIXED)
    proof |= compare_designs(compiled, documents)
    return {"model": machine.model, "load": [load, os.getloadavg()], "operations": compiled.operations,
            "mode": compiled.mode, "compile_s": compiled.compile_s, "reference": reference.tolist(),
            "agreement": proof, "rows": table.rows}


def main():
    path = pathlib.Path
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", required=True, type=path, metavar="PROGRAM", help="the program gradus")
    parser.add_argument("--models", required=True, type=path, metavar="FOLDER", help="the folder models of gradus")
    parser.add_argument("--machine", choices=MACHINES, help="one of them alone (default: all)")
    parser.add_argument("--step", type=float, help="length of fixed steps in s (default: that of the model)")
    parser.add_argument("--repeats", type=int, default=200, help="calls of which the median is taken (200)")
    parser.add_argument("--designs", type=int,
                        help="designs of A; gradus has up to 8 times as many, C an eighth (default: "
                        + ", ".join(f"{machine.name} {machine.designs}" for machine in MACHINES.values()) + ")")
    parser.add_argument("--json", type=path, metavar="FILE", help="write all numbers to FILE")
    options = parser.parse_args()
    for name in ("gradus", "models", "json"):
        if getattr(options, name):
            setattr(options, name, getattr(options, name).resolve())
    record = {**surroundings({"casadi", "numpy", "scipy"}), "flags": FLAGS, "repeats": options.repeats, "machines": {}}
    back = os.getcwd()
    for name in [options.machine] if options.machine else MACHINES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            record["machines"][name] = compare(MACHINES[name], options, pathlib.Path(folder))
            os.chdir(back)
        if options.json:
            options.json.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
