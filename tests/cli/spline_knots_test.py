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

    def test_equal_splines_have_all_their_names(self):
        path = self.write()
        model = json.loads(path.read_text())
        model["forces"]["brake"] = dict(model["forces"]["motor"])
        path.write_text(json.dumps(model), encoding="utf-8")
        process = self.run_ok("simulate", path, "--json")
        self.assertIn('spline of "motor, brake": extrapolated from 0.11 s on', process.stderr)
        self.assertEqual([entry["spline"] for entry in json.loads(process.stdout)["extrapolations"]], ["motor, brake"])

    def test_those_who_chose_hear_nothing(self):
        for options in ({"force": ", 'natural', 'hold'"}, {"force": ", 'linear'"}, {"force": ", 'monotone'"}):
            process = self.run_ok("simulate", self.write(**options), "--json")
            self.assertNotIn("extrapolations", json.loads(process.stdout))
            self.assertNotIn("knots", process.stderr)

    def test_a_motion_up_to_the_last_knot_leaves_none(self):
        process = self.run_ok("simulate", self.write(), "--duration", "0.1", "--json")
        self.assertNotIn("extrapolations", json.loads(process.stdout))

    def test_what_ends_with_its_spline_ends_on_it(self):
        model = sled()
        for key in ("forces", "objectives"):
            del model[key]
        model["joints"]["rail"]["initial"] = {"position": {"guess": 0}}
        model["constraints"] = {"drive": {"coordinate": "rail", "value": "spline(t, [0, 0.5, 1], f, 'clamped')"}}
        model["sensors"]["force"] = {"constraint_force": "drive"}
        model["objectives"] = {"last": {"terminal": "force"}, "work": {"integral": "force^2"}}
        model["analysis"] = {"duration": 1}
        path = self.folder / "driven.json"
        path.write_text(json.dumps(model), encoding="utf-8")
        # In the last half second the slope falls from s = 1.5 (f2 - f0) to zero: x'' = 4 s - 24 (f2 - f1) at its end.
        expected = {"f[0]": -6.0, "f[1]": 24.0, "f[2]": -18.0}
        for options in ([], ["--rtol", "1e-13"], ["--rtol", "1e-5"], ["--accuracy", "1e-8"], ["--method", "adjoint"],
                        ["--method", "dual"], ["--backend", "debug"], ["--formulation", "matrix-r"],
                        ["--formulation", "index1", "--integrator", "rk4", "--step", "0.0137"],
                        ["--formulation", "ali3p"], ["--formulation", "kinematic"]):
            with self.subTest(options=options):
                process = self.run_ok("gradient", path, *options, "--json")
                self.assertNotIn("jump", process.stderr)
                document = json.loads(process.stdout)
                self.assertAlmostEqual(document["objectives"]["last"], -12.0, 7)
                for name, value in expected.items():
                    self.assertAlmostEqual(document["gradient"]["last"][name], value, 6)

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
