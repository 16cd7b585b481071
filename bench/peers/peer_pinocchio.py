"""Pinocchio: the arm in C++ by its analytic derivatives, pinocchio_arm.cpp, with dop853.c around them.

The headers come with the wheel `pin`, and Boost with it; Eigen has to be installed. The compiler takes two minutes
and more, since the templates of Pinocchio are instantiated for this processor."""

import ctypes
import importlib.metadata
import pathlib
import subprocess
import time

import numpy as np

import integrators_in_c
import peer_problems as problems
from peer_common import median_time, variations

PACKAGES = ("pin", "libpinocchio", "cmeel-boost")
FLAGS = ["-O3", "-march=native", "-DNDEBUG"]
# What Pinocchio's lists of joints need. With the larger numbers of its own CMake package the compiler takes three times
# as long and 4 GB.
DEFINITIONS = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
               "-DBOOST_FUSION_INVOKE_MAX_ARITY=10"]
LINKS, COLUMNS = 7, 28
HEADERS = pathlib.Path(importlib.metadata.distribution("libpinocchio").locate_file("cmeel.prefix/include"))


class Arm:
    """The compiled arm."""

    def __init__(self, folder, eigen):
        source = pathlib.Path(__file__).resolve().with_name("pinocchio_arm.cpp")
        integrators_in_c.write_headers(folder, LINKS, COLUMNS, 1)
        begin = time.perf_counter()
        for command in (["gcc", *FLAGS, "-fPIC", "-I.", "-c", "-o", "dop853.o", str(integrators_in_c.DOP853)],
                        ["g++", "-std=c++17", *FLAGS, *DEFINITIONS, "-Wno-stringop-overread", "-fPIC", "-shared",
                         f"-I{HEADERS}", f"-I{eigen}", "-o", "arm.so", str(source), "dop853.o"]):
            subprocess.run(command, cwd=folder, check=True)
        self.compile_s = time.perf_counter() - begin
        self.library = ctypes.CDLL(str(folder / "arm.so"))
        numbers = [np.array(values, dtype=float).ravel() for values in
                   (problems.ARM_LENGTHS, problems.ARM_INERTIAS, problems.ARM_TARGET)]
        self.library.build(problems.ARM_AXES.encode(), *(ctypes.c_void_p(n.ctypes.data) for n in numbers),
                           ctypes.c_double(problems.ARM_GRAVITY))

    def prepare(self, designs, rtol, atol):
        start = (*problems.ARM_START, *[0] * LINKS)
        return integrators_in_c.prepare(self.library.adaptive_designs, start, designs, 1, problems.ARM_DURATION,
                                        rtol, atol)


def run(five_bar, arm, options, folder):
    try:
        program = Arm(folder, options.eigen)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"pinocchio: left out, {error}")
        return
    call, result, _ = program.prepare(arm.nominal, 1e-12, 1e-12)
    call()
    arm.agreement["seconds of the compiler for Pinocchio"] = program.compile_s
    if not arm.agree("Pinocchio", result[0], 1e-8):
        return

    def narrow(designs):
        call, results, _ = program.prepare(designs, 1e-12, 1e-12)
        call()
        return results

    arm.agree_in_designs("Pinocchio", narrow)
    for count in (1, options.designs):
        designs = arm.nominal if count == 1 else variations(arm.nominal, count)
        call, result, steps = program.prepare(designs, 1e-6, 1e-10)
        seconds = [s / count for s in median_time(call, options.repeats if count == 1 else 5)]
        how = "dop853 in C, " + ("one design" if count == 1 else f"{count} designs, each")
        arm.table.add("Pinocchio", {"how": how}, seconds, float(steps.mean()), result[0] if count == 1 else None,
                      flags=FLAGS, rejected=call())
