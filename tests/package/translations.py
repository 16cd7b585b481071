"""Checks that translations of the kernels share no function: translations.py NAMESPACE OBJECT... | --self-test.

The linker keeps one of several functions of the same name. If a translation for newer processors defined any that others
define as well, programs could run its instructions on processors that do not have them.
"""

import subprocess
import sys

SHARED_KINDS = set("TDBRVWu")  # of nm: what other object files can refer to


def mangled(namespace):
    """What the names of its members contain; long names of templates are beyond nm's demangler."""
    return f"7kernels{len(namespace)}{namespace}"


def strangers(namespace, table):
    """Names of nm's table that define something outside the namespace."""
    found = []
    for line in table.splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[1] in SHARED_KINDS and mangled(namespace) not in fields[2]:
            found.append(fields[2])
    return found


def self_test():
    table = "00 T _ZN6gradus7kernels7host_v46launchEi\n01 t helper\n"
    assert not strangers("host_v4", table)
    assert strangers("host_v3", table)
    assert strangers("host_v4", table + "02 W _ZN6gradus7kernels11after_startEi\n")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    namespace, objects = arguments[0], arguments[1:]
    if not objects:
        print(f"{namespace}: no object files given")
        return 1
    table = subprocess.run(["nm", "--defined-only", *objects], capture_output=True, text=True, check=True).stdout
    found = strangers(namespace, table)
    for name in found:
        print(f"outside {namespace}: {name}")
    if not any(mangled(namespace) in line for line in table.splitlines()):
        print(f"{namespace}: nothing is defined in it")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
