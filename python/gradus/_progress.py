"""How far a run has come, as people see it: a bar of tqdm, or a line where that is not installed."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from typing import Any, Callable, Iterator, Optional


@contextlib.contextmanager
def shown(progress: Any, what: str) -> Iterator[Optional[Callable[[float], None]]]:
    """The function that hears the fraction that is done: the caller's own, or with True one that shows it."""
    if progress is not True:
        yield progress or None
        return
    bar = _bar(what)
    try:
        yield bar.show
    finally:
        bar.close()


def _bar(what: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(what)
    return _Tqdm(tqdm(desc=what, total=100, bar_format="{desc}: {percentage:3.0f} %|{bar}| {elapsed}, {remaining} left"))


class _Tqdm:
    def __init__(self, bar: Any):
        self._bar = bar

    def show(self, fraction: float) -> None:
        if fraction > 0:  # neither NaN
            self._bar.update(max(0.0, 100 * fraction - self._bar.n))

    def close(self) -> None:
        self._bar.close()


class _Line:
    """On standard error, rewritten twice a second."""

    def __init__(self, what: str):
        self._what, self._next, self._is_shown = what, 0.0, False

    def show(self, fraction: float) -> None:
        if time.monotonic() < self._next and fraction < 1:
            return
        self._next, self._is_shown = time.monotonic() + 0.5, True
        share = "at work" if math.isnan(fraction) else f"{100 * fraction:3.0f} %"
        print(f"\r{self._what}: {share}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._is_shown:
            print(file=sys.stderr)
