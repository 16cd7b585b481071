"""What evaluations return: numbers of designs by name, and their motions."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._mechanism import Mechanism

Array = np.ndarray


class Outputs(NamedTuple):
    """What a mechanism hands over of designs, or a product of the same shape. The design is left out of the
    shapes of a single design, given as ``[parameter]``."""

    objectives: Array
    """[design, objective]"""
    sensors: Array
    """[design, time, component]; empty unless the mechanism was compiled with ``times``"""
    final_states: Array
    """[design, 2 coordinate]: coordinates, then their rates; empty unless with ``final_state``"""


class Result:
    """What designs come to. Of a single design arrays have no axis ``design``."""

    __slots__ = ("mechanism", "designs", "objectives", "gradient", "final_sensors", "violation", "failures", "_single")

    def __init__(self, mechanism: Mechanism, designs: Array, is_single: bool, objectives: Array, gradient: Optional[Array],
                 final_sensors: Array, violation: Array, failures: Sequence[Tuple[int, str]]):
        if failures and is_single:
            raise _core.NumericalError(failures[0][1])
        self.mechanism = mechanism
        self.designs = designs
        """[design, parameter]"""
        self.failures: Dict[int, str] = dict(failures)
        """Why designs failed, by their numbers."""
        self._single = is_single
        self.objectives: Array = objectives
        """[design, objective]"""
        self.gradient: Optional[Array] = gradient
        """[design, objective, parameter]; None without"""
        self.final_sensors: Array = final_sensors
        """[design, component] at the end of the motion"""
        self.violation: Array = violation
        """[design, 3] the largest violation of the constraints and of their time derivatives"""

    @property
    def ok(self) -> Union[bool, Array]:
        """[design] whether they reached the end of their motion."""
        if self._single:
            return True
        ok = np.ones(len(self.objectives), bool)
        ok[list(self.failures)] = False
        return ok

    def __getitem__(self, name: str) -> Union[float, Array]:
        """An objective, or a sensor at the end, or a component of one ("r.x"), by its name."""
        objectives, sensors = self.mechanism._objective_index, self.mechanism._sensor_index
        if name in objectives and name in sensors:
            raise KeyError(f"{name!r} is an objective and a sensor: take it from .objectives or .final_sensors")
        if name in objectives:
            return self.objectives[..., objectives[name]]
        return _sensor(self.final_sensors, self.mechanism, name, objectives)

    def derivative(self, objective: str, parameter: str) -> Union[float, Array]:
        """Of an objective by a parameter, by their names."""
        if self.gradient is None:
            raise _core.InputError("there is no gradient: simulate() computes none")
        objectives, parameters = self.mechanism._objective_index, self.mechanism._index
        if objective not in objectives:
            raise KeyError("there is no objective " + unknown(objective, objectives))
        if parameter not in parameters:
            raise KeyError("there is no parameter " + unknown(parameter, parameters))
        return self.gradient[..., objectives[objective], parameters[parameter]]

    def to_pandas(self):
        """A table with a row for each design: parameters, objectives, and derivatives as "d objective/d parameter"."""
        import pandas

        rows = np.atleast_2d(self.designs)
        columns = {name: rows[:, k] for name, k in self.mechanism._index.items()}
        objectives = np.atleast_2d(self.objectives)
        for o, name in enumerate(self.mechanism.objectives):
            columns[name if name not in columns else f"{name} (objective)"] = objectives[:, o]
        if self.gradient is not None:
            gradient = self.gradient.reshape(len(rows), *self.gradient.shape[-2:])
            for o, objective in enumerate(self.mechanism.objectives):
                for parameter, p in self.mechanism._index.items():
                    columns[f"d {objective}/d {parameter}"] = gradient[:, o, p]
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        if not self._single:
            return f"<gradus.Result of {len(self.objectives)} designs, {len(self.failures)} failed>"
        pairs = zip(self.mechanism.objectives, self.objectives)
        return "<gradus.Result " + ", ".join(f"{name} = {value:.6g}" for name, value in pairs) + ">"


class Trajectory:
    """The motion of a design over time."""

    def __init__(self, mechanism: Mechanism, recorded: Mapping[str, Any]):
        self._mechanism = mechanism
        self.design: int = recorded["design"]
        self.time: Array = recorded["time"]
        """[time] s"""
        self.coordinates: Array = recorded["coordinates"]
        """[time, coordinate]"""
        self.rates: Array = recorded["rates"]
        """[time, coordinate]"""
        self.accelerations: Array = recorded["accelerations"]
        """[time, coordinate]"""
        self.sensors: Array = recorded["sensors"]
        """[time, component]"""
        self.sensor_columns: Optional[Array] = recorded["sensor_columns"]
        """[time, component, parameter] with ``columns=True``"""
        self.objectives: Optional[Array] = recorded["objectives"]
        """[time, objective] what they have come to, with ``columns=True`` and steps of fixed length"""
        self.gradients: Optional[Array] = recorded["gradients"]
        """[time, objective, parameter]"""

    def __getitem__(self, name: str) -> Array:
        """A sensor by its name: [time], or [time, component] of vectors."""
        return _sensor(self.sensors, self._mechanism, name, ())

    def to_pandas(self):
        """A table with a row for each time: coordinates and components of sensors."""
        import pandas

        components = self._mechanism.sensor_components
        columns = {name if name not in ("time", *components) else f"{name} (coordinate)": self.coordinates[:, k]
                   for k, name in enumerate(self._mechanism.coordinates)}
        columns.update({name if name != "time" else "time (sensor)": self.sensors[:, k] for k, name in enumerate(components)})
        return pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))

    def to_xarray(self):
        """The same as an xarray.Dataset with the dimension ``time``."""
        return self.to_pandas().to_xarray()


class Run(Result):
    """A result with the motions that were recorded, and what the run says of itself."""

    __slots__ = ("trajectories", "objective_errors", "gradient_errors", "about")

    def __init__(self, mechanism: Mechanism, designs: Array, is_single: bool, result: Dict[str, Any]):
        names = ("objective_values", "gradient", "final_sensors", "violation")
        super().__init__(mechanism, designs, is_single, *(_first(result.pop(name), is_single) for name in names),
                         result.pop("failures"))
        self.trajectories: List[Trajectory] = [Trajectory(mechanism, one) for one in result.pop("trajectories")]
        self.objective_errors: Optional[Array] = _first(result.pop("objective_errors"), is_single)
        """[design, objective] estimated, relative; NaN for designs that were not looked at"""
        self.gradient_errors: Optional[Array] = _first(result.pop("gradient_errors"), is_single)
        self.about: Dict[str, Any] = result
        """backend, formulation, integrator, step counts, seconds, ..."""

    @property
    def trajectory(self) -> Trajectory:
        """Of the first design."""
        if not self.trajectories:
            raise _core.InputError("no motion was recorded: record=True and record_every say which")
        return self.trajectories[0]


def _first(array: Optional[Array], is_single: bool) -> Optional[Array]:
    return array[0] if is_single and array is not None else array


def outputs_of(values: Sequence[Array], failures: Sequence[Tuple[int, str]], is_single: bool) -> Outputs:
    if failures and is_single:
        raise _core.NumericalError(failures[0][1])
    return Outputs(*(value[0] if is_single else value for value in values))


def _sensor(numbers: Array, mechanism: Mechanism, name: str, others: Any) -> Array:
    """A sensor, or one of its components, of numbers [..., component]."""
    if name in mechanism._sensor_index:
        found = numbers[..., mechanism._sensor_index[name]]
        return found[..., 0] if found.shape[-1] == 1 else found
    components = mechanism.sensor_components
    if name in components:
        return numbers[..., components.index(name)]
    raise KeyError("there is no objective or sensor " + unknown(name, dict.fromkeys([*others, *mechanism._sensor_index, *components])))


def unknown(name: Any, known: Any) -> str:
    near = difflib.get_close_matches(str(name), known, 1)
    names = list(known)
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"{name!r}" + (f" (do you mean {near[0]!r}?)" if near else f" (there are {listed})" if names else "")
