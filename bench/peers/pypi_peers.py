"""Gradients of motions by gradus beside JAX, Exudyn, MuJoCo and Pinocchio: the same numbers, accuracy and time.

    pypi_peers.py --gradus PATH --model models/five-bar/five-bar.json [--only NAME ...] [--repeats N] [--json FILE]

Two problems (peer_problems.py), on one thread:

- the five-bar, two closed loops, three integrals by five parameters over 5 s: JAX (equations by hand in two
  coordinates, jacfwd), Exudyn (bodies and joints, central differences), MuJoCo (closed by a soft constraint, central
  differences);
- an arm of seven links, one integral by 28 masses and centres of mass over 1 s: MuJoCo (central differences),
  Pinocchio (analytic derivatives, in C++).

Each contender first has to compute the same as gradus at tolerances of 1e-12, when its own are narrow; the limit is
stated, and one that does not reach it has no time. It is then timed with the coarsest steps or tolerance of a list
whose objectives and gradient are wrong by less than 1e-6, Exudyn without extrapolation by less than 1e-5; Pinocchio
and gradus run dop853 at rtol 1e-6 and atol 1e-10. Errors are relative and stated with each time: "value" is the worst
of the objectives, "row" the worst error of a gradient over its largest entry, "entry" the worst one over the entry
itself.

Times are medians; those of gradus are timing.total_s over the designs of a batch, specialised kernels come from a
cache that earlier runs have filled until the compiler has nothing left to do. A contender that is not installed is
left out. From PyPI come numpy, scipy (for coefficients), jax, diffrax, exudyn, mujoco and pin; gcc, g++ and Eigen are
needed for Pinocchio.
"""

import os

# Before NumPy and JAX are loaded, which read them once.
os.environ.update(XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", OMP_NUM_THREADS="1",
                  OPENBLAS_NUM_THREADS="1", JAX_PLATFORMS="cpu")

import argparse
import importlib
import json
import pathlib
import tempfile

import numpy as np

import peer_problems as problems
from peer_common import Gradus, Table, errors, largest_error, numbers_of, surroundings, timed_batches

CONTENDERS = ("jax", "exudyn", "mujoco", "pinocchio")


class Problem:
    """Names and numbers of a problem, its reference (gradus at tolerances of 1e-12) and its table."""

    def __init__(self, title, names, objectives, nominal, gradus):
        self.title, self.names, self.objectives, self.nominal = title, names, objectives, nominal
        self.gradus = gradus
        self.narrow = ("--integrator", "dop853", "--rtol", 1e-12, "--atol", 1e-12)
        self.reference = self.numbers(gradus.run(*self.narrow))
        self.table = Table(title, self.reference)
        self.agreement = {}

    def numbers(self, document):
        return numbers_of(document, self.objectives, self.names)

    def agree(self, contender, result, limit):
        """Whether a contender computes the same, from its result at narrow tolerances; only then it is timed."""
        error = errors(result, self.reference)
        self.agreement[contender] = {**error, "limit": limit}
        same = largest_error(result, self.reference) < limit
        print(f"{self.title}, {contender}: differs from gradus at 1e-12 by value {error['value']:.1e}, "
              f"row {error['row']:.1e}" + ("" if same else f", not within {limit:.0e}: not timed"), flush=True)
        return same

    def agree_in_designs(self, contender, evaluate):
        """How far gradus and a contender differ in other designs than the nominal one, the worst of 32."""
        designs = self.gradus.run(*self.narrow, "--designs", 32, "--spread", 0.02)["designs"]
        results = evaluate(np.array([[design["parameters"][name] for name in self.names] for design in designs]))
        worst = max(largest_error(result, self.numbers(design)) for result, design in zip(results, designs))
        self.agreement[f"{contender}, worst of {len(designs)} designs"] = worst
        print(f"{self.title}, {contender}: the worst of {len(designs)} designs differs by {worst:.1e}", flush=True)

    def time_gradus(self, general, specialised, setting, *options, method="direct"):
        """Batches of so many designs by either kind of kernels."""
        counts = {"general": general, "specialised": specialised}
        for batch in timed_batches(self.gradus, counts, [setting], *options, method=method):
            document = batch.document
            how = f"{document['integrator']}, {method}, {batch.kernels}, lanes {document['lanes']}"
            self.table.add("gradus", {"how": how, **setting}, batch.times, batch.steps, self.numbers(document),
                           **batch.more)


def load(names):
    """Modules of the contenders that are installed."""
    modules = {}
    for name in names:
        try:
            modules[name] = importlib.import_module(f"peer_{name}")
        except ImportError as error:
            print(f"{name}: left out, {error}")
    return modules


def time_rows_of_gradus(five_bar, arm, designs):
    # So many designs that it does not count that kernels are opened, which takes less than a tenth of a second.
    dop853, tolerances = ("--integrator", "dop853"), {"rtol": 1e-6, "atol": 1e-10}
    five_bar.time_gradus(2 * designs, 8 * designs, tolerances, *dop853)
    arm.time_gradus(designs, 2 * designs, tolerances, *dop853)
    # The adjoint with steps by the error of the motion alone: otherwise columns go ahead to find them.
    arm.time_gradus(designs, 2 * designs, tolerances, *dop853, "--columns-in-error", "no", method="adjoint")
    # The step with which MuJoCo's differences are accurate enough.
    few = max(1, designs // 8)
    for method in ("direct", "adjoint"):
        arm.time_gradus(few, 2 * few, {"step": 1e-3}, "--integrator", "rk4", method=method)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", required=True, help="the program gradus")
    parser.add_argument("--model", required=True, help="five-bar.json")
    parser.add_argument("--only", action="append", choices=(*CONTENDERS, "gradus"),
                        help="time this contender alone; repeatable")
    parser.add_argument("--repeats", type=int, default=50, help="calls of which the median is taken (50)")
    parser.add_argument("--designs", type=int, default=512,
                        help="designs of a batch; gradus has up to 8 times as many, its steps of RK4 an eighth (512)")
    parser.add_argument("--eigen", default="/usr/include/eigen3", help="headers of Eigen (/usr/include/eigen3)")
    parser.add_argument("--json", metavar="FILE", help="write all numbers to FILE")
    options = parser.parse_args()
    wanted = options.only or (*CONTENDERS, "gradus")
    load_before = os.getloadavg()
    modules = load([name for name in CONTENDERS if name in wanted])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "arm.json"
        model.write_text(json.dumps(problems.arm_model()))
        five_bar = Problem("five-bar", tuple(problems.FIVE_BAR_PARAMETERS), problems.FIVE_BAR_OBJECTIVES,
                           problems.FIVE_BAR_NOMINAL,
                           Gradus(options.gradus, options.model, folder / "cache", "--formulation", "index1"))
        arm = Problem("arm", problems.ARM_NAMES, ("miss",), problems.ARM_NOMINAL,
                      Gradus(options.gradus, model, folder / "cache", "--formulation", "semi-recursive"))
        Table.head()
        for module in modules.values():
            module.run(five_bar, arm, options, folder)
        if "gradus" in wanted:
            time_rows_of_gradus(five_bar, arm, options.designs)
    packages = {"numpy", "scipy"}.union(*(module.PACKAGES for module in modules.values()))
    record = {**surroundings(packages), "load": [load_before, os.getloadavg()], "repeats": options.repeats,
              "references": {p.title: p.reference.tolist() for p in (five_bar, arm)},
              "agreement": {p.title: p.agreement for p in (five_bar, arm)},
              "rows": five_bar.table.rows + arm.table.rows}
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
