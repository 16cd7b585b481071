"""Installs gradus into an empty prefix and builds and runs a project outside that finds it there."""

import argparse
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
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    run(arguments.cmake, "--build", scratch / "consumer")
    output = run(scratch / "consumer/consumer", f"{arguments.source}/models/five-bar/five-bar.json").strip()
    expected = f"{arguments.version} five-bar"
    if output != expected:
        sys.exit(f"the project outside printed '{output}', expected '{expected}'")

    for program in sorted((moved / "bin").glob("gradus")):
        output = run(program, "--version").strip()
        if arguments.version not in output:
            sys.exit(f"the installed program says its version is '{output}', expected {arguments.version}")
    build = str(arguments.build).encode()
    for file in sorted(moved.rglob("*.cmake")):
        if build in file.read_bytes():
            sys.exit(f"{file.relative_to(moved)} names the build folder")


if __name__ == "__main__":
    main()
