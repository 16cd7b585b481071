"""A report page as a reader uses it: what the tests of pages share."""

import csv
import io
import json
import re
import unittest

from browser import BROWSER, Browser
from program import DONE, FIVE_BAR, ProgramTest, run

# A plot by its title: its SVG, its block of data, and where things are on the screen.
HELPERS = """
window.block = (title) => document.querySelector('section[aria-label="' + title + '"]');
window.plot = (title) => window.block(title).querySelector(".stage > svg");
window.box = (node) => { node.scrollIntoView({ block: "center" }); const b = node.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; };
window.tip = (title) => [...window.block(title).querySelectorAll(".tip:not([hidden]) > div")].map((line) => line.textContent);
"""


def number_of(text):
    """What numberText of the page writes, read back."""
    digits = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")
    return float(re.sub("\u00b710(.*)", r"e\1", text.replace("\u2212", "-")).translate(digits))


@unittest.skipUnless(BROWSER, "Chromium is not installed")
class PageTest(ProgramTest):
    def open(self, folder, media=(("prefers-reduced-motion", "reduce"),), change=lambda data: None, **window):
        """The page of a folder, with its data changed."""
        self.run_ok("report", folder)
        file = folder / "report.html"
        text = file.read_text(encoding="utf-8")
        data = re.search(r'id="data">(.*?)</script>', text, re.S).group(1)
        self.data = json.loads(data)
        change(self.data)
        file.write_text(text.replace(data, json.dumps(self.data).replace("<", "\\u003c")), encoding="utf-8")
        self.browser = Browser(self.folder / "browser", media=media, **window)
        self.addCleanup(self.browser.close)
        self.browser.open(file)
        self.value(HELPERS)

    def open_run(self, *arguments, **settings):
        folder = self.folder / "results"
        process = run("gradient", FIVE_BAR, "--out", folder, "--quiet", "--duration", "0.5", *arguments)
        self.assertEqual(process.returncode, DONE, process.stderr)
        self.open(folder, **settings)
        return folder

    def tearDown(self):
        if hasattr(self, "browser") and self.browser.is_open():
            self.assertEqual(self.browser.complaints(), [])

    def value(self, expression):
        return self.browser.value(expression)

    def block(self, title):
        return next(block for block in self.data["blocks"] if block.get("title") == title)

    def place(self, title, x, y):
        """On the screen: shares of the width and height of a plot."""
        left, top, width, height = self.value(f"box(plot({title!r}))")
        return left + x * width, top + y * height

    def clock(self):
        return number_of(re.search(r"t = (\S+) s", self.value('document.querySelector(".clock").textContent')).group(1))

    def cursor(self, title):
        """The place of the line that shows the time: None while it does not."""
        return self.value(f'(() => {{ const line = plot({title!r}).querySelector(".cursor");'
                          'return line.getAttribute("visibility") === "visible" ? Number(line.getAttribute("x1")) : null; })()')

    def press(self, title, label):
        """A button or a summary of a block."""
        self.value(f'[...block({title!r}).querySelectorAll("button, summary")].find((one) => one.textContent.startsWith({label!r})).click()')

    def table(self, title):
        self.press(title, "CSV")
        return list(csv.reader(io.StringIO(self.browser.saved(".csv").decode("utf-8"), newline="")))
