"""The notebooks: their programs run to the end, with all that they assert, and what is kept was made from them."""

import importlib.util
import json
import sys

import pytest

from conftest import SOURCE

FOLDER = SOURCE / "docs" / "notebooks"
NAMES = sorted(file.stem for file in FOLDER.glob("*.py"))
NEEDS = {"fit-five-bar": ["scipy"], "neural-controller": ["jax"], "thousands-of-designs": ["scipy"]}


@pytest.fixture(scope="module")
def tool():
    """scripts/notebooks.py, without a folder of its bytecode in the sources."""
    spec = importlib.util.spec_from_file_location("notebooks", SOURCE / "scripts" / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells_of(tool, name):
    return tool.cells((FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def test_there_are_four():
    assert NAMES == ["first-mechanism", "fit-five-bar", "neural-controller", "thousands-of-designs"]


@pytest.mark.parametrize("name", NAMES)
def test_a_program_runs(name, tool, monkeypatch):
    for needed in ["matplotlib", *NEEDS.get(name, [])]:
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(FOLDER)
    before = set(FOLDER.iterdir())
    names, left_out = {}, []
    for number, (kind, source, tags) in enumerate(cells_of(tool, name)):
        missing = [tag for tag in tags if importlib.util.find_spec(tag) is None]
        if kind == "code" and not missing:
            exec(compile(source, f"{name}.py, cell {number}", "exec"), names)
        left_out += missing
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    assert set(FOLDER.iterdir()) == before, "the notebook leaves files"
    if left_out:
        pytest.skip(f"all but its cells that need {left_out[0]}, which is not installed")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_program_claims(name, tool):
    kinds = [kind for kind, _, _ in cells_of(tool, name)]
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert kinds[0] == "markdown" and text.startswith("# %% [markdown]\n# # ") and text.count("\n# # ") == 1
    assert text.count("\nassert ") + text.count("\n    assert ") >= 5
    assert max(map(len, text.split("\n"))) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_was_made_from_its_program(name, tool):
    file = FOLDER / f"{name}.ipynb"
    text = file.read_text(encoding="utf-8")
    kept = json.loads(text)["cells"]
    sources = [(cell["cell_type"], "".join(cell["source"]), cell["metadata"].get("tags", [])) for cell in kept]
    assert sources == cells_of(tool, name), f"scripts/notebooks.py {name} makes it anew"
    code = [cell for cell in kept if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in outputs)
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    assert file.stat().st_size < 300_000 and str(SOURCE) not in text and "/tmp/" not in text
