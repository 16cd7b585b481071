"""Reads the sources of a copy of the repository with the headers of a bundle, and with the system's packages switched off."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from commands import SKIPPED, fresh_folder, run

HEADER = re.compile(r'^# \d+ "([^"]*)"', re.MULTILINE)
OF_PACKAGES = tuple(f"/usr/include/{folder}/" for folder in ("boost", "CLI", "eigen3", "gtest", "nlohmann"))
PACKAGES = ("Eigen3", "nlohmann_json", "CLI11", "GTest", "Boost", "NLopt", "Ipopt", "Hdf5C", "MPI")


def repository_files(source):
    """What a commit of the working tree would hold, relative to it."""
    command = ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None
    return [pathlib.Path(name) for name in sorted(set(result.stdout.split("\0")) - {""})]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cmake", "generator", "compiler", "source", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    source = pathlib.Path(arguments.source)
    files = repository_files(source)
    if files is None or shutil.which("dpkg-query") is None:
        print("skipped: takes a git working tree and a Debian system")
        sys.exit(SKIPPED)
    scratch = fresh_folder(arguments.scratch)

    copy = scratch / "copy"
    for file in files:
        if (source / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / file, copy / file)
    print(run(copy / "scripts/bundle", scratch / "bundle"))

    # Stands before the compiler and lets it only read, which tells where every header lies: it looks into folders of the
    # system as well. That the headers compile is known, since the tree at hand was built with those of the same packages.
    reader = scratch / "reader"
    reader.write_text('#!/bin/sh\nexec "$@" -E\n')
    reader.chmod(0o755)
    switched_off = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PACKAGES]
    build = scratch / "build"
    print(run(arguments.cmake, "-S", copy, "-B", build, "-G", arguments.generator,
              f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DGRADUS_BUNDLE={scratch / 'bundle'}",
              f"-DCMAKE_CXX_COMPILER_LAUNCHER={reader}", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
              "-DCMAKE_BUILD_TYPE=Debug", "-DGRADUS_CUDA=OFF", "-DGRADUS_VECTOR_LEVELS=none",
              "-DGRADUS_BUILD_BENCHMARKS=OFF", "-DGRADUS_BUILD_EXAMPLES=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
              *switched_off))
    run(arguments.cmake, "--build", build, "--target", "gradus", "gradus_gtest_main")
    # All headers came from the bundle, none from a folder of the system that was found after all.
    commands = (build / "compile_commands.json").read_text()
    if str(scratch / "bundle") not in commands or "/usr/include" in commands:
        sys.exit("the library was compiled with folders outside the bundle:\n" + commands[:2000])
    read = {header for file in build.rglob("*.o") for header in HEADER.findall(file.read_text())}
    others = sorted(header for header in read if header.startswith(OF_PACKAGES))
    if others or not any(header.startswith(str(scratch / "bundle/include/boost")) for header in read):
        sys.exit(f"headers that the bundle lacks: {others[:20]}")


if __name__ == "__main__":
    main()
