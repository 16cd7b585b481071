"""Studies, descriptions and checks."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import gradus
from conftest import FIVE_BAR


@pytest.fixture
def study(tmp_path):
    shutil.copy(FIVE_BAR, tmp_path)
    file = tmp_path / "spread.json"
    file.write_text(json.dumps({"schema": "gradus-study/1", "name": "spread", "model": "five-bar.json",
                                "options": {"duration": 0.1, "backend": "cpu:1"},
                                "sweep": {"sampling": "random", "designs": 20, "parameters": {"L_s1": {"from": 2.2, "to": 2.25}}}}))
    return file


def test_a_sweep(study, tmp_path):
    found = gradus.sweep(study, tmp_path / "out")
    assert found.summary["status"] == "ok"
    assert found.arrays()["objective_values"].shape[0] == 20
    subprocess.run([os.environ["GRADUS_PROGRAM"], "sweep", str(study), "--out", str(tmp_path / "same"), "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    assert (tmp_path / "same" / "designs.npz").read_bytes() == (tmp_path / "out" / "designs.npz").read_bytes()
    page = found.report()
    assert page.read_text(encoding="utf-8").count("spread") > 0 and found._repr_html_().startswith("<iframe")
    with pytest.raises(gradus.InputError, match="holds results"):
        gradus.sweep(study, tmp_path / "out")
    assert gradus.sweep(study, tmp_path / "out", overwrite=True).summary["status"] == "ok"
    with pytest.raises(gradus.InputError, match="exclude each other"):
        gradus.sweep(study, tmp_path / "out", overwrite=True, resume=True)
    with pytest.raises(gradus.InputError, match="no section"):
        gradus.fit(study, tmp_path / "other")


def test_progress(study, tmp_path, five_bar, monkeypatch, capsys):
    fractions = []
    gradus.sweep(study, tmp_path / "out", progress=fractions.append)
    assert fractions and sorted(fractions) == fractions and fractions[-1] == 1
    mechanism = five_bar.compile(duration=1.0, backend="cpu:1")
    fractions.clear()
    mechanism.run(progress=fractions.append)
    assert fractions and 0 <= min(fractions) and max(fractions) <= 1
    capsys.readouterr()
    mechanism.run(progress=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as if it were not installed
    gradus.sweep(study, tmp_path / "line", progress=True)
    assert capsys.readouterr().err.endswith("sweep: 100 %\n")
    with pytest.raises(gradus.FileError):
        gradus.sweep(tmp_path / "nowhere.json", tmp_path / "none", progress=True)


def test_progress_as_a_bar(study, tmp_path, capsys):
    pytest.importorskip("tqdm")
    gradus.sweep(study, tmp_path / "bar", progress=True)
    assert "sweep: 100 %" in capsys.readouterr().err


def test_what_the_plan_made_of_it(five_bar):
    found = five_bar.describe()
    assert found["degrees_of_freedom"] == 2 and found["constraint_rank"] == 2


def test_a_proof(pendulum):
    found = pendulum.check(backend="cpu:1")
    assert found["status"] == "ok" and len(found["lines"]) == 6
