"""Checks what every file of the repository keeps to: house_rules.py ROOT | --self-test.

Sources begin with a comment that says their subject. No file holds a tab, a marker of unfinished work or a path of
somebody's machine, and each ends with one newline.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

COMMENT_STARTS = {
    ".hpp": "// ", ".cpp": "// ", ".cu": "// ", ".cuh": "// ",
    ".py": ('"""', "# "), ".bash": "# ", ".cmake": "# ",
}
TEXT = {*COMMENT_STARTS, ".txt", ".md", ".json", ".in", ".clang-format", ".clang-tidy", ".editorconfig", ".gitignore"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|Users|root)/\w")


def files_of(root):
    """The files a commit of the working tree would hold; all files where there is no git."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        names = sorted(set(result.stdout.split("\0")) - {""})
        return [root / name for name in names if (root / name).is_file()]
    return sorted(path for path in root.rglob("*") if path.is_file() and "build" not in path.relative_to(root).parts[:1])


def kind_of(path, first_line):
    """The suffix that tells what a file is; scripts without one are told by their first line."""
    if path.name.startswith(".") and not path.suffix:
        return path.name
    if not path.suffix and first_line.startswith("#!"):
        return ".py" if "python" in first_line else ".bash"
    return path.suffix


def complaints_about(path, content):
    """What is wrong with one file: list of (line number, text)."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return []
    lines = text.split("\n")
    kind = kind_of(path, lines[0])
    if kind not in TEXT:
        return []
    found = []
    if kind in COMMENT_STARTS:
        start = 1 if lines[0].startswith("#!") else 0
        first = lines[start] if start < len(lines) else ""
        if not first.startswith(COMMENT_STARTS[kind]):
            found.append((start + 1, "does not begin with a comment that says its subject"))
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            found.append((number, "holds a tab"))
        if UNFINISHED.search(line):
            found.append((number, "marks something as unfinished"))
        if MACHINE_PATH.search(line):
            found.append((number, "names a path of somebody's machine"))
        if line.endswith("\r"):
            found.append((number, "ends its line as Windows does"))
    if content and (not text.endswith("\n") or text.endswith("\n\n")):
        found.append((len(lines), "does not end with exactly one newline"))
    return found


def complaints(root):
    return [f"{path.relative_to(root).as_posix()}:{number}: {wrong}" for path in files_of(root)
            for number, wrong in complaints_about(path, path.read_bytes())]


# A file name, its content, and whether that is right.
SAMPLES = [
    ("a.hpp", "// Subject.\n", True),
    ("a.hpp", "#pragma once\n", False),
    ("a.cu", "\n// Subject.\n", False),
    ("a.py", '"""Subject."""\n', True),
    ("a.py", "import os\n", False),
    ("run", "#!/usr/bin/env bash\n# Subject.\n", True),
    ("run", "#!/usr/bin/env bash\nset -e\n", False),
    ("run", '#!/usr/bin/env python3\n"""Subject."""\n', True),
    ("a.cpp", "// Subject.\n\tint i;\n", False),
    ("a.cpp", "// Subject.", False),
    ("a.cpp", "// Subject.\n\n", False),
    ("a.cpp", "// Subject.\r\n", False),
    ("a.cpp", "// Subject. TO" "DO: more\n", False),
    ("a.md", "FIX" "ME\n", False),
    ("a.md", "see /ho" "me/somebody/file\n", False),
    ("a.md", "see docs/home/page\n", True),
    ("a.json", "{}\n", True),
    ("CMakeLists.txt", "project(x)\n", True),
    ("a.npy", "\t\t", True),
]


def self_test():
    """Every sample is judged as it should be; ends with the number of samples judged wrongly."""
    wrong = 0
    for name, content, right in SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / name).write_bytes(content.encode())
            found = complaints(root)
            if bool(found) == right:
                wrong += 1
                print(f"{name} with {content!r} should be {'accepted' if right else 'refused'}: {found}")
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(1 if self_test() else 0)
    found = complaints(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
