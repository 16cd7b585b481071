"""Shows a header to doxygen with its plain comments marked as documentation: doxygen_filter.py FILE."""

import pathlib
import re
import sys

LINE = re.compile(r"^(\s*)// ?(.*)$")
BEHIND = re.compile(r"^(\s*[^/\s].*?\S)(\s{2,}|\s)// ?(.*)$")
CODE = re.compile(r"`([^`\n]+)`")
SPECIAL = re.compile(r"([\\@<>&#%\"])")


def escaped(text):
    """Nothing in a comment is a command or a tag; what stands in backquotes is code."""
    return CODE.sub(r"<tt>\1</tt>", SPECIAL.sub(r"\\\1", text))


def marked(lines):
    """Comments before a declaration become ///, those behind one and their next lines ///<."""
    behind = None  # the column of the comment behind the last declaration
    for number, line in enumerate(lines):
        comment = LINE.match(line)
        if comment:
            column, text = len(comment[1]), escaped(comment[2])
            if number == 0:
                yield f"/// \\file\n/// {text}"
            elif behind is not None and column == behind:
                yield f"{comment[1]}///< {text}"
            else:
                behind = None
                yield f"{comment[1]}/// {text}"
            continue
        found = BEHIND.match(line)
        behind = len(found[1]) + len(found[2]) if found else None
        yield f"{found[1]}{found[2]}///< {escaped(found[3])}" if found else line


def marked_c(text):
    """The same of comments as C has them."""
    def mark(match):
        before, body = match[1], escaped(match[2])
        line = text[text.rfind("\n", 0, match.start(2)) + 1:match.start(2) - 2]
        return f"{before}/**{'<' if line.strip() else ''}{body}*/"

    return re.sub(r"()/\*(.*?)\*/", mark, text, flags=re.DOTALL)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    source = path.read_text(encoding="utf-8")
    print(marked_c(source) if path.suffix == ".h" else "\n".join(marked(source.splitlines())))
