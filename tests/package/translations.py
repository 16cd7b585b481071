"""Checks that translations of the kernels share no function and fuse no operations: translations.py NAMESPACE OBJECT...
| --self-test.

The linker keeps one of several functions of the same name. If a translation for newer processors defined any that others
define as well, programs could run its instructions on processors that do not have them.
Where one translation fused multiplications with additions, a design would have other bits there than elsewhere.
"""

import re
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


FUSED = re.compile(r"\tvfn?m(add|sub)")  # of objdump: vfmadd213sd, vfmsubadd231pd, ...


def fused(listing):
    """Fused multiply-adds of objdump's listing."""
    return [line.strip() for line in listing.splitlines() if FUSED.search(line)]


def self_test():
    table = "00 T _ZN6gradus7kernels7host_v46launchEi\n01 t helper\n"
    assert not strangers("host_v4", table)
    assert strangers("host_v3", table)
    assert strangers("host_v4", table + "02 W _ZN6gradus7kernels11after_startEi\n")
    assert fused(" 6a0:\tc4 e2 b9 b7 c5\tvfmsubadd231pd %xmm5,%xmm8,%xmm0\n")
    assert not fused(" 6a0:\tc5 e9 59 d0\tvmulpd %xmm0,%xmm2,%xmm2\n")
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
    listing = subprocess.run(["objdump", "-d", *objects], capture_output=True, text=True, check=True).stdout
    operations = fused(listing)
    for line in operations[:10]:
        print(f"fused: {line}")
    return 1 if found or operations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
