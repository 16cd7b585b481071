"""Optimisation: every method finds the same design; interruptions leave no trace; mistakes."""

import json
import shutil
import unittest

from program import BAD_INPUT, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

# The fastest five-bar whose mass point 2 keeps near its target: both objectives pull apart.
PROBLEM = {
    "maximize": "psi2",
    "parameters": {"L_s1": {"lower": 2.1, "upper": 2.4}, "m_A1": {"lower": 0.5, "upper": 2}},
    "constraints": {"psi1": {"max": 0.16}},
}


class OptimizeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")

    def study(self, name="study.json", **members):
        study = {"schema": "gradus-study/1", "name": "fast five-bar", "model": "five-bar.json",
                 "options": {"duration": 1, "backend": "cpu:1"}, "optimize": {**PROBLEM, **members}}
        file = self.folder / name
        file.write_text(json.dumps(study))
        return file

    def files_of(self, folder):
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != "run.json"}

    def test_methods_agree(self):
        optima = {}
        for method in ("slsqp", "mma", "augmented-lagrangian", "ipopt"):
            process = run("optimize", "--json", self.study(method=method), "--out", self.folder / method)
            if process.returncode == BAD_INPUT and "is not there" in process.stderr:
                continue
            self.assertEqual(process.returncode, 0, process.stderr)
            document = json.loads(process.stdout)
            self.assertTrue(document["check"]["passed"])
            optima[method] = [v["optimum"] for v in document["variables"]]
            constraint = document["constraints"][0]
            self.assertTrue(constraint["active"], document["constraints"])
            self.assertAlmostEqual(constraint["value"], 0.16, delta=1e-6)
        if not optima:
            self.skipTest("built without optimisers")
        reference = next(iter(optima.values()))
        for method, point in optima.items():
            for a, b in zip(point, reference):
                self.assertAlmostEqual(a / b, 1, delta=2e-5, msg=f"{method}: {optima}")

    def test_split_leaves_no_trace(self):
        study = self.study(starts=6)
        files = []
        for name, options in (("one", []), ("two", ["--backend", "cpu:2"]), ("three", ["--lanes", 1])):
            self.run_ok("optimize", study, "--out", self.folder / name, *options)
            files.append(self.files_of(self.folder / name))
        self.assertEqual(set(files[0]), {"summary.json", "history.csv", "starts.csv"})
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_no_success_says_so(self):
        process = run("optimize", self.study(evaluations=1), "--out", self.folder / "out")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE, process.stderr)
        self.assertIn("gradus: error: ", process.stderr)

    def test_mistakes(self):
        def wrong(*says, **members):
            out = self.folder / "out"
            self.assert_error(BAD_INPUT, "optimize", self.study(**members), "--out", out, says=says)
            self.assertFalse(out.exists())

        wrong("psi4", "psi", maximize="psi4")
        wrong("minimize", "maximize", minimize="psi1")
        wrong("L_s3", "L_s1", parameters=["L_s3"])
        wrong("/optimize/parameters/L_s1", parameters={"L_s1": {"lower": 2, "upper": 2}})
        wrong("/optimize/parameters/L_s1", parameters={"L_s1": {"start": 5, "lower": 2, "upper": 3}})
        wrong("/optimize/constraints", "psi9", constraints={"psi9": {"max": 1}})
        wrong("/optimize/constraints/psi1", constraints={"psi1": {"min": 2, "max": 1}})
        wrong("lbfgs", method="lbfgs")
        wrong("/optimize/method", "slsqp", method="slqsp")
        wrong("/optimize/starts", starts=0)


if __name__ == "__main__":
    unittest.main()
