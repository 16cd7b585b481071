"""Installs gradus into an empty prefix and builds and runs a project outside that finds it there."""

import argparse
import json
import pathlib
import shutil
import sys

from commands import fresh_folder, run, run_refused


def check_partial_builds(arguments, scratch):
    """Of a folder that built nothing, or no module, installing says what is missing and how to build it."""
    build, partial = pathlib.Path(arguments.build), scratch / "partial"
    scripts = [*build.rglob("cmake_install.cmake"), *build.glob("CMakeFiles/Export/**/*.cmake"), *build.glob("*.cmake")]
    for script in scripts:
        copy = partial / script.relative_to(build)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(script.read_text().replace(str(build), str(partial)))
    install = [arguments.cmake, "--install", partial, "--prefix", scratch / "nothing"]

    def expect(output, *texts):
        for text in (*texts, f"Hint: cmake --build {partial} --target gradus_all"):
            if text not in output:
                sys.exit(f"installing a partial build printed '{output}', expected '{text}'")

    expect(run_refused(*install), "gradus is not built, there is no libgradus.", " libgradus_c.so")
    if (scratch / "nothing").exists():
        sys.exit("a build that is not there was installed by halves")
    for file in [*build.glob("lib/libgradus.*"), *build.glob("lib/libgradus_c.*"), *build.glob("bin/gradus")]:
        (partial / file.parent.name).mkdir(exist_ok=True)
        shutil.copy2(file, partial / file.parent.name, follow_symlinks=False)
    expect(run(*install), "without the modules that are not built: libgradus_checks.so")


def check_components(arguments, scratch, prefix):
    """gradus has no components, and says so."""
    (scratch / "components").mkdir()
    (scratch / "components/CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(components NONE)\nfind_package(gradus REQUIRED COMPONENTS hdf5)\n")
    output = run_refused(arguments.cmake, "-S", scratch / "components", "-B", scratch / "components/build", "-G", arguments.generator,
                         f"-DCMAKE_PREFIX_PATH={prefix}")
    if "it has no component 'hdf5'" not in output:
        sys.exit(f"a component that gradus does not have was answered with '{output}'")


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
    check_components(arguments, scratch, moved)
    check_partial_builds(arguments, scratch)
    build = str(arguments.build).encode()
    for file in sorted(moved.rglob("*.cmake")):
        if build in file.read_bytes():
            sys.exit(f"{file.relative_to(moved)} names the build folder")


if __name__ == "__main__":
    main()
