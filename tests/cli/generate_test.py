"""gradus generate: models of families, and what is refused."""

import json
import unittest

from program import BAD_INPUT, ProgramTest


class GenerateTest(ProgramTest):
    def test_every_family_runs_and_has_a_gradient(self):
        families = self.run_json("generate")["families"]
        self.assertEqual([family["family"] for family in families], ["anchor", "arm", "ladder", "pendulum", "platform", "tree"])
        for family in families:
            for size in sorted({family["least"], max(family["least"], 4)}):
                file = self.folder / f"{family['family']}-{size}.json"
                line = self.run_ok("generate", family["family"], "--size", size, "--out", file).stdout
                self.assertTrue(line.startswith(f"{file}: "), line)
                result = self.run_json("gradient", file, "--duration", "0.01")
                self.assertTrue(any(any(row.values()) for row in result["gradient"].values()), result["gradient"])

    def test_names_and_overwriting(self):
        self.assertEqual(self.run_ok("generate", "tree", cwd=self.folder).stdout,
                         "tree-30.json: 30 bodies, 30 joints, 0 loops, 60 parameters\n")
        document = json.loads((self.folder / "tree-30.json").read_text())
        self.assertEqual(document["parameters"]["m"]["size"], 30)
        self.assert_error(BAD_INPUT, "generate", "tree", cwd=self.folder, says=["tree-30.json", "--overwrite"])
        self.run_ok("generate", "tree", "--overwrite", cwd=self.folder)
        self.assertIn("four-bar linkages", self.run_ok("generate").stdout)

    def test_what_is_refused(self):
        self.assert_error(BAD_INPUT, "generate", "tres", says=["tres", "tree"])
        self.assert_error(BAD_INPUT, "generate", "platform", "--size", 2, says=["2", "3 to 200", "legs"])
        self.assert_error(BAD_INPUT, "generate", "pendulum", "--size", 0, says=["--size"])
        self.assert_error(BAD_INPUT, "generate", "--size", 3, says=["--size needs FAMILY"])


if __name__ == "__main__":
    unittest.main()
