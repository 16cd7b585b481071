"""Motions that extrapolate splines: remarks, documents, files, and studies."""

import json
import re
import unittest

from program import ProgramTest


def sled(force="", price=""):
    """Slides with the speed v, which the force hardly changes: x = v t, from 0 to 0.2 m."""
    return {
        "schema": "gradus-model/1", "name": "sled", "gravity": [0, 0, 0],
        "parameters": {"v": 1.0, "f": {"value": [1, 2, 3], "size": 3}},
        "bodies": {"sled": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
        "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "sled",
                            "initial": {"position": 0, "velocity": "v"}}},
        "forces": {"motor": {"type": "joint-force", "joint": "rail",
                             "value": f"1e-9*spline(x, [0, 0.05, 0.1], f{force})"}},
        "sensors": {"x": {"coordinate": "rail"}},
        "objectives": {"end": {"terminal": f"spline(x, [0, 0.15], [0, f[1]], 'linear'{price})"},
                       "sum": {"integral": "spline(x, [0, 0.3], [0, f[0]], 'natural')"}},
        "analysis": {"duration": 0.2, "step": 0.01},
    }


class SplineKnotsTest(ProgramTest):
    def write(self, **options):
        path = self.folder / "sled.json"
        path.write_text(json.dumps(sled(**options)), encoding="utf-8")
        return path

    def test_says_which_since_when_and_how_far(self):
        model = self.write(price=", 'extend'")
        for verb, more in (("simulate", []), ("gradient", []), ("gradient", ["--method", "adjoint"]),
                           ("gradient", ["--formulation", "matrix-r", "--integrator", "rk4"]),
                           ("gradient", ["--backend", "debug"])):
            process = self.run_ok(verb, model, *more, "--json")
            found = {entry["spline"]: entry for entry in json.loads(process.stdout)["extrapolations"]}
            self.assertEqual(sorted(found), ["end", "motor"])
            self.assertEqual(found["motor"]["count"], 1)
            self.assertAlmostEqual(found["motor"]["first"]["time"], 0.11, 12)
            self.assertAlmostEqual(found["motor"]["first"]["by"], 0.1, 8)
            # A terminal objective counts at the end only; the integral stays within its knots.
            self.assertAlmostEqual(found["end"]["first"]["time"], 0.2, 12)
            self.assertAlmostEqual(found["end"]["first"]["by"], 0.05, 8)
            self.assertIn('spline of "motor": extrapolated from 0.11 s on and by up to 0.1 outside its knots;', process.stderr)
        self.assertIn("motions with extrapolated splines: 1\n", self.run_ok("simulate", model).stdout)

    def test_those_who_chose_hear_nothing(self):
        for options in ({"force": ", 'natural', 'hold'"}, {"force": ", 'linear'"}, {"force": ", 'monotone'"}):
            process = self.run_ok("simulate", self.write(**options), "--json")
            self.assertNotIn("extrapolations", json.loads(process.stdout))
            self.assertNotIn("knots", process.stderr)

    def test_a_motion_up_to_the_last_knot_leaves_none(self):
        process = self.run_ok("simulate", self.write(), "--duration", "0.1", "--json")
        self.assertNotIn("extrapolations", json.loads(process.stdout))

    def test_batches_count(self):
        document = self.run_json("simulate", self.write(), "--set", "v=0.5", "--designs", "40", "--spread", "0.5")
        motor = document["extrapolations"][0]
        self.assertTrue(5 < motor["count"] < 35)
        self.assertTrue(0 < motor["first"]["by"] < 0.06)

    def test_studies_count(self):
        self.write()
        study = self.folder / "study.json"
        study.write_text(json.dumps({
            "schema": "gradus-study/1", "name": "speeds", "model": "sled.json",
            "sweep": {"parameters": {"v": {"from": 0.2, "to": 0.8}}, "designs": 30, "sampling": "latin-hypercube",
                      "seed": 1, "gradients": False}}), encoding="utf-8")
        out = self.folder / "out"
        process = self.run_ok("sweep", study, "--out", out, "--chunk", 7)
        text = process.stdout
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["extrapolations"]["count"], 15)
        self.assertIn("motions with extrapolated splines: 15\n", text)
        # One remark for all chunks, with designs numbered as in the sweep.
        remarks = [line for line in process.stderr.splitlines() if "extrapolated" in line]
        self.assertEqual(len(remarks), 1, remarks)
        found = re.search(r'spline of "motor": extrapolated in 15 of 30 motions '
                          r"\(designs (\d+), \d+, \d+, \d+, (\d+) and 10 more\), in that of design (\d+) from",
                          remarks[0])
        self.assertIsNotNone(found, remarks[0])
        self.assertEqual(int(found[1]), summary["extrapolations"]["first"]["design"])
        self.assertEqual(found[1], found[3])
        self.assertGreater(int(found[2]), 7)


if __name__ == "__main__":
    unittest.main()
