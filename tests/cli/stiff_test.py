"""Designs whose motion is stiff run by another integrator, and everything that is written says so."""

import json
import unittest

from program import ProgramTest, run

MODEL = {
    "schema": "gradus-model/1", "name": "follower",
    "parameters": {"k": 10},
    "bodies": {"mass": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "mass", "axis": [1, 0, 0],
                        "initial": {"position": 1}}},
    "sensors": {"z": {"coordinate": "rail"}, "v": {"rate": "rail"}},
    "forces": {"follow": {"type": "joint-force", "joint": "rail",
                          "value": "-k*(z - cos(t)) - 0.01*k*(v + sin(t)) - cos(t)"}},
    "objectives": {"z": {"terminal": "z"}, "mean": {"integral": "z"}},
    "analysis": {"duration": 10},
}
SOFT, STIFF = 10, 1e8


class StiffTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "model.json"
        self.model.write_text(json.dumps(MODEL))

    def test_a_run_names_what_ran_it(self):
        by_default = self.run_json("gradient", self.model, "--set", f"k={STIFF}")
        self.assertEqual(by_default["integrator"], "radau9")
        self.assertEqual(by_default["stiff"]["count"], 1)
        self.assertEqual(by_default["stiff"]["integrator"], "radau9")
        self.assertNotIn("integrators", by_default)
        named = self.run_json("gradient", self.model, "--set", f"k={STIFF}", "--integrator", "radau9")
        self.assertEqual(by_default["objectives"], named["objectives"])
        self.assertEqual(by_default["gradient"], named["gradient"])
        self.assertNotIn("stiff", self.run_json("gradient", self.model))
        text = run("gradient", self.model, "--set", f"k={STIFF}")
        self.assertIn("integrator radau9", text.stdout)
        self.assertIn("radau9 ran them from the start", text.stderr)

    def test_who_names_an_explicit_method_is_told(self):
        process = run("simulate", self.model, "--set", "k=1e6", "--integrator", "dop853")
        self.assertIn("integrator dop853,", process.stdout)
        self.assertIn("stiff: 1 of 1 motions", process.stderr)
        document = self.run_json("simulate", self.model, "--set", "k=1e6", "--integrator", "dop853")
        self.assertEqual((document["stiff"]["count"], document["integrator"]), (1, "dop853"))
        self.assertNotIn("integrator", document["stiff"])

    def test_info_says_what_may_run(self):
        self.assertIn("semi-recursive, dop853 (radau9 for stiff motions)", run("info", self.model).stdout)

    def test_a_sweep_of_both(self):
        """The same files from one chunk, from many by several threads, and after an interruption."""
        study = self.folder / "study.json"
        study.write_text(json.dumps({
            "schema": "gradus-study/1", "name": "springs", "model": "model.json",
            "sweep": {"sampling": "grid", "parameters": {"k": {"values": [SOFT, STIFF, 1e7, 20, 1e9, 0.5, 3]}}}}))

        def files_of(out):
            return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file() and path.name != "run.json"}

        def sweep(name, *options):
            out = self.folder / name
            process = run("sweep", study, "--out", out, *options)
            self.assertEqual(process.returncode, 0, process.stderr)
            return out, process

        out, process = sweep("whole", "--backend", "cpu:1")
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual(summary["integrator"], "dop853")
        self.assertEqual(summary["stiff"], {"count": 3, "integrator": "radau9"})
        self.assertIn("stiff: 3 of 7 motions (designs 1, 2 and 4)", process.stderr)
        self.assertIn("motions too stiff for dop853, run by radau9: 3", process.stdout)
        reference = files_of(out)
        self.assertEqual(files_of(sweep("threads", "--backend", "cpu:3", "--chunk", "2")[0]), reference)
        resumed = self.folder / "threads"
        (resumed / "designs.npz").unlink()
        process = run("sweep", study, "--out", resumed, "--resume")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(files_of(resumed), reference)
        alone = self.run_json("gradient", self.model, "--set", "k=1e7")
        table = (out / "designs.npz").read_bytes()
        self.assertIn(b"switched", table)
        self.assertEqual(alone["integrator"], "radau9")


if __name__ == "__main__":
    unittest.main()
