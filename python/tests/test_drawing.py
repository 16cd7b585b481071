"""Drawings against the same mechanisms written by hand: bodies with axes of their own, lying askew, and explicit joints."""

import numpy
import pytest

import gradus

PLACES = {"A": [0.1, 0.2, 0.3], "B": [0.4, 0.5, 0.9], "C": [1.3, 0.2, 0.4], "H": [1.5, 0.9, 0.3], "G": [1.7, 0.4, 0.8], "E": [1.8, 1.1, 1.2]}
U = numpy.array([1, 0.3, -0.2])  # of the slide
MASS = {"crank": 1.0, "rod": 0.7, "slider": 2.0, "lid": 0.5}
INERTIA = {"crank": (0.03, 0.02, 0.04), "slider": (0.1, 0.2, 0.15), "lid": (0.03, 0.02, 0.04)}


def settings(model):
    model.data["gravity"] = [1, -2, -9.81]
    model.analysis(duration=0.5, rtol=1e-11, atol=1e-13, formulation="index1", integrator="dop853")


def drawn(places=PLACES):
    """The mechanism as a drawing, with all coordinates of its points as parameters."""
    model = gradus.Model("drawn")
    settings(model)
    point = {}
    for name, place in places.items():
        components = [model.parameter(f"{name}_{axis}", float(value)) for axis, value in zip("xyz", place)]
        point[name] = model.point(name, components)
    u = model.vector("u", U.tolist())
    model.vector("side", "cross(u, [0.1, 0.2, 1])")
    model.vector("pin", "cross(B - A, [0.3, 1, -0.2])")
    model.vector("across", "cross(B - C, u)")
    model.line("slide", "C", "u")
    model.ground(drawn=["A", "pin", "slide", "side"])
    moments = {name: dict(zip(("xx", "yy", "zz"), values)) for name, values in INERTIA.items()}
    model.body("crank", MASS["crank"], (point["A"] + point["B"])/2, moments["crank"], drawn=["A", "B", "pin"])
    model.body("rod", MASS["rod"], None, {"slender": ["B", "C"]}, drawn=["B", "C", "across"])
    model.body("slider", MASS["slider"], "C", moments["slider"], drawn=["slide", "side", "C", "H", "G"], vectors={"along": u})
    model.body("lid", MASS["lid"], "(H + G + E)/3", moments["lid"], drawn=["H", "G", "E"])
    model.joint("A", None, "ground", "crank", position=0, velocity=2)
    model.joint("lid", None, "slider", "lid", position=0.2, velocity=1)
    model.constraint("cross", dot=["slider.along", "rod.across"])
    model.force("spring", "spring-damper", from_="ground.A", to="lid.E", stiffness=30, damping=0.5, length="norm(E - A)")
    model.sensor("tip", position="lid.E")
    model.objective("way", integral="dot(tip, [1, 2, 3])")
    model.objective("end", terminal="dot(tip, tip)")
    return model


def rotation(seed):
    matrix, _ = numpy.linalg.qr(numpy.random.default_rng(seed).normal(size=(3, 3)))
    return matrix*numpy.linalg.det(matrix)


def written(places):
    """The same with numbers alone. Each body has axes that lie askew and begin beside it."""
    p = {name: numpy.array(place, float) for name, place in places.items()}
    frames = {name: (rotation(k), numpy.array([0.3*k, 0.1, -0.2*k])) for k, name in enumerate(MASS)}

    def place(body, point):
        turn, origin = frames[body]
        return (turn.T @ (point - origin)).tolist()

    def along(body, vector):
        return vector.tolist() if body == "ground" else (frames[body][0].T @ vector).tolist()

    model = gradus.Model("written")
    settings(model)
    d = p["C"] - p["B"]
    moments = {name: numpy.diag(values) for name, values in INERTIA.items()}
    moments["rod"] = MASS["rod"]/12*(d @ d*numpy.eye(3) - numpy.outer(d, d))
    com = {"crank": (p["A"] + p["B"])/2, "rod": (p["B"] + p["C"])/2, "slider": p["C"], "lid": (p["H"] + p["G"] + p["E"])/3}
    points = {"crank": "AB", "rod": "BC", "slider": "CH", "lid": "HE"}
    model.ground(points={"A": p["A"].tolist(), "C": p["C"].tolist()})
    for name, mass in MASS.items():
        turn = frames[name][0]
        matrix = turn.T @ moments[name] @ turn
        entries = {"xx": matrix[0, 0], "yy": matrix[1, 1], "zz": matrix[2, 2], "xy": matrix[0, 1], "xz": matrix[0, 2], "yz": matrix[1, 2]}
        model.body(name, mass, place(name, com[name]), entries, points={k: place(name, p[k]) for k in points[name]})

    def joint(name, kind, parent, child, axis, zero, point, child_axis=None, child_zero=None, **start):
        child_axis = axis if child_axis is None else child_axis
        child_zero = zero if child_zero is None else child_zero
        model.joint(name, kind, f"{parent}.{point}", f"{child}.{point}", axis=along(parent, axis), zero=along(parent, zero),
                    child_axis=along(child, child_axis), child_zero=along(child, child_zero), **start)

    pin = numpy.cross(p["B"] - p["A"], [0.3, 1, -0.2])
    hinge = p["G"] - p["H"]
    across = numpy.cross(p["B"] - p["C"], U)
    joint("A", "revolute", "ground", "crank", pin, numpy.cross(pin, [1, 0, 0]), "A", position=0, velocity=2)
    joint("slide", "prismatic", "ground", "slider", U, numpy.cross(U, [1, 0, 0]), "C", position=gradus.guess(0))
    joint("C", "cardan", "slider", "rod", U, across, "C", across, U, position=[gradus.guess(0), gradus.guess(0)])
    joint("lid", "revolute", "slider", "lid", hinge, numpy.cross(hinge, [1, 0, 0]), "H", position=0.2, velocity=1)
    model.loop("B", "spherical", "crank.B", "rod.B")
    model.force("spring", "spring-damper", from_="ground.A", to="lid.E", stiffness=30, damping=0.5,
                length=float(numpy.linalg.norm(p["E"] - p["A"])))
    model.sensor("tip", position="lid.E")
    model.objective("way", integral="dot(tip, [1, 2, 3])")
    model.objective("end", terminal="dot(tip, tip)")
    return model


def moved(name, axis, step):
    places = {key: list(value) for key, value in PLACES.items()}
    places[name][axis] += step
    return places


def values(model):
    return numpy.array(model.compile().simulate().objectives)


def test_motion_is_that_of_the_model_written_by_hand():
    model = drawn()
    assert model.describe()["coordinates"] == 5
    assert values(model) == pytest.approx(values(written(PLACES)), rel=1e-9)


def difference(name, axis, step):
    """Of order 4."""
    f = [values(written(moved(name, axis, k*step))) for k in (-2, -1, 1, 2)]
    return (f[0] - 8*f[1] + 8*f[2] - f[3])/(12*step)


@pytest.mark.parametrize("name", PLACES)
def test_gradients_are_differences_of_models_written_by_hand(name):
    gradient = numpy.array(drawn().compile().gradient().gradient).reshape(2, -1)
    scale = numpy.abs(gradient).max(axis=1)
    first = 3*list(PLACES).index(name)
    for axis in range(3):
        column = gradient[:, first + axis]
        errors = [(numpy.abs(difference(name, axis, step) - column)/scale).max() for step in (4e-3, 1e-3)]
        assert min(errors) < 1e-7
        assert (numpy.abs(column)/scale).max() > 1e-4
