"""Checks that translations of the kernels share no function: translations.py NAMESPACE OBJECT... | --self-test.

The linker keeps one of several functions of the same name. If a translation for newer processors defined any that others
define as well, programs could run its instructions on processors that do not have them.
"""

import subprocess
import sys

SHARED_KINDS = set("TDBRVWu")  # of nm: what other object files can refer to


def strangers(namespace, table):
    """Lines of nm's table that define something outside the namespace."""
    found = []
    for line in table.splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[1] in SHARED_KINDS and f"::{namespace}::" not in fields[2]:
            found.append(fields[2])
    return found


def self_test():
    table = "00 T gradus::kernels::host_v4::launch(int)\n01 t helper\n"
    assert not strangers("host_v4", table)
    assert strangers("host_v3", table)
    assert strangers("host_v4", table + "02 W gradus::kernels::after_start(int)\n")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    namespace, objects = arguments[0], arguments[1:]
    if not objects:
        print(f"{namespace}: no object files given")
        return 1
    table = subprocess.run(["nm", "-C", "--defined-only", *objects], capture_output=True, text=True, check=True).stdout
    found = strangers(namespace, table)
    for name in found:
        print(f"outside {namespace}: {name}")
    if not any(f"::{namespace}::" in line for line in table.splitlines()):
        print(f"{namespace}: nothing is defined in it")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
