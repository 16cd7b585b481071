"""What simulate and gradient print for one design, as a table and as a document."""

import subprocess
import unittest

from program import (BRIEFLY, DONE, FIVE_BAR, OBJECTIVES, PARAMETERS, PROGRAM, SENSORS, ProgramTest, run,
                     strict_json)


class TableTest(ProgramTest):
    def test_gradient(self):
        lines = self.run_ok("gradient", FIVE_BAR, *BRIEFLY).stdout.splitlines()
        for text in ("five-bar", "ali3p", "rtdyn0", "direct", "20 steps of 0.001 s"):
            self.assertIn(text, lines[0])
        self.assertEqual(lines[2].split(), ["objective", "value", "unit", "estimated", "error"])
        self.assertEqual([line.split()[0] for line in lines[3:6]], OBJECTIVES)
        self.assertEqual(lines[3].split()[2:4], ["m^2", "s"])
        heading = next(line for line in lines if line.startswith("gradient"))
        self.assertTrue(heading.endswith("  estimated error"))
        self.assertEqual(heading.replace("]", "").replace("[", "").split()[1:-2:2], PARAMETERS)
        self.assertIn("m_A1 [kg]", heading)
        rows = lines[lines.index(heading) + 1:lines.index(heading) + 4]
        self.assertEqual([row.split()[0] for row in rows], OBJECTIVES)
        for row in rows:
            self.assertEqual(len(row), len(heading))  # right-aligned under the headings
            self.assertEqual(len([float(cell) for cell in row.split()[1:]]), len(PARAMETERS) + 1)
        self.assertRegex(lines[-1], r"^time .* s: motion .* s, sensitivities .* s$")

    def test_simulate(self):
        lines = self.run_ok("simulate", FIVE_BAR, *BRIEFLY).stdout.splitlines()
        first = lines.index(next(line for line in lines if line.startswith("final sensor")))
        rows = [line.split() for line in lines[first + 1:first + 13]]
        self.assertEqual(rows[0][0], "r2.x")
        self.assertEqual(rows[0][2], "m")
        self.assertEqual(rows[8][0], "a2.z")
        self.assertEqual(rows[8][2], "m/s^2")
        self.assertEqual([row[0] for row in rows[9:]], ["alpha1", "alpha2", "energy"])
        self.assertNotIn("gradient", "\n".join(lines))

    def test_quiet_leaves_standard_error_empty(self):
        process = self.run_ok("gradient", FIVE_BAR, *BRIEFLY, "--quiet")
        self.assertEqual(process.stderr, "")
        self.assertIn("psi1", process.stdout)

    def test_no_progress_line_without_a_terminal(self):
        self.assertNotIn("\r", self.run_ok("gradient", FIVE_BAR, *BRIEFLY).stderr)


class DocumentTest(ProgramTest):
    def test_gradient(self):
        document = self.run_json("gradient", FIVE_BAR, *BRIEFLY, "--backend", "cpu:1")
        self.assertEqual(document["schema"], "gradus-result/1")
        self.assertEqual(document["model"], "five-bar")
        self.assertEqual(document["backend"], "cpu:1")
        self.assertEqual((document["formulation"], document["reference"]), ("ali3p", "rtdyn0"))
        self.assertEqual((document["method"], document["status"]), ("direct", "ok"))
        self.assertEqual((document["step"], document["duration"], document["steps"]), (1e-3, 0.02, 20))
        self.assertEqual(list(document["objectives"]), OBJECTIVES)
        self.assertEqual(list(document["gradient"]), OBJECTIVES)
        for row in document["gradient"].values():
            self.assertEqual(list(row), PARAMETERS)
            self.assertTrue(all(isinstance(value, float) for value in row.values()))
        self.assertEqual({name: len(values) for name, values in document["final"].items()}, SENSORS)
        self.assertEqual(document["units"]["parameters"]["m_A1"], "kg")
        self.assertEqual(set(document["timing"]), {"total_s", "motion_s", "sensitivity_s", "estimate_s"})
        for errors in document["estimated_errors"].values():
            self.assertEqual(list(errors), OBJECTIVES)
            self.assertTrue(all(0.0 < error < 1e-2 for error in errors.values()))
        self.assertNotIn("designs", document)

    def test_accuracy(self):
        document = self.run_json("gradient", FIVE_BAR, *BRIEFLY, "--accuracy", "1e-7")
        remarks = self.run_ok("gradient", FIVE_BAR, *BRIEFLY, "--accuracy", "1e-7").stderr
        self.assertIn(", instead of ali3p by newmark with steps of 0.001 s, is estimated", remarks)
        self.assertEqual((document["formulation"], document["integrator"]), ("index1", "dop853"))
        self.assertEqual(document["accuracy"], 1e-7)
        for errors in document["estimated_errors"].values():
            self.assertTrue(all(error <= 1e-7 for error in errors.values()))
        unknown = self.run_json("gradient", FIVE_BAR, *BRIEFLY, "--estimate-every", "0")
        self.assertNotIn("estimated_errors", unknown)

    def test_simulate_has_no_gradient(self):
        document = self.run_json("simulate", FIVE_BAR, *BRIEFLY)
        self.assertNotIn("gradient", document)
        self.assertEqual(document["method"], "none")

    def test_table_and_document_agree(self):
        arguments = ["gradient", FIVE_BAR, *BRIEFLY, "--backend", "cpu:1"]
        lines = self.run_ok(*arguments).stdout.splitlines()
        document = self.run_json(*arguments)
        row = next(line for line in reversed(lines) if line.startswith("psi2")).split()
        for text, value in zip(row[1:], document["gradient"]["psi2"].values()):
            self.assertLessEqual(abs(float(text) - value), 1e-9 * abs(value))

    def test_standard_output_holds_one_document(self):
        process = run("gradient", FIVE_BAR, *BRIEFLY, "--json")
        self.assertTrue(process.stdout.startswith("{\n") and process.stdout.endswith("}\n"))
        strict_json(process.stdout)

    def test_set_changes_the_run(self):
        plain = self.run_json("simulate", FIVE_BAR, *BRIEFLY)
        same = self.run_json("simulate", FIVE_BAR, *BRIEFLY, "--set", "m_A1=1")
        other = self.run_json("simulate", FIVE_BAR, *BRIEFLY, "--set", "m_A1=1.5", "--set", "L_s1=2")
        self.assertEqual(plain["objectives"], same["objectives"])
        self.assertNotEqual(plain["objectives"], other["objectives"])

    def test_step_and_tolerance_reach_the_engine(self):
        document = self.run_json("simulate", FIVE_BAR, *BRIEFLY, "--step", "0.002", "--tolerance", "1e-9")
        self.assertEqual(document["steps"], 10)

    def test_integrator_and_its_tolerances_reach_the_engine(self):
        arguments = ["simulate", FIVE_BAR, *BRIEFLY, "--formulation", "matrix-r"]
        values = {}
        for name, more in (("dop853", []), ("loose", ["--rtol", "1e-3", "--atol", "1e-3"]),
                           ("rk4", ["--integrator", "rk4"]), ("implicit-euler", ["--integrator", "implicit-euler"])):
            document = self.run_json(*arguments, *more)
            self.assertEqual(document["formulation"], "matrix-r")
            values[name] = document["objectives"]["psi2"]
        self.assertEqual(len(set(values.values())), 4)
        for value in values.values():
            self.assertLess(abs(value - values["dop853"]), 0.1 * values["dop853"])

    def test_method(self):
        for method in ("direct", "adjoint", "dual", "finite-difference"):
            document = self.run_json("gradient", FIVE_BAR, *BRIEFLY, "--method", method)
            self.assertEqual(document["method"], method)

    def test_works_without_standard_error(self):
        # The first file that is opened would take its place, and messages would end up in it.
        out = self.folder / "out"
        command = [PROGRAM, "simulate", FIVE_BAR, *BRIEFLY, "--out", str(out)]
        self.assertEqual(subprocess.call(["sh", "-c", '"$@" 2>&- >/dev/null', "sh", *command]), DONE)
        strict_json((out / "summary.json").read_text())


if __name__ == "__main__":
    unittest.main()
