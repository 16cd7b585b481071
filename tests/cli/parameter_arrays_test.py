"""Arrays of parameters: documents and files are complete, tables stay short."""

import json
import unittest
import zipfile

from program import BAD_INPUT, ProgramTest, run

COUNT = 300


def pendulum():
    """A rod whose mass is the sum of many parameters, pushed along a spline."""
    return {
        "schema": "gradus-model/1", "name": "pendulum", "gravity": [0, -9.81, 0],
        "parameters": {
            "m": {"value": 0.01, "size": COUNT, "unit": "kg", "bounds": [0, 1]},
            "push": {"value": [0, 2, -1, 0], "size": 4, "unit": "N m"},
            "g": 9.81,
        },
        "bodies": {"rod": {"mass": "sum(m)", "com": [0.5, 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1}}},
        "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod", "initial": {"position": 0.1}}},
        "forces": {"motor": {"type": "joint-force", "joint": "hinge",
                             "value": "spline(t, [0, 0.01, 0.02, 0.05], push)"}},
        "sensors": {"angle": {"coordinate": "hinge"}},
        "objectives": {"sum_of_angles": {"integral": "angle"}, "end": {"terminal": "angle"}},
        "analysis": {"duration": 0.03, "step": 0.001},
    }


class ParameterArraysTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "pendulum.json"
        self.model.write_text(json.dumps(pendulum()), encoding="utf-8")
        self.names = [f"m[{k}]" for k in range(COUNT)] + [f"push[{k}]" for k in range(4)] + ["g"]

    def test_info(self):
        document = self.run_json("info", self.model)
        self.assertEqual(list(document["parameters"]), self.names)
        self.assertEqual(document["parameters"]["push[1]"]["value"], 2)
        self.assertEqual(document["parameters"]["m[299]"]["unit"], "kg")
        self.assertEqual(document["parameters"]["m[7]"]["touches"], ["mass distribution of rod"])
        text = self.run_ok("info", self.model).stdout
        for line in (r"  m\[0\] +0.01 +kg +mass", r"  m\[4\] ", r"  m\[299\] ", r"  push\[3\] ", r"  g "):
            self.assertRegex(text, "(?m)^" + line)
        self.assertNotRegex(text, r"(?m)^  m\[5\] +0.01")
        self.assertIn("\n  m[5] to m[298] are left out here; --json shows all\n", text)
        self.assertLess(len(text.splitlines()), 60)

    def test_gradient(self):
        document = self.run_json("gradient", self.model)
        for row in document["gradient"].values():
            self.assertEqual(list(row), self.names)
            self.assertNotEqual(row["push[1]"], 0)
            self.assertLess(abs(row["m[7]"] - row["m[0]"]), 1e-15)
        text = self.run_ok("gradient", self.model).stdout
        lines = text.splitlines()
        for name in ("m[0] [kg]", "m[4] [kg]", "m[299] [kg]", "push[0] [N m]", "push[3] [N m]"):
            self.assertIn(name, text)
        for name in ("m[5] [kg]", "m[298] [kg]"):
            self.assertNotIn(name, text)
        row = next(line.split() for line in lines if line.startswith("end") and len(line.split()) == 7)
        self.assertAlmostEqual(float(row[6]) / document["gradient"]["end"]["m[299]"], 1, delta=1e-9)
        self.assertIn("  m[5] to m[298] are left out here; --json shows all", lines)
        self.assertLess(len(lines), 40)

    def test_check(self):
        document = self.run_json("check", self.model)
        self.assertEqual(len(document["lines"]), 2 * len(self.names))
        lines = self.run_ok("check", self.model).stdout.splitlines()
        self.assertEqual(sum(line.endswith(" ok") for line in lines), 2 * 10)
        self.assertEqual([line.split()[1] for line in lines if line.endswith(" zero")], ["g", "g"])
        self.assertRegex(lines[-4], "^derivative: 610 of 610 derivatives agree")
        self.assertEqual(lines[-1], "check passed")

    def test_set(self):
        plain = self.run_json("simulate", self.model)
        same = self.run_json("simulate", self.model, "--set", "m[3]=0.01")
        other = self.run_json("simulate", self.model, "--set", "m[3]=0.5", "--set", "push[1]=-3")
        self.assertEqual(plain["objectives"], same["objectives"])
        self.assertNotEqual(plain["objectives"], other["objectives"])
        for assignment, said in (("m=1", "\"m\" is an array"), ("m[300]=1", "unknown parameter \"m[300]\""),
                                 ("push[03]=1", "did you mean \"push[0]\"?")):
            process = run("simulate", self.model, "--set", assignment)
            self.assertEqual(process.returncode, BAD_INPUT)
            self.assertIn(said, process.stderr)

    def test_folder(self):
        out = self.folder / "out"
        self.run_ok("gradient", self.model, "--out", out)
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(list(summary["parameters"]), self.names)
        with zipfile.ZipFile(out / "gradient.npz") as archive:
            names = archive.read("parameter_names.npy")
        self.assertIn("push[3]".encode("utf-32-le"), names)


if __name__ == "__main__":
    unittest.main()
