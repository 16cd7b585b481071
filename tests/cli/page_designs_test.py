"""Gradients, designs and evaluations on a page: scales, filters, what failed."""

import csv
import io
import json
import math
import re
import sys
import unittest
import xml.etree.ElementTree

import report_folders
from page import PageTest, number_of
from program import DONE, run


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

    def test_halos_do_not_hide_numbers_in_files(self):
        self.press(self.title, "SVG")
        texts = list(xml.etree.ElementTree.fromstring(self.browser.saved(".svg")).iter("{http://www.w3.org/2000/svg}text"))
        self.assertGreater(len(texts), 20)
        self.assertEqual({text.get("stroke") for text in texts}, {"none"})
        self.assertNotIn("none", {text.get("fill") for text in texts})


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

    def test_folders_of_earlier_versions(self):
        folder = self.folder / "optimization"
        report_folders.write_optimization(folder)
        file = folder / "history.csv"
        file.write_text("".join(",".join(line.split(",")[:5]) + "\n" for line in file.read_text().splitlines()))
        self.open(folder)
        self.assertNotIn("Evaluations", [block.get("title") for block in self.data["blocks"]])
        legend = self.value('[...block("History").querySelectorAll(".legend li")].map((one) => one.textContent)')
        self.assertEqual(legend, ["other starts", "start 1", "feasible", "failed"])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
