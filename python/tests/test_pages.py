"""What the first page, the tutorial, the how-to pages and the page for learners show is run, page by page, block after block.

A comment on the line before a block says what it is for; readers do not see it:

    <!-- file: NAME -->               the block is this file
    <!-- file: NAME, from: OTHER -->  the block is a fragment of a model or study: OTHER with these keys is this file
    <!-- files: PATH ... -->          files of the repository that the page uses; of a page, the files that it shows
    <!-- output -->                   the block is what the last block of Python printed
    <!-- exit: CODE -->               the program ends with this code, not with 0
    <!-- needs: NAME -->              left out where this module of Python, backend or method of optimisation is missing
    <!-- needs-not: NAME -->          left out where it is there
    <!-- not-run: REASON -->          left out everywhere
    <!-- program: NAME -->            the block is a whole program, which is linked with the library
    <!-- run: NAME -->                the block is what that program prints

Blocks of `python` run in one program. Those of `console` and `sh` run their lines that begin with `gradus` (behind `$ ` in
`console`, where what follows is what the program prints); other commands are not run. Models and studies, `json` and
`jsonc`, are read by the program. Those of `cpp` and `c` are compiled. In what is printed, numbers may differ in their last
digits (below 1e-6 in all), times and the number of threads altogether, and a line `...` stands for any lines.
"""

import contextlib
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

import gradus
from gradus import _core

from conftest import SOURCE

DOCS = SOURCE / "docs"
PAGES = [DOCS / "index.md", DOCS / "tutorial.md", DOCS / "theory-for-learners.md", *sorted((DOCS / "how-to").glob("*.md"))]
BLOCK = re.compile(r"(?P<notes>(?:^<!-- (?!files:)[^\n]*? -->\n\n?)*)^```(?P<language>[\w{}-]*)\n(?P<text>.*?)^```$"
                   r"|^<!-- files: (?P<files>[^\n]*?) -->$", re.DOTALL | re.MULTILINE)
NOTE = re.compile(r"<!-- (.*?) -->")
NUMBER = re.compile(r"[-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
NOT_RUN = {"text", "cmake", "{toctree}"}


def blocks_of(page):
    """(line, note, language, text) of every block; what a page uses has the language `files`."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        if found["files"]:
            yield text[:found.start()].count("\n") + 1, {}, "files", found["files"]
        else:
            parts = [part.strip() for notes in NOTE.findall(found["notes"])
                     for part in ([notes] if notes.startswith("not-run:") else notes.split(","))]
            note = dict(re.split(r":\s*", part, maxsplit=1) if ":" in part else (part, "") for part in parts)
            yield text[:found.end("notes")].count("\n") + 1, note, found["language"], found["text"]


def merged(whole, part):
    """Keys of objects are added, everything else is replaced."""
    if not isinstance(whole, dict) or not isinstance(part, dict):
        return part
    return {**whole, **{key: merged(whole.get(key), value) for key, value in part.items()}}


def write_file(note, text):
    """Writes the block that its note calls a file; returns what was written."""
    if "from" in note:
        whole = _core.parse_json(pathlib.Path(note["from"]).read_text(encoding="utf-8"), note["from"])
        text = json.dumps(merged(whole, _core.parse_json("{" + text + "}", note["file"])), indent=1)
    pathlib.Path(note["file"]).write_text(text, encoding="utf-8")
    return text


def bring(names, page):
    for name in names.split():
        path = page.parent / name
        if path.suffix == ".md":
            for _, note, language, text in blocks_of(path):
                if language == "files":
                    bring(text, path)
                elif "file" in note:
                    write_file(note, text)
        elif path.is_dir():
            shutil.copytree(path, path.name)
        else:
            shutil.copy(path, path.name)


def available(name):
    backends = dict(backend.split(": ", 1) for backend in gradus.backends())
    if name in backends:
        return not backends[name].startswith("not available")
    return name in gradus.optimization_methods() or importlib.util.find_spec(name) is not None


def lines_of(text):
    """What is compared: without times, thread counts and the width of columns."""
    lines = (re.sub(r"\s+", " ", re.sub(r"cpu:\d+", "cpu", line)).strip() for line in text.splitlines())
    return [line for line in lines if line and not re.match(r"(time|wall|started|\d+ evaluations? in) ", line)]


def same_number(found, expected):
    """To five digits; what is below 1e-6 may be round-off."""
    return math.isclose(found, expected, rel_tol=1e-5) or max(abs(found), abs(expected)) < 1e-6


def same_line(found, expected):
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected))
    return all(same_number(float(a.replace("\u2212", "-")), float(b.replace("\u2212", "-"))) for a, b in pairs)


def differences(found, expected):
    """None, or the first line that is not what is expected."""
    found, expected = lines_of(found), lines_of(expected)
    at, skips = 0, False
    for line in expected:
        if line == "...":
            skips = True
            continue
        start = at
        while at < len(found) and skips and not same_line(found[at], line):
            at += 1
        if at >= len(found) or not same_line(found[at], line):
            shown = found[start] if start < len(found) else "nothing more"
            return f"expected: {line}\nfound:    {shown}"
        at, skips = at + 1, False
    if at < len(found) and not skips:
        return f"expected: nothing more\nfound:    {found[at]}"
    return None


def run_commands(text, note, where):
    commands, is_console = [], any(line.startswith("$ ") for line in text.splitlines())
    for line in text.splitlines():
        if is_console and line.startswith("$ "):
            commands.append((line[2:], []))
        elif is_console and commands:
            commands[-1][1].append(line)
        elif line.startswith("gradus "):
            commands.append((line, None))
    for command, shown in commands:
        words = shlex.split(command, comments=True)
        if not words or words[0] != "gradus":
            continue
        target = None
        if ">" in words:
            target = words[words.index(">") + 1]
            words = words[:words.index(">")]
        settings = {"BROWSER": "", "GRADUS_KERNEL_CACHE": "off", "XDG_CACHE_HOME": str(pathlib.Path.cwd() / "cache")}
        program = os.environ.get("GRADUS_PROGRAM", "gradus")
        ran = subprocess.run([program, *words[1:]], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                             env={**os.environ, **settings}, check=False)
        about = f"{where}: $ {command}\nexit code {ran.returncode}\n{ran.stdout}{ran.stderr}"
        assert ran.returncode == int(note.get("exit", 0)), about
        if target:
            pathlib.Path(target).write_text(ran.stdout, encoding="utf-8")
        elif shown is not None and any(line.strip() for line in shown):
            wrong = differences(ran.stdout + (ran.stderr if "exit" in note else ""), "\n".join(shown))
            assert wrong is None, f"{where}: $ {command}\n{wrong}\n\n{ran.stdout}{ran.stderr}"


def run_python(text, names, page, line):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * line + text, str(page), "exec"), names)
    return printed.getvalue()


def read_document(note, text, where):
    schema = re.search(r'"schema":\s*"gradus-(\w+)/', text)
    assert schema or note.get("file"), f"{where}: a fragment without a schema, and without a comment that says of what"
    if schema is None or schema[1] != "model":
        return
    name = note.get("file", "shown.json")
    if "file" not in note:
        pathlib.Path(name).write_text(text, encoding="utf-8")
    run_commands(f"gradus info {shlex.quote(name)}", {}, where)


def compile_block(note, language, text, where):
    """Compiles the block; links it, if it is a whole program and the library lies beside the modules."""
    name = pathlib.Path(note.get("program", note.get("file", "shown")) + f".{language}")
    name.write_text(text, encoding="utf-8")
    standard = ["-std=c++20"] if language == "cpp" else ["-x", "c", "-std=c99"]
    library = pathlib.Path(os.environ.get("GRADUS_MODULES", "")) / "libgradus.a"
    links = "program" in note and library.is_file()
    how = ["-o", note["program"], name.name, library, "-lz", "-pthread", "-ldl"] if links else ["-fsyntax-only", name.name]
    made = subprocess.run([os.environ.get("CXX", "c++"), *standard, "-Wall", f"-I{SOURCE / 'include'}", *how],
                          capture_output=True, text=True, check=False)
    assert made.returncode == 0, f"{where}: {made.stderr}"


def run_page(page):
    names, printed = {"__name__": "__main__"}, None
    for line, note, language, text in blocks_of(page):
        where = f"{page.name}:{line}"
        if language == "files":
            bring(text, page)
            continue
        if "needs" in note and not all(available(name) for name in note["needs"].split()):
            printed = None
            continue
        if "not-run" in note or "needs-not" in note and available(note["needs-not"]):
            continue
        if "run" in note:
            if pathlib.Path(note["run"]).exists():
                ran = subprocess.run([f"./{note['run']}"], capture_output=True, text=True, check=False, timeout=300)
                wrong = differences(ran.stdout, text)
                assert ran.returncode == 0 and wrong is None, f"{where}: {wrong}\n\n{ran.stdout}{ran.stderr}"
            continue
        if "output" in note:
            wrong = differences(printed, text) if printed is not None else None
            assert wrong is None, f"{where}: what is printed differs\n{wrong}\n\n{printed}"
            continue
        if "file" in note:
            text = write_file(note, text)
        if language == "python":
            printed = run_python(text, names, page, line)
        elif language in ("json", "jsonc"):
            read_document(note, text, where)
        elif language in ("console", "sh"):
            run_commands(text, note, where)
        elif language in ("cpp", "c"):
            compile_block(note, language, text, where)
        else:
            assert language in NOT_RUN or "file" in note, f"{where}: blocks of {language or 'no language'} are not run; say text"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page)


BROKEN = {
    "python": "```python\nassert False\n```\n",
    "output": "```python\nprint(1.5)\n```\n\n<!-- output -->\n```text\n1.6\n```\n",
    "command": "```sh\ngradus info missing.json\n```\n",
    "printed": "```console\n$ gradus --version\ngradus 0\n```\n",
    "model": '```json\n{ "schema": "gradus-model/1", "name": "nothing" }\n```\n',
    "fragment": '```jsonc\n"bodies": {}\n```\n',
    "cpp": "```cpp\nint main() { return gradus::nothing(); }\n```\n",
    "language": "```perl\nprint 1\n```\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_pages_fail(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(BROKEN[kind], encoding="utf-8")
    with pytest.raises(AssertionError):
        run_page(page)


def test_every_page_and_block_is_seen():
    assert len(PAGES) >= 14
    for page in PAGES:
        fences = len(re.findall(r"^\s*```", page.read_text(encoding="utf-8"), re.MULTILINE))
        found = sum(1 for _, _, language, _ in blocks_of(page) if language != "files")
        assert fences == 2 * found, f"{page.name}: {fences} lines with fences, but {found} blocks; they begin at the margin"
        assert found >= 1


def test_every_how_to_is_listed():
    index = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8")
    pages = sorted(page.stem for page in (DOCS / "how-to").glob("*.md") if page.stem != "index")
    assert sorted(re.findall(r"\(([\w-]+)\.md\)", index)) == pages
    assert sorted(re.search(r"```\{toctree\}\n:hidden:\n\n(.*?)```", index, re.DOTALL)[1].split()) == pages


def test_versions_agree():
    version = re.search(r"project\(gradus VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    assert re.search(r"^version: (.+)$", (SOURCE / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1] == version
    assert re.search(r"^## ([\d.]+)", (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1] == version


def test_numbers_of_the_gpu_page_are_those_of_the_record():
    page = (DOCS / "how-to" / "gpu.md").read_text(encoding="utf-8")
    file = re.search(r"<!-- record: (\S+) -->", page)[1]
    record = json.loads((SOURCE / "bench" / "results" / file).read_text(encoding="utf-8"))
    assert record["date"] in page and record["machine"]["gpu"] in page
    rows = re.findall(r"^\| ([\w-]+)[^|]*, (\d+) parameters \| ([\d ]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page,
                      re.MULTILINE)
    assert len(rows) == 6
    for model, parameters, designs, host, device, ratio in rows:
        row, = (row for row in record["batches"] if row["model"].startswith(model) and row["parameters"] == int(parameters)
                and row["designs"] == int(designs.replace(" ", "")))
        assert math.isclose(float(host), row["host_made_s"], rel_tol=5e-3)
        assert math.isclose(float(device), row["device_made_s"], rel_tol=5e-3)
        assert math.isclose(float(ratio), row["host_made_s"] / row["device_made_s"], rel_tol=3e-2)
