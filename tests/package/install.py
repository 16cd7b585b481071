"""Installs gradus into an empty prefix and builds and runs a project outside that finds it there."""

import argparse
import json
import pathlib
import sys

from commands import fresh_folder, run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cmake", "generator", "compiler", "source", "build", "version", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    scratch = fresh_folder(arguments.scratch)
    prefix = scratch / "prefix"

    run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)
    # Moved after installing: nothing installed may remember where it was built or put.
    moved = scratch / "moved"
    prefix.rename(moved)
    run(arguments.cmake, "-S", f"{arguments.source}/tests/package/consumer", "-B", scratch / "consumer", "-G",
        arguments.generator, f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_PREFIX_PATH={moved}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in ("NLopt", "Ipopt", "Hdf5C", "HDF5", "MPI")))
    run(arguments.cmake, "--build", scratch / "consumer")
    output = run(scratch / "consumer/consumer", f"{arguments.source}/models/five-bar/five-bar.json").strip()
    modules = {file.name for file in pathlib.Path(arguments.build, "lib").glob("libgradus_*.so")}
    installed = {file.name for file in moved.rglob("libgradus_*.so")}
    if installed != modules:
        sys.exit(f"installed are the modules {sorted(installed)}, built were {sorted(modules)}")
    methods = (["lbfgs", "slsqp", "mma", "augmented-lagrangian"] if "libgradus_nlopt.so" in modules else []) + (
        ["ipopt"] if "libgradus_ipopt.so" in modules else [])
    expected = " ".join([arguments.version, "five-bar", *methods])
    if output != expected:
        sys.exit(f"the project outside printed '{output}', expected '{expected}'")

    for program in sorted((moved / "bin").glob("gradus")):
        output = run(program, "--version").strip()
        if arguments.version not in output:
            sys.exit(f"the installed program says its version is '{output}', expected {arguments.version}")
        info = json.loads(run(program, "info", "--json"))
        found = (info["optimization_methods"], info["hdf5"])
        if found != (methods, "libgradus_hdf5.so" in modules):
            sys.exit(f"the installed program finds {found} of the modules {sorted(modules)}")
    build = str(arguments.build).encode()
    for file in sorted(moved.rglob("*.cmake")):
        if build in file.read_bytes():
            sys.exit(f"{file.relative_to(moved)} names the build folder")


if __name__ == "__main__":
    main()
