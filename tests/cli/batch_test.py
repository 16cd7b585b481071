"""Many designs in one run."""

import re
import unittest

from program import BAD_INPUT, BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, PARAMETERS, ProgramTest, run

BATCH = [FIVE_BAR, *BRIEFLY, "--designs", 13, "--spread", 0.02, "--seed", 5]
# The loop of the five-bar closes up to L_A1 = 2.67 or so; some of these designs lie beyond.
PARTLY_IMPOSSIBLE = [FIVE_BAR, *BRIEFLY, "--designs", 30, "--spread", 0.4, "--set", "L_A1=2.2"]


class BatchTest(ProgramTest):
    def test_document_lists_all_designs(self):
        document = self.run_json("gradient", *BATCH)
        designs = document["designs"]
        self.assertEqual([entry["design"] for entry in designs], list(range(13)))
        self.assertEqual({entry["status"] for entry in designs}, {"ok"})
        self.assertEqual(document["objectives"], designs[0]["objectives"])
        self.assertEqual(document["gradient"], designs[0]["gradient"])
        self.assertEqual(len({entry["objectives"]["psi1"] for entry in designs}), 13)
        for entry in designs[1:]:
            for name in PARAMETERS:
                ratio = entry["parameters"][name] / designs[0]["parameters"][name]
                self.assertLessEqual(abs(ratio - 1), 0.02 * (1 + 1e-12))

    def test_design_0_is_the_model(self):
        alone = self.run_json("gradient", FIVE_BAR, *BRIEFLY)
        batch = self.run_json("gradient", *BATCH)
        for objective, row in alone["gradient"].items():
            for parameter, value in row.items():
                self.assertAlmostEqual(batch["gradient"][objective][parameter] / value, 1, delta=1e-9)

    def test_seed_decides(self):
        first = self.run_json("simulate", *BATCH)["designs"]
        again = self.run_json("simulate", *BATCH)["designs"]
        other = self.run_json("simulate", *BATCH[:-1], 6)["designs"]
        self.assertEqual(first, again)
        self.assertNotEqual(first[1]["parameters"], other[1]["parameters"])

    def test_kernels_made_for_the_mechanism_have_the_same_bits(self):
        batch = ["gradient", FIVE_BAR, "--duration", 0.4, "--designs", 600, "--spread", 0.02, "--backend", "cpu:1",
                 "--lanes", 1, "--estimate-every", 0, "--out"]
        self.run_ok(*batch, self.folder / "general")
        process = self.run_ok(*batch, self.folder / "specialised", "--kernels", "specialised")
        # Whether the compiler is done before the last design, nobody knows.
        self.assertRegex(process.stderr, r"kernels: (those made for this mechanism took \d+ % of the \d+ steps of designs, or of packs, since|"
                                         r"general ones (took all steps, those that are recorded|did all the work, since the run ended))")
        arrays = [(self.folder / name / "gradient.npz").read_bytes() for name in ("general", "specialised")]
        self.assertEqual(*arrays)

    def test_kernels_are_general_or_specialised(self):
        self.assert_error(BAD_INPUT, "simulate", *BATCH, "--kernels", "special", says=["--kernels", "special", "general"])
        stderr = self.run_ok("simulate", *BATCH, "--kernels", "specialised", "--formulation", "index1").stderr
        self.assertRegex(stderr, r"kernels: (those made for this mechanism took \d+ % of the \d+ parts of evaluations|general ones (evaluated|did all the work))")
        on_device = ["simulate", *BATCH, "--kernels", "specialised", "--backend", "debug"]
        self.assertRegex(self.run_ok(*on_device).stderr, r"kernels: those made for this mechanism took \d+ % of the \d+ steps of designs")
        stderr = self.run_ok(*on_device, "--formulation", "matrix-r").stderr
        self.assertIn("kernels: has no effect (on devices there are those of ali3p only)", stderr)
        stderr = self.run_ok("gradient", *on_device[1:], "--columns", "--out", self.folder / "columns").stderr
        self.assertIn("kernels: has no effect (on devices there are none where columns are recorded)", stderr)
        stderr = self.run_ok("gradient", *BATCH, "--kernels", "specialised", "--method", "dual").stderr
        self.assertIn("kernels: has no effect (dual numbers go by general kernels)", stderr)
        stderr = self.run_ok("gradient", *BATCH, "--kernels", "specialised", "--formulation", "ali3p", "--method", "continuous-adjoint").stderr
        self.assertIn("kernels: has no effect (there are none for continuous adjoints of ali3p)", stderr)

    def test_equal_designs_are_remarked_on(self):
        remark = "all 3 designs are equal; --spread S varies them"
        for varied, expected in (([], 1), (["--quiet"], 0), (["--spread", 0.01], 0), (["--spread", 0], 0)):
            stderr = self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--designs", 3, *varied).stderr
            self.assertEqual(stderr.count(remark), expected, stderr)

    def test_table_shows_ten_designs_and_statistics_over_all(self):
        lines = self.run_ok("gradient", *BATCH).stdout.splitlines()
        designs = [entry["objectives"]["psi1"] for entry in self.run_json("gradient", *BATCH)["designs"]]
        rows = [line.split() for line in lines if re.match(r" *\d+ +ok ", line)]
        self.assertEqual([int(row[0]) for row in rows], list(range(10)))
        self.assertIn("  ... and 3 more", lines)
        first = next(i for i, line in enumerate(lines) if line.startswith("over 13 designs"))
        self.assertEqual(lines[first].split()[-4:], ["minimum", "mean", "maximum", "unit"])
        statistics = [float(cell) for cell in lines[first + 1].split()[1:4]]
        for found, expected in zip(statistics, (min(designs), sum(designs) / 13, max(designs))):
            self.assertAlmostEqual(found / expected, 1, delta=1e-8)

    def test_failed_designs_are_reported_and_the_others_kept(self):
        document = self.run_json("gradient", *PARTLY_IMPOSSIBLE, code=NUMERICAL_FAILURE)
        failures = document["failures"]
        self.assertEqual(document["status"], "failed")
        self.assertEqual(document["error"]["code"], NUMERICAL_FAILURE)
        self.assertTrue(0 < len(failures) < 30, failures)
        failed = {failure["design"]: failure["message"] for failure in failures}
        for entry in document["designs"]:
            if entry["design"] in failed:
                self.assertEqual(entry["status"], failed[entry["design"]])
                self.assertNotEqual(entry["status"], "")
                self.assertIsNone(entry["objectives"]["psi1"])
                self.assertIsNone(entry["gradient"]["psi3"]["L_A1"])
            else:
                self.assertEqual(entry["status"], "ok")
                self.assertIsInstance(entry["gradient"]["psi3"]["L_A1"], float)

    def test_table_lists_failures(self):
        document = self.run_json("gradient", *PARTLY_IMPOSSIBLE, code=NUMERICAL_FAILURE)
        process = run("gradient", *PARTLY_IMPOSSIBLE)
        self.assertEqual(process.returncode, NUMERICAL_FAILURE)
        for failure in document["failures"][:20]:
            self.assertRegex(process.stdout, rf"(?m)^  design {failure['design']} at .* s: .+$")
        self.assertIn(f"{len(document['failures'])} of 30 designs failed", process.stderr)
        kept = [entry["objectives"]["psi1"] for entry in document["designs"] if entry["status"] == "ok"]
        lines = process.stdout.splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith(f"over {len(kept)} designs"))
        mean = float(lines[first + 1].split()[2])
        self.assertAlmostEqual(mean * len(kept) / sum(kept), 1, delta=1e-8)


if __name__ == "__main__":
    unittest.main()
