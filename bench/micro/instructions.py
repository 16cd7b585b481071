#!/usr/bin/env python3
"""Counts the instructions of every kernel per step with valgrind: instructions.py PROGRAM MODEL [--markdown].

PROGRAM is `gradus`, built as preset `release` does. Two runs of different length are compared, so that reading the
model and the start of the motion drop out. Instructions do not depend on the load of the machine, but on compiler and
flags.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

STEPS = (100, 300)
STEP = 1e-3  # s
LOOP = "loop over designs of "
COST = re.compile(r"^\s*([\d,]+) .*?:(.*gradus::kernels::.*)$")


def run(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"instructions: {command[0]} does not run: {error.strerror}")
    if result.returncode != 0:
        sys.exit(f"instructions: '{' '.join(command)}' ended with {result.returncode}:\n{result.stderr}")
    return result.stdout


def plain_name(signature):
    """The name of a function without namespaces and template arguments; of the loop over designs, its kernel's."""
    kernel = re.search(r"host_loop<.*?::Kernel_(\w+)", signature)
    if kernel:
        return LOOP + kernel.group(1)
    while True:
        shorter = re.sub(r"<[^<>]*>", "", signature)
        if shorter == signature:
            break
        signature = shorter
    name = re.search(r"(\w+)::operator\(\)", signature) or re.search(r"(\w+)\(", signature)
    return name.group(1) if name else signature.strip()


def costs(file, inclusive):
    """Instructions by function of the kernels, with what they call or without."""
    found = {}
    option = "--inclusive=yes" if inclusive else "--inclusive=no"
    for line in run(["callgrind_annotate", option, "--threshold=100", str(file)]).splitlines():
        match = COST.match(line)
        if match:
            key = plain_name(match.group(2))
            found[key] = found.get(key, 0) + int(match.group(1).replace(",", ""))
    return found


def per_step(files, inclusive):
    few, more = (costs(file, inclusive) for file in files)
    return {key: (value - few.get(key, 0)) / (STEPS[1] - STEPS[0]) for key, value in more.items()}


def table(title, rows, whole, markdown):
    if markdown:
        print(f"\n| {title} | instructions per step | share |\n| --- | ---: | ---: |")
    else:
        print(f"\n{title:<28}{'per step':>12}{'share':>8}")
    for name, cost in sorted(rows, key=lambda row: -row[1]):
        share = f"{100 * cost / whole:.1f} %"
        print(f"| `{name}` | {cost:.0f} | {share} |" if markdown else f"{name:<28}{cost:>12.0f}{share:>8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for steps in STEPS:
            files.append(pathlib.Path(folder) / str(steps))
            run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={files[-1]}", str(arguments.program), "gradient",
                 str(arguments.model), "--backend", "cpu:1", "--step", str(STEP), "--duration", str(steps * STEP)])
        inclusive = per_step(files, True)
        own = per_step(files, False)

    kernels = [(name[len(LOOP):], cost) for name, cost in inclusive.items() if name.startswith(LOOP) and cost > 0]
    if not kernels:
        sys.exit("instructions: found no kernel; is the program stripped?")
    whole = sum(cost for _, cost in kernels)
    table("kernel", kernels + [("all", whole)], whole, arguments.markdown)
    table("function, without its callees", [row for row in own.items() if row[1] >= 0.01 * whole], whole,
          arguments.markdown)


if __name__ == "__main__":
    main()
