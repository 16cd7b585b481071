"""Details of report pages: digits of intervals, labels that lie close, and what is left out."""

import json
import re
import unittest

import report_folders
from report_test import BROWSER, ReportTest


@unittest.skipUnless(BROWSER, "Chromium is not installed")
class DetailTest(ReportTest):
    def test_narrow_intervals(self):
        """An interval that 6 digits would make a point, or would take off its value."""
        folder = self.folder / "fit"
        report_folders.write_fit(folder)
        summary = json.loads((folder / "summary.json").read_text())
        for parameter, (value, width) in zip(summary["parameters"], ((1199.951234, 3e-4), (0.333333333, 1e-9), (-2e-7, 1e-13))):
            parameter.update(value=value, low=value - width, high=value + width)
        summary["sum_of_squares"] = 300.892468612
        summary["correlation"][0][1] = -0.004
        report_folders.write_summary(folder, summary)
        page = self.open_page(folder)
        self.assert_intervals_hold_values(page, 3)
        self.assertIn("[1199.95093, 1199.95153]", page.texts)
        self.assertIn("300.892", page.texts)
        self.assertIn("0.00", page.texts)
        self.assertNotIn("\u22120.00", page.texts)

    def test_quantiles_that_lie_close(self):
        """Labels that would lie on one another are left out, their lines stay, and the note names all."""
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        summary = json.loads((folder / "summary.json").read_text())
        one = summary["statistics"][0]
        for k, quantile in enumerate(one["quantiles"][:4]):
            quantile["value"]["value"] = one["minimum"] + 1e-3 * k
        report_folders.write_summary(folder, summary)
        page = self.open_page(folder)
        self.assertEqual(len(page.marks("Distribution of objectives", "line", "rule")), 5)
        self.assertEqual(len(page.marks("Distribution of objectives", "text", "mark")), 2)
        self.assertIn("Dashed lines are quantiles: 5 %, 25 %, 50 %, 75 %, 95 %.", page.texts)

    def test_adaptive_steps(self):
        """The step of motions that choose their steps is only the first of them."""
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        summary = json.loads((folder / "summary.json").read_text())
        for adaptive in (False, True):
            report_folders.write_summary(folder, {**summary, "adaptive": adaptive, "duration": 0.1, "step": 0.001})
            texts = self.open_page(folder).texts
            self.assertEqual("0.1 s, by adaptive steps" in texts, adaptive)
            self.assertEqual("0.1 s, step 0.001 s" in texts, not adaptive)

    def test_friction(self):
        """What the program prints of joints with friction is on the page of a run."""
        model = self.folder / "rough.json"
        model.write_text(json.dumps({
            "schema": "gradus-model/1", "name": "rough", "gravity": [0, -9.81, 0], "parameters": {"v_t": 0.01},
            "bodies": {"rod": {"mass": 2, "com": [0.8, 0, 0], "inertia": {"xx": 0, "yy": 0.04, "zz": 0.04}}},
            "joints": {"pin": {"type": "revolute", "parent": "ground", "child": "rod", "initial": {"position": -0.3}}},
            "forces": {"rub": {"type": "joint-friction", "joint": "pin", "static": 0.3, "dynamic": 0.25,
                               "transition_speed": "v_t", "radius": 0.05, "load": "force", "smoothing": 1e-6}},
            "sensors": {"q": {"coordinate": "pin"}}, "objectives": {"angle": {"terminal": "q"}},
            "analysis": {"formulation": "index1", "integrator": "dop853", "duration": 3}}))
        out = self.folder / "out"
        result = self.run_json("gradient", model, "--out", out)
        surface = result["friction"][0]
        page = self.open_page(out)
        for text in ("Friction", "pin", "rub", surface["verdict"], str(surface["changes"]), "Half the threshold speed"):
            self.assertIn(text, page.texts)
        halved, expected = surface["halved"][0], -0.005 * result["gradient"]["angle"]["v_t"]
        shown = [text.replace("\u2212", "-") for text in page.texts]
        numbers = [float(text) for text in shown if re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?", text)]
        for value in (halved, expected):
            self.assertTrue(any(abs(number - value) < 1e-3 * abs(value) for number in numbers), (value, numbers))

    def test_without_objectives(self):
        folder = self.folder / "sweep"
        report_folders.write_sweep(folder)
        summary = json.loads((folder / "summary.json").read_text())
        report_folders.write_summary(folder, {**summary, "objectives": [], "statistics": []})
        page = self.open_page(folder)
        self.assertNotIn("Statistics", page.texts)
        self.assertNotIn("Quantiles", page.texts)


if __name__ == "__main__":
    unittest.main()
