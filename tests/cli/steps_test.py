"""Which integrator runs: what is said of steps means the same in a model, on the command line and in a study."""

import json
import unittest

from program import BAD_INPUT, NUMERICAL_FAILURE, ProgramTest, run


def pendulum(**analysis):
    return {
        "schema": "gradus-model/1", "name": "pendulum", "gravity": [0, -9.81, 0],
        "parameters": {"L": 0.5},
        "bodies": {"rod": {"mass": 1, "com": ["L", 0, 0], "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.01}}},
        "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod", "initial": {"position": 0.3}}},
        "sensors": {"q": {"coordinate": "hinge"}},
        "objectives": {"angle": {"integral": "q"}},
        "analysis": {"duration": 0.1, **analysis},
    }


class StepsTest(ProgramTest):
    def write(self, **analysis):
        path = self.folder / "model.json"
        path.write_text(json.dumps(pendulum(**analysis)), encoding="utf-8")
        return path

    def ran(self, model, *options):
        document = self.run_json("simulate", model, *options)
        return document["formulation"], document["integrator"], document["steps"]

    def test_silence_is_adaptive(self):
        self.assertEqual(self.ran(self.write())[:2], ("semi-recursive", "dop853"))

    def test_options_mean_what_keys_mean(self):
        for key, value in (("step", 0.01), ("tolerance", 1e-9), ("projections", "exact")):
            in_file = self.ran(self.write(**{key: value}))
            self.assertEqual(in_file[:2], ("ali3p", "newmark"), key)
            self.assertEqual(self.ran(self.write(), f"--{key}", value), in_file, key)
        self.assertEqual(self.ran(self.write(), "--step", 0.01)[2], 10)
        for more in ({}, {"step": 0.01}):
            for integrator in ("dop853", "rk4"):
                self.assertEqual(self.ran(self.write(**more), "--integrator", integrator)[:2],
                                 ("semi-recursive", integrator))

    def test_who_names_a_formulation_has_it(self):
        self.assertEqual(self.ran(self.write(formulation="auto"), "--step", 0.01)[1], "dop853")
        self.assertEqual(self.ran(self.write(), "--step", 0.01, "--formulation", "auto")[1], "dop853")
        self.assert_error(BAD_INPUT, "simulate", self.write(formulation="ali3p"), "--integrator", "dop853",
                          says=["ali3p cannot use", 'the formulation "auto"'])

    def test_radau_chooses_its_steps_unless_they_are_stated(self):
        """What options say counts before what the model states; a tolerance before a step."""
        def adaptive(analysis, *options):
            return "steps_taken" in self.run_json("simulate", self.write(integrator="radau5", **analysis), *options)
        step, tolerance = ["--step", 0.01], ["--rtol", 1e-6]
        for analysis, options, expected in (
                ({}, [], True), ({"step": 0.01}, [], False), ({"rtol": 1e-6}, [], True), ({"atol": 1e-9}, [], True),
                ({"step": 0.01, "rtol": 1e-6}, [], True), ({}, step, False), ({"rtol": 1e-6}, step, False),
                ({"step": 0.01}, tolerance, True), ({}, step + tolerance, True)):
            self.assertEqual(adaptive(analysis, *options), expected, (analysis, options))
        remarks = run("simulate", self.write(integrator="radau9", rtol=1e-6), *step).stderr
        self.assertIn("rtol: has no effect (the option step asks the integrator radau9", remarks)
        self.assertEqual(self.ran(self.write(), "--integrator", "radau9", "--accuracy", 1e-9)[1], "radau9")

    def test_studies(self):
        self.write()
        study = self.folder / "study.json"
        for options, found in (({"step": 0.01}, "ali3p"), ({}, "semi-recursive")):
            study.write_text(json.dumps({
                "schema": "gradus-study/1", "name": "steps", "model": "model.json", "options": options,
                "sweep": {"sampling": "grid", "parameters": {"L": {"values": [1, 2]}}}}), encoding="utf-8")
            document = self.run_json("sweep", study, "--out", self.folder / found)
            self.assertEqual(document["formulation"], found)
        study.write_text(study.read_text(encoding="utf-8").replace('"options": {', '"options": {"accuracy": 1e-6'),
                         encoding="utf-8")
        self.assert_error(BAD_INPUT, "sweep", study, says=["/options/accuracy", '"rtol"'])
        self.assert_error(BAD_INPUT, "simulate", self.write(accuracy=1e-6), says=["/analysis/accuracy", "--accuracy"])

    def test_tolerances_are_sensible(self):
        for option, value in (("rtol", "1e-20"), ("rtol", "10"), ("rtol", "0"), ("atol", "1e300"), ("atol", "0"),
                              ("atol", "-1")):
            allowed = "from 1e-14 to 0.1" if option == "rtol" else "above 0 and up to 1e6"
            self.assert_error(BAD_INPUT, "simulate", self.write(), f"--{option}={value}",
                              says=[option, allowed if float(value) > 0 else "greater than 0"])
            self.assert_error(BAD_INPUT, "simulate", self.write(**{option: float(value)}), says=[option, allowed])
        for options in (["--rtol", "1e-14"], ["--rtol", "0.1"], ["--atol", "1e6"], ["--atol", "1e-300"]):
            self.assertEqual(self.ran(self.write(), *options)[1], "dop853")

    def test_steps_that_may_be_tried(self):
        for value in (0, -1, 1.5, 2e9):
            self.assert_error(BAD_INPUT, "simulate", self.write(), f"--max-steps={value}", says=["max_steps", "a whole number from 1 to 1e9"])
            self.assert_error(BAD_INPUT, "simulate", self.write(max_steps=value), says=["/analysis/max_steps", "1 to 1e9"])
        found = self.assert_error(NUMERICAL_FAILURE, "gradient", self.write(max_steps=3), says=["3 steps (--max-steps)"])
        self.assertRegex(found.stderr, "0\\.[0-9]+ s")
        self.assertEqual(self.ran(self.write(max_steps=3), "--max-steps", 1000)[1], "dop853")
        self.assertIn("max steps: has no effect", run("simulate", self.write(step=0.01), "--max-steps", 9).stderr)

    def test_durations_that_no_step_suits(self):
        says = ["duration: found 1e+12", "the step where none is stated", "state a longer step"]
        self.assert_error(BAD_INPUT, "simulate", self.write(), "--duration", "1e12", says=says)
        self.assert_error(BAD_INPUT, "simulate", self.write(duration=1e12), says=says)
        self.assert_error(BAD_INPUT, "simulate", self.write(), "--step", "1e-11", says=["step: found 1e-11"])

    def test_tolerances_without_effect_are_remarked(self):
        for analysis, options in (({"step": 0.01, "rtol": 1e-6}, []), ({"step": 0.01}, ["--rtol", 1e-6])):
            remarks = run("simulate", self.write(**analysis), *options).stderr
            self.assertIn("rtol: has no effect", remarks)
            self.assertIn("the formulation auto", remarks)
        self.assertNotIn("rtol", run("simulate", self.write(rtol=1e-6)).stderr)

    def test_estimates_without_effect_are_remarked(self):
        for options in ([], ["--accuracy", 1e-3]):
            self.assertIn("--estimate-every: has no effect",
                          run("simulate", self.write(), "--estimate-every", 1, *options).stderr)
        self.assertNotIn("no effect", run("simulate", self.write(step=0.01), "--estimate-every", 1).stderr)

    def test_errors_of_halved_steps_are_estimated(self):
        """Steps of half the length are those that these are halved to, and agree with them."""
        coarse = ["--formulation", "semi-recursive", "--integrator", "newmark", "--iteration", "fixed-point", "--step"]
        model = self.write(duration=1.5)
        exact = self.run_json("simulate", model)["objectives"]["angle"]
        for step, halved in ((0.5, True), (0.25, False)):
            document = self.run_json("simulate", model, *coarse, step)
            self.assertEqual("steps_halved" in document, halved)
            error = abs(document["objectives"]["angle"] / exact - 1)
            self.assertGreater(error, 5e-3)
            self.assertGreater(document["estimated_errors"]["objectives"]["angle"], error / 2)
        document = self.run_json("simulate", model, *coarse, 0.5, "--accuracy", 1e-3)
        self.assertAlmostEqual(document["objectives"]["angle"], exact, delta=3e-3 * abs(exact))

    def test_a_report_shows_the_motion_that_ran(self):
        out = self.folder / "out"
        self.run_ok("simulate", self.write(step=0.01), "--integrator", "dop853", "--out", out)
        self.run_ok("report", out)
        self.assertNotIn("The motion is not shown", (out / "report.html").read_text(encoding="utf-8"))

    def test_accuracies(self):
        for value in ("0", "1", "2", "-1", "nan"):
            self.assert_error(BAD_INPUT, "simulate", self.write(), f"--accuracy={value}", says=["--accuracy", value])
        self.assert_error(BAD_INPUT, "simulate", self.write(), "--accuracy=2", says=["above 0 and below 1"])


if __name__ == "__main__":
    unittest.main()
