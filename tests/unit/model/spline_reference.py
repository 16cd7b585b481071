"""Writes spline_reference.hpp: values, slopes and second derivatives of splines by SciPy, whose code shares nothing with
gradus, for tests/unit/model/spline_kinds.cpp. Run with a Python that has SciPy; the numbers are kept so that tests need none.

    python3 tests/unit/model/spline_reference.py > tests/unit/model/spline_reference.hpp
"""

import numpy as np
import scipy
from scipy.interpolate import CubicSpline, PchipInterpolator

KNOTS = [-1.3, -0.4, 0.1, 0.9, 2.5, 2.9, 4.4]
VALUES = [0.7, -1.1, 2.3, 2.6, 2.9, -0.6, -0.9]
SLOPES = [1.7, -0.4]
PLACES = [-9.1, -2.0, -1.3, -1.1, -0.4, -0.2, 0.05, 0.1, 0.6, 0.9, 1.7, 2.5, 2.6, 2.9, 3.0, 4.3, 4.4, 5.1, 12.7]


def shape(knots, values, kind):
    """The spline within its knots, and its first and second derivative: functions of an array."""
    if kind == "linear":
        slopes = np.diff(values) / np.diff(knots)
        segment = lambda x: np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(slopes) - 1)
        return [lambda x: np.asarray(values)[segment(x)] + slopes[segment(x)] * (x - np.asarray(knots)[segment(x)]),
                lambda x: slopes[segment(x)], lambda x: 0.0 * x]
    if kind == "monotone":
        made = PchipInterpolator(knots, values)
    else:
        boundary = {"natural": "natural", "clamped": "clamped", "not-a-knot": "not-a-knot", "periodic": "periodic",
                    "given": ((1, SLOPES[0]), (1, SLOPES[1]))}[kind]
        made = CubicSpline(knots, values, bc_type=boundary)
    return [made, made.derivative(1), made.derivative(2)]


def at(functions, knots, ends, x):
    first, last = knots[0], knots[-1]
    value, slope, bend = functions
    if ends == "repeat":
        x = first + (x - first) % (last - first)
    elif ends != "extend" and (x < first or x > last):
        end = first if x < first else last
        behind = end if x < first else np.nextafter(last, first)  # the derivative of the last segment
        tilt = float(slope(np.float64(behind))) if ends == "straight" else 0.0
        return [float(value(np.float64(end))) + tilt * (x - end), tilt, 0.0]
    return [float(f(np.float64(x))) for f in functions]


CASES = [("natural", e) for e in ("straight", "hold", "extend")] + [("clamped", "hold"), ("clamped", "extend")] + \
        [("given", "straight"), ("given", "hold"), ("not-a-knot", "straight"), ("not-a-knot", "extend")] + \
        [("linear", e) for e in ("hold", "straight", "extend", "repeat")] + \
        [("monotone", e) for e in ("hold", "straight", "extend", "repeat")] + [("periodic", "repeat"), ("natural", "repeat")]


FEW = [("natural", "straight"), ("given", "straight"), ("not-a-knot", "extend"), ("monotone", "hold"), ("periodic", "repeat")]


def rows(kind, ends, knots, values):
    values = values[:-1] + values[:1] if ends == "repeat" else values
    functions = shape(knots, values, kind)
    return [at(functions, knots, ends, x) for x in PLACES]


def gradient(kind, ends, knots, values):
    """By each value, [place, value]. All kinds but the monotone one are linear in the values; that one by Richardson's
    extrapolation of central differences."""
    free = len(values) - 1 if ends == "repeat" else len(values)
    base = np.array(rows(kind, ends, knots, values))[:, 0]
    columns = []
    for k in range(free):
        def moved(h):
            changed = list(values)
            changed[k] += h
            return np.array(rows(kind, ends, knots, changed))[:, 0]
        if kind == "monotone":
            coarse, fine = [(moved(h) - moved(-h)) / (2 * h) for h in (2e-3, 1e-3)]
            columns.append((4 * fine - coarse) / 3)
        else:
            columns.append(moved(1.0) - base)
    return np.array(columns).T


def main():
    print("// Written by spline_reference.py, with SciPy", scipy.__version__ + ". Do not edit.")
    print("#pragma once\n\n#include <vector>\n\nnamespace gradus::expression::reference {\n")
    print("// clang-format off")
    for name, numbers in (("knots", KNOTS), ("values", VALUES), ("slopes", SLOPES), ("places", PLACES)):
        print(f"inline const std::vector<double> {name}{{{', '.join(map(repr, numbers))}}};")
    print("""
struct Case {
  const char* options;
  int knots;  // the first of `knots` and as many of `values`
  bool repeats;  // the last value is the first
  std::vector<double> rows;  // [place, 3] value, slope, second derivative
  std::vector<double> by_values;  // [place, value]
};
""")
    print("inline const std::vector<Case> cases{")
    for kind, ends in CASES:
        for count in ((7, 2, 3, 4) if (kind, ends) in FEW else (7,)):
            knots, values = KNOTS[:count], VALUES[:count]
            text = f"'clamped', [{SLOPES[0]}, {SLOPES[1]}], '{ends}'" if kind == "given" else f"'{kind}', '{ends}'"
            print(f"    {{\"{text}\", {count}, {'true' if ends == 'repeat' else 'false'},")
            print("     {" + ",\n      ".join(", ".join(f"{x:.16g}" for x in row) for row in rows(kind, ends, knots, values)) + "},")
            table = gradient(kind, ends, knots, values)
            print("     {" + ",\n      ".join(", ".join(f"{x:.14g}" for x in row) for row in table) + "}},")
    print("};\n// clang-format on\n\n}  // namespace gradus::expression::reference")


main()
