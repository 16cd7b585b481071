"""``python -m gradus`` runs the program."""

import os
import pathlib
import shutil
import sys


def program() -> str:
    """Where it lies: in the package, or, built from a clone, where PATH or GRADUS_PROGRAM says."""
    own = pathlib.Path(__file__).parent / "gradus"
    for found in (os.environ.get("GRADUS_PROGRAM"), str(own) if own.exists() else None, shutil.which("gradus")):
        # The script of this package, which may be either, would call itself without end.
        if found and os.path.realpath(found) != os.path.realpath(sys.argv[0]):
            return found
    sys.exit("gradus: error: the program is not part of this package; GRADUS_PROGRAM may name one")


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
