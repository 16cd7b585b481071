"""What a reader does with a report page: time, values, choices, filters, files, by mouse and by keyboard."""

import csv
import io
import json
import math
import re
import struct
import sys
import unittest
import xml.etree.ElementTree
import zipfile

import report_folders
from browser import BROWSER, Browser
from program import DONE, FIVE_BAR, ProgramTest, run

PNG = b"\x89PNG\r\n\x1a\n"

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
        if hasattr(self, "browser"):
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


class TimeTest(PageTest):
    """One time for the motion and for all plots over it."""

    def test_the_motion_comes_first_and_waits_where_motion_is_unwelcome(self):
        self.open_run()
        self.assertEqual(self.value('document.querySelector("#blocks > section").getAttribute("aria-label")'), "Motion")
        before = self.clock()
        self.value("new Promise((done) => setTimeout(done, 700))")
        self.assertEqual(self.clock(), before)

    def test_the_motion_plays_and_the_cursors_follow(self):
        self.open_run(media=())
        self.browser.wait('!document.querySelector(".clock").textContent.startsWith("t = 0.000")')
        self.assertIsNotNone(self.cursor("Sensors over time"))
        first = self.cursor("Objectives over time")
        self.browser.wait(f'Number(plot("Objectives over time").querySelector(".cursor").getAttribute("x1")) !== {first}')

    def test_the_slider_moves_the_cursors(self):
        self.open_run()
        places = []
        for share in (0, 0.5, 1):
            self.value(f'(() => {{ const slider = document.querySelector("input[type=range]"); slider.value = String(Math.round(slider.max * {share}));'
                       'slider.dispatchEvent(new Event("input")); })()')
            self.assertAlmostEqual(self.clock(), 0.5 * share, delta=2e-3)
            places.append(self.cursor("Sensors over time"))
        self.assertAlmostEqual(places[1], (places[0] + places[2]) / 2, delta=2)
        self.assertGreater(places[2], places[0] + 500)

    def test_a_drag_in_a_plot_sets_the_time(self):
        self.open_run()
        at = [self.place("Sensors over time", share, 0.5) for share in (0.3, 0.5, 0.7)]
        self.browser.drag(at[:1])
        early = self.clock()
        self.browser.drag(at)
        late = self.clock()
        self.assertGreater(late, early + 0.15)
        self.assertGreater(self.cursor("Objectives over time"), self.value('plot("Objectives over time").viewBox.baseVal.width') * 0.6)

    def test_keys_in_a_plot_set_the_time(self):
        self.open_run()
        self.value('plot("Sensors over time").focus()')
        self.browser.key("End")
        self.assertAlmostEqual(self.clock(), 0.5, places=6)
        for _ in range(4):
            self.browser.key("PageUp")
        middle = self.clock()
        self.assertTrue(0.2 < middle < 0.4, middle)
        self.browser.key("Home")
        self.assertEqual(self.clock(), 0)


class ValueTest(PageTest):
    def assert_tip_tells_the_data(self):
        block = self.block("Sensors over time")
        tip = self.value('tip("Sensors over time")')
        self.assertEqual(len(tip), 3, tip)  # time and what moves of r2
        time = number_of(re.search(r"time = (\S+) s", tip[0]).group(1))
        index = min(range(len(block["times"])), key=lambda i: abs(block["times"][i] - time))
        for line, signal in zip(tip[1:], block["signals"]):
            name, value = re.fullmatch("\u25a0 (\\S+) = (\\S+) m", line).groups()
            self.assertEqual(name, signal["label"])
            self.assertAlmostEqual(number_of(value), signal["y"][index], delta=1e-5 * abs(signal["y"][index]))
        return time

    def test_pointer_and_keys_read_the_nearest_samples(self):
        self.open_run()
        times = []
        for share in (0.3, 0.8):
            self.browser.mouse("Moved", *self.place("Sensors over time", share, 0.4))
            times.append(self.assert_tip_tells_the_data())
        self.assertAlmostEqual(times[1] - times[0], 0.25, delta=0.03)
        self.browser.mouse("Moved", 2, 2)
        self.assertEqual(self.value('tip("Sensors over time")'), [])
        self.value('plot("Sensors over time").focus()')
        self.browser.key("ArrowRight")
        self.browser.key("ArrowRight")
        self.assert_tip_tells_the_data()
        self.browser.key("Escape")
        self.assertEqual(self.value('tip("Sensors over time")'), [])

    def test_every_plot_tells_values_to_keys(self):
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        self.open(folder)
        titles = self.value('[...document.querySelectorAll(".plot")].map((one) => one.getAttribute("aria-label"))')
        self.assertGreaterEqual(len(titles), 6)
        for title in titles:
            self.assertIn("Arrow keys read the values", self.value(f"plot({title!r}).getAttribute('aria-label')"))
            self.value(f"plot({title!r}).focus()")
            self.browser.key("ArrowRight")
            tip = self.value(f"tip({title!r})")
            self.assertTrue(any("=" in line or ":" in line for line in tip), (title, tip))
            self.browser.key("Escape")


class SignalTest(PageTest):
    def choose(self, *labels):
        for label in labels:
            self.value('(() => { const wanted = [...block("Sensors over time").querySelectorAll(".choices label")]'
                       f'.find((one) => one.textContent === {label!r}); wanted.querySelector("input").click(); }})()')

    def test_units_have_axes_of_their_own_and_one_time(self):
        self.open_run()
        axes = lambda: self.value('plot("Sensors over time").querySelectorAll("path.axis").length')
        lines = lambda: self.value('plot("Sensors over time").querySelectorAll("path.series").length')
        self.assertEqual((axes(), lines()), (1, 2))
        self.choose("v2.x", "alpha1 [rad]", "alpha2 [rad]")
        self.assertEqual((axes(), lines()), (3, 5))
        texts = self.value('[...plot("Sensors over time").querySelectorAll("text")].map((one) => one.firstChild.textContent)')
        self.assertEqual(texts.count("time [s]"), 1)
        for text in ("r2 [m]", "v2.x [m/s]", "alpha1, alpha2 [rad]"):
            self.assertIn(text, texts)
        heads = self.table("Sensors over time")[0]
        self.assertEqual(heads, ["time [s]", "r2.x [m]", "r2.y [m]", "v2.x [m/s]", "alpha1 [rad]", "alpha2 [rad]"])

    def test_long_names_are_not_clipped(self):
        with open(FIVE_BAR, encoding="utf-8") as file:
            text = file.read()
        long = "distance_of_the_second_point_from_where_it_should_be_at_the_end_of_a_long_day"
        model = self.write_model(text.replace('"alpha1": {', f'"{long}": {{ "coordinate": "A" }}, "alpha1": {{'))
        process = run("simulate", model, "--out", self.folder / "out", "--quiet", "--duration", "0.05")
        self.assertEqual(process.returncode, DONE, process.stderr)
        self.open(self.folder / "out")
        self.press("Sensors over time", "2 of")
        self.assertTrue(self.value(f'[...document.querySelectorAll(".choices label")].some((one) => one.textContent === "{long} [rad]")'))
        wide = self.value('[...document.querySelectorAll(".choices label")].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)')
        self.assertEqual(wide, [])
        self.assertTrue(self.value('(() => { const list = document.querySelector(".wide-menu .items").getBoundingClientRect(); return list.left >= 0 && list.right <= innerWidth; })()'))


class GradientTest(PageTest):
    def bars(self):
        return self.value('[...plot("Gradient").querySelectorAll("text.soft")].map((one) => one.textContent)')

    def axis(self):
        return self.value('[...plot("Gradient").querySelectorAll("text")].pop().firstChild.textContent')

    def switch(self, index):
        self.value(f'(() => {{ const select = block("Gradient").querySelectorAll("select")[1]; select.value = "{index}"; select.dispatchEvent(new Event("change")); }})()')

    def test_scaled_by_default_and_raw_on_demand(self):
        self.open_run()
        block = self.block("Gradient")
        self.assertEqual([one["name"] for one in block["parameters"]], ["L_s1", "L_s2", "m_A1", "r_G", "L_A1"])
        products = [slope * one["scale"] for slope, one in zip(block["choices"][0]["values"], block["parameters"])]
        shown = [number_of(text) for text in self.bars()]
        for value, expected in zip(shown, sorted(products, key=abs, reverse=True)):
            self.assertAlmostEqual(value, expected, delta=1e-3 * abs(expected))
        self.assertIn("\u00d7", self.axis())
        for name in {one["scale_name"] for one in block["parameters"]}:
            self.assertIn(name, self.axis())
        self.switch(1)
        raw = sorted(number_of(text) for text in self.bars())
        for value, expected in zip(raw, sorted(block["choices"][0]["values"])):
            self.assertAlmostEqual(value, expected, delta=1e-3 * abs(expected))
        self.assertIn("per unit of the parameter", self.axis())

    def test_scales(self):
        """A standard deviation before a width of bounds before a value."""
        model = {"schema": "gradus-model/1", "name": "scales", "gravity": [0, -9.81, 0],
                 "parameters": {"m": {"value": 2, "bounds": [1, 4]}, "L": -0.5, "z": 0},
                 "bodies": {"rod": {"mass": "m", "com": ["L", "z", 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1}}},
                 "joints": {"pin": {"type": "revolute", "parent": "ground", "child": "rod"}},
                 "sensors": {"q": {"coordinate": "pin"}}, "objectives": {"angle": {"terminal": "q"}}, "analysis": {"duration": 0.1}}
        process = run("gradient", self.write_model(json.dumps(model)), "--out", self.folder / "out", "--quiet")
        self.assertEqual(process.returncode, DONE, process.stderr)
        self.open(self.folder / "out")
        scales = {one["name"]: (one["scale"], one["scale_name"]) for one in self.block("Gradient")["parameters"]}
        self.assertEqual(scales, {"m": (3, "width of bounds"), "L": (0.5, "|value|"), "z": (None, "")})

    def test_scales_of_a_sweep(self):
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        summary = json.loads((folder / "summary.json").read_text())
        stated = [{"distribution": "normal", "mean": 2.2, "standard_deviation": 0.01, "truncated": [2, 3]},
                  {"distribution": "log-normal", "median": 2, "log_standard_deviation": 0.1}, {"values": [1.5, 0.5, 1]}]
        for parameter, distribution in zip(summary["parameters"], stated):
            parameter.update(distribution)
        report_folders.write_summary(folder, summary)
        self.open(folder)
        deviation = 2 * math.exp(0.005) * math.sqrt(math.expm1(0.01))  # of the log-normal variable itself
        block = self.block("Mean gradient")
        for one, (scale, name) in zip(block["parameters"], ((0.01, "standard deviation"), (deviation, "standard deviation"), (1, "width of bounds"))):
            self.assertAlmostEqual(one["scale"], scale, places=14)
            self.assertEqual(one["scale_name"], name)
        # The means of the folder are 1, -2 and 3 with ends 0.2 away.
        self.assertEqual(block["choices"][0]["values"], [1, -2, 3])
        self.assertEqual(block["choices"][0]["high"], [1.2, -1.8, 3.2])

    def test_the_smallest_are_summed_up_and_within_reach(self):
        names = [f"p{k}" for k in range(40)]
        model = {"schema": "gradus-model/1", "name": "many", "gravity": [0, -9.81, 0],
                 "parameters": {name: 0.01 * (k + 1) for k, name in enumerate(names)},
                 "bodies": {"rod": {"mass": 1, "com": ["+".join(names), 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1}}},
                 "joints": {"pin": {"type": "revolute", "parent": "ground", "child": "rod"}},
                 "sensors": {"q": {"coordinate": "pin"}}, "objectives": {"angle": {"terminal": "q"}}, "analysis": {"duration": 0.1}}
        process = run("gradient", self.write_model(json.dumps(model)), "--out", self.folder / "out", "--quiet")
        self.assertEqual(process.returncode, DONE, process.stderr)
        self.open(self.folder / "out")
        block = self.block("Gradient")
        products = sorted((abs(slope * one["scale"]) for slope, one in zip(block["choices"][0]["values"], block["parameters"])), reverse=True)
        shown = self.bars()
        self.assertEqual(len(shown), 16)
        self.assertAlmostEqual(number_of(shown[-1]), sum(products[15:]), delta=1e-3 * products[0])
        self.value('plot("Gradient").focus()')
        self.browser.key("End")
        self.assertIn("25 others", self.value('tip("Gradient")')[0])
        self.value('block("Gradient").querySelector("input[type=checkbox]").click()')
        self.assertEqual(len(self.bars()), 40)


class ParallelTest(PageTest):
    title = "Designs in parallel"

    def setUp(self):
        super().setUp()
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        self.open(folder)

    def inside(self):
        return self.value(f'plot({self.title!r}).querySelectorAll(".design:not(.out)").length')

    def expected(self, axis, low, high):
        values = self.block(self.title)["axes"][axis]["values"]
        return sum(1 for value in values if value is not None and low <= value <= high)

    def ends(self, axis):
        """What the axis says about its range."""
        label = self.value(f'plot({self.title!r}).querySelectorAll(".across")[{axis}].getAttribute("aria-label")')
        found = re.search(r"from (\S+) to (\S+?)\. ", label)
        return tuple(number_of(text) for text in found.groups()) if found else None

    def test_a_drag_on_an_axis_filters(self):
        self.assertEqual(self.inside(), 400)
        left, top, width, height = self.value(f'box(plot({self.title!r}).querySelectorAll(".across .area")[1])')
        self.browser.drag([(left + width / 2, top + height * share) for share in (0.3, 0.4, 0.6)])
        low, high = self.ends(1)
        self.assertLess(low, high)
        left = self.inside()
        self.assertTrue(0 < left < 400)
        self.assertAlmostEqual(left, self.expected(1, low, high), delta=2)  # ends are written with 5 digits
        self.assertEqual(self.value(f'block({self.title!r}).querySelector(".count").textContent'), f"{left} of 400 shown")
        self.assertEqual(len(self.table(self.title)), left + 1)
        self.press(self.title, "all")
        self.assertEqual(self.inside(), 400)

    def test_keys_filter(self):
        self.value(f'plot({self.title!r}).querySelectorAll(".across")[0].focus()')
        for _ in range(5):
            self.browser.key("ArrowUp")
        self.browser.key("PageDown", shift=True)
        low, high = self.ends(0)
        self.assertAlmostEqual(self.inside(), self.expected(0, low, high), delta=2)
        self.assertLess(self.inside(), 300)
        self.browser.key("Delete")
        self.assertIsNone(self.ends(0))
        self.assertEqual(self.inside(), 400)

    def test_failed_designs_are_told_apart(self):
        drawn = self.value(f'''(() => {{
          const look = (one) => {{ const style = getComputedStyle(one); return [style.stroke, style.strokeDasharray].join(" "); }};
          const lines = [...plot({self.title!r}).querySelectorAll(".design")], failed = lines[lines.length - 1];
          return [look(failed), lines.slice(0, -1).map(look)]; }})()''')
        self.assertNotIn("none", drawn[0])  # dashed
        self.assertFalse([look for look in drawn[1] if not look.endswith("none")])
        legend = self.value(f'[...block({self.title!r}).querySelectorAll(".legend li")].map((one) => one.textContent)')
        self.assertIn("failed (1)", legend)


class HistoryTest(PageTest):
    def test_infeasible_evaluations_have_marks_of_their_own(self):
        folder = self.folder / "optimization"
        report_folders.write_optimization(folder)
        self.open(folder)
        marks = self.value('[...plot("History").querySelectorAll("path.state")].map((one) => [one.getAttribute("d").split("M").length - 1, getComputedStyle(one).fill === "none"])')
        history = list(csv.DictReader(io.StringIO((folder / "history.csv").read_text())))
        count = lambda text: sum(1 for row in history if row["feasible"] == text)
        self.assertEqual(marks, [[count("true"), False], [count("false"), True], [count(""), False]])
        legend = self.value('[...block("History").querySelectorAll(".legend li")].map((one) => one.textContent)')
        for text in ("feasible", "infeasible", "failed"):
            self.assertIn(text, legend)
        rows = self.table("Evaluations")
        self.assertEqual(rows[0], ["design", "L_s1 [m]", "L_s2 [m]", "objective", "constraint violation", "state"])
        self.assertEqual([float(row[1]) for row in rows[1:]], [float(row["at L_s1"]) for row in history])
        names = {"true": "feasible", "false": "infeasible", "": "failed"}
        self.assertEqual([row[5] for row in rows[1:]], [names[row["feasible"]] for row in history])


class SaveTest(PageTest):
    def test_tables_hold_the_data_to_the_last_bit(self):
        folder = self.open_run()
        rows = self.table("Sensors over time")
        self.assertEqual(rows[0], ["time [s]", "r2.x [m]", "r2.y [m]"])
        times, sensors = (self.array(folder / "trajectory.npz", name) for name in ("time", "sensors"))
        width = len(sensors) // len(times)
        self.assertEqual([float(row[0]) for row in rows[1:]], times)
        for column in (0, 1):
            self.assertEqual([float(row[1 + column]) for row in rows[1:]], sensors[column::width])
        self.assertTrue(any(len(row[1]) > 14 for row in rows))

    def array(self, file, name):
        with zipfile.ZipFile(file) as archive:
            content = archive.read(name + ".npy")
        length = struct.unpack("<H", content[8:10])[0]
        body = content[10 + length:]
        return list(struct.unpack(f"<{len(body) // 8}d", body))

    def test_pictures(self):
        self.open_run()
        self.press("Sensors over time", "SVG")
        svg = self.browser.saved(".svg").decode("utf-8")
        tree = xml.etree.ElementTree.fromstring(svg)
        self.assertNotIn("var(", svg)
        self.assertNotIn("class=", svg)
        texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        for text in ("time [s]", "r2.x", "Sensors over time"):
            self.assertIn(text, texts)
        strokes = {node.get("stroke") for node in tree.iter("{http://www.w3.org/2000/svg}path")}
        self.assertIn("rgb(0, 114, 178)", strokes)
        for title, button in (("Gradient", "PNG"), ("Motion", "save PNG")):
            self.press(title, button)
            picture = self.browser.saved(".png")
            self.assertEqual(picture[:8], PNG)
            width, height = struct.unpack(">2I", picture[16:24])
            self.assertGreater(width, 400)
            self.assertGreater(height, 150)
            self.assertGreater(len(picture), 3000)

    def test_names_in_tables(self):
        """Commas, quotes and ends of lines in names; what a spreadsheet would run."""
        names = ["a,b", 'say "x"', "two\nlines", "=1+1", "+1", "-1", "@x", " =2", "\t=3", "plain", "a=b"]

        def change(data):
            block = next(block for block in data["blocks"] if block.get("title") == "Sensors over time")
            first = block["signals"][0]
            block["signals"] = [{**first, "label": name, "group": "g", "y": first["y"][:2]} for name in names]
            block["times"] = block["times"][:2]

        self.open_run(change=change)
        self.value('block("Sensors over time").querySelector(".choices .outer input").click()')
        heads, *rows = self.table("Sensors over time")
        for head, name in zip(heads[1:], names):
            self.assertEqual(head.removeprefix("'"), f"g, {name} [m]")
        self.assertEqual(len(rows), 2)

        def rename(data):
            block = next(block for block in data["blocks"] if block.get("title") == "Gradient")
            first = block["parameters"][0]
            block["parameters"] = [{**first, "name": name} for name in names]
            block["choices"] = [{**block["choices"][0], "values": [1.5] * len(names)}]

        self.browser.close()
        self.open(self.folder / "results", change=rename)
        _, *rows = self.table("Gradient")
        self.assertEqual([row[0].removeprefix("'") for row in rows], names)
        for row, name in zip(rows, names):
            self.assertEqual(row[0].startswith("'"), name.strip()[0] in "=+-@", row)
            self.assertEqual(row[2], "1.5")

    def test_by_keyboard_alone(self):
        self.open_run()
        self.value('block("Gradient").querySelector("summary").focus()')
        self.browser.key("Enter")
        self.assertTrue(self.value('block("Gradient").querySelector("details").open'))
        for _ in range(3):
            self.browser.key("Tab")
        self.assertEqual(self.value("document.activeElement.textContent"), "CSV")
        self.assertNotEqual(self.value("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.browser.key("Enter")
        rows = list(csv.reader(io.StringIO(self.browser.saved(".csv").decode())))
        self.assertEqual(len(rows), 6)
        self.browser.key("Escape")
        self.assertFalse(self.value('block("Gradient").querySelector("details").open'))
        self.assertEqual(self.value("document.activeElement.tagName"), "SUMMARY")


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
