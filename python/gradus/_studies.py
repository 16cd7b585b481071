"""Studies: sweeps, optimisations and fits, from their files (docs/study.md)."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Dict, Optional, Union

from . import _core
from ._progress import shown

Path = Union[str, os.PathLike]


class Study:
    """The results of a study: a folder, and its summary. In a notebook it shows its report."""

    def __init__(self, folder: Path):
        self.folder = pathlib.Path(folder)
        self.summary: Dict[str, Any] = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        """summary.json: status, statistics or optimum, ... (docs/program.md)"""

    def report(self, file: Optional[Path] = None) -> pathlib.Path:
        """Writes the report, one page that needs nothing else (default: report.html in the folder); returns its path."""
        page = pathlib.Path(file) if file is not None else self.folder / "report.html"
        _core.write_report(self.folder, page)
        return page

    def arrays(self, name: str = "designs"):
        """The arrays of a file of the folder, ``designs.npz`` for instance, by their names."""
        import numpy as np

        return np.load(self.folder / f"{name}.npz")

    def _repr_html_(self) -> str:
        from ._pages import frame_of_text

        return frame_of_text(self.report().read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        return f"<gradus.Study {str(self.folder)!r}: {self.summary.get('status')}>"


def sweep(study: Path, out: Path, *, resume: bool = False, overwrite: bool = False, backend: Optional[str] = None,
          kernels: Optional[str] = None, log: Optional[Callable[[str], None]] = None,
          progress: Union[bool, Callable[[float], None]] = False) -> Study:
    """Runs the designs of a study and writes its results to the folder ``out``.

    Ctrl-C keeps finished work, which ``resume=True`` goes on from; ``overwrite=True`` replaces the results of an
    earlier run, which is otherwise an error. ``progress=True`` shows a bar (of tqdm if it is installed); a function hears
    the fraction that is done, NaN where nobody knows how much there is. Raises InputError, FileError, BackendError.
    """
    return _run("sweep", study, out, resume, overwrite, backend, kernels, log, progress)


def optimize(study: Path, out: Path, *, resume: bool = False, overwrite: bool = False, backend: Optional[str] = None,
             kernels: Optional[str] = None, log: Optional[Callable[[str], None]] = None,
             progress: Union[bool, Callable[[float], None]] = False) -> Study:
    """Finds the best design of a study under bounds and constraints; as :func:`sweep`."""
    return _run("optimize", study, out, resume, overwrite, backend, kernels, log, progress)


def fit(study: Path, out: Path, *, resume: bool = False, overwrite: bool = False, backend: Optional[str] = None,
        kernels: Optional[str] = None, log: Optional[Callable[[str], None]] = None,
        progress: Union[bool, Callable[[float], None]] = False) -> Study:
    """Identifies the parameters of a study from measured data; as :func:`sweep`."""
    return _run("fit", study, out, resume, overwrite, backend, kernels, log, progress)


def _run(verb, study, out, resume, overwrite, backend, kernels, log, progress) -> Study:
    if resume and overwrite:
        raise _core.InputError("resume and overwrite exclude each other: one keeps the earlier results, the other replaces them")
    existing = "resume" if resume else "overwrite" if overwrite else "refuse"
    with shown(progress, verb) as show:
        if not _core.run_study(verb, pathlib.Path(study), pathlib.Path(out), existing, backend, kernels, log, show):
            raise KeyboardInterrupt
    return Study(out)
