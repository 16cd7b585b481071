"""The bicycle of models/bicycle against the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007), whose wheels roll:
as slips and indentations vanish, the eigenvalues of steady riding on tyres become theirs."""

import json
import math

import numpy as np
import pytest

import gradus
from conftest import SOURCE

# Published eigenvalues by speed, m/s: castering, capsize, weave (without its conjugate), 1/s.
ROLLING = {
    2: [-8.673879848317, -3.071586456415, 2.682345175127 + 1.680662965907j],
    5: [-14.078389692798, -0.322866429004, -0.775341882196 + 4.464867713788j],
    8: [-20.279408943945, 0.143278797657, -2.693486835811 + 8.460379713969j],
}
# Of the frame x, y, z and the Euler parameters but the first, which follows; of handlebar and wheels the angles.
MASSES = [(85, 0.3, 0.6), (4, 0.9, 0.4), (2, 0, 0), (3, 1.02, 0.05)]  # kg, and where from the rear hub


def standing(stiffness):
    """(height of the rear hub, pitch) at rest on tyres of this stiffness, N/m."""
    pitch = 0.0
    for _ in range(100):
        c, s = math.cos(pitch), math.sin(pitch)
        front = 9.81 * sum(m * (x * c + z * s) for m, x, z in MASSES) / (1.02 * c + 0.05 * s)
        rear = 94 * 9.81 - front
        rise = 0.05 - (front - rear) / stiffness
        pitch = math.atan2(0.05, 1.02) - math.asin(rise / math.hypot(1.02, 0.05))
    return 0.3 - rear / stiffness, pitch


def riding(speed, slip):
    """The bicycle without torques and dampers, on tyres whose forces are 1 at this slip."""
    stiffness = 1e3 / slip
    height, pitch = standing(stiffness)
    model = gradus.load(SOURCE / "models" / "bicycle" / "bicycle.json").to_json()
    data = json.loads(model)
    data["parameters"] = {}
    data["definitions"] = {"tilt": "pi/10"}
    data["forces"] = {name: data["forces"][name] for name in ("rear_tyre", "front_tyre")}
    for tyre in data["forces"].values():
        tyre.update(stiffness=stiffness, damping=0, critical_slip=slip, critical_angle=slip, least_speed=1e-3)
        del tyre["restitution_damping"]
    joints = data["joints"]
    joints["air"]["initial"] = {"position": [0, 0, height, math.cos(pitch / 2), 0, math.sin(pitch / 2), 0],
                                "velocity": [speed, 0, 0, 0, 0, 0]}
    joints["rear"]["initial"], joints["front"]["initial"] = {"velocity": speed / 0.3}, {"velocity": speed / 0.35}
    data["sensors"] = {"height": {"position": "frame"}}
    data["objectives"] = {}
    return gradus.parse(json.dumps(data))


@pytest.mark.parametrize("speed", ROLLING)
def test_eigenvalues_become_those_of_rolling_wheels(speed):
    expected = np.array(ROLLING[speed])
    table = []
    for slip in (2e-3, 1e-3, 5e-4, 2.5e-4):
        modes = riding(speed, slip).modes(gradient=False)
        assert modes.stability != "not steady"
        values = modes.eigenvalues
        table.append(np.array([values[np.argmin(abs(values - value))] for value in expected]))
    # They differ by a power series in the slip, which is extrapolated.
    errors = [abs(row - expected).max() for row in table]
    assert all(later < 0.6 * earlier for earlier, later in zip(errors, errors[1:]))
    for order in range(1, len(table)):
        table = [(2**order * b - a) / (2**order - 1) for a, b in zip(table, table[1:])]
    assert abs(table[0] - expected).max() < 1e-7


# ---- Wheels that roll: models/bicycle/bicycle-rolling.json against the equations of the benchmark ----

# Eigenvalues at all published speeds, from the canonical matrices in the paper (its appendix has those of 0 and 5 m/s).
PUBLISHED = {
    0: [3.131643247907, -3.131643247907, 5.530943717654, -5.530943717654],
    2: ROLLING[2],
    4: [-12.158614265764, -1.429444273613, 0.413253315211 + 3.079108186032j],
    5: ROLLING[5],
    6: [-16.08537123098, -0.00406690077, -1.526444865841 + 5.876730605987j],
    8: ROLLING[8],
    10: [-24.624596350174, 0.161053386532, -3.720168404373 + 10.906811394763j],
}


def canonical_matrices(p):
    """M, C1, K0, K2 of appendix A of the paper, for lean and steer; of complex numbers, too."""
    sin, cos = np.sin(p["tilt"]), np.cos(p["tilt"])
    w, c = p["w"], p["c"]
    total = p["mR"] + p["mB"] + p["mH"] + p["mF"]
    x_total = (p["xB"] * p["mB"] + p["xH"] * p["mH"] + w * p["mF"]) / total
    z_total = (-p["rR"] * p["mR"] + p["zB"] * p["mB"] + p["zH"] * p["mH"] - p["rF"] * p["mF"]) / total
    txx = (p["IRxx"] + p["IBxx"] + p["IHxx"] + p["IFxx"] + p["mR"] * p["rR"]**2 + p["mB"] * p["zB"]**2
           + p["mH"] * p["zH"]**2 + p["mF"] * p["rF"]**2)
    txz = (p["IBxz"] + p["IHxz"] - p["mB"] * p["xB"] * p["zB"] - p["mH"] * p["xH"] * p["zH"] + p["mF"] * w * p["rF"])
    tzz = (p["IRxx"] + p["IBzz"] + p["IHzz"] + p["IFxx"] + p["mB"] * p["xB"]**2 + p["mH"] * p["xH"]**2 + p["mF"] * w**2)
    front = p["mH"] + p["mF"]
    xa = (p["xH"] * p["mH"] + w * p["mF"]) / front
    za = (p["zH"] * p["mH"] - p["rF"] * p["mF"]) / front
    axx = p["IHxx"] + p["IFxx"] + p["mH"] * (p["zH"] - za)**2 + p["mF"] * (p["rF"] + za)**2
    axz = p["IHxz"] - p["mH"] * (p["xH"] - xa) * (p["zH"] - za) + p["mF"] * (w - xa) * (p["rF"] + za)
    azz = p["IHzz"] + p["IFxx"] + p["mH"] * (p["xH"] - xa)**2 + p["mF"] * (w - xa)**2
    ua = (xa - w - c) * cos - za * sin
    all_ = front * ua**2 + axx * sin**2 + 2 * axz * sin * cos + azz * cos**2
    alx = -front * ua * za + axx * sin + axz * cos
    alz = front * ua * xa + axz * sin + azz * cos
    mu = c / w * cos
    sr, sf = p["IRyy"] / p["rR"], p["IFyy"] / p["rF"]
    st, sa = sr + sf, front * ua + mu * total * x_total
    m = np.array([[txx, alx + mu * txz], [alx + mu * txz, all_ + 2 * mu * alz + mu**2 * tzz]])
    k0 = np.array([[total * z_total, -sa], [-sa, -sa * sin]])
    k2 = np.array([[0, (st - total * z_total) / w * cos], [0, (sa + sf * sin) / w * cos]])
    c1 = np.array([[0, mu * st + sf * cos + txz / w * cos - mu * total * z_total],
                   [-(mu * st + sf * cos), alz / w * cos + mu * (sa + tzz / w * cos)]])
    return m, c1, k0, k2


def eigenvalue_with_gradient(p, near):
    """The eigenvalue nearest to `near`, and its derivatives by all of p: matrices by complex steps."""
    names = list(p)

    def matrices(values):
        m, c1, k0, k2 = canonical_matrices(values)
        return m, values["speed"] * c1, 9.81 * k0 + values["speed"]**2 * k2

    m, damping, stiffness = matrices(p)
    inverse = np.linalg.inv(m)
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiffness, -inverse @ damping]])
    values = np.linalg.eigvals(a)
    value = values[np.argmin(abs(values - near))]
    for _ in range(3):  # to its last digits
        pencil = value**2 * m + value * damping + stiffness
        value -= np.linalg.det(pencil) / np.trace(
            np.array([[pencil[1, 1], -pencil[0, 1]], [-pencil[1, 0], pencil[0, 0]]]) @ (2 * value * m + damping))
    pencil = value**2 * m + value * damping + stiffness
    right, left = np.array([-pencil[0, 1], pencil[0, 0]]), np.array([-pencil[1, 0], pencil[0, 0]])
    slope = left @ (2 * value * m + damping) @ right
    gradient = []
    for name in names:
        moved = matrices({**p, name: p[name] + 1e-30j})
        dm, dc, dk = (x.imag / 1e-30 for x in moved)
        gradient.append(-(left @ (value**2 * dm + value * dc + dk) @ right) / slope)
    return value, np.array(gradient)


@pytest.fixture(scope="module")
def rolling():
    return gradus.load(SOURCE / "models" / "bicycle" / "bicycle-rolling.json")


def parameters_of(model, speed):
    stated = json.loads(model.to_json())["parameters"]
    return {name: p["value"] for name, p in stated.items()} | {"speed": speed}


def test_the_benchmark_is_that_of_the_paper(rolling):
    m, c1, k0, k2 = canonical_matrices(parameters_of(rolling, 5.0))
    np.testing.assert_allclose(m, [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]], rtol=1e-13)
    np.testing.assert_allclose(k0, [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]], rtol=1e-13)
    np.testing.assert_allclose(k2, [[0, 76.59734589573222], [0, 2.65431523794604]], rtol=1e-13)
    np.testing.assert_allclose(c1, [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]], rtol=1e-13)


@pytest.mark.parametrize("speed", PUBLISHED)
def test_wheels_that_roll_have_the_published_eigenvalues(rolling, speed):
    modes = rolling.modes(gradient=False, set={"speed": speed})
    assert modes.stability == ("neutral" if speed in (5, 6) else "unstable")
    for value in PUBLISHED[speed]:
        assert abs(modes.eigenvalues - value).min() < 1e-10, value
    # The rest: where the bicycle is, where it heads, how fast it rides and how far its wheels have turned.
    others = [value for value in modes.eigenvalues if min(abs(value - known) for known in PUBLISHED[speed]) > 1e-6]
    assert sum(1 if value.imag == 0 else 2 for value in others) == 6 and max(abs(value) for value in others) < 1e-6


def weave_speed(model, speed, beside={}):
    """The speed at which weaving is not damped, by Newton's method; the eigenvalue, and the gradient by the others."""
    for _ in range(12):
        modes = model.modes(set={"speed": speed, **beside})
        k = next(k for k, value in enumerate(modes.eigenvalues) if value.imag > 1)
        by = modes.gradient[k].real
        at = modes.parameters.index("speed")
        step = modes.eigenvalues[k].real / by[at]
        speed -= step
        if abs(step) < 1e-14 * speed:
            break
    return speed, modes.eigenvalues[k], {name: -g / by[at] for name, g in zip(modes.parameters, by) if name != "speed"}


def agree_with_the_paper(model, speed, value, gradient, count):
    assert len(gradient) == 25
    p = parameters_of(model, speed)
    slopes = eigenvalue_with_gradient(p, value)[1].real
    expected = dict(zip(p, -slopes / slopes[list(p).index("speed")]))
    scale = max(abs(x * p[name]) for name, x in expected.items() if name != "speed")
    for name, x in gradient.items():
        assert abs(x - expected[name]) * abs(p[name]) < 1e-9 * scale, name
    assert sum(abs(x) > 1e-6 for x in gradient.values()) == count


def test_weave_speed_and_its_gradient(rolling):
    speed, value, gradient = weave_speed(rolling, 4.3)
    assert abs(speed - 4.29238253634111) < 1e-13
    agree_with_the_paper(rolling, speed, value, gradient, 23)  # all but pitch inertias of frame and fork
    assert abs(gradient["IByy"]) < 1e-12 and abs(gradient["IHyy"]) < 1e-12


def test_weave_speed_by_differences(rolling):
    gradient = weave_speed(rolling, 4.3)[2]
    stated = parameters_of(rolling, 4.3)
    for name in ("w", "IHxz", "zB"):
        h = 1e-5 * stated[name]
        beside = [weave_speed(rolling, 4.3, {name: stated[name] + x})[0] for x in (-2 * h, -h, h, 2 * h)]
        difference = (beside[0] - 8 * beside[1] + 8 * beside[2] - beside[3]) / (12 * h)
        assert difference == pytest.approx(gradient[name], rel=1e-7)


def test_capsize_speed_and_its_gradient(rolling):
    speed, gradient = capsize_speed(rolling)
    assert abs(speed - 6.02426201538837) < 1e-10
    agree_with_the_paper(rolling, speed, 0.0, gradient, 15)  # what is still when a bicycle leans steadily


def capsize_speed(model):
    """Where capsizing is slow it is known by an interpolation of its rate, which passes 0 among five zeros of others."""
    nodes = 6.02426201538837 + 0.02 * np.array([-3, -2, -1, 1, 2, 3])
    rates, slopes = [], []
    for speed in nodes:
        modes = model.modes(set={"speed": speed})
        k = min((k for k, value in enumerate(modes.eigenvalues) if value.imag == 0 and 1e-5 < abs(value) < 0.1),
                key=lambda k: abs(modes.eigenvalues[k]))
        rates.append(modes.eigenvalues[k].real)
        slopes.append(modes.gradient[k].real)
    # Hermite: polynomials of degree 11 through rates and slopes by speed; those by parameters through their values.
    from numpy.polynomial import polynomial
    at = modes.parameters.index("speed")
    x = nodes - nodes.mean()
    powers = polynomial.polyvander(x, 11)
    tangents = np.hstack([np.zeros((6, 1)), powers[:, :-1] * np.arange(1, 12)])
    rate = np.linalg.solve(np.vstack([powers, tangents]), np.concatenate([rates, [s[at] for s in slopes]]))
    root = 0.0
    for _ in range(10):
        root -= polynomial.polyval(root, rate) / polynomial.polyval(root, polynomial.polyder(rate))
    by = [polynomial.polyval(root, np.linalg.solve(polynomial.polyvander(x, 5), [s[p] for s in slopes]))
          for p in range(len(modes.parameters))]
    return nodes.mean() + root, {name: -g / by[at] for name, g in zip(modes.parameters, by) if name != "speed"}
