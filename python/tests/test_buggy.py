"""The buggy at rest: its equilibrium on the tyres, and the modes of chassis and wheels with their derivatives."""

import os
import pathlib

import numpy as np
import pytest

import gradus

SOURCE = pathlib.Path(os.environ["GRADUS_SOURCE_DIR"])
WHEELS = [f"{axle}_wheel_{side}" for axle in ("front", "rear") for side in ("left", "right")]


def standing():
    """The buggy without speed; held until the start is what nothing turns back: the wheels, and the place and heading of the chassis."""
    model = gradus.load(SOURCE / "models" / "buggy" / "buggy-step.json")
    data = model.data
    data["objectives"] = {}
    data["bodies"]["chassis"]["points"]["nose"] = [1, 0, 0]
    data["joints"]["air"]["initial"] = {"position": [0, 0, 0, 1, 0, 0, 0]}
    for joint in data["joints"].values():
        joint.get("initial", {}).pop("velocity", None)
    data["sensors"].update(place={"position": "chassis"}, nose={"position": "chassis.nose"})
    held = {"x": "place.x", "y": "place.y", "heading": "nose.y - place.y"}
    for wheel in WHEELS:
        model.sensor("angle_of_" + wheel, coordinate=wheel)
        held[wheel] = "angle_of_" + wheel
    for name, expression in held.items():
        model.constraint("hold_" + name, expression=expression, at="start")
    for end in ("rear", "front"):
        for side in ("left", "right"):
            data["sensors"][f"load_{end}_{side}"] = {"normal_force": f"{end}_tyre_{side}"}
    return model


def test_modes_of_the_buggy_at_rest():
    model = standing()
    modes = model.modes(start="equilibrium")
    loads = [value for name, value in zip(modes.outputs, modes.values) if name.startswith("load_")]
    weight = 9.81 * sum(float(body["mass"]) if body["mass"] != "m_c" else 470 for body in model.data["bodies"].values())
    assert sum(loads) == pytest.approx(weight, rel=1e-10) and min(loads) > 500
    assert modes.stability == "neutral" and np.abs(modes.rates).max() < 1e-6
    # Seven motions that nothing turns back, of which tyres at rest damp one; the others decay.
    moving = modes.eigenvalues[np.abs(modes.eigenvalues) > 1e-2]
    resting = modes.eigenvalues[np.abs(modes.eigenvalues) <= 1e-2]
    assert (moving.real < 0).all() and len(resting) + (resting.imag != 0).sum() == 8  # one of a pair is listed
    oscillating = modes.eigenvalues.imag > 1
    np.testing.assert_allclose(modes.frequencies[oscillating], [3.051, 3.093, 3.749], atol=1e-3)
    # Derivatives by all parameters, the equilibrium going along, against differences of order 4.
    for name in modes.parameters:
        value = next(p["value"] for p in modes.document["parameters"] if p["name"] == name)
        h = 1e-3 * value
        beside = {k: model.modes(start="equilibrium", set={name: value + k * h}, gradient=False).eigenvalues for k in (-2, -1, 1, 2)}
        for mode in np.flatnonzero(np.abs(modes.eigenvalues) > 1):
            near = {k: values[np.argmin(abs(values - modes.eigenvalues[mode]))] for k, values in beside.items()}
            difference = (8 * (near[1] - near[-1]) - (near[2] - near[-2])) / (12 * h)
            found = modes.gradient[mode, modes.parameters.index(name)]
            assert abs(found - difference) < 1e-6 * abs(modes.eigenvalues[mode]) / value + 1e-6 * abs(found)
    assert (np.abs(modes.gradient[oscillating]).max(axis=0) > 1e-6).all()
