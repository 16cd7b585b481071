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
