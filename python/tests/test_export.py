"""Models as URDF, and read back: the same motions."""

import xml.etree.ElementTree

import numpy as np
import pytest

import gradus

OPTIONS = {"duration": 0.3, "formulation": "semi-recursive", "integrator": "dop853", "rtol": 1e-12, "atol": 1e-13, "backend": "cpu:1",
           "start_states": True, "final_state": True}
COORDINATES = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "cardan": 2, "fixed": 0}


def direction(rng):
    v = rng.normal(size=3)
    return list(v / np.linalg.norm(v))


def across(rng, axis):
    return list(np.cross(axis, direction(rng)))


def tree(seed):
    """A random tree, with joints that are seen from their children and directions in all places."""
    rng = np.random.default_rng(seed)
    model = gradus.Model(f"tree {seed}", gravity=(0, 0, -9.81))
    names = ["ground"]
    model.ground(points={"foot": list(rng.uniform(-1, 1, 3))})
    for k in range(5):
        about = "com" if rng.random() < 0.5 else "hip"
        com, hip, mass = rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.3, 0.3, 3), rng.uniform(0.5, 2)
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        inertia = turn @ np.diag(rng.uniform(0.05, 0.09, 3)) @ turn.T
        if about == "hip":
            arm = com - hip
            inertia = inertia + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        model.body(f"b{k}", mass, list(com), {"xx": inertia[0, 0], "yy": inertia[1, 1], "zz": inertia[2, 2], "xy": inertia[0, 1],
                                              "xz": inertia[0, 2], "yz": inertia[1, 2], "about": about},
                   points={"hip": list(hip), "tip": list(rng.uniform(-0.3, 0.3, 3))})
        kind = list(COORDINATES)[rng.integers(len(COORDINATES))] if k else "revolute"
        parent = names[rng.integers(len(names))]
        place = parent + (".foot" if parent == "ground" else ".tip")
        axis, child_axis = direction(rng), direction(rng)
        keys = {"axis": axis, "zero": across(rng, axis), "child_axis": child_axis, "child_zero": across(rng, child_axis)}
        if rng.random() < 0.3:
            keys = {"axis": axis}
        ends = (place, f"b{k}.hip")
        if kind in ("revolute", "prismatic", "fixed") and rng.random() < 0.4:
            ends = ends[::-1]
        model.joint(f"j{k}", kind, *ends, **keys)
        for c in range(COORDINATES[kind]):
            if rng.random() < 0.5:
                coordinate = f"j{k}" if COORDINATES[kind] == 1 else f"j{k}.{c}"
                model.force(f"damper {k} {c}", "rotary-damper", joint=coordinate, linear=rng.uniform(0.1, 1))
        names.append(f"b{k}")
    return model


@pytest.mark.parametrize("seed", range(12))
def test_trees_move_as_before(seed, tmp_path):
    model = tree(seed)
    text, remarks = model.to_urdf()
    assert not any("left out" in remark for remark in remarks)
    (tmp_path / "tree.urdf").write_text(text, encoding="utf-8")
    again = gradus.load(tmp_path / "tree.urdf")
    assert not any("left out" in remark for remark in again.remarks)
    one, other = model.compile(**OPTIONS), again.compile(**OPTIONS)
    names = {"first": "0", "slide": "0", "second": "1", "turn": "1"}

    def original(name):
        joint, _, part = name.replace("_", " ").partition(" ")
        return f"{joint}.{names[part]}" if part else joint

    places = [one.coordinates.index(original(name)) for name in other.coordinates]
    assert sorted(places) == list(range(len(one.coordinates))) and places
    rng = np.random.default_rng(seed)
    n = len(places)
    start = rng.uniform(-1, 1, 2 * n)
    both = [*places, *(n + k for k in places)]
    moved = one.evaluate(one.nominal, start).final_states[both]
    assert np.abs(moved - start[both]).max() > 0.05
    assert np.allclose(other.evaluate(other.nominal, start[both]).final_states, moved, rtol=1e-9, atol=1e-9)


def test_what_is_left_out_is_said(pendulum):
    text, remarks = pendulum.to_urdf()
    robot = xml.etree.ElementTree.fromstring(text)
    assert [link.get("name") for link in robot.iter("link")] == ["world", "rod"]
    listed = " ".join(remarks)
    for words in ("left out: ", "force of type joint-force (1)", "objective (2)", "sensor (2)", "start of a joint (1)", "parameters are numbers",
                  "gravity, which is [0, -9.81, 0]"):
        assert words in listed
    five_bar = gradus.Model("loop")
    five_bar.body("<a & \"b\">", 1.0, inertia=1)
    five_bar.joint("j", "revolute", "ground", '<a & "b">', axis=[0, 1, 0])
    five_bar.loop("back", "spherical", "ground", '<a & "b">')
    text, remarks = five_bar.to_urdf()
    assert any("spherical joint \"back\", which closes a loop, is left out" in remark for remark in remarks)
    assert '<a & "b">' in [link.get("name") for link in xml.etree.ElementTree.fromstring(text).iter("link")]
    five_bar.body("c", 1.0, inertia=1)
    five_bar.joint("ball", "spherical", "ground", "c")
    with pytest.raises(gradus.InputError, match="/joints/ball: found a spherical joint"):
        five_bar.to_urdf()


def test_right_angles(tmp_path):
    """Where roll and yaw turn about the same axis."""
    for angle in (np.pi / 2, -np.pi / 2, np.nextafter(np.pi / 2, 0)):
        model = gradus.Model("right angle")
        model.body("a", 1.0, (0.1, 0.2, 0.3), inertia=1)
        cosine, sine = np.cos(angle), np.sin(angle)
        model.joint("j", "fixed", "ground", "a", axis=[cosine, 0, -sine], zero=[0.6, 0.8, 0], child_axis=[1, 0, 0], child_zero=[0, 1, 0])
        model.sensor("com", position="a.com")
        (tmp_path / "a.urdf").write_text(model.to_urdf()[0], encoding="utf-8")
        again = gradus.load(tmp_path / "a.urdf")
        again.sensor("com", position="a.com")
        options = {"duration": 0.01, "backend": "cpu:1"}
        assert np.allclose(again.compile(**options).simulate()["com"], model.compile(**options).simulate()["com"], atol=1e-15)
