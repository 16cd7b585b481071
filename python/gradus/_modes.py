"""Small motions about the start of a model: linearised equations, eigenvalues, modes."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import numpy as np


class Modes:
    """What :meth:`Model.modes` found: x' = rates + A x + B p and y = y0 + C x + D p near the start, and the modes of A.

    A, B, C, D : arrays [state, state], [state, parameter], [output, state], [output, parameter]
    states, parameters, outputs : lists of names, in the order of the arrays; ``units`` has the unit of each
    rates : array [state], x' at the start: 0 at an equilibrium
    values : array [output], the sensors at the start
    eigenvalues : complex array [mode], 1/s; of pairs those with the positive imaginary part, the slowest first
    shapes : complex array [state, mode], A v = eigenvalue v
    gradient : complex array [mode, parameter], d eigenvalue / d parameter, the start going along; NaN where
        eigenvalues coincide, or the start lies on a kink. None if it was not asked for
    held_states, laws_of_time : lists of names: states that a clock samples, which are held, and what has laws that read
        the time, which is 0
    stability : of these equations: ``"stable"``, ``"unstable"``, ``"neutral"``, or ``"not steady"``: the start is no equilibrium and no
        steady motion, and the eigenvalues are those of an instant
    """

    def __init__(self, text: str):
        document = json.loads(text)
        self.document: Dict[str, Any] = document
        self.model: str = document["model"]
        self.start: str = document["start"]
        self.stability: str = document["stability"]
        self.axes: str = document["axes"]
        self.held_states: List[str] = document["held_states"]
        self.laws_of_time: List[str] = document["laws_of_time"]
        self.states: List[str] = [state["name"] for state in document["states"]]
        self.parameters: List[str] = [parameter["name"] for parameter in document["parameters"]]
        self.outputs: List[str] = [output["name"] for output in document["outputs"]]
        self.units: Dict[str, str] = {thing["name"]: thing["unit"]
                                      for kind in ("states", "parameters", "outputs") for thing in document[kind]}
        n, p, o = len(self.states), len(self.parameters), len(self.outputs)
        self.A = _array(document["A"]).reshape(n, n)
        self.B = _array(document["B"]).reshape(n, p)
        self.C = _array(document["C"]).reshape(o, n)
        self.D = _array(document["D"]).reshape(o, p)
        self.rates = _array([state["rate"] for state in document["states"]])
        self.values = _array([output["value"] for output in document["outputs"]])
        modes = document["modes"]
        self.eigenvalues = np.array([complex(mode["real"], mode["imaginary"]) for mode in modes])
        self.frequencies = _array([mode["frequency"] for mode in modes])
        self.damping_ratios = _array([mode["damping_ratio"] for mode in modes])
        self.shapes = np.array([_complex(mode["shape"]) for mode in modes]).reshape(len(modes), n).T
        has_gradient = all("gradient" in mode for mode in modes) and p > 0
        self.gradient = np.array([_complex(mode["gradient"]) for mode in modes]) if has_gradient else None

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __repr__(self) -> str:
        return f"<gradus.Modes of {self.model!r}: {len(self.states)} states, {self.stability}>"


def _array(numbers: Any) -> np.ndarray:
    return np.array(numbers, dtype=float)


def _complex(parts: Dict[str, List[float]]) -> np.ndarray:
    return _array(parts["real"]) + 1j * _array(parts["imaginary"])
