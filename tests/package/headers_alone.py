"""Compiles every header alone: those of include/gradus as C++20, those of kernels as C++17, as nvcc reads them."""

import pathlib
import subprocess
import sys


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    failures = 0
    for folder, standard, includes in (("include/gradus", "c++20", ["include"]), ("kernels", "c++17", ["."])):
        for header in sorted((root / folder).rglob("*.hpp")):
            # Read through an include, because a header given to the compiler directly draws other warnings.
            name = header.relative_to(root / includes[0])
            command = [compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                       "-Wno-unknown-pragmas", *(f"-I{root / include}" for include in includes), "-x", "c++", "-"]
            result = subprocess.run(command, input=f'#include "{name}"\n', capture_output=True, text=True, check=False)
            if result.returncode != 0:
                failures += 1
                print(f"{header.relative_to(root)} does not compile alone as {standard}:\n{result.stderr}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
