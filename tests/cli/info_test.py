"""What info and check print."""

import json
import os
import pathlib
import unittest

from program import BAD_INPUT, BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, OBJECTIVES, PARAMETERS, ProgramTest, run


class InfoTest(ProgramTest):
    def test_values_can_be_set(self):
        document = self.run_json("info", FIVE_BAR, "--set", "m_A1=1.5")
        self.assertEqual(document["parameters"]["m_A1"]["value"], 1.5)
        self.assert_error(BAD_INPUT, "info", FIVE_BAR, "--set", "m_A2=1.5", says=["m_A2", "m_A1"])
        self.assert_error(BAD_INPUT, "info", "--set", "m_A1=1.5", says=["--set needs MODEL"])

    def test_without_a_model(self):
        text = self.run_ok("info").stdout
        self.assertRegex(text, r"^gradus \d+\.\d+\.\d+\n")
        self.assertIn("cpu", text)
        document = self.run_json("info")
        self.assertEqual((document["schema"], document["status"]), ("gradus-info/1", "ok"))
        self.assertLessEqual(set(document["optimization_methods"]),
                             {"lbfgs", "slsqp", "mma", "augmented-lagrangian", "ipopt"})
        self.assertTrue(document["backends"])

    def test_solvers(self):
        # Not the tables of whoever runs the tests.
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder)}
        table = self.run_json("info", env=environment)["solvers"][0]
        self.assertEqual(sorted(table), ["choices", "device", "measured", "origin"])
        self.assertEqual({choice["solver"] for choice in table["choices"]}, {"native", "eigen"})
        text = self.run_ok("info", env=environment).stdout
        self.assertIn("linear solvers on " + table["device"] + " (not measured here, built in)", text)
        self.assertRegex(text, r"(?m)^ +64 +general +native *$")
        self.assertRegex(text, r"(?m)^ +128 +definite +eigen *$")

    def test_stored_solvers(self):
        device = self.run_json("info")["solvers"][0]["device"]
        name = "-".join("".join(c.lower() if c.isalnum() else " " for c in device).split())
        file = self.folder / "gradus" / f"solvers-{name}.json"
        file.parent.mkdir()
        choices = [{"size": 6, "columns": columns, "systems": systems, "definite": False, "solver": solver,
                    "seconds": {"native": 1.0, "eigen": 1.0}}
                   for columns, systems, solver in ((1, 1, "native"), (16, 1, "native"), (16, 64, "eigen"))]
        document = {"schema": "gradus-solvers/1", "device": device, "measured": "2026-01-31", "choices": choices}
        file.write_text(json.dumps(document), encoding="utf-8")
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder)}
        text = self.run_ok("info", env=environment).stdout
        self.assertIn(f"(measured 2026-01-31, {file})", text)
        self.assertRegex(text, r"(?m)^ +6 +general +native +eigen for 16 x 64$")
        file.write_text("{", encoding="utf-8")
        self.assertIn(f"(not measured here, built in; {file}: is no table of solvers (",
                      self.run_ok("info", env=environment).stdout)

    def test_model(self):
        document = self.run_json("info", FIVE_BAR)
        self.assertEqual(document["model"], "five-bar")
        self.assertEqual([line["body"] for line in document["tree"]], ["A1", "12", "23", "3B"])
        self.assertEqual([line["loop"] for line in document["loops"]], ["B"])
        self.assertEqual(document["coordinates"], 4)
        self.assertEqual(document["constraint_rank"], 2)
        self.assertEqual(document["degrees_of_freedom"], 2)
        self.assertEqual(len(document["independent_coordinates"]), 2)
        self.assertEqual(list(document["parameters"]), PARAMETERS)
        self.assertEqual(document["parameters"]["L_s1"]["unit"], "m")
        self.assertAlmostEqual(document["parameters"]["L_s1"]["value"], 5 ** 0.5, delta=1e-15)
        self.assertTrue(all(parameter["touches"] for parameter in document["parameters"].values()))
        self.assertEqual(document["objectives"], OBJECTIVES)

    def test_table(self):
        text = self.run_ok("info", FIVE_BAR).stdout
        for line in (r"degrees of freedom +2", r"  m_A1 +1 +kg +\S", r"objectives +psi1, psi2, psi3", r"  B +revolute"):
            self.assertRegex(text, "(?m)^" + line)

    def test_a_start_from_an_equilibrium(self):
        model = pathlib.Path(FIVE_BAR).read_text(encoding="utf-8")
        file = self.write_model(model.replace('"objectives": {', '"start": "equilibrium", "objectives": {'))
        text = self.run_ok("info", file).stdout
        self.assertRegex(text, r"(?m)^start positions +equilibrium, ")
        self.assertRegex(text, r"(?m)^rates held at the start +\S")


class ValuesAtTimesTest(ProgramTest):
    """Rows of objectives are named name@time everywhere."""

    NAMES = ["low@0.005", "low@0.02", *OBJECTIVES]

    def setUp(self):
        super().setUp()
        text = pathlib.Path(FIVE_BAR).read_text(encoding="utf-8")
        self.model = self.folder / "values.json"
        self.assertEqual(text.count('"objectives": {'), 1)
        self.model.write_text(text.replace(
            '"objectives": {', '"objectives": {"low": {"value": "r2.y", "at": [0.005, "1/50"], "unit": "m"},'),
            encoding="utf-8")

    def test_info(self):
        self.assertEqual(self.run_json("info", self.model)["objectives"], self.NAMES)

    def test_gradient(self):
        document = self.run_json("gradient", self.model, *BRIEFLY)
        self.assertEqual(list(document["objectives"]), self.NAMES)
        self.assertEqual(list(document["gradient"]), self.NAMES)
        self.assertEqual(document["units"]["objectives"]["low@0.005"], "m")

    def test_check(self):
        document = self.run_json("check", self.model, *BRIEFLY)
        self.assertEqual(document["status"], "ok")
        self.assertEqual([line["objective"] for line in document["lines"][::5]], self.NAMES)

    def test_a_time_between_steps(self):
        process = run("simulate", self.model, "--duration", "0.02", "--step", "0.004")
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn("/objectives/low/at: found 0.005 (no step ends there, they are 0.004 s long), "
                      "the nearest possible times are 0.004 and 0.008", process.stderr)


class CheckTest(ProgramTest):
    def test_table(self):
        lines = self.run_ok("check", FIVE_BAR, *BRIEFLY).stdout.splitlines()
        rows = [line.split() for line in lines[1:16]]
        self.assertEqual([row[:2] for row in rows],
                         [[objective, parameter] for objective in OBJECTIVES for parameter in PARAMETERS])
        self.assertTrue(all(row[-1] == "ok" and len(row) == 10 for row in rows))
        self.assertRegex(lines[-4], r"^derivative: 15 of 15 derivatives agree")
        self.assertRegex(lines[-3], r"^accuracy: at half the step no derivative changes")
        self.assertRegex(lines[-2], r"^model: the motion reaches its end")
        self.assertEqual(lines[-1], "check passed")

    def test_document(self):
        document = self.run_json("check", FIVE_BAR, *BRIEFLY)
        self.assertEqual((document["schema"], document["status"]), ("gradus-check/2", "ok"))
        self.assertEqual(len(document["lines"]), 15)
        for line in document["lines"]:
            self.assertTrue(line["passed"])
            self.assertEqual((line["verdict"], line["accurate"]), ("proved", True))
            self.assertLessEqual(line["dual_deviation"], line["rounding"])
            self.assertLessEqual(line["adjoint_deviation"], line["rounding"])
            self.assertLess(line["rounding"], 1e-6)
            self.assertLess(line["difference_error"], 0.05)
            self.assertNotEqual(line["adjoint"], 0)
        self.assertEqual({name: part["passed"] for name, part in document["parts"].items()},
                         {"derivative": True, "accuracy": True, "model": True})

    def test_steps_that_are_too_long(self):
        process = run("check", FIVE_BAR, "--duration", "0.5", "--step", "0.1")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE)
        self.assertIn("check FAILED: the accuracy: at half the step ", process.stderr)

    def test_adaptive_steps(self):
        document = self.run_json("check", FIVE_BAR, "--duration", "0.5", "--formulation", "matrix-r",
                                 "--integrator", "dopri5", "--rtol", "1e-4")
        self.assertEqual((document["status"], document["refinement"]), ("ok", "a tenth of the tolerance"))


if __name__ == "__main__":
    unittest.main()
