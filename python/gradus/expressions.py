"""Numbers of a model that are written with parameters, sensors and the time: ``2*m + L``."""

from __future__ import annotations

import math
import numbers
import operator
from typing import Union

Number = Union[float, int, str, "Expression"]


class Expression:
    """The text of an expression of a model file; operators write longer ones.

    ``str()`` gives the text. Powers are ``**``, functions are those of this module
    (:func:`sin`, :func:`sqrt`, ...), components of vectors are attributes (``r.x``).
    """

    __slots__ = ("text", "_binds")

    def __init__(self, text: str, binds: int = 0):
        if not isinstance(text, str):
            raise TypeError(f"found {text!r}, expected the text of an expression; expression() takes numbers as well")
        self.text = text
        self._binds = binds  # 3: an atom, 2: a power, 1: a product, 0: a sum

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def __getattr__(self, name: str) -> "Expression":
        if name not in ("x", "y", "z"):
            raise AttributeError(f"an expression has no {name!r} (components are x, y and z)")
        return Expression(f"{_inside(self, 3)}.{name}", 3)

    def __getitem__(self, index: int) -> "Expression":
        return Expression(f"{_inside(self, 3)}[{operator.index(index)}]", 3)

    def __bool__(self) -> bool:
        raise TypeError("an expression has no truth value: its number is known in a motion alone")

    def __float__(self) -> float:
        raise TypeError("an expression has a number in a motion alone: write sin, sqrt, ... of gradus.expressions in the place of those of "
                        "math and numpy")

    def __lt__(self, other):
        raise TypeError("which of two expressions is larger is known in a motion alone: write minimum and maximum of gradus.expressions")

    __le__ = __gt__ = __ge__ = __lt__

    def __abs__(self) -> "Expression":
        return abs_(self)

    __iter__ = None  # how many components there are is known to the model alone

    def __add__(self, other):
        return _sum(self, "+", other)

    def __radd__(self, other):
        return _sum(other, "+", self)

    def __sub__(self, other):
        return _sum(self, "-", other)

    def __rsub__(self, other):
        return _sum(other, "-", self)

    def __mul__(self, other):
        return _product(self, "*", other)

    def __rmul__(self, other):
        return _product(other, "*", self)

    def __truediv__(self, other):
        return _product(self, "/", other)

    def __rtruediv__(self, other):
        return _product(other, "/", self)

    def __pow__(self, other):
        return Expression(f"{_inside(self, 3)}^{_inside(other, 3)}", 2)

    def __rpow__(self, other):
        return Expression(f"{_inside(other, 3)}^{_inside(self, 3)}", 2)

    def __neg__(self):
        return Expression(f"-{_inside(self, 2)}", 0)

    def __pos__(self):
        return self


def expression(value: Number) -> Expression:
    """A number, the text of an expression, or a list of these, which is a vector or a list, as an :class:`Expression`."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        return Expression(value, 3 if value.isidentifier() else 0)
    if isinstance(value, (list, tuple)):
        return Expression(f"[{', '.join(str(expression(entry)) for entry in value)}]", 3)
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ValueError(f"found {value}, expected a finite number")
        text = repr(float(value)) if not isinstance(value, numbers.Integral) else str(int(value))
        return Expression(text, 3 if float(value) >= 0 else 0)
    raise TypeError(f"found {value!r}, expected a number, a text, an expression or a list of these")


def _inside(value: Number, binds: int) -> str:
    found = expression(value)
    return found.text if found._binds >= binds else f"({found.text})"


def _sum(a: Number, sign: str, b: Number) -> Expression:
    return Expression(f"{_inside(a, 0)} {sign} {_inside(b, 1)}", 0)


def _product(a: Number, sign: str, b: Number) -> Expression:
    return Expression(f"{_inside(a, 1)}{sign}{_inside(b, 2)}", 1)


def _function(name: str):
    def call(*arguments: Number) -> Expression:
        return Expression(f"{name}({', '.join(str(expression(a)) for a in arguments)})", 3)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"``{name}`` of model files, written into an expression."
    return call


sin, cos, tan = _function("sin"), _function("cos"), _function("tan")
asin, acos, atan, atan2 = _function("asin"), _function("acos"), _function("atan"), _function("atan2")
sinh, cosh, tanh = _function("sinh"), _function("cosh"), _function("tanh")
exp, log, sqrt, abs_ = _function("exp"), _function("log"), _function("sqrt"), _function("abs")
minimum, maximum = _function("min"), _function("max")
spline, sum_ = _function("spline"), _function("sum")
dot, cross, norm = _function("dot"), _function("cross"), _function("norm")

time = Expression("t", 3)
pi = Expression("pi", 3)
