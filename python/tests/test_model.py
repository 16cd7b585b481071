"""Models from files and built in Python."""

import json
import math

import numpy as np
import pytest

import gradus
from conftest import SOURCE
from gradus.expressions import Expression, atan2, cos, expression, norm, sin, spline, time


def test_expressions():
    m, r = Expression("m", 3), Expression("r", 3)
    for found, text in ((m + 1, "m + 1"), (2 * (m - 1), "2*(m - 1)"), (m - (r - 1), "m - (r - 1)"), (m / (2 * r), "m/(2*r)"),
                        ((m / 2) * r, "m/2*r"), (m**2 / 12, "m^2/12"), ((m * r) ** 2, "(m*r)^2"), (2**m, "2^m"), (-m * r, "(-m)*r"),
                        (-(m**2), "-m^2"), ((-m) ** 2, "(-m)^2"), (m - 2.5, "m - 2.5"), (m * -3, "m*(-3)"), (r.x - r.y, "r.x - r.y"),
                        ((r - m).z, "(r - m).z"), (m[3] + 1, "m[3] + 1"), (sin(2 * time) + norm(r), "sin(2*t) + norm(r)"),
                        (atan2(m, 1), "atan2(m, 1)"), (1 / m / r, "1/m/r"), (1 - m, "1 - m"), ((m**r) ** 2, "(m^r)^2"), (3 + m, "3 + m"), (1 / (m / r), "1/(m/r)"), (m**r**2, "m^(r^2)")):
        assert str(found) == text
    for found, text in ((norm([m, r, 0]), "norm([m, r, 0])"), (r + [0, 0, 1], "r + [0, 0, 1]"), (abs(m), "abs(m)"),
                        (spline(time, [0, 1], [m, r]), "spline(t, [0, 1], [m, r])")):
        assert str(found) == text
    with pytest.raises(ValueError):
        m + float("nan")
    for wrong in (lambda: bool(m), lambda: m[1.5]):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: max(m, 0), lambda: m <= r, lambda: math.sin(m)):
        with pytest.raises(TypeError, match="of gradus.expressions"):
            wrong()
    for wrong in (None, True, {1}):
        with pytest.raises(TypeError):
            expression(wrong)
    with pytest.raises(AttributeError):
        m.w
    with pytest.raises(TypeError):
        list(m)
    with pytest.raises(TypeError):
        Expression(3)


def test_expressions_mean_what_they_mean_in_python():
    """Random ones, evaluated by gradus and by Python."""
    rng = np.random.default_rng(4)
    values = {"a": 1.3, "b": 0.7, "c": 2.1}
    for _ in range(60):
        pairs = [(Expression(name, 3), value) for name, value in values.items()]
        for _ in range(6):
            (e, x), (f, y) = (pairs[k] for k in rng.integers(len(pairs), size=2))
            kind = rng.integers(7)
            made = [(e + f, x + y), (e - f, x - y), (e * f, x * y), (e / (f * f + 1), x / (y * y + 1)), (-e, -x),
                    (cos(e), np.cos(x)), ((e * e + 0.5) ** 1.5, (x * x + 0.5) ** 1.5)][kind]
            pairs.append(made)
        text, expected = pairs[-1]
        model = gradus.Model("number")
        for name, value in values.items():
            model.parameter(name, value)
        model.body("b", 1.0, inertia=1)
        model.joint("j", "revolute", "ground", "b")
        model.objective("number", terminal=text)
        model.analysis(duration=0.001)
        assert model.compile().simulate()["number"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("file", sorted((SOURCE / "models").glob("*/*.json")), ids=lambda file: file.stem)
def test_files_come_back_without_loss(file):
    model = gradus.load(file)
    again = gradus.parse(model.to_json())
    assert again.data == model.data and model.name
    instants = any({"at", "from", "to", "time_when"} & set(objective) for objective in model.data.get("objectives", {}).values())
    options = {"duration": model.data["analysis"]["duration"] if instants else 1e-3, "step": 1e-3, "backend": "cpu:1"}
    one, other = (m.compile(**options).gradient() for m in (model, again))
    assert np.array_equal(one.gradient, other.gradient) and np.array_equal(one.objectives, other.objectives)


def test_a_model_built_here(pendulum, tmp_path):
    """The pendulum's equation, by its derivative with respect to the torque at rest."""
    mechanism = pendulum.compile()
    assert mechanism.parameters == ["m", "L", "T"] and mechanism.units["m"] == "kg"
    pendulum.save(tmp_path / "pendulum.json")
    again = gradus.load(tmp_path / "pendulum.json")
    assert again.data == json.loads(pendulum.to_json())
    assert np.array_equal(again.compile().gradient().gradient, mechanism.gradient().gradient)

    from math import cos as cosine

    angle, rate, h = -0.3, 0.1, 1e-4
    inertia, weight = 2 * 0.8**2 / 3, 2 * 9.81 * 0.4

    def acceleration(q):
        return (0.5 - weight * cosine(q)) / inertia

    for _ in range(5000):  # by the midpoint rule
        middle = angle + 0.5 * h * rate
        faster = rate + 0.5 * h * acceleration(angle)
        angle, rate = angle + h * faster, rate + h * acceleration(middle)
    assert mechanism.simulate()["angle"] == pytest.approx(angle, rel=1e-6)


def test_what_is_wrong_is_named(pendulum):
    pendulum.data["bodies"]["rod"]["mass"] = "m + n"
    with pytest.raises(gradus.InputError, match="/bodies/rod/mass.*'n'|/bodies/rod/mass.*\"n\""):
        pendulum.compile()
    with pytest.raises(ValueError, match="there is one already"):
        pendulum.joint("hinge", "revolute", "ground", "rod")
    with pytest.raises(ValueError, match="initial"):
        pendulum.joint("other", "revolute", "ground", "rod", position=1, initial={"velocity": 1})
    pendulum.data["bodies"]["rod"]["mass"] = float("nan")
    with pytest.raises(gradus.InputError, match="/bodies/rod/mass: found nan"):
        pendulum.compile()
    with pytest.raises(gradus.InputError, match="here.json"):
        gradus.parse("{", "here.json")


def test_arrays_of_parameters():
    model = gradus.Model("array", gravity=(0, 0, 0))
    k = model.parameter("k", [1.0, 2.0, 3.0])
    model.body("b", 1.0, inertia=1)
    model.joint("j", "prismatic", "ground", "b", axis=[1, 0, 0])
    model.force("push", "joint-force", joint="j", value=k[0] + 2 * k[2])
    x = model.sensor("x", coordinate="j")
    model.objective("way", terminal=x)
    model.analysis(duration=1.0)
    mechanism = model.compile()
    result = mechanism.gradient()
    assert result["way"] == pytest.approx(3.5, rel=1e-9)
    assert result.gradient[0] == pytest.approx([0.5, 0, 1.0], rel=1e-9)
    assert mechanism.simulate(k=[2, 0, 1])["way"] == pytest.approx(2, rel=1e-9)
    assert mechanism.simulate(k=[[2, 0, 1], [4, 0, 1]])["way"] == pytest.approx([2, 3], rel=1e-9)
    with pytest.raises(gradus.InputError, match=r"k: found the shape \[2\], expected \[3\] or \[design, 3\]"):
        mechanism.simulate(k=[1, 2])
    with pytest.raises(gradus.InputError, match="k: found beside elements"):
        mechanism.simulate(**{"k[0]": 3, "k": [2, 0, 1]})


def test_states():
    """A filter of first order of a speed that grows evenly, and a counter that is sampled."""
    model = gradus.Model("states", gravity=(0, 0, 0))
    model.body("b", 1.0, inertia=1)
    model.joint("j", "prismatic", "ground", "b", axis=[1, 0, 0])
    model.force("push", "joint-force", joint="j", value=2)
    speed = model.sensor("speed", rate="j")
    filtered = model.state("filtered", rate=lambda x: (speed - x) / 0.1, unit="m/s")
    ticks = model.state("ticks", next=lambda n: n + 1, every=0.25)
    model.objective("lag", terminal=speed - filtered)
    model.objective("ticks", terminal=ticks)
    model.analysis(duration=0.9)
    result = model.compile().simulate()
    assert result["lag"] == pytest.approx(0.2 * (1 - np.exp(-9)), rel=1e-7)
    assert result.objectives[1] == 4  # one of them at the start
    with pytest.raises(ValueError, match="there is one already"):
        model.state("ticks", rate=1)


def test_events():
    """A ball that bounces: the gradient of when it lands the second time, by its parabolas."""
    model = gradus.Model("ball", gravity=(0, -10, 0))
    height, share = model.parameter("h", 1.25), model.parameter("e", 0.6)
    model.body("ball", 1.0, inertia=1)
    model.joint("y", "prismatic", "ground", "ball", axis=[0, 1, 0], position=height)
    y = model.sensor("y", coordinate="y")
    landed = model.state("landed", unit="s")
    model.event("bounce", y, impact={"restitution": share}, set={landed: gradus.expressions.time}, while_=y + 1)
    model.objective("second", terminal=landed)
    model.analysis(duration=1.2)
    result = gradus.parse(model.to_json()).compile().gradient()
    assert result["second"] == pytest.approx(0.5 + 2 * 0.6 * 0.5, rel=1e-9)
    assert result.gradient[0] == pytest.approx([1.1 / (2 * 1.25), 1.0], rel=1e-7)


def test_tables(mechanism):
    pandas = pytest.importorskip("pandas")
    designs = pandas.DataFrame([mechanism.nominal, 1.001 * mechanism.nominal], columns=mechanism.parameters)
    shuffled = designs[sorted(designs.columns)]
    assert np.array_equal(mechanism.simulate(shuffled).objectives, mechanism.simulate(designs.to_numpy()).objectives)
    assert np.array_equal(mechanism.simulate(shuffled.iloc[1]).objectives, mechanism.simulate(1.001 * mechanism.nominal).objectives)
    with pytest.raises(gradus.InputError, match="without 'L_s1'"):
        mechanism.simulate(designs.drop(columns="L_s1"))
    table = mechanism.gradient([mechanism.nominal] * 3).to_pandas()
    assert len(table) == 3 and "d psi1/d L_s1" in table and isinstance(table, pandas.DataFrame)
    motion = mechanism.run().trajectory.to_pandas()
    assert motion.index.name == "time" and "r2.x" in motion


def test_a_page(pendulum, tmp_path):
    pendulum.write_page(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "pendulum" in text and "<html" in text
    frame = pendulum._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "<html" not in frame.split('srcdoc="')[1].split('"')[0]


def test_shapes_are_kept_and_drawn(pendulum, tmp_path):
    (tmp_path / "rod.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    body = next(iter(pendulum.data["bodies"]))
    shapes = [{"type": "box", "size": [0.1, 0.2, 0.3]}, {"type": "mesh", "file": "rod.obj", "scale": 0.5}]
    pendulum.data["bodies"][body]["shapes"] = shapes
    pendulum.save(tmp_path / "model.json")
    model = gradus.load(tmp_path / "model.json")
    box, mesh = model.data["bodies"][body]["shapes"]
    assert box == shapes[0] and mesh["scale"] == 0.5 and mesh["triangles"] == [0, 1, 2] and model.remarks == []
    assert gradus.parse(model.to_json()).data == model.data
    (tmp_path / "elsewhere").mkdir()
    model.save(tmp_path / "elsewhere" / "model.json")  # without the file
    for again in (model, gradus.load(tmp_path / "elsewhere" / "model.json")):
        again.write_page(tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert text.count('"grain"') == 2 and "rod.obj" not in text
        assert again.write_gltf(tmp_path / "scene.glb", duration=0.1) == []
    pendulum.origin = str(tmp_path / "model.json")  # a model that still names the file
    assert pendulum.write_gltf(tmp_path / "scene.glb", duration=0.1) == []
    (tmp_path / "rod.obj").unlink()
    assert "rod.obj" in gradus.load(tmp_path / "model.json").remarks[0]
    assert "rod.obj" in pendulum.write_gltf(tmp_path / "scene.glb", duration=0.1)[0]


def test_the_ground_collects_what_it_has():
    model = gradus.Model("ground")
    model.ground(points={"A": [0, 0, 0]}, shapes=[{"type": "sphere", "radius": 1}])
    model.ground(points={"B": [1, 0, 0]}, shapes=[{"type": "box", "size": [1, 1, 1]}])
    assert list(model.data["ground"]["points"]) == ["A", "B"]
    assert [shape["type"] for shape in model.data["ground"]["shapes"]] == ["sphere", "box"]


URDF = """<robot name="arm"><link name="base"/>
  <link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1"/></inertial><visual/></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


def test_robots_have_meshes_of_packages(tmp_path):
    package = tmp_path / "packages" / "hand"
    package.mkdir(parents=True)
    (package / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    file = tmp_path / "arm.urdf"
    file.write_text(URDF.replace("<visual/>", '<visual><geometry><mesh filename="package://hand/a.obj"/></geometry></visual>'), encoding="utf-8")
    assert "shapes" not in gradus.load(file).data["bodies"]["arm"]
    model = gradus.load(file, packages=[package.parent])
    assert len(model.data["bodies"]["arm"]["shapes"][0]["triangles"]) == 3


def test_robots_are_loaded_as_models(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(URDF, encoding="utf-8")
    both = gradus.load(file, parameters="mass_arm, com_arm")
    model = gradus.load(file, parameters=["mass_arm", "com_arm"])
    assert both.data == model.data and both.remarks == model.remarks
    assert model.remarks == ["left out: visual without geometry (1)"]
    assert list(model.data["parameters"]) == ["mass_arm", "com_arm"]
    model.objective("turn", terminal="q_shoulder")
    result = model.compile(duration=0.2, backend="cpu:1").gradient()
    assert result.derivative("turn", "com_arm[0]") != 0
    with pytest.raises(ValueError, match="only robots are imported"):
        gradus.load(SOURCE / "models" / "five-bar" / "five-bar.json", parameters="inertial")
