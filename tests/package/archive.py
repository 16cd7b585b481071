"""Tries an archive that scripts/package made: archive.py ARCHIVE [--root FOLDER ...].

It is unpacked elsewhere. Its libraries may need nothing beyond what every Debian 12 and Ubuntu 24.04 has, in the versions
that these have, and the program must work with an empty environment; with --root in a system of its own as well.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from commands import run

# Of Debian 12, the older of the two, as every root has them.
BASE = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2", "libstdc++.so.6",
        "libgcc_s.so.1"}
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}
# Modules whose libraries are the system's, where it has them.
OPTIONAL = {"libgradus_ipopt.so", "libgradus_hdf5.so", "libgradus_mpi.so"}


def check_needs(folder):
    """Every file of machine code needs only the base of a system, or what lies beside it."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
    if not {"gradus", "libgradus_checks.so"} <= {file.name for file in files}:
        sys.exit(f"the archive lacks the program or its modules: {sorted(file.name for file in files)}")
    own = {file.name for file in (folder / "lib").iterdir()}
    for file in files:
        if file.name in OPTIONAL:
            continue
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file)))
        if not needed <= BASE | own:
            sys.exit(f"{file.name} needs {sorted(needed - BASE - own)}, which a bare system lacks")
        for name, version in re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI)_([0-9.]+)", run("readelf", "-V", file)):
            if tuple(map(int, version.split("."))) > NEWEST[name]:
                sys.exit(f"{file.name} needs {name} {version}, newer than {NEWEST[name]}")


def check_runs(folder, prefix=(), inside=None):
    """Gradient, check, optimisation and report, as the commands `prefix` run them; `folder` is called `inside` there."""
    inside = inside or folder

    def gradus(*words):
        command = [*prefix, f"{inside}/bin/gradus", *words]
        result = subprocess.run(command, env={"HOME": "/nonexistent"}, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr}")
        return result.stdout

    model = f"{inside}/models/five-bar/five-bar.json"
    gradient = json.loads(gradus("gradient", model, "--json", "--backend", "cpu:2"))
    value = gradient["objectives"]["psi1"]
    if abs(value - 0.7268774437) > 1e-9:
        sys.exit(f"psi1 of the five-bar mechanism is {value}")
    gradus("check", model, "--duration", "0.05")  # dual numbers: a module
    info = json.loads(gradus("info", "--json"))
    if (folder / "lib/libgradus_nlopt.so").exists():
        if "slsqp" not in info["optimization_methods"]:
            sys.exit(f"the methods of NLopt are missing: {info['optimization_methods']}")
        gradus("optimize", f"{inside}/models/five-bar/studies/target.json", "--out", f"{inside}/target")
        gradus("report", f"{inside}/target")
    return info


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, action="append", default=[])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(arguments.archive) as archive:
        archive.extractall(scratch)
        (folder,) = pathlib.Path(scratch).iterdir()
        check_needs(folder)
        info = check_runs(folder)
        print(f"{folder.name}: runs with an empty environment; {info['backends'][0]}")
    for root in arguments.root:
        with tempfile.TemporaryDirectory(dir=root / "opt") as scratch, tarfile.open(arguments.archive) as archive:
            archive.extractall(scratch)
            (folder,) = pathlib.Path(scratch).iterdir()
            check_runs(folder, (shutil.which("chroot"), root), f"/{folder.relative_to(root)}")
            name = re.search(r'PRETTY_NAME="(.*)"', (root / "etc/os-release").read_text()).group(1)
            print(f"{folder.name}: runs in {name} at {root}")


if __name__ == "__main__":
    main()
