"""Whether the programs in the documents are those in examples/, which are built and run as tests."""

import pathlib
import re
import sys

# A block of code whose first line names a file.
BLOCK = re.compile(r"^```(?:c|cpp)\n((?://|/\*) (examples/\S+):.*?)^```$", re.DOTALL | re.MULTILINE)


def differences(text, read):
    """The examples whose text in a document is not that of their file."""
    found = BLOCK.findall(text)
    return found, [name for program, name in found if read(name) != program]


def self_test():
    text = "```cpp\n// examples/a.cpp: one\nint a;\n```\n\n```c\n/* examples/b.c: two */\n```\n"
    files = {"examples/a.cpp": "// examples/a.cpp: one\nint a;\n", "examples/b.c": "/* examples/b.c: two */\nint b;\n"}
    found, wrong = differences(text, files.get)
    assert len(found) == 2 and wrong == ["examples/b.c"], (found, wrong)


def main(source):
    source = pathlib.Path(source)
    document = source / "docs" / "api.md"
    found, wrong = differences(document.read_text(encoding="utf-8"),
                               lambda name: (source / name).read_text(encoding="utf-8"))
    if len(found) < 2:
        sys.exit(f"{document}: found {len(found)} programs, expected one in C++ and one in C")
    if wrong:
        sys.exit(f"{document}: differs from " + ", ".join(wrong) + "; copy the files into it")


if __name__ == "__main__":
    self_test() if sys.argv[1] == "--self-test" else main(sys.argv[1])
