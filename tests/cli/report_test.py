"""gradus report: the page of every kind of folder, as a browser shows it, and what is refused.

The pages are opened by headless Chromium; without it the tests of pages are left out (exit code 77 if nothing else
failed).
"""

import html.parser
import json
import re
import subprocess
import sys
import unittest

import report_folders
from browser import BROWSER
from program import BAD_INPUT, BRIEFLY, DONE, FILE_FAILURE, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

HOSTILE = {
    "schema": "gradus-model/1",
    "name": "</script><img src=x onerror=alert(1)>",
    "gravity": [0, -9.81, 0],
    "parameters": {"m": {"value": 1, "unit": "</script><b>@DATA@"}},
    "bodies": {"<b>bar</b><!--": {"mass": "m", "com": [0.5, 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1},
                                  "points": {"\"><script>alert(2)</script>": [1, 0, 0]}}},
    "joints": {"<i>": {"type": "revolute", "parent": "ground", "child": "<b>bar</b><!--",
                       "initial": {"position": 0, "velocity": 0}}},
    "sensors": {"r": {"position": "<b>bar</b><!--.\"><script>alert(2)</script>"}},
    "objectives": {"<img src=x onerror=alert(3)>": {"integral": "dot(r, r)", "unit": "<u>"}},
    "analysis": {"duration": 0.1, "step": 1e-3}}

# Keeps the page as it is and then uses every control once; mistakes show as errors on the console. Files are saved in
# page_test.py.
USE_EVERYTHING = """<script>
document.currentScript.remove();
setTimeout(() => {
const untouched = document.documentElement.outerHTML;
for (const select of document.querySelectorAll("select"))
  for (let i = select.options.length - 1; i >= 0; --i) {
    select.value = String(i);
    select.dispatchEvent(new Event("change"));
  }
for (const box of document.querySelectorAll("input[type=checkbox]")) { box.click(); box.click(); }
for (const slider of document.querySelectorAll("input[type=range]")) {
  slider.value = String(Math.floor(slider.max / 2));
  slider.dispatchEvent(new Event("input"));
}
for (const button of document.querySelectorAll("button:not([aria-label^=save])")) button.click();
for (const canvas of document.querySelectorAll("canvas")) {
  for (const key of [" ", " ", "ArrowLeft", "ArrowUp", "+", "-", ".", ",", "End", "Home", "0"])
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const box = canvas.getBoundingClientRect();
  for (let x = 0; x < box.width; x += 15) for (let y = 0; y < box.height; y += 15)
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + y }));
  canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, cancelable: true }));
}
window.dispatchEvent(new Event("beforeprint"));
window.dispatchEvent(new Event("afterprint"));
document.body.setAttribute("data-untouched", untouched);
}, 1000);
</script></body>"""


class Page(html.parser.HTMLParser):
    """Elements of a page in the order of the document, and by the block they stand in."""

    VOID = {"meta", "link", "input", "br", "img"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.blocks, self.open, self.texts = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag == "section":
            self.blocks.append({"class": attributes["class"].split(), "label": attributes.get("aria-label"), "tags": []})
        elif "section" in self.open:
            self.blocks[-1]["tags"].append((tag, attributes))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "script" not in self.open and "style" not in self.open:
            self.texts.append(data)

    def tags(self, name):
        return [attributes for tag, attributes in self.elements if tag == name]

    def block(self, label):
        return next(block for block in self.blocks if block["label"] == label)

    def marks(self, label, tag, css=None):
        return [a for t, a in self.block(label)["tags"] if t == tag and (css is None or css in a.get("class", "").split())]


class ReportTest(ProgramTest):
    def report(self, folder, *arguments):
        self.run_ok("report", folder, *arguments)
        return folder / "report.html"

    def browse(self, file):
        """The page after its script has run; fails on anything the browser complains about."""
        process = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--user-data-dir=" + str(self.folder / "browser"), "--window-size=1200,900", "--virtual-time-budget=4000",
             "--enable-logging=stderr", "--dump-dom", file.as_uri()],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", timeout=120)
        self.assertEqual(process.returncode, 0, process.stderr)
        complaints = [line for line in process.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(complaints, [])
        self.assertTrue(process.stdout.strip(), process.stderr)
        return Page(process.stdout)

    def open_page(self, folder):
        """The page as it is, checked for what holds of every page; then its controls are used."""
        return self.open_file(self.report(folder))

    def open_file(self, file):
        text = file.read_text(encoding="utf-8")
        links = re.findall(r"[a-z]+://[^\s\"'<]*", text)
        self.assertEqual(set(links) - {"http://www.w3.org/2000/svg"}, set())
        used = file.with_name("used.html")
        used.write_text(text.replace("</body>", USE_EVERYTHING), encoding="utf-8")
        untouched = self.browse(used).tags("body")[0].get("data-untouched")
        self.assertTrue(untouched, "the controls of the page could not all be used")
        page = Page(untouched)
        for tag, attributes in page.elements:
            for name, value in attributes.items():
                if name != "aria-label":
                    self.assertNotRegex(value or "", r"NaN|undefined|Infinity", tag + " " + name)
        self.assertNotIn("undefined", " ".join(page.texts))
        self.assertNotIn("NaN", " ".join(page.texts))
        return page

    def assert_intervals_hold_values(self, page, count):
        """Each bracket stands behind its value, holds it, and has a width."""
        number = lambda text: float(re.sub("\u00b710(.*)", r"e\1", text.strip().replace("\u2212", "-")).translate(
            str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")))
        found = 0
        for value, text in zip(page.texts, page.texts[1:]):
            if interval := re.fullmatch(r"\[(.*), (.*)\]", text):
                low, high = map(number, interval.groups())
                self.assertTrue(low <= number(value) <= high and low < high, value + " " + text)
                found += 1
        self.assertEqual(found, count)

    def make_run(self, verb, *arguments, model=FIVE_BAR, code=DONE):
        folder = self.folder / "results"
        process = run(verb, model, "--out", folder, "--quiet", *arguments)
        self.assertEqual(process.returncode, code, process.stderr)
        return folder


@unittest.skipUnless(BROWSER, "Chromium is not installed")
class PageTest(ReportTest):
    def test_gradient(self):
        page = self.open_page(self.make_run("gradient", "--duration", "0.5"))
        self.assertIn("five-bar", page.texts)
        self.assertIn("estimated error", page.texts)
        self.assertIn("estimated error of its gradient", page.texts)
        self.assertEqual(len(page.marks("Gradient", "rect")), 5)
        self.assertEqual(len(page.marks("Sensors over time", "path", "series")), 2)  # what of r2 is not zero all the time
        for path in page.marks("Sensors over time", "path", "series"):
            self.assertEqual(path["d"].count("L"), 500)
        self.assertEqual(len(page.marks("Objectives over time", "path", "series")), 1)
        self.assertFalse([block for block in page.blocks if block["label"] == "Gradient over time"])
        self.assertEqual(len(page.marks("Motion", "canvas")), 1)
        self.assertEqual(page.marks("Motion", "p", "notice")[0].get("hidden"), "")
        tables = [block for block in page.blocks if "table" in block["class"]]
        self.assertEqual([len([t for t, _ in block["tags"] if t == "tr"]) for block in tables], [4, 6])
        for text in ("m\u00b2 s", "r2 [m]", "time [s]"):
            self.assertIn(text, page.texts)

    def test_gradient_over_time(self):
        page = self.open_page(self.make_run("gradient", "--columns", "--duration", "0.1"))
        self.assertEqual(len(page.marks("Gradient over time", "path", "series")), 5)
        self.assertIn("d psi1 per relative change [m\u00b2 s]", page.texts)

    def test_long_motion_is_thinned(self):
        page = self.open_page(self.make_run("simulate", "--duration", "3"))
        for path in page.marks("Sensors over time", "path", "series"):
            self.assertTrue(1900 <= path["d"].count("L") <= 1999)  # extremes may fall on times that are shown anyway
        self.assertIn("At most 2000 of 3001 recorded times are shown, those of peaks among them.", page.texts)
        self.assertFalse([block for block in page.blocks if block["label"] == "Gradient"])

    def test_batch(self):
        page = self.open_page(self.make_run("gradient", "--designs", 30, "--spread", 0.05, "--record-every", 10,
                                            "--duration", "0.2"))
        self.assertEqual(len(page.marks("Distribution of objectives", "rect")), 7)
        self.assertEqual(len(page.marks("Sensors over time", "path", "band")), 2)
        self.assertEqual(len(page.marks("Objectives over time", "path", "band")), 1)
        self.assertIn("The first 20 of 30 designs are shown.", page.texts)

    def test_failed_design(self):
        page = self.open_page(self.make_run("gradient", "--set", "L_A1=10", *BRIEFLY, code=NUMERICAL_FAILURE))
        self.assertEqual(len([a for a in page.tags("p") if "error" in a.get("class", "")]), 1)
        self.assertIsNone(page.marks("Motion", "p", "notice")[0].get("hidden"))
        self.assertTrue([text for text in page.texts if text.startswith("The motion failed at ")])

    def test_names_are_text(self):
        page = self.open_page(self.make_run("gradient", model=self.write_model(json.dumps(HOSTILE))))
        self.assertEqual(page.tags("img"), [])
        self.assertEqual(page.tags("b") + page.tags("i") + page.tags("u"), [])
        self.assertEqual(len(page.tags("script")), 2)
        self.assertIn(HOSTILE["name"], page.texts)
        self.assertIn("<img src=x onerror=alert(3)>", page.texts)
        self.assertEqual(len(page.marks("Sensors over time", "path", "series")), 2)

    def test_sweep(self):
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        page = self.open_page(folder)
        self.assertEqual(len(page.marks("Distribution of objectives", "rect")), 12)
        self.assertEqual(len(page.marks("Distribution of objectives", "line", "rule")), 5)
        self.assertEqual(len(page.marks("Designs", "circle")), 399)  # one failed
        self.assertGreater(len(page.marks("Designs", "line", "tangent")), 50)
        self.assertEqual(len(page.marks("What causes the spread", "rect")), 9 + 3)  # and the legend's
        self.assertEqual(len(page.marks("What causes the spread", "path", "whisker")), 9)
        self.assertEqual(len(page.marks("Mean gradient", "rect")), 3)
        self.assertEqual(len(page.marks("Sensors over time", "path", "band")), 2)
        self.assertEqual(len(page.marks("Designs in parallel", "path", "design")), 400)
        self.assertEqual(len(page.marks("Motion", "canvas")), 1)
        self.assertIn("the loop cannot close", page.texts)
        self.assert_intervals_hold_values(page, 2 * 2 + 2 * 5)
        self.assertEqual(len(page.tags("th")), 8 + 7 + 3)  # a column per quantile
        self.assertTrue([text for text in page.texts if text.endswith("Whiskers are confidence intervals.")])

    def test_optimization(self):
        folder = self.folder / "optimization"
        report_folders.write_optimization(folder)
        page = self.open_page(folder)
        self.assertEqual(len(page.marks("History", "path", "series")), 4)
        self.assertEqual(len(page.marks("History", "path", "strong")), 1)
        self.assertEqual(len(page.marks("Gradient of the objective at the optimum", "rect")), 2)
        self.assertIn("at its upper bound", page.texts)
        self.assertIn("at its maximum", page.texts)
        self.assertIn("optimum", page.texts)

    def test_fit(self):
        folder = self.folder / "fit"
        report_folders.write_fit(folder)
        page = self.open_page(folder)
        self.assertEqual(len(page.marks("Measured and computed", "circle")), 200 + 1)  # and the legend's
        self.assertEqual(len(page.marks("Residuals", "circle")), 200)
        self.assertEqual(len(page.marks("Computed against measured", "circle")), 200)
        self.assertEqual(len(page.marks("Correlation of the parameters", "rect")), 9)
        self.assertEqual(len(page.marks("History", "path", "series")), 2)
        self.assertIn("residual of r2.x [m]", page.texts)
        self.assertIn("L_s1 and L_s2 can replace each other (correlation -0.98)", page.texts)


class FileTest(ReportTest):
    def test_model_lies_beside_results(self):
        folder = self.make_run("simulate", *BRIEFLY)
        with open(FIVE_BAR, "rb") as model:
            self.assertEqual((folder / "model.json").read_bytes(), model.read())

    def test_marks_what_the_check_found_active(self):
        folder = self.folder / "optimization"
        report_folders.write_optimization(folder)
        self.run_ok("report", folder)
        cells = re.findall(r'"(met|active|at its \w+ ?\w*)"', (folder / "report.html").read_text())
        self.assertEqual(cells, ["at its upper bound", "at its maximum"])

    def test_motions_have_the_options_of_the_run(self):
        folder = self.make_run("simulate", *BRIEFLY)
        file = folder / "summary.json"
        summary = json.loads(file.read_text())
        for name in ("projections", "stabilisation", "iteration", "rtol", "atol", "max_steps", "penalty"):
            changed = json.loads(json.dumps(summary))
            changed["options"][name] = -1 if name in ("rtol", "atol", "max_steps", "penalty") else "nosuch"
            file.write_text(json.dumps(changed))
            self.run_ok("report", folder)
            self.assertTrue("The motion cannot be run" in (folder / "report.html").read_text(), name)

    def test_names_the_page(self):
        folder = self.make_run("simulate", *BRIEFLY)
        file = self.folder / "other.html"
        self.assertEqual(self.run_ok("report", folder, "--out", file).stdout, str(file) + "\n")
        self.assertEqual(self.run_json("report", folder)["file"], str(folder / "report.html"))
        self.assertEqual((folder / "report.html").read_bytes(), file.read_bytes())

    def test_errors(self):
        missing = self.folder / "missing"
        self.assert_error(FILE_FAILURE, "report", missing, says=["missing", "no such folder"])
        empty = self.folder / "empty"
        empty.mkdir()
        self.assert_error(FILE_FAILURE, "report", empty, says=["no summary.json"])
        unfinished = self.folder / "unfinished"
        report_folders.write_inputs(unfinished, "sweep")
        self.assert_error(FILE_FAILURE, "report", unfinished, says=["unfinished", "gradus sweep", "--resume"])
        summary = empty / "summary.json"
        for text in ("", "[1]", "{", "{\"schema\": \"gradus-sweep/1\"} x"):
            summary.write_text(text)
            self.assert_error(FILE_FAILURE, "report", empty, says=["summary.json", "no JSON document"])
        summary.write_text('{"schema": "gradus-swep/1"}')
        self.assert_error(BAD_INPUT, "report", empty, says=["gradus-swep/1", "did you mean", "gradus-sweep/1"])
        summary.write_text("{}")
        self.assert_error(BAD_INPUT, "report", empty, says=["/schema", "gradus-fit/1"])
        summary.write_text('{"schema": "gradus-sweep/1"}')
        self.assert_error(FILE_FAILURE, "report", empty, says=["designs.npz"])
        self.assertFalse((empty / "report.html").exists())

    def test_damaged_arrays(self):
        folder = self.make_run("gradient", *BRIEFLY)
        file = folder / "gradient.npz"
        content = file.read_bytes()
        file.write_bytes(content[:len(content) // 2])
        self.assert_error(FILE_FAILURE, "report", folder, says=["gradient.npz"])

    def test_damaged_summaries(self):
        """Members of another kind than they should be: an error or a page, never a fault."""
        read = {"schema"}
        for write in (report_folders.write_sweep, report_folders.write_optimization, report_folders.write_fit):
            folder = self.folder / write.__name__
            write(folder)
            whole = json.loads((folder / "summary.json").read_text())
            for name in whole.keys() - read:
                for value in (None, [], {}, "text", [[1]], [{"name": 3}], -1e300):
                    report_folders.write_summary(folder, {**whole, name: value})
                    process = run("report", folder)
                    self.assertIn(process.returncode, (DONE, FILE_FAILURE), f"{name} {value}: {process.stderr}")
            read |= report_folders.head("").keys() - {"status"}  # which one function reads for all studies


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
