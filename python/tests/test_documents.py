"""The programs of docs/python.md run, one after the other."""

import importlib.util
import re
import shutil

from conftest import FIVE_BAR, SOURCE

BLOCK = re.compile(r"^```python(?: skip-without:(\w+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_programs(tmp_path, monkeypatch):
    shutil.copy(FIVE_BAR, tmp_path)
    monkeypatch.chdir(tmp_path)
    document = SOURCE / "docs" / "python.md"
    text = document.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= 8
    names = {}
    for block in blocks:
        needed, program = block.groups()
        if needed and importlib.util.find_spec(needed) is None:
            continue
        line = text[:block.start()].count("\n") + 1
        exec(compile("\n" * line + program, str(document), "exec"), names)
