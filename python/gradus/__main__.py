"""``python -m gradus`` runs the program."""

import os
import pathlib
import shutil
import sys


def program() -> str:
    """Where it lies: in the package, or, built from a clone, where PATH or GRADUS_PROGRAM says."""
    own = pathlib.Path(__file__).parent / "gradus"
    found = os.environ.get("GRADUS_PROGRAM") or (str(own) if own.exists() else shutil.which("gradus"))
    if not found:
        sys.exit("gradus: error: the program is not part of this package; GRADUS_PROGRAM may name one")
    return found


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
