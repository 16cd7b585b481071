"""Optimal control with 507 constraints (models/spring-pendulum), against optima by an independent program."""

import json
import pathlib
import os
import unittest

from program import BAD_INPUT, ProgramTest, run

FOLDER = pathlib.Path(os.environ["GRADUS_SOURCE_DIR"]) / "models/spring-pendulum"
# By the knots of each control and what its spline does at the ends: Ipopt's optimum from no control.
OPTIMA = {(10, "not-a-knot"): 47.463334209, (10, "natural"): 47.461292177, (20, "clamped"): 47.409906485}


class SpringPendulumTest(ProgramTest):
    def optimum(self, knots, ends, *options):
        model = (FOLDER / "spring-pendulum.json").read_text().replace("'not-a-knot'", f"'{ends}'")
        stated = "[" + ", ".join(["0", *(f'"{5 * k}/9"' for k in range(1, 9)), "5"]) + "]"
        self.assertIn(stated, model)
        model = model.replace(stated, "[" + ", ".join(f'"{5 * k}/{knots - 1}"' for k in range(knots)) + "]")
        (self.folder / "spring-pendulum.json").write_text(model.replace('"size": 10', f'"size": {knots}'))
        study = (FOLDER / "studies/energy.json").read_text().replace("../spring", "spring")
        (self.folder / "study.json").write_text(study)
        process = run("optimize", "--json", self.folder / "study.json", "--out",
                      self.folder / f"{knots} {ends} {' '.join(options)}", *options)
        if process.returncode == BAD_INPUT and "is not there" in process.stderr:
            self.skipTest("built without Ipopt")
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(process.stdout)

    def test_least_energy(self):
        for (knots, ends), energy in OPTIMA.items():
            with self.subTest(knots=knots, ends=ends):
                document = self.optimum(knots, ends)
                self.assertTrue(document["check"]["passed"])
                self.assertAlmostEqual(document["objective"] / energy, 1, delta=1e-6)
                active = [c["name"] for c in document["constraints"] if c["active"]]
                self.assertEqual(sum(name.startswith("length") for name in active), 2, active)


if __name__ == "__main__":
    unittest.main()
