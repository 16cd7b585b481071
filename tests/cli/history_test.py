"""Objectives and their gradients over time: what runs that end sooner have, by every method and formulation."""

import json
import math
import unittest

from csv_test import array, table
from program import FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

# Objectives of every kind, of the parameters, the time and an energy too. "late" is not finite before 0.02 s.
MODEL = {
    "schema": "gradus-model/1", "name": "two rods", "gravity": [0, -9.81, 0],
    "parameters": {"L": {"value": 0.5, "unit": "m"}, "m": {"value": 2, "unit": "kg"}, "k": {"value": 3, "unit": "N m/rad"}},
    "bodies": {
        "a": {"mass": "m", "com": ["L/2", 0, 0], "inertia": {"xx": 0, "yy": "m*L^2/12", "zz": "m*L^2/12"},
              "points": {"tip": ["L", 0, 0]}},
        "b": {"mass": 1, "com": [0.2, 0.05, 0], "inertia": {"xx": 0.01, "yy": 0.02, "zz": 0.03},
              "points": {"tip": [0.4, 0, 0]}}},
    "joints": {
        "hinge": {"type": "revolute", "parent": "ground", "child": "a", "initial": {"position": 0.3, "velocity": 1}},
        "elbow": {"type": "revolute", "parent": "a.tip", "child": "b", "initial": {"position": "0.5*L", "velocity": -2}}},
    "forces": {"spring": {"type": "torsional-spring-damper", "joint": "elbow", "stiffness": "k", "damping": 0.1}},
    "sensors": {"tip": {"position": "b.tip"}, "v": {"velocity": "b.tip"}, "a": {"acceleration": "b.tip"},
                "E": {"energy": "kinetic"}},
    "objectives": {
        "path": {"integral": "dot(v, v)*k + 0.01*E + t*tip.x", "unit": "m^2/s"},
        "push": {"integral": "dot(a, a)", "unit": "m^2/s^3"},
        "end": {"terminal": "tip.y*m + t", "unit": "m kg"},
        "late": {"terminal": "sqrt(t - 0.02)*tip.x"},
        "then": {"value": "tip.x^2 + L", "at": [0.01, 0.03]},
        "fit": {"residuals": ["tip - [0.4, 0, 0]", "k*t"]}},
    "analysis": {"duration": 0.04, "step": 1e-3}}
NAMES = ["path", "push", "end", "late", "then@0.01", "then@0.03", "fit"]
INTEGRALS = [0, 1, 6]
WAYS = [["--formulation", "ali3p"], ["--formulation", "ali3p", "--integrator", "generalised-alpha"],
        ["--formulation", "index1", "--integrator", "rk4"], ["--formulation", "index1", "--integrator", "radau5"],
        ["--formulation", "matrix-r", "--integrator", "newmark"], ["--formulation", "penalty", "--integrator", "trapezoidal"],
        ["--formulation", "semi-recursive", "--integrator", "implicit-euler"],
        ["--formulation", "fully-recursive", "--integrator", "rk4"]]


class HistoryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.write_model(json.dumps(MODEL))

    def arrays(self, *arguments, verb="gradient", model=None, code=0):
        """objective_history [design][time][objective], gradient_history [...][parameter], and the results."""
        out = self.folder / "out"
        process = run(verb, model or self.model, "--out", out, "--quiet", *arguments)
        self.assertEqual(process.returncode, code, process.stderr)
        self.out = out
        read = lambda file, name: self.nested(*array(out / (file + ".npz"), name))
        try:
            history = read("trajectory", "objective_history")
        except KeyError:
            history = None
        try:
            gradients = read("trajectory", "gradient_history")
        except KeyError:
            gradients = None
        return history, gradients, read("gradient", "objective_values"), \
            read("gradient", "gradient") if verb == "gradient" else None

    def nested(self, shape, numbers):
        for size in reversed(shape[1:]):
            numbers = [list(numbers[i:i + size]) for i in range(0, len(numbers), size)]
        return list(numbers)

    def flat(self, nested):
        return [number for part in nested for number in self.flat(part)] if isinstance(nested, list) else [nested]

    def assert_near(self, found, expected, share):
        """Numbers deviate by no more than a share of the largest."""
        found, expected = self.flat(found), self.flat(expected)
        self.assertEqual(len(found), len(expected))
        scale = max(map(abs, expected))
        self.assertGreater(scale, 0)
        self.assertLessEqual(max(abs(a - b) for a, b in zip(found, expected)), share * scale)

    def column(self, rows, objective):
        return [row[objective] for row in rows]

    def test_last_values_are_the_results(self):
        for way in WAYS:
            history, gradients, values, gradient = self.arrays("--columns", *way)
            self.assertEqual((len(history), len(gradients)), (41, 41))
            for o, name in enumerate(NAMES):
                # Values have long been due at the end; expressions go on.
                row = 10 if name == "then@0.01" else 30 if name == "then@0.03" else 40
                self.assertEqual(history[row][o], values[0][o], (way, name))
                self.assertEqual(gradients[row][o], gradient[0][o], (way, name))
                self.assertGreater(max(map(abs, gradient[0][o])), 0)
            for o in INTEGRALS:
                self.assertEqual(history[0][o], 0)
                self.assertEqual(gradients[0][o], [0, 0, 0])
            self.assertNotEqual(history[40][4], values[0][4])

    def test_values_before_the_end_are_those_of_shorter_motions(self):
        sooner = json.loads(json.dumps(MODEL))
        del sooner["objectives"]["then"]
        sooner["objectives"]["late"]["terminal"] = "sqrt(max(t - 0.02, 0))*tip.x"
        model = self.write_model(json.dumps(sooner), "sooner.json")
        for way in WAYS:
            history, gradients, *_ = self.arrays("--columns", *way)
            _, _, values, gradient = self.arrays("--duration", 0.025, *way, model=model)
            for here, there in enumerate([0, 1, 2, 3, 6]):
                self.assert_near(history[25][there], values[0][here], 1e-12)
                self.assert_near(gradients[25][there], gradient[0][here], 1e-11)

    def test_gradients_are_those_of_dual_numbers(self):
        for way in WAYS:
            direct, dual = self.arrays("--columns", *way), self.arrays("--columns", "--method", "dual", *way)
            for o, name in enumerate(NAMES):
                if name == "late":  # before 0.02 s there is none
                    self.assertTrue(math.isnan(direct[0][10][o]) and math.isnan(dual[0][10][o]))
                    self.assertTrue(math.isnan(direct[1][10][o][0]))
                rows = slice(25 if name == "late" else 0, None)
                self.assert_near(self.column(direct[0][rows], o), self.column(dual[0][rows], o), 1e-11)
                self.assert_near(self.column(direct[1][rows], o), self.column(dual[1][rows], o), 1e-9)

    def test_what_is_known_at_the_end_only_has_no_history(self):
        model = json.loads(json.dumps(MODEL))
        model["objectives"]["highest"] = {"maximum": "tip.x"}
        path = self.write_model(json.dumps(model), "highest.json")
        for method in ("direct", "dual"):
            history, gradients, *_ = self.arrays("--columns", "--method", method, model=path)
            self.assertTrue(all(math.isnan(row[-1]) for row in history), method)
            self.assertTrue(all(math.isnan(number) for row in gradients for number in row[-1]), method)
            self.assertFalse(any(math.isnan(number) for number in self.flat(self.column(gradients, 0))), method)

    def test_gradients_are_those_of_differences(self):
        history, gradients, *_ = self.arrays("--columns")
        for p, (name, value) in enumerate((("L", 0.5), ("m", 2.0), ("k", 3.0))):
            moved = lambda h: self.arrays("--set", f"{name}={value + h!r}", verb="simulate")[0]
            for o in (0, 1, 2, 4, 6):
                exact = [row[o][p] for row in gradients]
                deviations = []
                for h in (1e-3, 1e-4, 1e-5):
                    up, down = moved(h), moved(-h)
                    quotients = [(a[o] - b[o]) / (2 * h) for a, b in zip(up, down)]
                    deviations.append(max(abs(a - b) for a, b in zip(exact, quotients)))
                if max(map(abs, exact)) > 0:
                    self.assertLess(min(deviations), 1e-7 * max(map(abs, exact)), (name, NAMES[o]))

    def test_does_not_depend_on_where_it_runs(self):
        for model in (self.model, FIVE_BAR):
            batch = ["--columns", "--designs", 11, "--spread", 0.001, "--duration", 0.03]
            reference = self.arrays(*batch, "--lanes", 1, model=model)
            self.assertEqual(len(reference[0]), 11)
            for where in (["--backend", "cpu:3"], ["--backend", "cpu:1"]):
                # As text: NaN is where it is.
                self.assertEqual(str(self.arrays(*batch, *where, model=model)), str(reference))
            if "debug: the device" in self.run_ok("info").stdout:
                device = self.arrays(*batch, "--backend", "debug", model=model)
                for found, expected in zip(device[:2], reference[:2]):
                    finite = [(a, b) for a, b in zip(self.flat(found), self.flat(expected)) if not math.isnan(b)]
                    self.assert_near([a for a, _ in finite], [b for _, b in finite], 1e-13)

    def test_other_methods_and_verbs_have_the_objectives(self):
        history, *_ = self.arrays("--columns")
        for arguments in (["--method", "adjoint"], ["--method", "adjoint", "--memory", "20k"], []):
            found, gradients, *_ = self.arrays(*arguments)
            self.assertEqual(str(found), str(history))
            self.assertIsNone(gradients)
        found, gradients, *_ = self.arrays(verb="simulate")
        self.assertEqual((str(found), gradients), (str(history), None))
        thinned, gradients, _, gradient = self.arrays("--columns", "--record-every", 15)
        self.assertEqual(str(thinned), str([history[k] for k in (0, 15, 30, 40)]))
        self.assertEqual(gradients[-1][0], gradient[0][0])

    def test_adaptive_integrators_have_none(self):
        history, gradients, *_ = self.arrays("--columns", "--formulation", "index1", "--integrator", "dop853")
        self.assertEqual((history, gradients), (None, None))
        self.assertEqual(array(self.out / "trajectory.npz", "sensor_columns")[0][0], 41)

    def test_designs_that_fail(self):
        history, *_ = self.arrays("--columns", "--designs", 30, "--spread", 0.4, "--set", "L_A1=2.2", "--duration", 0.02,
                                  model=FIVE_BAR, code=NUMERICAL_FAILURE)
        ends = [math.isnan(design[-1][0]) for design in history]
        self.assertTrue(any(ends) and not all(ends))

    def test_as_csv(self):
        history, gradients, *_ = self.arrays("--columns", "--csv")
        names, rows = table((self.out / "trajectory.csv").read_text(encoding="utf-8"))
        self.assertEqual(names[-28:-20], ["objective path [m^2/s]", "objective push [m^2/s^3]", "objective end [m kg]",
                                          "objective late [1]", "objective then@0.01 [1]", "objective then@0.03 [1]",
                                          "objective fit [1]", "objective path by L [(m^2/s)/m]"])
        for row, values, columns in zip(rows, history, gradients):
            self.assertEqual(str(row[-28:]), str([*values, *self.flat(columns)]))


if __name__ == "__main__":
    unittest.main()
