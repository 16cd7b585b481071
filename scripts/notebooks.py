#!/usr/bin/env python3
"""Makes the notebooks docs/notebooks/NAME.ipynb from NAME.py, and runs them.

    PYTHONPATH=build/release/python scripts/notebooks.py [NAME ...]

The sources are Python programs in the "percent" format of Jupytext: cells begin with "# %%", text with "# %% [markdown]".
It needs nbclient and ipykernel, and what the notebooks use: the package gradus, matplotlib, SciPy, JAX, PyTorch.
GRADUS_PROGRAM names the program gradus, if it is not in PATH.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "notebooks"
HEAD = re.compile(r"^# %%(?P<text> \[markdown\])?(?: tags=\[(?P<tags>[^\]]*)\])?$")


def cells(text):
    """[(kind, source, tags)] of a program in percent format, kind being "markdown" or "code"."""
    found = []
    for line in text.split("\n"):
        head = HEAD.match(line)
        if head:
            found.append(("markdown" if head["text"] else "code", [], re.findall(r'"([^"]+)"', head["tags"] or "")))
        elif found:
            found[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"before the first cell: {line}")
    made = []
    for kind, lines, tags in found:
        if kind == "markdown":
            if any(line and not line.startswith("#") for line in lines):
                raise ValueError("a line of text does not begin with #")
            lines = [line[2:] for line in lines]
        made.append((kind, "\n".join(lines).strip("\n"), tags))
    return made


def notebook(text):
    """The notebook of a program, without results."""
    import nbformat.v4 as v4

    made = []
    for k, (kind, source, tags) in enumerate(cells(text)):
        new = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
        made.append(new(source, id=f"cell-{k}", metadata={"tags": tags} if tags else {}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def run(made):
    """Runs a notebook where it lies; pictures are SVG, and only what is printed is shown."""
    from nbclient import NotebookClient

    options = ["--InlineBackend.figure_formats={'svg'}", "--InteractiveShell.ast_node_interactivity=none"]
    NotebookClient(made, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}},
                   extra_arguments=options, record_timing=False, coalesce_streams=True).execute()
    for cell in made.cells:
        for output in cell.get("outputs", []):
            picture = output.get("data", {}).get("image/svg+xml")
            if picture:  # without the date and the version of matplotlib
                output["data"]["image/svg+xml"] = re.sub(r" *<metadata>.*?</metadata>\n", "", picture, flags=re.DOTALL)
                output["data"].pop("text/plain", None)


def main(names):
    import nbformat

    known = sorted(file.stem for file in FOLDER.glob("*.py"))
    for name in names or known:
        if name not in known:
            sys.exit(f"notebooks: there is no {name!r} (there are {', '.join(known)})")
        made = notebook((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
        run(made)
        file = FOLDER / f"{name}.ipynb"
        nbformat.write(made, file)
        print(f"{file.name}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
