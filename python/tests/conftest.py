"""What the tests share: models of the repository."""

import os
import pathlib

import pytest

import gradus

SOURCE = pathlib.Path(os.environ.get("GRADUS_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
FIVE_BAR = SOURCE / "models" / "five-bar" / "five-bar.json"


@pytest.fixture(scope="session")
def five_bar():
    return gradus.load(FIVE_BAR)


@pytest.fixture(scope="session")
def mechanism(five_bar):
    """Compiled for a short motion."""
    return five_bar.compile(duration=0.2, formulation="index1", integrator="dop853", rtol=1e-10, atol=1e-12, backend="cpu:1")


@pytest.fixture
def pendulum():
    """A rod of mass m and length L on a hinge, turned by a torque."""
    model = gradus.Model("pendulum", gravity=(0, -9.81, 0))
    m, length, torque = model.parameter("m", 2.0, unit="kg"), model.parameter("L", 0.8, unit="m"), model.parameter("T", 0.5)
    model.body("rod", m, com=[length / 2, 0, 0], inertia=m * length**2 / 12, points={"end": [length, 0, 0]})
    model.joint("hinge", "revolute", "ground", "rod", position=-0.3, velocity=0.1)
    model.force("motor", "joint-force", joint="hinge", value=torque)
    q, tip = model.sensor("q", coordinate="hinge"), model.sensor("tip", position="rod.end")
    model.objective("angle", terminal=q)
    model.objective("height", integral=tip.y**2)
    model.analysis(duration=0.5, formulation="index1", integrator="dop853", rtol=1e-10, atol=1e-12)
    return model
