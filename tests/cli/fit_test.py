"""Fits: the parameters that made a recording come back from it; what cannot be told; mistakes."""

import csv
import json
import shutil
import unittest

from program import BAD_INPUT, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

TRUTH = {"L_s1": 2.3, "L_s2": 2.0, "m_A1": 1.25}


class FitTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        try:
            import numpy
        except ImportError:
            raise unittest.SkipTest("needs numpy")
        cls.numpy = numpy

    def setUp(self):
        super().setUp()
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")

    def record(self, every=10, noise=0.0):
        """measured.csv: two sensors of the motion with the true parameters."""
        out = self.folder / "truth"
        self.run_ok("simulate", FIVE_BAR, "--duration", 1, "--record-every", every, "--out", out,
                    *[word for name, value in TRUTH.items() for word in ("--set", f"{name}={value}")])
        motion = self.numpy.load(out / "trajectory.npz")
        names = list(motion["sensor_names"])
        with open(self.folder / "measured.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["time", "r2.x", "alpha1"])
            for k, (time, row) in enumerate(zip(motion["time"], motion["sensors"])):
                wiggle = noise * ((k * 0.6180339887) % 1 - 0.5)
                writer.writerow([repr(float(time)), repr(float(row[names.index("r2.x")] + wiggle)),
                                 repr(float(row[names.index("alpha1")] - wiggle))])

    def study(self, name="fit.json", **members):
        study = {
            "schema": "gradus-study/1",
            "name": "identify",
            "model": "five-bar.json",
            "options": {"duration": 1, "backend": "cpu:2"},
            "fit": {"parameters": {"L_s1": {"start": 2.24}, "L_s2": {"start": 2.1}, "m_A1": {"start": 0.9}},
                    "data": "measured.csv", **members},
        }
        file = self.folder / name
        file.write_text(json.dumps(study))
        return file

    def test_what_made_a_recording_comes_back(self):
        self.record()
        out = self.folder / "out"
        document = self.run_json("fit", self.study(), "--out", out)
        self.assertEqual(document["schema"], "gradus-fit/1")
        for parameter in document["parameters"]:
            self.assertAlmostEqual(parameter["value"] / TRUTH[parameter["name"]], 1, delta=1e-9)
        self.assertLess(document["gradient_norm"], 1e-6)
        self.assertLess(document["check_deviation"], 1e-5)
        with open(out / "residuals.csv") as file:
            residuals = list(csv.DictReader(file))
        self.assertEqual(len(residuals), 2 * 101)
        self.assertLess(max(abs(float(row["residual"])) for row in residuals), 1e-9)

    def test_noise_gives_intervals(self):
        self.record(noise=2e-3)
        document = self.run_json("fit", self.study(), "--out", self.folder / "out")
        for parameter in document["parameters"]:
            truth = TRUTH[parameter["name"]]
            self.assertGreater(parameter["standard_error"], 0)
            self.assertLess(abs(parameter["value"] - truth), 5 * parameter["standard_error"])

    def fitted(self, **options):
        study = json.loads(self.study().read_text())
        study["options"].update(options)
        file = self.folder / "steps.json"
        file.write_text(json.dumps(study))
        document = json.loads(run("fit", file, "--out", self.folder / "steps", "--overwrite", "--json").stdout)
        return document, {p["name"]: p["value"] for p in document["parameters"]}

    def sensors_at(self, values, step):
        out = self.folder / "motion"
        self.run_ok("simulate", FIVE_BAR, "--duration", 1, "--step", step, "--record-every", round(0.1 / step), "--out", out,
                    "--estimate-every", 0,
                    *[word for name, value in values.items() for word in ("--set", f"{name}={value!r}")])
        motion = self.numpy.load(out / "trajectory.npz")
        names = list(motion["sensor_names"])
        return motion["sensors"][:, [names.index("r2.x"), names.index("alpha1")]]

    def test_errors_of_steps_are_estimated(self):
        self.record(every=100)
        coarse, values = self.fitted(step=0.01)
        fine, _ = self.fitted(step=0.005)
        largest = [document["step_errors"]["largest"] for document in (coarse, fine)]
        self.assertTrue(3 < largest[0] / largest[1] < 5, largest)  # of the second order
        self.assertIn(coarse["step_errors"]["objective"], ("r2.x", "alpha1"))
        truth = self.sensors_at(values, 2.5e-4)
        error = abs(self.sensors_at(values, 0.01) - truth).max(axis=0) / abs(truth).max(axis=0)
        self.assertTrue(1e-6 < error.max() < 1.1 * largest[0], (error, largest))
        adaptive, _ = self.fitted(formulation="index1", integrator="dop853")
        self.assertNotIn("step_errors", adaptive)

    def test_split_and_resumption_leave_no_trace(self):
        self.record()
        study = self.study(starts=4)
        files = {}
        for name, options in (("one", ["--backend", "cpu:1"]), ("two", ["--backend", "cpu:2"]), ("three", ["--lanes", 1])):
            out = self.folder / name
            self.run_ok("fit", study, "--out", out, *options)
            files[name] = {path.name: path.read_bytes() for path in out.iterdir()
                           if path.is_file() and path.name != "run.json"}
        self.assertEqual(set(files["one"]), {"summary.json", "residuals.csv", "history.csv", "starts.csv"})
        self.assertEqual(files["one"], files["two"])
        self.assertEqual(files["one"], files["three"])
        self.assertIn("nothing left to do", run("fit", study, "--out", self.folder / "one", "--resume").stderr)

    def test_parameters_without_effect_are_named(self):
        self.record()
        # Where the mass centre lies does not show in a motion without mass.
        study = json.loads(self.study().read_text())
        study["fit"]["parameters"]["r_G"] = {}
        study["set"] = {}
        model = (self.folder / "five-bar.json").read_text().replace('"mass": "m_A1", "com": ["r_G", 0, 0]',
                                                                    '"mass": "m_A1", "com": ["sqrt(2)/2 + 0*r_G", 0, 0]')
        (self.folder / "five-bar.json").write_text(model)
        file = self.folder / "blind.json"
        file.write_text(json.dumps(study))
        document = self.run_json("fit", file, "--out", self.folder / "out")
        self.assertTrue(any("r_G" in warning for warning in document["warnings"]), document["warnings"])

    def test_a_fit_without_success_says_so(self):
        self.record()
        process = run("fit", self.study(iterations=1), "--out", self.folder / "out")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE)
        self.assertIn("gradus: error: ", process.stderr)

    def test_mistakes(self):
        self.record()
        table = (self.folder / "measured.csv").read_text()

        def wrong(*says, text=None, **members):
            (self.folder / "measured.csv").write_text(text or table)
            out = self.folder / "out"
            self.assert_error(BAD_INPUT, "fit", self.study(**members), "--out", out, says=says)
            self.assertFalse(out.exists())

        wrong("L_s3", "L_s1", parameters=["L_s3"])
        wrong("measured.csv", "5", text=table.replace(table.splitlines()[4], "0.03,,1"))
        wrong("measured.csv", text=table.replace(table.splitlines()[4], "0.03,nan,1"))
        wrong("measured.csv", "time", text=table.replace("time", "zeit"))
        wrong("r3.x", "r2.x", data={"file": "measured.csv", "columns": {"alpha1": {"sensor": "r3.x"}}})
        wrong("2", text=table + "2,1,1\n")
        wrong("deviation", data={"file": "measured.csv", "columns": {"alpha1": {"sensor": "alpha1", "deviation": 0}}})


if __name__ == "__main__":
    unittest.main()
