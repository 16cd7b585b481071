"""Models as URDF, read back: the same motions. Motions as scenes in glTF."""

import json
import struct
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
    left = [part.split(" (")[0] for remark in remarks if "left out" in remark for part in remark.removeprefix("left out: ").split(", ")]
    assert left == ["named point"]
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


def test_limits_of_robots_stay(tmp_path):
    joint = """<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
      <joint name="j-{0}" type="{1}"><parent link="base"/><child link="{0}"/>{2}</joint>"""
    limits = ('<limit lower="-1.5" upper="2" effort="50" velocity="3"/>', '<limit lower="0" upper="0.4" effort="5" velocity="2"/>',
              '<limit effort="7" velocity="8"/>', "", '<limit lower="-1" effort="7" velocity="8"/>')
    kinds = ("revolute", "prismatic", "continuous", "continuous", "continuous")
    (tmp_path / "a.urdf").write_text('<robot name="a"><link name="base"/>' + "".join(
        joint.format("abcde"[k], kinds[k], limits[k]) for k in range(5)) + "</robot>", encoding="utf-8")
    text, remarks = gradus.load(tmp_path / "a.urdf").to_urdf()
    assert any("definition (1)" in remark for remark in remarks)  # the lower limit that stands alone
    assert not any("wide" in remark for remark in remarks)
    robot = xml.etree.ElementTree.fromstring(text)
    for k, expected in enumerate(limits):
        found = robot.find(f"joint[@name='j-{'abcde'[k]}']")
        assert found.get("type") == kinds[k]
        wanted = xml.etree.ElementTree.fromstring(expected.replace('lower="-1" ', "")).attrib if expected else None
        assert (found.find("limit").attrib if expected else found.find("limit")) == wanted


def test_shapes_look_as_before(tmp_path):
    model = gradus.Model("looks")
    width = model.parameter("width", 0.2)
    shapes = [{"type": "box", "size": [width, 0.3, 0.4], "at": [0.1, 0, 0.2], "axis": [1, 1, 0], "zero": [0, 0, 1], "color": "#ff8000"},
              {"type": "cylinder", "radius": 0.05, "from": "hip", "to": [0.3, 0.4, 0]}, {"type": "sphere", "radius": 0.1, "color": "#336699"}]
    model.body("a", 1.0, inertia=1, points={"hip": [0.1, 0.2, 0.3]},
               shapes=[*shapes, {"type": "capsule", "radius": 0.1, "length": 1}])
    model.data["ground"] = {"shapes": [{"type": "box", "size": [1, 1, 0.1]}]}
    model.joint("j", "revolute", "ground", "a.hip")
    text, remarks = model.to_urdf()
    assert any("shape of type capsule (1)" in remark for remark in remarks)
    (tmp_path / "looks.urdf").write_text(text, encoding="utf-8")
    again = gradus.load(tmp_path / "looks.urdf")
    assert again.data["bodies"]["world"]["shapes"][0]["size"] == [1, 1, 0.1]
    looks = again.data["bodies"]["a"]["shapes"]
    assert [look["type"] for look in looks] == ["box", "cylinder", "sphere"] and looks[0]["color"] == "#ff8000" and looks[2]["color"] == "#336699"
    assert looks[0]["size"] == [0.2, 0.3, 0.4] and np.allclose(looks[0]["at"], [0, -0.2, -0.1])
    assert np.allclose(looks[0]["axis"], np.array([1, 1, 0]) / np.sqrt(2)) and np.allclose(looks[0]["zero"], [0, 0, 1])
    assert looks[1]["length"] == pytest.approx(np.sqrt(0.2**2 + 0.2**2 + 0.3**2)) and np.allclose(looks[1]["at"], [0.1, 0.1, -0.15])
    assert np.allclose(np.cross(looks[1]["axis"], [0.2, 0.2, -0.3]), 0) and looks[2]["radius"] == 0.1


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


class Scene:
    """A binary glTF file, by its specification."""

    def __init__(self, file):
        content = file.read_bytes()
        magic, version, length, size, kind = struct.unpack("<4sIII4s", content[:20])
        assert (magic, version, length, kind) == (b"glTF", 2, len(content), b"JSON") and size % 4 == 0
        self.document = json.loads(content[20:20 + size])
        self.size, kind = struct.unpack("<I4s", content[20 + size:28 + size])
        self.numbers = content[28 + size:]
        assert kind == b"BIN\0" and len(self.numbers) == self.size == self.document["buffers"][0]["byteLength"]
        self.names = {node["name"]: k for k, node in enumerate(self.document["nodes"])}

    def array(self, k):
        accessor = self.document["accessors"][k]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5126: np.float32, 5125: np.uint32}[accessor["componentType"]]
        found = np.frombuffer(self.numbers, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        assert found.nbytes == view["byteLength"]
        if "min" in accessor:
            assert np.array_equal(found.min(axis=0), accessor["min"]) and np.array_equal(found.max(axis=0), accessor["max"])
        return found

    def channel(self, node, path):
        animation = self.document["animations"][0]
        (one,) = [c for c in animation["channels"] if c["target"] == {"node": self.names[node], "path": path}]
        sampler = animation["samplers"][one["sampler"]]
        return self.array(sampler["input"])[:, 0], self.array(sampler["output"]).astype(float)


def turned(quaternions, v):
    """Of (x, y, z, w), as glTF has them."""
    q, w = quaternions[..., :3], quaternions[..., 3:]
    return v + 2 * np.cross(q, np.cross(q, v) + w * v)


def test_a_scene(pendulum, tmp_path):
    pendulum.data["gravity"] = [0, 0, -9.81]  # so that the scene, whose y axis points up, is turned
    pendulum.ground(points={"A": [1, 2, 3]})
    pendulum.data["joints"]["hinge"].update(axis=[0.2, 1, 0.1], parent="ground.A")
    pendulum.data["bodies"]["rod"]["shapes"] = [{"type": "box", "size": [0.8, 0.1, 0.1], "at": [0.4, 0, 0], "color": "#ff8000"}]
    pendulum.sensor("middle", position="rod.com")
    options = {"duration": 2.0, "backend": "cpu:1", "set": {"T": 1.5}}
    assert pendulum.write_gltf(tmp_path / "scene.glb", **options) == []
    scene = Scene(tmp_path / "scene.glb")
    time, places = scene.channel("rod", "translation")
    _, rotations = scene.channel("rod", "rotation")
    assert len(time) > 100 and time[0] == 0 and time[-1] == 2 and (np.diff(time) > 0).all()
    motion = pendulum.compile(**options).run(record_every=4).trajectory
    for point, sensor in (([0.8, 0, 0], "tip"), ([0.4, 0, 0], "middle")):
        moved = places + turned(rotations, np.array(point))
        expected = np.stack([np.interp(time, motion.time, motion[sensor][:, k]) for k in range(3)], axis=1)
        assert np.abs(moved - expected).max() < 1e-3 and np.ptp(moved, axis=0).max() > 0.3
    assert (np.sum(rotations[1:] * rotations[:-1], axis=1) > 0).all()  # no detours between them
    root = scene.document["nodes"][scene.document["scenes"][0]["nodes"][0]]
    assert root["name"] == "pendulum" and np.allclose(turned(np.array(root["rotation"]), np.array([0, 0, 1.0])), [0, 1, 0])
    (primitive,) = scene.document["meshes"][scene.document["nodes"][scene.names["rod"]]["mesh"]]["primitives"]
    corners, triangles = scene.array(primitive["attributes"]["POSITION"]), scene.array(primitive["indices"])
    assert np.allclose(corners.min(axis=0), [0, -0.05, -0.05], atol=1e-3) and np.allclose(corners.max(axis=0), [0.8, 0.05, 0.05], atol=1e-3)
    assert triangles.max() == len(corners) - 1 and len(triangles) % 3 == 0
    red, green, blue, _ = scene.document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorFactor"]
    assert (red, blue) == (1, 0) and green == pytest.approx(0.2159, abs=1e-3)  # of sRGB


def test_a_scene_of_bodies_without_shapes(five_bar, tmp_path):
    assert five_bar.write_gltf(tmp_path / "scene.glb", duration=0.2) == []
    scene = Scene(tmp_path / "scene.glb")
    bodies = list(five_bar.data["bodies"])
    assert set(bodies) < set(scene.names)
    for body in bodies:
        for primitive in scene.document["meshes"][scene.document["nodes"][scene.names[body]]["mesh"]]["primitives"]:
            assert np.ptp(scene.array(primitive["attributes"]["POSITION"]), axis=0).max() > 0.05
    assert "quarter turn" not in " ".join(five_bar.write_gltf(tmp_path / "scene.glb", duration=1.0))
    wheel = gradus.Model("wheel")
    wheel.body("w", 1.0, inertia=1)
    wheel.joint("axle", "revolute", "ground", "w", position=0, velocity=1000.0)
    wheel.objective("undefined", terminal="sqrt(-1 - t)")  # which no scene shows
    assert "quarter turn" in " ".join(wheel.write_gltf(tmp_path / "scene.glb", duration=1.0))
    assert wheel.write_gltf(tmp_path / "scene.glb", duration=0.1) == []
    with pytest.raises(gradus.NumericalError, match="cannot be closed"):
        five_bar.write_gltf(tmp_path / "none.glb", set={"L_A1": 10})
    with pytest.raises(gradus.InputError, match="rtol"):
        five_bar.write_gltf(tmp_path / "none.glb", rtol=5)
    with pytest.raises(gradus.FileError):
        five_bar.write_gltf(tmp_path / "no folder" / "scene.glb", duration=0.1)
    assert not (tmp_path / "none.glb").exists()
