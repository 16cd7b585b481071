"""The pages of studies as the program has run them: the examples of the five-bar."""

import csv
import json
import os
import shutil
import unittest

from program import FIVE_BAR, run
from report_test import BROWSER, ReportTest

STUDIES = os.path.join(os.path.dirname(FIVE_BAR), "studies")


def without_comments(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("//"))


@unittest.skipUnless(BROWSER, "Chromium is not installed")
class StudyPageTest(ReportTest):
    def study(self, name, change=lambda study: None):
        """A copy of an example, briefer, with its model and data beside it."""
        with open(os.path.join(STUDIES, name), encoding="utf-8") as file:
            study = json.loads(without_comments(file.read()))
        study["model"] = "five-bar.json"
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")
        shutil.copy(os.path.join(STUDIES, "measured.csv"), self.folder / "measured.csv")
        change(study)
        (self.folder / name).write_text(json.dumps(study))
        return self.folder / name

    def results(self, verb, study):
        out = self.folder / "out"
        process = run(verb, study, "--out", out, "--quiet")
        if "without" in process.stderr:
            self.skipTest(process.stderr)  # a library is not there
        self.assertEqual(process.returncode, 0, process.stderr)
        return out

    def test_sweep(self):
        def change(study):
            study["options"] = {"duration": 0.1}
            study["sweep"].update(designs=300, record={"sensors": ["r2", "alpha1"], "every": 10})

        page = self.open_page(self.results("sweep", self.study("tolerances.json", change)))
        self.assertEqual(len(page.marks("Designs", "circle")), 300)
        self.assertEqual(len(page.marks("What causes the spread", "path", "whisker")), 3 * 5)
        self.assertGreater(len(page.marks("Distribution of objectives", "rect")), 5)
        self.assertEqual(len(page.marks("Mean gradient", "rect")), 5)
        self.assertGreater(len(page.marks("Sensors over time", "path", "band")), 0)
        self.assertEqual(len(page.marks("Motion", "canvas")), 1)
        self.assertIn("five-bar tolerances", page.texts)

    def test_grid(self):
        """Statistics without intervals."""
        def change(study):
            study["options"] = {"duration": 0.05}
            study["sweep"] = {"sampling": "grid", "parameters": {"L_s1": {"from": 2.2, "to": 2.3, "count": 4},
                                                                 "L_s2": {"values": [2, 2.05, 2.1]}}}

        page = self.open_page(self.results("sweep", self.study("tolerances.json", change)))
        self.assertEqual(len(page.marks("Designs", "circle")), 12)
        self.assertEqual(len(page.marks("What causes the spread", "path", "whisker")), 0)
        self.assertIn("linear", page.texts)  # the legend
        self.assertIn("Shares of the variance that a linear model explains.", page.texts)
        self.assertFalse([text for text in page.texts if "Brackets" in text or "Whiskers" in text])
        rows = [text for text in page.texts if text in ("L_s1", "L_s2")]
        self.assertEqual(rows[:4], ["L_s2"] * 2 + ["L_s1"] * 2)  # the largest first; labels and their titles

    def test_optimization(self):
        folder = self.results("optimize", self.study("target.json"))
        page = self.open_page(folder)
        with open(folder / "history.csv", newline="", encoding="utf-8") as file:
            history = list(csv.DictReader(file))
        self.assertEqual({row["feasible"] for row in history}, {"true", "false"})
        for row in history:
            # The tolerance is relative to the bound or to the changes at the start, which are of the order of 1.
            if abs(float(row["constraint_violation"]) - 1e-8) > 0.99e-8:
                self.assertEqual(row["feasible"], "true" if float(row["constraint_violation"]) < 1e-8 else "false", row)
            self.assertTrue(2.1 <= float(row["at L_s1"]) <= 2.4, row)
        self.assertEqual(len(page.marks("Evaluations", "path", "design")), len(history))
        self.assertEqual(len(page.marks("History", "path", "strong")), 1)
        self.assertEqual(len(page.marks("Gradient of the objective at the optimum", "rect")), 3)
        self.assertEqual(page.texts.count("at its lower bound"), 1)
        self.assertEqual(len(page.marks("Motion", "canvas")), 1)

    def test_fit(self):
        page = self.open_page(self.results("fit", self.study("identify.json")))
        self.assertEqual(len(page.marks("Correlation of the parameters", "rect")), 9)
        self.assertGreaterEqual(len(page.marks("Residuals", "circle")), 101)
        self.assertEqual(len(page.marks("Motion", "canvas")), 1)
        self.assertTrue(any("can hardly be told apart" in text for text in page.texts))
        for text in ("r2.x [m]", "residual of r2.x [10\u207b\u00b3 m]", "r2.x computed [m]"):
            self.assertIn(text, page.texts)


if __name__ == "__main__":
    unittest.main()
