"""gradus modes: tables, documents and pages of small motions; what is refused."""

import json
import re
import unittest

from program import BAD_INPUT, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest

CARRIAGE = {"schema": "gradus-model/1", "name": "carriage", "gravity": [0, 0, -9.81],
            "parameters": {"m": {"value": 2, "unit": "kg"}, "k": {"value": 50, "unit": "N/m"}, "c": 1.5},
            "bodies": {"block": {"mass": "m", "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
            "joints": {"slide": {"type": "prismatic", "parent": "ground", "child": "block", "axis": [0, 0, 1]}},
            "forces": {"spring": {"type": "torsional-spring-damper", "joint": "slide", "stiffness": "k", "damping": "c", "angle": 0}},
            "sensors": {"height": {"coordinate": "slide"}, "a": {"coordinate_acceleration": "slide"}}}


class ModesTest(ProgramTest):
    def test_tables(self):
        model = self.write_model(json.dumps(CARRIAGE))
        text = self.run_ok("modes", model, "--start", "equilibrium", "--gradient").stdout
        self.assertRegex(text, r"linearised at +the equilibrium, 2 states\nstability +stable\n")
        self.assertRegex(text, r"\n +1 +-0\.375 ± 4\.985917669 i +0\.7935 +0\.075 +slide\n")
        self.assertRegex(text, r"k +50 +N/m +0 +0\.05014122106\n")
        stated = self.run_ok("modes", model).stdout
        self.assertIn("no equilibrium and no steady motion", stated)
        self.assertNotIn("by real part", stated)

    def test_document(self):
        model = self.write_model(json.dumps(CARRIAGE))
        document = self.run_json("modes", model, "--start", "equilibrium", "--gradient", "--set", "c=0")
        self.assertEqual((document["schema"], document["status"], document["start"], document["stability"]),
                         ("gradus-modes/1", "ok", "equilibrium", "neutral"))
        self.assertEqual(document["states"][1]["name"], "rate of slide")
        self.assertEqual([row[0] for row in document["A"]], [0, -25])
        self.assertEqual(document["outputs"][0]["unit"], "m")
        self.assertAlmostEqual(document["outputs"][0]["value"], -2 * 9.81 / 50, places=13)
        self.assertAlmostEqual(document["C"][1][0], -25, places=12)
        self.assertEqual(document["parameters"][2], {"name": "c", "unit": "", "value": 0})
        mode, = document["modes"]
        self.assertFalse(mode["repeated"])
        self.assertLess(abs(mode["real"]), mode["rounding"])
        self.assertLess(mode["rounding"], 1e-12)
        self.assertAlmostEqual(mode["imaginary"], 5, places=13)
        self.assertAlmostEqual(mode["gradient"]["imaginary"][1], 0.05, places=14)
        self.assertAlmostEqual(mode["gradient"]["real"][2], -0.25, places=14)
        self.assertNotIn("gradient", self.run_json("modes", model)["modes"][0])

    def test_what_is_held(self):
        """Sampled states and the time stay as they are, which the verdict and the table say."""
        clocked = dict(CARRIAGE, states={"command": {"next": "-height", "every": 0.1}},
                       forces={**CARRIAGE["forces"], "push": {"type": "joint-force", "joint": "slide", "value": "command + 0.001*sin(t) + m*9.81"}})
        text = self.run_ok("modes", self.write_model(json.dumps(clocked))).stdout
        self.assertRegex(text, r"stability +stable, with what is sampled held\nheld +command \(set by a clock or by events\)\ntime +0, for the laws of push\n")

    def test_page(self):
        page = self.folder / "modes.html"
        self.run_ok("modes", FIVE_BAR, "--gradient", "--out", page)
        blocks = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S).group(1))["blocks"]
        self.assertEqual([block.get("title") for block in blocks],
                         [None, "Modes in motion, without growth and decay", "Small motions", "Modes", "Shapes", "Derivatives of eigenvalues"])
        motions = blocks[1]["motions"]
        self.assertEqual(len(motions), len(blocks[3]["rows"]))
        # A point at the hinge of the ground stays, others go as far as one can see, and return.
        motion = motions[0]
        count = len(motion["places"])
        frames = [motion["positions"][k:k + 3 * count] for k in range(0, len(motion["positions"]), 3 * count)]
        moved = [max(abs(frame[i] - frames[0][i]) for frame in frames) for i in range(3 * count)]
        size = max(abs(x) for x in frames[0])
        self.assertGreater(max(moved), 0.05 * size)
        self.assertLess(max(moved), 0.6 * size)
        self.assertEqual(min(moved), 0)
        for first, last in zip(frames[0], frames[-1]):
            self.assertAlmostEqual(first, last, delta=1e-4 * size)

    def test_what_is_refused(self):
        model = self.write_model(json.dumps(CARRIAGE))
        self.assert_error(BAD_INPUT, "modes", model, "--start", "somewhere", says=["--start", "stated", "equilibrium"])
        self.assert_error(BAD_INPUT, "modes", model, "--set", "q=1", says=["q"])
        self.assert_error(NUMERICAL_FAILURE, "modes", model, "--set", "k=0", "--start", "equilibrium", says=["equilibrium"])
        fixed = dict(CARRIAGE, joints={"foot": {"type": "fixed", "parent": "ground", "child": "block"}}, forces={}, sensors={})
        self.assert_error(BAD_INPUT, "modes", self.write_model(json.dumps(fixed)), says=["free to move"])


if __name__ == "__main__":
    unittest.main()
