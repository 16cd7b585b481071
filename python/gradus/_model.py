"""Models: read from files, or built in Python as naturally as in JSON."""

from __future__ import annotations

import copy
import json
import keyword
import math
import os
import pathlib
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from .expressions import Expression, Number, expression
from ._mechanism import Mechanism
from ._modes import Modes

Vector = Union[Sequence[Number], Expression]


class Model:
    """A mechanism as a user describes it: what a model file says, as a tree of dicts and lists.

    ``data`` is that tree, the same as JSON has it; it may be changed at will. Methods such as
    :meth:`body` and :meth:`joint` add to it and check nothing: :meth:`compile` does, and names the
    place, what was found, and what is allowed. All quantities are in SI units, angles in radians.
    """

    def __init__(self, name: str = "model", gravity: Vector = (0, 0, -9.81), *, data: Optional[Mapping[str, Any]] = None):
        self.origin = ""  # the file it was read from
        self.remarks: List[str] = []  # of an import: what is otherwise than in the file, or left out
        if data is not None:
            self.data = copy.deepcopy(dict(data))
            return
        self.data = {"schema": "gradus-model/1", "name": name, "gravity": _plain(gravity), "bodies": {}, "joints": {}}

    @property
    def name(self) -> str:
        """Its name, as results say it."""
        return self.data.get("name", "")

    def __repr__(self) -> str:
        counts = [f"{len(self.data.get(key, {}))} {key}" for key in ("bodies", "joints", "parameters", "objectives")]
        return f"<gradus.Model {self.name!r}: {', '.join(counts)}>"

    # What it consists of. ---------------------------------------------------------------------------------------------
    def add(self, section: str, name: str, /, **keys: Any) -> str:
        """Adds an entry to a section of the file (``"loops"``, ``"forces"``, ...); returns its name.

        Keys that are Python's own words take an underscore behind them (``from_``). Raises
        ValueError if the section has the name already.
        """
        entries = self.data.setdefault(section, {})
        if name in entries:
            raise ValueError(f"{section}/{name}: there is one already; model.data[{section!r}][{name!r}] changes it")
        entries[name] = {_key(key): _plain(value) for key, value in keys.items() if value is not None}
        return name

    def parameter(self, name: str, value: Union[float, Sequence[float]], *, unit: str = "", bounds: Optional[Sequence] = None,
                  description: str = "") -> Expression:
        """A number that gradients are with respect to; a sequence of numbers makes an array of them.

        Returns the parameter for use in expressions: ``2*m``, and of arrays ``k[0]``.
        """
        entry: dict = {"value": _plain(value)}
        if isinstance(entry["value"], list):
            entry["size"] = len(entry["value"])
        entry.update({key: _plain(found) for key, found in
                      (("unit", unit), ("bounds", bounds), ("description", description)) if found not in ("", None)})
        parameters = self.data.setdefault("parameters", {})
        if name in parameters:
            raise ValueError(f"parameters/{name}: there is one already")
        parameters[name] = entry
        return Expression(name, 3)

    def define(self, name: str, value: Union[Number, Vector]) -> Expression:
        """A named expression of parameters, sensors and the time, for use in others."""
        self.data.setdefault("definitions", {})[name] = _plain(value)
        return Expression(name, 3)

    def point(self, name: str, place: Vector) -> Expression:
        """A point of the drawing, in global axes, m: bodies have it by ``drawn=["A", ...]``, expressions by its name."""
        return self._draw("points", name, place)

    def vector(self, name: str, direction: Vector) -> Expression:
        """A direction of the drawing, in global axes, of any length."""
        return self._draw("vectors", name, direction)

    def line(self, name: str, through: Vector, along: Vector) -> str:
        """A line of the drawing."""
        self._draw("lines", name, {"through": through, "along": along})
        return name

    def plane(self, name: str, through: Vector, normal: Vector) -> str:
        """A plane of the drawing."""
        self._draw("planes", name, {"through": through, "normal": normal})
        return name

    def _draw(self, kind: str, name: str, element: Any) -> Expression:
        elements = self.data.setdefault("drawing", {}).setdefault(kind, {})
        if name in elements:
            raise ValueError(f"drawing/{kind}/{name}: there is one already")
        elements[name] = _plain(element)
        return Expression(name, 3)

    def ground(self, **keys: Any) -> None:
        """Points, vectors, shapes and what is drawn of the ground, added to those it has: ``ground(points={"A": [0, 0, 0]})``."""
        ground = self.data.setdefault("ground", {})
        for key, entries in keys.items():
            if key in ("shapes", "drawn"):
                ground[key] = [*ground.get(key, []), *_plain(entries)]
            else:
                ground.setdefault(key, {}).update(_plain(entries))

    def body(self, name: str, mass: Number, com: Optional[Vector] = None, inertia: Union[Mapping[str, Any], Number] = 0, **keys: Any) -> str:
        """A rigid body. ``inertia`` about the centre of mass, kg m²: ``{"xx": ..., ...}`` or one number for all axes; of a slender rod,
        whose middle that is, ``{"slender": [a, b]}``. ``com`` is the origin if it is not said."""
        if not isinstance(inertia, Mapping):
            inertia = {"xx": inertia, "yy": inertia, "zz": inertia}
        if com is None and "slender" not in inertia:
            com = (0, 0, 0)
        return self.add("bodies", name, mass=mass, com=com, inertia=inertia, **keys)

    def joint(self, name: str, type: Optional[str], parent: str, child: str, *, position: Any = None, velocity: Any = None, **keys: Any) -> str:
        """A joint of the tree; ``position`` and ``velocity`` are what it starts with.

        ``guess(value)`` is a position that closed loops may move. The type is None of bodies that have something of the drawing
        in common.
        """
        if "initial" in keys and (position is not None or velocity is not None):
            raise ValueError(f"joints/{name}: found initial beside position or velocity, which it consists of")
        initial = {key: value for key, value in (("position", position), ("velocity", velocity)) if value is not None}
        if initial:
            keys["initial"] = initial
        return self.add("joints", name, type=type, parent=parent, child=child, **keys)

    def loop(self, name: str, type: str, parent: str, child: str, **keys: Any) -> str:
        """A joint that closes a loop."""
        return self.add("loops", name, type=type, parent=parent, child=child, **keys)

    def force(self, name: str, type: str, **keys: Any) -> str:
        """A force: a spring, a damper, a motor, friction, ... (docs/model.md lists them)."""
        return self.add("forces", name, type=type, **keys)

    def constraint(self, name: str, **keys: Any) -> str:
        """A constraint beyond joints: a distance, an expression that stays zero, a driver."""
        return self.add("constraints", name, **keys)

    def sensor(self, name: str, **keys: Any) -> Expression:
        """What can be seen of the motion: ``sensor("tip", position="rod.end")``. For use in expressions."""
        self.add("sensors", name, **keys)
        return Expression(name, 3)

    def state(self, name: str, *, rate: Any = None, next: Any = None, **keys: Any) -> Expression:
        """What a controller remembers: a number with a ``rate``, or a sampled one with ``next`` and ``every``, or one
        that events set.

        A rate or next value that reads the state itself is a function of it:
        ``state("filtered", rate=lambda x: (speed - x)/0.01, unit="rad/s")``. For use in expressions.
        """
        own = Expression(name, 3)
        self.add("states", name, rate=rate(own) if callable(rate) else rate, next=next(own) if callable(next) else next, **keys)
        return own

    def event(self, name: str, when: Any, **keys: Any) -> str:
        """What changes at once where ``when`` passes zero: ``set={state: value}``, or an impact with
        ``impact={"restitution": e}`` or ``{"impulse": J}``; ``while_`` says where that counts."""
        return self.add("events", name, when=when, **keys)

    def objective(self, name: str, **keys: Any) -> str:
        """A number that a motion comes to: ``objective("effort", integral=u**2, unit="J")``."""
        return self.add("objectives", name, **keys)

    def analysis(self, **keys: Any) -> None:
        """How it is computed unless options say otherwise: ``duration``, ``step``, ``integrator``, ..."""
        self.data.setdefault("analysis", {}).update(_plain(keys))

    # What can be done with it. ----------------------------------------------------------------------------------------
    def to_json(self, indent: Optional[int] = 2) -> str:
        """The text of its model file, which :func:`parse` reads back without loss."""
        data = _plain(self.data)
        _refuse_infinite(data, "")
        return json.dumps(data, indent=indent, ensure_ascii=False)

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes its model file, for the program and for others."""
        pathlib.Path(file).write_text(self.to_json() + "\n", encoding="utf-8")

    def to_urdf(self) -> Tuple[str, List[str]]:
        """The text of a robot in URDF, and remarks on what it has otherwise or not at all (docs/export.md): a pair.

        Raises InputError for joints that URDF has not.
        """
        return _core.to_urdf(self._checked())

    def write_gltf(self, file: Union[str, os.PathLike], **options: Any) -> List[str]:
        """Writes the motion as an animated scene in binary glTF (``.glb``), for viewers and Blender (docs/export.md).

        Options are those of :meth:`compile` that a motion has (``duration``, ``set={"L": 0.3}``, ...). Returns remarks on
        meshes that are not there. Raises NumericalError if the motion fails.
        """
        return _core.write_gltf(self._drawn(), pathlib.Path(file), options)

    def compile(self, **options: Any) -> Mechanism:
        """Checks it and makes it ready for evaluations, with these options in force.

        Options are those of the program, with underscores (``duration=2.0, integrator="dop853",
        rtol=1e-8, backend="cpu:4", method="adjoint"``), besides what calls exchange:

        times : list of float
            s; when sensors are handed over (:meth:`Mechanism.evaluate`)
        sensors : list of str
            which of them; all if it is left out
        start_states, final_state : bool
            whether designs begin at states of the caller, and states at the end are handed over

        Raises InputError for what is wrong with the model or an option, TypeError for an option that
        there is not.
        """
        return Mechanism(self.to_json(None), self._origin(), options)

    def describe(self) -> dict:
        """What the plan made of it: tree, loops, coordinates, degrees of freedom, ..., as ``gradus info --json``."""
        return json.loads(_core.describe(self._checked()))

    def check(self, **options: Any) -> dict:
        """Proves the gradient: direct, adjoint, dual numbers and differences, and its accuracy, as ``gradus check --json``.

        ``["status"]`` is ``"ok"``, or ``"failed"`` with the reasons under ``"parts"``.
        """
        return json.loads(_core.check(self._checked(), options))

    def modes(self, *, set: Optional[Mapping[str, float]] = None, start: Optional[str] = None, gradient: bool = True) -> Modes:
        """Small motions about its start: A, B, C, D of the linearised equations, eigenvalues, modes (docs/theory.md, section 23).

        ``set`` replaces values of parameters; ``start`` (``"stated"`` or ``"equilibrium"``) where the model starts;
        ``gradient``: exact derivatives of all eigenvalues by all parameters.
        Raises InputError if nothing can move, NumericalError if the motion cannot start.
        """
        return Modes(_core.modes(self._starting(start)._checked(), dict(set or {}), gradient))

    def write_modes_page(self, file: Union[str, os.PathLike], *, set: Optional[Mapping[str, float]] = None,
                         start: Optional[str] = None, gradient: bool = True) -> None:
        """Writes a web page with its modes in motion, a table of them, and their derivatives, as ``gradus modes --out``."""
        _core.write_modes_page(self._starting(start)._drawn(), dict(set or {}), gradient, pathlib.Path(file))

    def _starting(self, start: Optional[str]) -> "Model":
        if start is None:
            return self
        other = Model(data={**self.data, "start": start})
        other.origin = self.origin
        return other

    def write_page(self, file: Union[str, os.PathLike]) -> None:
        """Writes a web page that shows the mechanism at its start, and tables of all that it consists of."""
        self._drawn().write_page(pathlib.Path(file))

    def _checked(self) -> "_core.Model":
        return _core.parse_model(self.to_json(None), self._origin())

    def _drawn(self) -> "_core.Model":
        """With the meshes of files, beside the file of the model or in this folder."""
        text, _ = _core.with_meshes(self.to_json(None), self._origin(), pathlib.Path(self.origin).parent)
        return _core.parse_model(text, self._origin())

    def _origin(self) -> str:
        return self.origin or self.name or "model"

    def _repr_html_(self) -> str:
        from ._pages import frame_of_model
        return frame_of_model(self)


def load(file: Union[str, os.PathLike], *, parameters: Union[str, Sequence[str]] = (), floating_base: bool = False,
         mimic: bool = True, keyframe: str = "", packages: Sequence[Union[str, os.PathLike]] = ()) -> Model:
    """Reads a model file, or imports a robot in URDF (``.urdf``) or a mechanism in MJCF (``.xml``, ``.mjcf``).

    The options are of imports (docs/import.md): ``parameters``, which numbers become parameters (``"inertial"``,
    ``"geometry"``, ``"dynamics"``, ``"all"``, or names such as ``"mass_*"``, in a list or with commas between them); ``floating_base``, whether
    a robot in URDF floats instead of standing on the ground; ``mimic``, whether joints that mimic others follow them;
    ``keyframe``, at which one of MJCF motions start; ``packages``, folders where packages of meshes lie, those of
    ``package://NAME/...`` in URDF. What the model has otherwise than the file, or not at all, is said
    in ``remarks``. Meshes of files become part of the model. Raises FileError if a file cannot be read, InputError for what is wrong with it.
    """
    path = pathlib.Path(file)
    if _core.is_importable(path):
        patterns = [pattern.strip() for pattern in parameters.split(",")] if isinstance(parameters, str) else list(parameters)
        patterns = [pattern for pattern in patterns if pattern]
        text, remarks = _core.import_model(path, patterns, floating_base, mimic, keyframe, [pathlib.Path(folder) for folder in packages])
        _core.parse_model(text, os.fspath(file))
        model = _with_origin(text, os.fspath(file))
        model.remarks = remarks
        return model
    if parameters or floating_base or not mimic or keyframe or packages:
        raise ValueError(f"{os.fspath(file)}: only robots are imported (.urdf, .xml, .mjcf), and this is read as a model of gradus; "
                         "leave the options out")
    _core.read_model(path)
    text, remarks = _core.with_meshes(path.read_text(encoding="utf-8"), os.fspath(file), path.parent)
    model = _with_origin(text, os.fspath(file))
    model.remarks = remarks
    return model


def parse(text: str, origin: str = "model") -> Model:
    """Reads the text of a model file; ``origin`` opens the messages of errors."""
    _core.parse_model(text, origin)
    return _with_origin(text, origin)


def generate(family: str, size: int) -> Model:
    """A model of a family of mechanisms: ``"pendulum"``, ``"ladder"``, ``"platform"``, ``"arm"``, ``"tree"`` (docs/generate.md).

    Raises InputError for a family that there is not and a size that it does not have.
    """
    return parse(_core.generate_model(family, size), f"{family}-{size}")


def guess(value: Number) -> dict:
    """A start value that closed loops, or what holds at the start, may move."""
    return {"guess": _plain(value)}


def _with_origin(text: str, origin: str) -> Model:
    model = Model(data=_core.parse_json(text, origin))
    model.origin = origin
    return model


def _key(name: Union[str, Expression]) -> str:
    """``from_`` and ``while_`` are words of Python without the last character; sensors and states stand for their names."""
    text = name.text if isinstance(name, Expression) else name
    return text[:-1] if text.endswith("_") and keyword.iskeyword(text[:-1]) else text


def _refuse_infinite(value: Any, path: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise _core.InputError(f"{path or '/'}: found {value}, expected a finite number")
    if isinstance(value, (dict, list)):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            _refuse_infinite(entry, f"{path}/{key}")


def _plain(value: Any) -> Any:
    """As JSON has it: expressions are texts, tuples and arrays are lists."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, Mapping):
        return {_key(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return value.tolist()
    return value
