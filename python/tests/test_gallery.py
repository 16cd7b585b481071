"""The gallery: pages say what gradus computes, pictures are those of its motions, models agree with what is published."""

import importlib.util
import math
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import gradus
from conftest import SOURCE

GALLERY = SOURCE / "docs" / "gallery"
PAGES = sorted(page.stem for page in GALLERY.glob("*.md") if page.stem != "index")
MODELS = sorted((SOURCE / "models" / "gallery").glob("*.json"))
NUMBER = re.compile(r"(?<![\w@.])[-+]?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])")


def load(name):
    return gradus.load(SOURCE / "models" / "gallery" / f"{name}.json")


# Pages. --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder like that of the repository, in which results may be written."""
    (tmp_path / "models").symlink_to(SOURCE / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(page):
    return (GALLERY / f"{page}.md").read_text(encoding="utf-8")


def blocks(text, kind):
    return [(found[1].strip(), found[2], text[:found.start()].count("\n") + 1)
            for found in re.finditer(rf"^```{kind}([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]


def test_every_model_has_a_page():
    assert len(PAGES) == 15 and {file.stem for file in MODELS} < set(PAGES)
    index = text_of("index")
    for page in PAGES:
        assert f"]({page}.md)" in index and f"]({page}.svg)" in index


@pytest.mark.parametrize("page", ["index", *PAGES])
def test_form_of_a_page(page):
    text = text_of(page)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert text.startswith("# ") and len(re.findall("^# ", prose, re.MULTILINE)) == 1
    for link in re.findall(r"\]\(([^)#]+)\)", prose):
        assert (GALLERY / link).exists(), link
    if page != "index":
        assert f"]({page}.svg)" in prose and re.search(rf"/{page}(-\w+)?\.json\)", prose)
        assert blocks(text, "python") and blocks(text, "console")


@pytest.mark.parametrize("page", PAGES)
def test_programs_of_a_page(page, root):
    names = {}
    for needed, program, line in blocks(text_of(page), "python"):
        needed = needed.partition("skip-without:")[2]
        if needed and importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
        exec(compile("\n" * line + program, f"{page}.md", "exec"), names)


def same_line(shown, printed):
    """Equal texts, and numbers that agree to what another processor may change."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = [tuple(map(float, pair)) for pair in zip(NUMBER.findall(shown), NUMBER.findall(printed))]
    size = max((abs(a) for a, _ in pairs), default=0)
    return all(abs(a - b) <= 2e-6 * max(abs(a), abs(b)) + 1e-12 * size for a, b in pairs)


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page(page, root):
    for _, session, _ in blocks(text_of(page), "console"):
        for part in re.split(r"^\$ gradus ", session, flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip().split("\n")
            if command.startswith("optimize") and "slsqp" not in gradus.optimization_methods():
                pytest.skip("this build has no NLopt")
            program = [sys.executable, "-m", "gradus", *shlex.split(command)]
            done = subprocess.run(program, capture_output=True, text=True, cwd=root)
            assert done.returncode == 0, done.stderr
            printed = iter(done.stdout.split("\n"))
            for line in shown:
                if command.startswith("optimize") and re.search("evaluations|ended because|deviate by|^ +0 ", line):
                    continue  # how the optimiser went, and round-off
                assert any(same_line(line, other) for other in printed), f"{command} does not print: {line}"


# Pictures. -----------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", GALLERY / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES)
def test_picture(page, pictures):
    kept, drawn = (GALLERY / f"{page}.svg").read_text(encoding="utf-8"), pictures.picture(page)
    pattern = re.compile(r"-?\d+\.\d\d")
    assert pattern.sub("#", kept) == pattern.sub("#", drawn)
    pairs = np.array([pattern.findall(kept), pattern.findall(drawn)], float)
    assert np.abs(pairs[0] - pairs[1]).max() < 0.05  # px
    assert np.isfinite(pairs).all() and len(kept) < 60_000


def test_a_rod_that_is_too_long(tmp_path):
    """The search for a start turns its ball joint until nothing is left of its Euler parameters."""
    wishbone = gradus.load(SOURCE / "models/gallery/double-wishbone.json").compile()
    with pytest.raises(gradus.NumericalError, match=r"at 0.*s: the loops cannot be closed \(the search turned"):
        wishbone.simulate(rod_y=1.397)


# Models. -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file", MODELS, ids=lambda file: file.stem)
def test_gradients_against_differences(file):
    mechanism = gradus.load(file).compile(rtol=1e-10, atol=1e-12)
    r = mechanism.gradient()
    x, sizes = mechanism.nominal, np.where(mechanism.nominal == 0, 1e-2, np.abs(mechanism.nominal))
    h = 2e-5 * sizes
    moved = mechanism.simulate(np.concatenate([x + np.diag(h), x - np.diag(h)]))
    assert moved.ok.all()
    differences = ((moved.objectives[:len(x)] - moved.objectives[len(x):]) / (2 * h[:, None])).T * sizes
    exact = r.gradient * sizes
    scale = np.linalg.norm(exact, axis=1, keepdims=True)
    assert (np.abs(differences - exact) <= 1e-4 * scale).all()


@pytest.mark.parametrize("study", sorted(MODELS[0].parent.glob("studies/*.json")), ids=lambda study: study.stem)
def test_study(study, tmp_path):
    if "slsqp" not in gradus.optimization_methods():
        pytest.skip("this build has no NLopt")
    done = gradus.optimize(study, out=tmp_path / "study")
    assert done.summary["status"] == "ok" and done.summary["check"]["passed"]


@pytest.mark.parametrize("degrees, ground, coupler, length, deviation", [
    (120, 2.625, 3.438, 3.238, 0.010), (140, 2.500, 3.250, 3.623, 0.023), (160, 2.350, 3.025, 3.933, 0.047),
    (180, 2.200, 2.800, 4.181, 0.096), (180, 2, 2.5, 4, 0.244)])
def test_four_bar_against_norton(degrees, ground, coupler, length, deviation):
    """Norton, Design of Machinery, table 3-1: link ratios of Hoecken-type linkages, their stroke and its straightness;
    last the proportions of Hoecken himself, which the page has."""
    model = load("four-bar")
    for name, value in (("ground", ground), ("crank", 1), ("coupler", coupler), ("rocker", coupler), ("reach", 2 * coupler)):
        model.data["parameters"][name]["value"] = 0.1 * value
    motion = model.compile(duration=0.5, step=1 / 1440, formulation="auto", backend="cpu:1").run(record_every=1).trajectory
    path = motion["P"][np.abs(360 * motion.time - 90) <= degrees / 2 + 1e-6]
    along, across = np.ptp(path[:, 0]), np.ptp(path[:, 1])
    assert along / 0.1 == pytest.approx(length, abs=6e-4)
    assert 100 * across / along == pytest.approx(deviation, abs=6e-4)


def test_peaucellier_angle():
    """D is at the height x tan(swing/2): the crank is an angle at the centre, O-D one at the circumference."""
    r = load("peaucellier").compile(backend="cpu:1").gradient()
    x = (0.36**2 - 0.2**2) / 0.2
    assert r["height@0.25"] == pytest.approx(x * math.tan(0.4), rel=1e-10)
    assert r.derivative("height@0.25", "swing") == pytest.approx(x / (2 * math.cos(0.4) ** 2), rel=1e-8)


def test_contact_force_of_the_cam():
    motion = load("cam-follower").compile(backend="cpu:1").run(record_every=1).trajectory
    angle = np.ravel(motion["angle"])
    harmonics = np.array([0.01, -0.0025, 0.0003])[:, None]
    n = np.array([1, 2, 3])[:, None]
    lift = (harmonics * (1 - np.cos(n * angle))).sum(axis=0)
    acceleration = 60**2 * (harmonics * n**2 * np.cos(n * angle)).sum(axis=0)
    assert np.allclose(np.ravel(motion["contact"]), 0.4 * (acceleration + 9.81) + 2500 * lift + 30, rtol=1e-9)


def test_nutation_of_the_gyroscope():
    """A fast rotor nods at I w / sqrt(A B), A and B being the inertias about the axis of the tilt and about the vertical."""
    model = load("gyroscope")
    model.data["parameters"]["friction"]["value"] = 0
    motion = model.compile(duration=0.5, step=2e-4, formulation="auto", backend="cpu:1").run(record_every=1).trajectory
    tilt = np.ravel(motion["tilt"])
    rotor = 0.8 * 0.05**2 / 2
    A = 4e-4 + 0.1 * 0.12**2 + rotor / 2
    B = 5e-4 + A
    middle = (tilt.max() + tilt.min()) / 2
    passages = np.flatnonzero((tilt[:-1] > middle) & (tilt[1:] <= middle))
    period = np.diff(motion.time[passages]).mean()
    assert 2 * math.pi / period == pytest.approx(rotor * 300 / math.sqrt(A * B), rel=2e-3)


def test_jansen_by_circles():
    """The foot by intersections of circles, from the published lengths; no equation of gradus."""
    lengths = (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)
    a, b, c, d, e, f, g, h, i, j, k, l, m = (0.01 * value for value in lengths)  # noqa: E741

    def meet(p, r, q, s):  # where circles about p and q meet, left of the way from p to q
        way = q - p
        length = np.hypot(*way)
        along = (r**2 - s**2 + length**2) / (2 * length)
        across = math.sqrt(r**2 - along**2)
        return p + (along * way + across * np.array([-way[1], way[0]])) / length

    motion = load("jansen").compile(backend="cpu:1").run(record_every=1).trajectory
    pivot = np.array([-a, -l])
    for angle, foot in zip(np.ravel(motion["angle"]), motion["foot"]):
        pin = m * np.array([math.cos(angle), math.sin(angle)])
        top = meet(pivot, b, pin, j)
        knee = meet(pin, k, pivot, c)
        back = meet(pivot, d, top, e)
        hip = meet(knee, g, back, f)
        assert foot[:2] == pytest.approx(meet(knee, i, hip, h), abs=1e-9)


def test_the_foot_stays_on_the_ground():
    motion = load("jansen").compile(step=1e-3, formulation="auto", backend="cpu:1").run(record_every=1).trajectory
    height = motion["foot"][:-1, 1]
    assert (height < height.min() + 0.01).mean() == pytest.approx(0.43, abs=0.005)


def test_energy_of_the_excavator():
    """What cylinders, ground and load do is the gain of energy."""
    model = load("excavator")
    data = model.data
    data["sensors"]["energy"] = {"energy": "total"}
    data["sensors"]["by_ground"], data["sensors"]["by_load"] = {"power": "ground"}, {"power": "load"}
    data["objectives"] = {"work": {"integral": "boom_power + stick_power + bucket_power + by_ground + by_load"}}
    mechanism = model.compile(backend="cpu:1")
    energy = np.ravel(mechanism.run(record_every=1).trajectory["energy"])
    assert mechanism.simulate()["work"] == pytest.approx(energy[-1] - energy[0], rel=1e-7)


def test_suspension_without_rig():
    """Camber and toe of a rig do not depend on the spring, its load does; the adjoint says the same."""
    model = load("double-wishbone")
    direct, adjoint = (model.compile(backend="cpu:1", method=method).gradient() for method in ("direct", "adjoint"))
    assert np.allclose(direct.gradient, adjoint.gradient, rtol=1e-8, atol=1e-9)
    assert all(direct.derivative(f"{angle}@{t}", "k") == 0 for angle in ("toe", "camber") for t in (0.25, 0.75))
