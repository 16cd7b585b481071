"""The integrators in C, dop853.c and trapezoidal.c: headers that they include, and calls of their functions.

What is compiled with one of them defines right-hand sides as CasADi generates them (right_hand_side.h): of one array,
the state and behind it the columns of its sensitivities, one after another, and of the parameters."""

import ctypes
import pathlib

import numpy as np
from scipy.integrate._ivp import dop853_coefficients as dop853

FOLDER = pathlib.Path(__file__).resolve().parent
DOP853, TRAPEZOIDAL = FOLDER / "dop853.c", FOLDER / "trapezoidal.c"


def stages():
    """Stages, end of the step and both error estimates, with the coefficients that are not zero written out."""
    def combination(weights, array):
        return " + ".join(f"{w!r} * {array}[{j}][i]" for j, w in enumerate(map(float, weights)) if w != 0.0)

    def loop(count, body):
        return f"for (int i = 0; i < {count}; ++i) {body}"

    lines = []
    for s in range(1, 12):
        lines.append(loop("ALL", f"stage[i] = y[i] + h * ({combination(dop853.A[s, :s], 'k')});"))
        integrand = f"g[{s}]" if any(weights[s] for weights in (dop853.B, dop853.E3, dop853.E5)) else "0"
        lines.append(f"evaluate(stage, p, k[{s}], {integrand});")
    lines.append(loop("ALL", f"z[i] = y[i] + h * ({combination(dop853.B, 'k')});"))
    lines.append(loop("RESULTS", f"r[i] = q[i] + h * ({combination(dop853.B, 'g')});"))
    assert dop853.E3[12] == 0 and dop853.E5[12] == 0  # so that a step is judged before the rates at its end are known
    for which, weights in enumerate((dop853.E5, dop853.E3)):
        lines.append(loop("ALL", f"e[{which}][i] = {combination(weights[:12], 'k')};"))
        lines.append(loop("RESULTS", f"f[{which}][i] = {combination(weights[:12], 'g')};"))
    return "\n".join(lines) + "\n"


def write_headers(folder, positions, columns, objectives):
    """sizes.h and stages.h, for gcc with this folder among those of headers."""
    sizes = {"POSITIONS": positions, "COLUMNS": columns, "OBJECTIVES": objectives}
    (folder / "sizes.h").write_text("enum { " + ", ".join(f"{k} = {v}" for k, v in sizes.items()) + " };\n")
    (folder / "stages.h").write_text(stages())


def prepare(function, state, designs, objectives, *numbers):
    """A call without arguments that computes all designs, and where it leaves results and steps.

    The state at the start depends on no parameter. Numbers are the duration and what else the function takes. The call
    returns what the function does: steps that were rejected, or iterations."""
    designs = np.array(designs, dtype=float, ndmin=2, order="C")
    count, columns = designs.shape
    start = np.concatenate([state, np.zeros(len(state) * columns)])
    result = np.empty((count, 1 + columns, objectives))
    steps = np.empty(count, dtype=np.int32)
    arrays = [ctypes.c_void_p(a.ctypes.data) for a in (start, designs, result, steps)]
    arguments = [ctypes.c_int(count), *arrays[:2], *map(ctypes.c_double, numbers), *arrays[2:]]

    def call(keep=(start, designs)):
        counted = function(*arguments)
        if steps.min() < 0:
            raise RuntimeError("a design failed")
        return counted
    return call, result, steps
