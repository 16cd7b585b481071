"""Families of mechanisms: motions and gradients against equations written by hand, and how they are made."""

import json
import math

import numpy as np
import pytest

import gradus
from conftest import SOURCE

solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp
EXACTLY = {"rtol": 1e-11, "atol": 1e-12, "formulation": "index1", "integrator": "dop853"}


def chain_end(m, L, duration):
    """The tip of a chain of rods that is let go horizontally, by Lagrange's equations in absolute angles."""
    m, L = np.asarray(m, dtype=complex), np.asarray(L, dtype=complex)
    n, real = len(m), not (m.imag.any() or L.imag.any())
    behind = np.array([m[i + 1:].sum() for i in range(n)])
    lever = m / 2 + behind
    mass = np.array([[(m[i] / 3 + behind[i]) * L[i]**2 if i == j else lever[max(i, j)] * L[i] * L[j] for j in range(n)] for i in range(n)])

    def rates(_, y):
        q, v = y[:n], y[n:]
        difference = q[:, None] - q[None, :]
        return np.concatenate([v, np.linalg.solve(mass * np.cos(difference),
                                                  -(mass * np.sin(difference)) @ v**2 - 9.81 * lever * L * np.cos(q))])

    start = np.zeros(2 * n, dtype=float if real else complex)
    if real:
        mass, lever, L = mass.real, lever.real, L.real
    q = solve_ivp(rates, (0, duration), start, method="DOP853", rtol=1e-13, atol=1e-15).y[:n, -1]
    return (L * np.cos(q)).sum(), (L * np.sin(q)).sum()


@pytest.mark.parametrize("size", [1, 2, 5])
def test_pendulum_moves_by_the_equations_of_lagrange(size):
    duration = 0.4
    model = gradus.generate("pendulum", size)
    r = model.compile(duration=duration, method="direct", **EXACTLY).gradient()
    share = np.full(size, 1 / size)
    x, y = chain_end(share, share, duration)
    assert r["end"] == pytest.approx(x, abs=1e-10)
    assert r["tip"][1] == pytest.approx(y, abs=1e-10)
    for k in range(size):
        step = np.where(np.arange(size) == k, 1e-40j, 0)
        assert r.derivative("end", f"L[{k}]") == pytest.approx(chain_end(share, share + step, duration)[0].imag / 1e-40, abs=2e-9)
        by_mass = chain_end(share + step, share, duration)[0].imag / 1e-40
        assert r.derivative("end", f"m[{k}]") == pytest.approx(by_mass, abs=2e-9)
        assert size == 1 or abs(by_mass) > 1e-6


def ladder_angle(size, crank, bar, L, v, duration):
    """Of the cranks, which all turn alike: a pendulum."""
    weight = (size + 1) * crank / 2 + size * bar
    inertia = (size + 1) * crank / 3 + size * bar
    values = [crank, bar, L, v]
    kind = complex if any(isinstance(value, complex) for value in values) else float
    y = solve_ivp(lambda _, y: [y[1], -weight / inertia * 9.81 / L * np.cos(y[0])], (0, duration), np.array([-math.pi / 2, v], dtype=kind),
                  method="DOP853", rtol=1e-13, atol=1e-15).y
    return y[0, -1]


@pytest.mark.parametrize("size", [1, 3])
def test_ladder_moves_as_a_pendulum(size):
    duration = 0.9
    r = gradus.generate("ladder", size).compile(duration=duration, **EXACTLY).gradient()
    assert r["end"] == pytest.approx(ladder_angle(size, 1, 1, 1, 1, duration), abs=1e-9)
    assert float(r["energy"]) == pytest.approx(((size + 1) / 3 + size) / 2 - ((size + 1) / 2 + size) * 9.81, abs=1e-8)
    bars = sum(r.derivative("end", f"m[{2 * i + 1}]") for i in range(size))
    cranks = sum(r.derivative("end", f"m[{2 * i}]") for i in range(size + 1))
    step = 1e-40j
    for found, values in ((bars, (1, 1 + step, 1, 1)), (cranks, (1 + step, 1, 1, 1)), (r.derivative("end", "L"), (1, 1, 1 + step, 1)),
                          (r.derivative("end", "v"), (1, 1, 1, 1 + step))):
        expected = ladder_angle(size, *values, duration).imag / 1e-40
        assert found == pytest.approx(expected, abs=2e-8) and abs(expected) > 1e-3


def test_platform_is_symmetric():
    model = gradus.generate("platform", 6)
    assert model.describe()["degrees_of_freedom"] == 6
    model.data["joints"]["free"]["initial"]["velocity"] = [0] * 6
    r = model.compile(duration=0.2, **EXACTLY).gradient()
    # Not to round-off: the cardan joints of the legs are not turned with them.
    assert np.abs(r["C"][:2]).max() < 1e-7 and r["C"][2] < 1.2 - 1e-3
    stiffness = [r.derivative("height", f"k[{i}]") for i in range(6)]
    assert max(stiffness) - min(stiffness) < 1e-5 * abs(stiffness[0]) and stiffness[0] > 0


@pytest.mark.parametrize("family, size, freedom", [("arm", 7, 7), ("tree", 30, 30), ("tree", 1, 1), ("ladder", 10, 1), ("platform", 3, 6)])
def test_direct_and_adjoint_agree(family, size, freedom):
    model = gradus.generate(family, size)
    assert model.describe()["degrees_of_freedom"] == freedom
    direct = model.compile(duration=0.1, step=1e-3, formulation="ali3p").gradient()
    adjoint = model.compile(duration=0.1, step=1e-3, formulation="ali3p", method="adjoint").gradient()
    scale = np.abs(direct.gradient).max(axis=-1, keepdims=True)
    assert (np.abs(direct.gradient - adjoint.gradient) < 1e-9 * scale).all() and (scale > 0).all()


def test_tree_keeps_its_energy():
    model = gradus.generate("tree", 12)
    energy = np.ravel(model.compile(**EXACTLY).run(record_every=1).trajectory["energy"])
    assert np.ptp(energy) < 1e-6 and abs(energy[0]) > 1


def test_hanging_chain():
    """Frequencies of many rods tend to those of a chain, zeros of the Bessel function J0; and go as the root of 1/L, whatever m."""
    special = pytest.importorskip("scipy.special")
    size = 40
    modes = gradus.generate("pendulum", size).modes(start="equilibrium")
    frequencies = modes.eigenvalues.imag
    chain = special.jn_zeros(0, 3) / 2 * math.sqrt(9.81)
    assert modes.stability == "neutral" and np.abs(modes.eigenvalues.real).max() < 1e-9
    np.testing.assert_allclose(frequencies[:3], chain, rtol=3e-3)
    np.testing.assert_allclose(frequencies[0], chain[0], rtol=3e-5)
    masses, lengths = modes.gradient[:, :size], modes.gradient[:, size:]
    assert modes.parameters[0] == "m[0]" and modes.parameters[size] == "L[0]"
    assert np.abs(masses.sum(axis=1)).max() < 1e-9 * np.abs(masses).max() and np.abs(masses).max() > 1
    np.testing.assert_allclose(lengths.sum(axis=1).imag / size, -frequencies / 2, rtol=1e-9)


def test_what_there_is():
    model = gradus.generate("arm", 3)
    assert model.name == "arm-3" and json.loads(model.to_json())["parameters"]["m"]["size"] == 3
    with pytest.raises(gradus.InputError, match="pendulum"):
        gradus.generate("pendulm", 3)
    with pytest.raises(gradus.InputError, match="3 to 200"):
        gradus.generate("platform", 2)


# ---- Anchor: what it is led by, and where its energy goes ----


def test_anchor_of_the_published_size_is_the_model():
    stated = gradus.load(SOURCE / "models" / "ship-anchor" / "ship-anchor.json")
    assert json.loads(gradus.generate("anchor", 64).to_json()) == json.loads(stated.to_json())
    mechanism = stated.compile(duration=1e-3)
    assert len(mechanism.coordinates) == 130


def test_anchor_accounts_for_its_energy():
    """What lifts it goes into the chain and the anchor, and into contacts."""
    data = json.loads(gradus.generate("anchor", 9).to_json())
    contacts = list(data["forces"])
    for k, name in enumerate(contacts):
        data["sensors"] |= {f"power{k}": {"power": name}, f"gap{k}": {"gap": name}}
    data["definitions"] = {"taken": " + ".join(f"power{k}" for k in range(len(contacts))),
                           "stored": " + ".join(f"stiffness*max(-gap{k}, 1e-100)^2.5/2.5" for k in range(len(contacts)))}
    data["objectives"] = {"work": {"integral": "power"}, "contacts": {"integral": "taken"}, "springs": {"terminal": "stored"},
                          "all": {"terminal": "energy"}, "beside": {"terminal": "norm(top - [0, 0, speed*(t - 1 + exp(-t))])"},
                          "height": {"terminal": "anchor.z"}}
    data["analysis"] |= {"integrator": "dopri5", "rtol": 1e-9, "atol": 1e-11}
    model = gradus.parse(json.dumps(data))
    start, end = (dict(zip(data["objectives"], model.compile(duration=duration).simulate().objectives)) for duration in (1e-9, 2.0))
    gained = end["all"] - start["all"]
    assert end["work"] > 1000 and end["contacts"] < -100  # friction takes some of it
    assert gained == pytest.approx(end["work"] + end["contacts"] + end["springs"] - start["springs"], rel=1e-5)
    assert end["beside"] < 1e-8
    assert end["height"] > start["height"] + 0.1


@pytest.mark.parametrize("formulation", ["semi-recursive", "index1"])
def test_anchor_moves_the_same_by_other_formulations(formulation):
    model = gradus.generate("anchor", 8)
    values = [model.compile(duration=0.05, formulation=f, integrator="rk4", step=1e-3, method="direct").gradient()
              for f in ("fully-recursive", formulation)]
    np.testing.assert_allclose(values[1].objectives, values[0].objectives, rtol=1e-9)
    scale = abs(values[0].gradient).max(axis=1, keepdims=True)
    assert abs((values[1].gradient - values[0].gradient) / scale).max() < 1e-8
