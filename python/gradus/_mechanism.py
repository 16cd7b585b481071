"""Mechanisms: compiled once, evaluated for any number of designs; and what evaluations return."""

from __future__ import annotations

import difflib
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core

Array = np.ndarray
_nothing = np.empty(0)
_run_only = ("record", "record_every", "columns", "estimate_every", "accuracy", "progress")
_run_options = ("backend", "method", "record_every", "columns", "memory", "estimate_every", "accuracy", "log", "progress")


class Outputs(NamedTuple):
    """What a mechanism hands over of designs, or a product of the same shape. The design is left out of the
    shapes of a single design, given as ``[parameter]``."""

    objectives: Array
    """[design, objective]"""
    sensors: Array
    """[design, time, component]; empty unless the mechanism was compiled with ``times``"""
    final_states: Array
    """[design, 2 coordinate]: coordinates, then their rates; empty unless with ``final_state``"""


class Mechanism:
    """A model that was checked and compiled, with its options. Never changes; any number of threads may use one.

    Designs are arrays ``[design, parameter]`` of any library that speaks DLPack or the buffer protocol, or one
    design ``[parameter]``; keywords replace single parameters of the model (``gradient(L=0.3)``). Results are
    NumPy arrays, in SI units, in the order of the model.
    """

    def __init__(self, text: str, origin: str, options: Mapping[str, Any]):
        for name in _run_only:
            if name in options:
                raise TypeError(f"{name} is an option of Mechanism.run(), which records, estimates and shows progress")
        core = _core.parse_model(text, origin).compile(dict(options))
        self._core = core
        self._made_of = (text, origin, dict(options))
        self._nominal = np.array(core.nominal)
        self._nominal.setflags(write=False)
        self._index = {name: k for k, (name, _) in enumerate(core.parameters)}
        self._objective_index = {name: k for k, (name, _) in enumerate(core.objectives)}
        self._sensor_index: Dict[str, slice] = {}
        first = 0
        for name, size in core.sensors:
            self._sensor_index[name] = slice(first, first + size)
            first += size
        self._sizes = (len(self._objective_index), len(self._index), first)

    def __reduce__(self):
        return Mechanism, self._made_of  # compiled anew where it arrives

    # Names. -----------------------------------------------------------------------------------------------------------
    @property
    def nominal(self) -> Array:
        """[parameter] the values of the model, with what options set. Read-only."""
        return self._nominal

    @property
    def parameters(self) -> List[str]:
        """Names, in the order of arrays."""
        return list(self._index)

    @property
    def objectives(self) -> List[str]:
        """Names, in the order of arrays; an objective with several times has one for each of them."""
        return [name for name, _ in self._core.objectives]

    @property
    def sensors(self) -> List[str]:
        """Names of whole sensors; see ``sensor_components`` for their numbers."""
        return [name for name, _ in self._core.sensors]

    @property
    def sensor_components(self) -> List[str]:
        """``["r.x", "r.y", "r.z", ...]``"""
        return [name for name, _ in self._core.sensor_components]

    @property
    def coordinates(self) -> List[str]:
        """Names, in the order of states."""
        return [name for name, _ in self._core.coordinates]

    @property
    def times(self) -> List[float]:
        """s, when sensors are handed over."""
        return self._core.times

    @property
    def units(self) -> Dict[str, str]:
        """Of parameters, objectives, components of sensors and coordinates, by their names."""
        core = self._core
        return {name: unit for some in (core.coordinates, core.sensor_components, core.objectives, core.parameters)
                for name, unit in some}

    def __repr__(self) -> str:
        return (f"<gradus.Mechanism: {len(self._index)} parameters, {len(self._objective_index)} objectives, "
                f"{len(self.coordinates)} coordinates>")

    # Evaluations. -----------------------------------------------------------------------------------------------------
    def simulate(self, designs: Any = None, /, **parameters: float) -> "Result":
        """The motion of designs: objectives and sensors at the end.

        Raises InputError for arrays of another size and numbers that are not finite; NumericalError if a single
        design fails. In batches failed designs are NaN, and :attr:`Result.failures` says why.
        """
        return self._evaluated(designs, parameters, False)

    def gradient(self, designs: Any = None, /, **parameters: float) -> "Result":
        """The same, and the exact gradient of every objective with respect to every parameter."""
        return self._evaluated(designs, parameters, True)

    def run(self, designs: Any = None, /, *, gradient: bool = False, record: bool = True, **options: Any) -> "Run":
        """A run that keeps its motion, and whatever options ask for: ``record_every``, ``columns``,
        ``estimate_every``, ``accuracy``, ``backend``, ``method``, ``memory``, ``log``, ``progress``."""
        array, is_single = self._designs(designs, {})
        for name in options:
            if name not in _run_options:
                raise TypeError(f"run() has no option {name!r} (options of runs are {', '.join(_run_options)}; others are those of "
                                "Model.compile())")
        options["record"] = record
        return Run(self, array, is_single, self._core.run(array, gradient, options))

    def evaluate(self, designs: Any = None, start_states: Any = None) -> Outputs:
        """What the mechanism exchanges, see :meth:`Model.compile`; start states are ``[design, 2 coordinate]``."""
        array, is_single = self._designs(designs, {})
        values, failures = self._core.exchange(array, self._states(start_states, is_single, array))
        return _outputs(values, failures, is_single)

    def jvp(self, designs: Any, directions: Any, start_states: Any = None, state_directions: Any = None) -> Tuple[Outputs, Outputs]:
        """Outputs, and the Jacobian of all outputs by all inputs times one direction of each design."""
        array, is_single = self._designs(designs, {})
        values, products, failures = self._core.jacobian_vector(
            array, self._states(start_states, is_single, array), _shaped(directions, array.shape, "directions"),
            self._states(state_directions, is_single, array, "state_directions"))
        return _outputs(values, failures, is_single), _outputs(products, failures, is_single)

    def vjp(self, designs: Any, objectives: Any = None, sensors: Any = None, final_states: Any = None,
            start_states: Any = None) -> Tuple[Outputs, Tuple[Array, Array]]:
        """Outputs, and weights of the outputs times the Jacobian: by parameters, and by start states.

        Weights have the shapes of the outputs; what is left out counts as zero.
        """
        array, is_single = self._designs(designs, {})
        lead, n_state = array.shape[:-1], 2 * len(self.coordinates)
        values, products, failures = self._core.vector_jacobian(
            array, self._states(start_states, is_single, array), _shaped(objectives, (*lead, self._sizes[0]), "objectives"),
            _shaped(sensors, (*lead, len(self.times), self._core.exchanged_components), "sensors"),
            _shaped(final_states, (*lead, n_state), "final_states"))
        if is_single:
            products = tuple(product[0] for product in products)
        return _outputs(values, failures, is_single), products

    def start_state(self, design: Any = None, given: Any = None) -> Array:
        """[2 coordinate] where the motion of a design starts: by the model, or where assembly moves a given state."""
        array, is_single = self._designs(design, {})
        if not is_single:
            raise _core.InputError("design: found several, expected one, [parameter]")
        return np.array(self._core.start_state(array, _shaped(given, (2 * len(self.coordinates),), "given")))

    # Helpers. ---------------------------------------------------------------------------------------------------------
    def _evaluated(self, designs: Any, parameters: Mapping[str, float], with_gradient: bool) -> "Result":
        array, is_single = self._designs(designs, parameters)
        n_objective, n_parameter, n_component = self._sizes
        lead = () if is_single else array.shape[:1]
        objectives, final_sensors, violation = np.empty((*lead, n_objective)), np.empty((*lead, n_component)), np.empty((*lead, 3))
        gradient = np.empty((*lead, n_objective, n_parameter)) if with_gradient else _nothing
        try:
            failures = self._core.evaluate(array, objectives, gradient, final_sensors, violation)
        except _core.InputError as error:
            raise self._named(array, error) from None
        return Result(self, array, is_single, objectives, gradient if with_gradient else None, final_sensors, violation, failures)

    def _designs(self, designs: Any, parameters: Mapping[str, float]) -> Tuple[Array, bool]:
        """Rows of numbers, and whether they are one design that was given as such."""
        if designs is None:
            if not parameters:
                return self._nominal, True
            array = self._nominal.copy()
        else:
            array = _numbers(self._by_name(designs), "designs")
            width = len(self._nominal)
            if array.ndim not in (1, 2) or array.shape[-1] != width:
                raise _core.InputError(f"designs: found the shape {list(array.shape)}, expected [{width}] or [design, {width}]")
            if array.ndim == 2 and (len(array) == 0 or width == 0):
                raise _core.InputError("designs: found " + ("none" if len(array) == 0 else "designs of a model without parameters"))
        for name, value in parameters.items():
            if name not in self._index:
                raise _core.InputError("there is no parameter " + _unknown(name, self._index))
            array[..., self._index[name]] = _numbers(value, name)
        return array, array.ndim == 1

    def _by_name(self, designs: Any) -> Any:
        """Tables of pandas have names, by which their columns are taken."""
        if not type(designs).__module__.startswith("pandas"):
            return designs
        names = list(designs.columns if designs.ndim == 2 else designs.index)
        missing = [name for name in self._index if name not in names]
        if missing:
            raise _core.InputError(f"designs: found a table without {missing[0]!r}, expected columns {', '.join(self._index)}")
        return designs[list(self._index)].to_numpy()

    def _states(self, states: Any, is_single: bool, designs: Array, what: str = "start_states") -> Array:
        return _shaped(states, (*designs.shape[:-1], 2 * len(self.coordinates)), what)

    def _named(self, designs: Array, error: Exception) -> Exception:
        """The same with the name of a parameter that is not finite."""
        wrong = np.argwhere(~np.isfinite(designs.reshape(-1, designs.shape[-1])))
        if len(wrong) == 0:
            return error
        design, parameter = wrong[0]
        value = designs.reshape(-1, designs.shape[-1])[design, parameter]
        return _core.InputError(f"{self.parameters[parameter]}: found {value}" + (f" in design {design}" if designs.ndim == 2 else "") +
                                ", expected a finite number")


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
            raise KeyError("there is no objective " + _unknown(objective, objectives))
        if parameter not in parameters:
            raise KeyError("there is no parameter " + _unknown(parameter, parameters))
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


def _outputs(values: Sequence[Array], failures: Sequence[Tuple[int, str]], is_single: bool) -> Outputs:
    if failures and is_single:
        raise _core.NumericalError(failures[0][1])
    return Outputs(*(value[0] if is_single else value for value in values))


def _numbers(values: Any, what: str) -> Array:
    """A copy as doubles by rows, of numbers alone."""
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__") and hasattr(values, "detach"):
        values = values.detach()  # of PyTorch, which lends no array that gradients run through
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise _core.InputError(f"{what}: found numbers that are masked")
    try:
        found = np.asarray(values)
    except ValueError as error:
        raise _core.InputError(f"{what}: found no array of numbers ({error})") from None
    if found.dtype.kind not in "fiu":
        raise _core.InputError(f"{what}: found {found.dtype.name if found.dtype != object else type(values).__name__}, expected numbers")
    return np.array(found, dtype=np.float64, order="C")


def _shaped(values: Any, shape: Tuple[int, ...], what: str) -> Array:
    """Numbers of this shape; none are an empty array."""
    if values is None:
        return _nothing
    array = _numbers(values, what)
    if array.shape != tuple(shape):
        raise _core.InputError(f"{what}: found the shape {list(array.shape)}, expected {list(shape)}")
    return array


def _sensor(numbers: Array, mechanism: Mechanism, name: str, others: Any) -> Array:
    """A sensor, or one of its components, of numbers [..., component]."""
    if name in mechanism._sensor_index:
        found = numbers[..., mechanism._sensor_index[name]]
        return found[..., 0] if found.shape[-1] == 1 else found
    components = mechanism.sensor_components
    if name in components:
        return numbers[..., components.index(name)]
    raise KeyError("there is no sensor " + _unknown(name, [*others, *mechanism._sensor_index, *components]))


def _unknown(name: Any, known: Any) -> str:
    near = difflib.get_close_matches(str(name), known, 1)
    names = list(known)
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"{name!r}" + (f" (do you mean {near[0]!r}?)" if near else f" (there are {listed})" if names else "")
