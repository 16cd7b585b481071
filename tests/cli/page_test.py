"""What a reader does with the plots of a page: time, values, signals, files, by mouse and by keyboard."""

import csv
import io
import json
import re
import struct
import sys
import unittest
import xml.etree.ElementTree
import zipfile

import report_folders
from page import PageTest, number_of
from program import DONE, FIVE_BAR, run

PNG = b"\x89PNG\r\n\x1a\n"


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


    def test_names_that_scripts_know(self):
        """A joint may be called what every object of a script has."""
        inertia = {"xx": 1, "yy": 1, "zz": 1}
        names = ("valueOf", "constructor", "toString", "hasOwnProperty")
        model = {"schema": "gradus-model/1", "name": "names", "bodies": {name: {"mass": 1, "com": [1, 0, 0], "inertia": inertia} for name in names},
                 "joints": {name: {"type": "revolute", "parent": "ground", "child": name} for name in names},
                 "sensors": {name: {"coordinate": name} for name in names}}
        text = json.dumps(model)
        folder = self.folder / "names"
        self.assertEqual(run("simulate", self.write_model(text), "--out", folder, "--duration", "0.1", "--quiet").returncode, DONE)
        self.open(folder)
        self.assertEqual(self.value("document.querySelectorAll('#blocks > section').length"), len(self.data["blocks"]))


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

    def test_every_control_has_a_name(self):
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        self.open(folder)
        nameless = self.value('[...document.querySelectorAll("select, button, summary, input, [tabindex]")].filter((one) => '
                              '!(one.getAttribute("aria-label") || (one.tagName !== "SELECT" && (one.textContent || one.closest("label")?.textContent)))).map((one) => one.outerHTML.slice(0, 90))')
        self.assertEqual(nameless, [])


class PeakTest(PageTest):
    def test_peaks_are_among_what_is_drawn(self):
        """Of 20 001 recorded times a page has 2000; a pulse of two of them is there."""
        model = {"schema": "gradus-model/1", "name": "pulse", "bodies": {"b": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
                 "joints": {"j": {"type": "prismatic", "parent": "ground", "child": "b", "initial": {"position": 0}}},
                 "forces": {"f": {"type": "joint-force", "joint": "j", "value": "900*exp(-((t - 0.50013)/2e-5)^2)"}},
                 "sensors": {"pull": {"applied_force": "f"}},
                 "analysis": {"formulation": "index1", "integrator": "rk4", "duration": 1, "step": 5e-5}}
        folder = self.folder / "pulse"
        process = run("simulate", self.write_model(json.dumps(model)), "--out", folder, "--quiet")
        self.assertEqual(process.returncode, DONE, process.stderr)
        with zipfile.ZipFile(folder / "trajectory.npz") as archive:
            content = archive.read("sensors.npy")
        numbers = struct.unpack(f"<{(len(content) - 128) // 8}d", content[128:])
        self.open(folder)
        drawn = self.block("Sensors over time")["signals"][0]["y"]
        self.assertLess(len(drawn), 2001)
        self.assertGreater(max(numbers), 100)
        self.assertEqual(max(drawn), max(numbers))


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
        for width in (1200, 420):
            self.open(self.folder / "out", width=width)
            self.press("Sensors over time", "2 of")
            self.assertTrue(self.value(f'[...document.querySelectorAll(".choices label")].some((one) => one.textContent === "{long} [rad]")'))
            wide = self.value('[...document.querySelectorAll(".choices, .choices label")].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)')
            self.assertEqual(wide, [])
            self.assertTrue(self.value('(() => { const list = document.querySelector(".wide-menu .items").getBoundingClientRect(); return list.left >= 0 && list.right <= innerWidth; })()'))
            self.browser.close()


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
