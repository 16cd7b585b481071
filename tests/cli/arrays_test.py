"""The folder of results as NumPy sees it."""

import sys
import unittest

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not installed, so the arrays of --out cannot be loaded")
    sys.exit(77)

from program import BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, OBJECTIVES, PARAMETERS, ProgramTest, run, strict_json

COMPONENTS = ["r2.x", "r2.y", "r2.z", "v2.x", "v2.y", "v2.z", "a2.x", "a2.y", "a2.z", "alpha1", "alpha2", "energy"]


class ArraysTest(ProgramTest):
    def results(self, *arguments, code=0):
        out = self.folder / "deep" / "out"
        process = run(*arguments, "--out", out, "--json")
        self.assertEqual(process.returncode, code, process.stderr)
        self.assertEqual([file.name for file in out.iterdir() if file.name.startswith(".")], [])
        self.summary = strict_json((out / "summary.json").read_text(encoding="utf-8"))
        self.document = strict_json(process.stdout)
        with numpy.load(out / "gradient.npz", allow_pickle=False) as file:
            self.arrays = dict(file)
        self.motion = None
        if (out / "trajectory.npz").exists():
            with numpy.load(out / "trajectory.npz", allow_pickle=False) as file:
                self.motion = dict(file)

    def test_gradient(self):
        self.results("gradient", FIVE_BAR, *BRIEFLY)
        self.assertEqual(self.arrays["gradient"].shape, (1, 3, 5))
        self.assertEqual(self.arrays["gradient"].dtype, numpy.float64)
        self.assertEqual(self.arrays["objective_values"].shape, (1, 3))
        self.assertEqual(self.arrays["parameter_values"].shape, (1, 5))
        self.assertEqual(self.arrays["final_sensors"].shape, (1, 12))
        self.assertEqual(list(self.arrays["parameter_names"]), PARAMETERS)
        self.assertEqual(list(self.arrays["parameter_units"]), ["m", "m", "kg", "m", "m"])
        self.assertEqual(list(self.arrays["objective_names"]), OBJECTIVES)
        self.assertEqual(list(self.arrays["objective_units"]), ["m^2 s", "m^2/s", "m^2/s^3"])
        self.assertEqual(list(self.arrays["sensor_names"]), COMPONENTS)
        self.assertEqual(list(self.arrays["status_codes"]), [0])
        for i, objective in enumerate(OBJECTIVES):
            for k, parameter in enumerate(PARAMETERS):
                self.assertEqual(self.arrays["gradient"][0, i, k], self.document["gradient"][objective][parameter])

    def test_trajectory_of_one_design(self):
        self.results("simulate", FIVE_BAR, *BRIEFLY)
        self.assertNotIn("gradient", self.arrays)
        numpy.testing.assert_allclose(self.motion["time"], numpy.arange(21) * 1e-3, atol=1e-12)
        for name in ("coordinates", "rates", "accelerations"):
            self.assertEqual(self.motion[name].shape, (21, 4))
        self.assertEqual(self.motion["sensors"].shape, (21, 12))
        self.assertEqual(len(self.motion["coordinate_names"]), 4)
        self.assertEqual(set(self.motion["coordinate_units"]), {"rad"})
        self.assertEqual(list(self.motion["sensor_names"]), COMPONENTS)

    def test_record_every(self):
        self.results("simulate", FIVE_BAR, *BRIEFLY, "--record-every", 5)
        numpy.testing.assert_allclose(self.motion["time"], numpy.arange(5) * 5e-3, atol=1e-12)

    def test_sensor_columns(self):
        self.results("gradient", FIVE_BAR, *BRIEFLY, "--columns", "--record-every", 5)
        columns = self.motion["sensor_columns"]
        self.assertEqual(columns.shape, (5, 12, 5))
        self.assertEqual(columns.dtype, numpy.float64)
        self.assertEqual(list(self.motion["parameter_names"]), PARAMETERS)
        self.assertEqual(list(self.motion["parameter_units"]), ["m", "m", "kg", "m", "m"])
        self.assertTrue(self.summary["options"]["columns"])
        # Central differences of the recorded sensors.
        length = PARAMETERS.index("L_A1")
        centre = float(self.arrays["parameter_values"][0, length])
        sensors = []
        for sign in (-1, 1):
            self.results("simulate", FIVE_BAR, *BRIEFLY, "--record-every", 5,
                         "--set", f"L_A1={centre + sign * 1e-5!r}")
            self.assertNotIn("sensor_columns", self.motion)
            sensors.append(self.motion["sensors"])
        self.assertFalse(self.summary["options"]["columns"])
        difference = (sensors[1] - sensors[0]) / 2e-5
        self.assertGreater(numpy.abs(difference).max(), 1)
        numpy.testing.assert_allclose(columns[:, :, length], difference, atol=1e-6 * numpy.abs(difference).max())

    def test_sensor_columns_of_a_batch(self):
        self.results("gradient", FIVE_BAR, *BRIEFLY, "--columns", "--designs", 3, "--spread", 0.01)
        self.assertEqual(self.motion["sensor_columns"].shape, (3, 21, 12, 5))
        self.assertEqual(self.motion["sensors"].shape, (3, 21, 12))

    def test_sums_of_squares(self):
        model = self.write_model("""{
          "schema": "gradus-model/1", "name": "pendulum", "gravity": [0, -9.81, 0],
          "parameters": { "L": 0.5, "m": 2, "c": 0.1 },
          "bodies": { "rod": { "mass": "m", "com": ["L/2", 0, 0],
                               "inertia": { "xx": 0, "yy": "m*L^2/12", "zz": "m*L^2/12" },
                               "points": { "tip": ["L", 0, 0] } } },
          "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod",
                                 "initial": { "position": 0.3 } } },
          "forces": { "wind": { "type": "force", "at": "rod.tip", "components": ["c", 0, 0] } },
          "sensors": { "tip": { "position": "rod.tip" } },
          "objectives": { "height": { "integral": "tip.y" }, "fit": { "residuals": ["tip - [0.4, 0, 0]", "c*t"] } },
          "analysis": { "duration": 0.1 }
        }""")
        self.results("gradient", model)
        matrix = self.arrays["gauss_newton"]
        self.assertEqual(matrix.shape, (1, 1, 3, 3))
        self.assertEqual(list(self.arrays["least_squares_names"]), ["fit"])
        for i, row in enumerate(["L", "m", "c"]):
            for k, column in enumerate(["L", "m", "c"]):
                self.assertEqual(matrix[0, 0, i, k], self.document["gauss_newton"]["fit"][row][column])
        self.assertGreater(matrix[0, 0].diagonal().min(), 0)
        self.results("gradient", model, "--method", "adjoint")
        self.assertNotIn("gauss_newton", self.arrays)
        self.assertNotIn("gauss_newton", self.document)

    def test_batch_records_on_request_only(self):
        self.results("simulate", FIVE_BAR, *BRIEFLY, "--designs", 3, "--spread", 0.01, "--record-every", 1)
        self.assertEqual(self.motion["coordinates"].shape, (3, 21, 4))
        self.assertEqual(self.motion["sensors"].shape, (3, 21, 12))
        self.assertEqual(list(self.motion["designs"]), [0, 1, 2])
        # In the same folder: the motion of the earlier run must not stay beside the new results.
        self.results("simulate", FIVE_BAR, *BRIEFLY, "--designs", 3, "--spread", 0.01)
        self.assertIsNone(self.motion)
        self.assertEqual(self.arrays["objective_values"].shape, (3, 3))

    def test_failed_designs(self):
        self.results("gradient", FIVE_BAR, *BRIEFLY, "--set", "L_A1=10", code=NUMERICAL_FAILURE)
        self.assertEqual(list(self.arrays["status_codes"]), [1])
        message = self.arrays["status_messages"][self.arrays["status_message_indices"][0]]
        self.assertEqual(message, self.summary["failures"][0]["message"])
        self.assertNotEqual(message, "")
        self.assertTrue(numpy.isnan(self.arrays["gradient"]).all())
        self.assertEqual(self.summary["status"], "failed")

    def test_summary(self):
        self.results("gradient", FIVE_BAR, *BRIEFLY, "--set", "m_A1=1.5")
        self.assertEqual(self.summary["objectives"], self.document["objectives"])
        self.assertEqual(self.summary["gradient"], self.document["gradient"])
        self.assertEqual(self.summary["parameters"]["m_A1"], {"value": 1.5, "unit": "kg"})
        self.assertEqual(self.summary["options"]["set"], {"m_A1": 1.5})
        self.assertEqual(self.summary["options"]["tolerance"], 1e-10)
        self.assertEqual(self.summary["options"]["duration"], 0.02)
        self.assertEqual(set(self.summary["constraint_violation"]), {"position", "velocity", "acceleration"})
        self.assertEqual(len(self.summary["newton_iterations"]), 1)


if __name__ == "__main__":
    unittest.main()
