"""Mechanisms: compiled once, evaluated for any number of designs."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Tuple

import numpy as np

from . import _core
from ._progress import shown
from ._results import Array, Outputs, Result, Run, outputs_of, unknown

_nothing = np.empty(0)
_run_only = ("record", "record_every", "columns", "estimate_every", "accuracy", "progress")
_run_options = ("backend", "method", "record_every", "columns", "memory", "estimate_every", "accuracy", "log", "progress")


class Mechanism:
    """A model that was checked and compiled, with its options. Never changes; any number of threads may use one.

    Designs are arrays ``[design, parameter]`` of any library that NumPy reads, or one design ``[parameter]``;
    keywords replace single parameters (``gradient(L=0.3)``), in several designs at once where they are arrays
    (``gradient(L=[0.3, 0.4])``). Results are NumPy arrays, in SI units, in
    the order of the model.
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
    def simulate(self, designs: Any = None, /, **parameters: Any) -> "Result":
        """The motion of designs: objectives and sensors at the end.

        Raises InputError for arrays of another size and numbers that are not finite; NumericalError if a single
        design fails. In batches failed designs are NaN, and :attr:`Result.failures` says why.
        """
        return self._evaluated(designs, parameters, False)

    def gradient(self, designs: Any = None, /, **parameters: Any) -> "Result":
        """The same, and the exact gradient of every objective with respect to every parameter."""
        return self._evaluated(designs, parameters, True)

    def run(self, designs: Any = None, /, *, gradient: bool = False, record: bool = True, **options: Any) -> "Run":
        """A run that keeps its motion, and whatever options ask for: ``record_every``, ``columns``,
        ``estimate_every``, ``accuracy``, ``backend``, ``method``, ``memory``, ``log``, ``progress``: True for a bar (of
        tqdm if it is installed), or a function of the fraction that is done."""
        array, is_single = self._designs(designs, {})
        for name in options:
            if name not in _run_options:
                raise TypeError(f"run() has no option {name!r} (options of runs are {', '.join(_run_options)}; others are those of "
                                "Model.compile())")
        options["record"] = record
        with shown(options.pop("progress", None), "gradus") as options["progress"]:
            return Run(self, array, is_single, self._core.run(array, gradient, options))

    def evaluate(self, designs: Any = None, start_states: Any = None) -> Outputs:
        """What the mechanism exchanges, see :meth:`Model.compile`; start states are ``[design, 2 coordinate]``."""
        array, is_single = self._designs(designs, {})
        values, failures = self._core.exchange(array, self._states(start_states, array))
        return outputs_of(values, failures, is_single)

    def jvp(self, designs: Any, directions: Any, start_states: Any = None, state_directions: Any = None) -> Tuple[Outputs, Outputs]:
        """Outputs, and the Jacobian of all outputs by all inputs times one direction of each design."""
        array, is_single = self._designs(designs, {})
        values, products, failures = self._core.jacobian_vector(
            array, self._states(start_states, array), _shaped(directions, array.shape, "directions"),
            self._states(state_directions, array, "state_directions"))
        return outputs_of(values, failures, is_single), outputs_of(products, failures, is_single)

    def vjp(self, designs: Any, objectives: Any = None, sensors: Any = None, final_states: Any = None,
            start_states: Any = None) -> Tuple[Outputs, Tuple[Array, Array]]:
        """Outputs, and weights of the outputs times the Jacobian: by parameters, and by start states.

        Weights have the shapes of the outputs; what is left out counts as zero.
        """
        array, is_single = self._designs(designs, {})
        lead, n_state = array.shape[:-1], 2 * len(self.coordinates)
        values, products, failures = self._core.vector_jacobian(
            array, self._states(start_states, array), _shaped(objectives, (*lead, self._sizes[0]), "objectives"),
            _shaped(sensors, (*lead, len(self.times), self._core.exchanged_components), "sensors"),
            _shaped(final_states, (*lead, n_state), "final_states"))
        if is_single:
            products = tuple(product[0] for product in products)
        return outputs_of(values, failures, is_single), products

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
            array = self._nominal
        else:
            array = _numbers(self._by_name(designs), "designs")
            width = len(self._nominal)
            if array.ndim not in (1, 2) or array.shape[-1] != width:
                raise _core.InputError(f"designs: found the shape {list(array.shape)}, expected [{width}] or [design, {width}]")
            if array.ndim == 2 and (len(array) == 0 or width == 0):
                raise _core.InputError("designs: found " + ("none" if len(array) == 0 else "designs of a model without parameters"))
        if parameters:
            array = self._replaced(array, parameters)
        return array, array.ndim == 1

    def _replaced(self, designs: Array, parameters: Mapping[str, Any]) -> Array:
        """A copy with other values of some parameters. Values of several designs make several of one."""
        given = []
        for name, value in parameters.items():
            at: Any = self._index.get(name)
            if at is None:  # elements of an array have names of their own
                at = [k for known, k in self._index.items() if known.startswith(name + "[")]
            if at == []:
                raise _core.InputError("there is no parameter " + unknown(name, self._index))
            own = () if isinstance(at, int) else (len(at),)
            numbers = _numbers(value, name)
            lead = numbers.shape[:numbers.ndim - len(own)]
            if len(lead) > 1 or numbers.shape[len(lead):] != own or lead == (0,):
                raise _core.InputError(f"{name}: found the shape {list(numbers.shape)}, expected " +
                                       (f"{list(own)} or [design, {own[0]}]" if own else "a number or [design]"))
            if designs.ndim == 1 and lead:
                designs = np.repeat(designs[np.newaxis], lead[0], axis=0)
            if lead and lead != designs.shape[:-1]:
                raise _core.InputError(f"{name}: found values of {lead[0]} designs, expected {len(designs)}, as many as the others")
            if any(known.startswith(name + "[") for known in parameters):
                raise _core.InputError(f"{name}: found beside elements of it")
            given.append((at, numbers))
        designs = designs.copy()
        for at, numbers in given:
            designs[..., at] = numbers
        return designs

    def _by_name(self, designs: Any) -> Any:
        """Tables of pandas have names, by which their columns are taken."""
        if not type(designs).__module__.startswith("pandas"):
            return designs
        names = list(designs.columns if designs.ndim == 2 else designs.index)
        missing = [name for name in self._index if name not in names]
        if missing:
            raise _core.InputError(f"designs: found a table without {missing[0]!r}, expected columns {', '.join(self._index)}")
        return designs[list(self._index)].to_numpy()

    def _states(self, states: Any, designs: Array, what: str = "start_states") -> Array:
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
