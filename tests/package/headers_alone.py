"""Compiles every header of a folder alone: headers_alone.py ROOT COMPILER include/gradus|kernels.

Those of include/gradus as C++20, those of kernels as C++17, as nvcc reads them.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

FOLDERS = {"include/gradus": ("c++20", "include"), "kernels": ("c++17", ".")}


def complaints(root, compiler, header, standard, include):
    """What the compiler says of one header."""
    # Read through an include, because a header given to the compiler directly draws other warnings.
    name = header.relative_to(root / include)
    command = [compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
               f"-I{root / include}", "-x", "c++", "-"]
    result = subprocess.run(command, input=f'#include "{name}"\n', capture_output=True, text=True, check=False)
    return result.stderr if result.returncode != 0 else ""


def main():
    root, compiler, folder = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    standard, include = FOLDERS[folder]
    headers = sorted((root / folder).rglob("*.hpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        found = list(threads.map(lambda header: complaints(root, compiler, header, standard, include), headers))
    for header, text in zip(headers, found):
        if text:
            print(f"{header.relative_to(root)} does not compile alone as {standard}:\n{text}")
    sys.exit(1 if any(found) or not headers else 0)


if __name__ == "__main__":
    main()
