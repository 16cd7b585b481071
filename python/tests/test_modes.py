"""Modes from Python: arrays of the linearised equations, against SciPy and the motion itself; what is refused."""

import math

import numpy as np
import pytest

import gradus

scipy_linalg = pytest.importorskip("scipy.linalg")


def carriage():
    """A mass on a spring and damper, with a force u on it."""
    model = gradus.Model("carriage", gravity=[0, 0, 0])
    m, k, c, u = (model.parameter(name, value, unit=unit)
                  for name, value, unit in (("m", 2, "kg"), ("k", 50, "N/m"), ("c", 1.5, "N s/m"), ("u", 0, "N")))
    model.body("block", mass=m, com=[0, 0, 0], inertia={"xx": 1, "yy": 1, "zz": 1})
    model.joint("slide", "prismatic", "ground", "block", axis=[1, 0, 0])
    x, v = model.sensor("x", coordinate="slide"), model.sensor("v", rate="slide")
    model.force("all", "joint-force", joint="slide", value=u - k * x - c * v)
    model.sensor("a", acceleration="block")
    return model


def test_matrices_of_a_carriage():
    modes = carriage().modes()
    assert modes.states == ["slide", "rate of slide"] and modes.parameters == ["m", "k", "c", "u"]
    assert modes.outputs == ["x", "v", "a.x", "a.y", "a.z"] and modes.units["slide"] == "m"
    np.testing.assert_allclose(modes.A, [[0, 1], [-25, -0.75]], rtol=1e-14)
    np.testing.assert_allclose(modes.B, [[0, 0, 0, 0], [0, 0, 0, 0.5]], atol=1e-15)
    np.testing.assert_allclose(modes.C[:3], [[1, 0], [0, 1], [-25, -0.75]], rtol=1e-14)
    np.testing.assert_allclose(modes.D[2], [0, 0, 0, 0.5], atol=1e-15)
    root = complex(-0.375, math.sqrt(25 - 0.375**2))
    np.testing.assert_allclose(modes.eigenvalues, [root], rtol=1e-14)
    np.testing.assert_allclose(modes.A @ modes.shapes[:, 0], root * modes.shapes[:, 0], rtol=1e-13)
    # m z^2 + c z + k = 0, differentiated
    np.testing.assert_allclose(modes.gradient[0], [-root**2 / (4 * root + 1.5), -1 / (4 * root + 1.5), -root / (4 * root + 1.5), 0],
                               atol=1e-15, rtol=1e-13)
    assert modes.held_states == [] and modes.laws_of_time == []
    assert modes.stability == "stable" and len(modes) == 1 and "2 states" in repr(modes)


def test_small_motions_are_those_of_the_motion():
    """A response of the nonlinear mechanism to a small deviation is exp(A t) of it."""
    model = carriage()
    mechanism = model.compile(duration=0.7, start_states=True, final_state=True, rtol=1e-12, atol=1e-14)
    modes = model.modes()
    end = mechanism.evaluate(mechanism.nominal, [1e-3, 0]).final_states
    np.testing.assert_allclose(np.ravel(end), scipy_linalg.expm(0.7 * modes.A) @ [1e-3, 0], rtol=1e-9)


def test_a_controller_that_is_designed_with_them():
    """Poles of the closed loop lie where those of A - B K do."""
    model = carriage()
    modes = model.modes()
    gains = np.array([[40.0, 9.0]])
    wanted = np.linalg.eigvals(modes.A - modes.B[:, 3:] @ gains)
    model.data["forces"]["all"]["value"] = "u - 40*x - 9*v - k*x - c*v"
    closed = model.modes(gradient=False)
    assert closed.gradient is None
    found = np.concatenate([closed.eigenvalues, closed.eigenvalues[closed.eigenvalues.imag > 0].conj()])
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(wanted), rtol=1e-12)


def test_values_that_are_set_and_starts():
    model = carriage()
    assert model.modes(set={"c": -1}).stability == "unstable"
    assert model.modes(set={"u": 5}).stability == "not steady"
    at_rest = model.modes(set={"u": 5}, start="equilibrium")
    assert at_rest.stability == "stable" and at_rest.start == "equilibrium"
    assert at_rest.values[at_rest.outputs.index("x")] == pytest.approx(0.1, rel=1e-12)
    with pytest.raises(gradus.InputError, match="friction"):
        model.modes(set={"friction": 1})
    with pytest.raises(gradus.InputError, match="start"):
        model.modes(start="somewhere")


def test_page(tmp_path):
    file = tmp_path / "modes.html"
    carriage().write_modes_page(file)
    text = file.read_text(encoding="utf-8")
    assert "Modes in motion" in text and "Derivatives of eigenvalues" in text
