"""gradus bench: tables, the document, and what it refuses."""

import os
import pathlib
import unittest

from program import BACKEND_UNAVAILABLE, BAD_INPUT, FILE_FAILURE, FIVE_BAR, ProgramTest, run, strict_json

SMALL = ["--bodies", "1,2", "--parameters", "2", "--designs", "3,1", "--steps", 2, "--repeats", 1]
HOST = ["--backends", "cpu:1,debug"]


class BenchTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.settings = {"env": {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}}

    def without_gpu(self):
        return {"env": {**self.settings["env"], "GRADUS_MODULES": "/nowhere"}}

    def test_document(self):
        document = self.run_json("bench", *SMALL, *HOST, "--method", "direct,none", **self.settings)
        self.assertEqual(document["schema"], "gradus-bench/1")
        self.assertEqual(document["status"], "ok")
        self.assertGreaterEqual(document["machine"]["threads"], 1)
        rows = document["rows"]
        self.assertEqual([(row["method"], row["bodies"], row["designs"], row["backend_ran"]) for row in rows],
                         [(method, bodies, designs, backend) for method in ("direct", "none") for bodies in (1, 2)
                          for designs in (1, 3) for backend in ("cpu:1", "debug")])
        for row in rows:
            self.assertGreater(row["seconds"], 0)
            self.assertAlmostEqual(row["designs_per_second"] * row["seconds"] / row["designs"], 1)
            if row["method"] == "direct":
                self.assertAlmostEqual(row["column_steps_per_second"] / row["designs_per_second"], 2 * 2)
            else:
                self.assertIsNone(row["column_steps_per_second"])
        self.assertEqual(document["break_even"], [])
        self.assertIn("no GPU", document["no_break_even"])

    def test_table(self):
        lines = self.run_ok("bench", *SMALL, *HOST, **self.settings).stdout.splitlines()
        heading = next(i for i, line in enumerate(lines) if line.startswith("model "))
        self.assertEqual(lines[heading].split(), ["model", "method", "bodies", "parameters", "designs", "backend",
                                                  "seconds", "designs/s", "column-steps/s", "ratio"])
        self.assertEqual(lines[heading + 1].split()[:6], ["chain-1", "direct", "1", "2", "1", "cpu:1"])
        self.assertEqual(len(lines[heading + 1].split()), 10)
        self.assertRegex(lines[0], r", \d+ threads?; GPU: ")

    def test_model(self):
        document = self.run_json("bench", FIVE_BAR, "--designs", 2, "--steps", 2, *HOST, **self.settings)
        self.assertEqual({row["model"] for row in document["rows"]}, {"five-bar"})

    def test_tune_keeps_the_table_that_info_shows(self):
        document = self.run_json("bench", "--tune", "--backends", "cpu", **self.settings)
        table = document["solvers"][0]
        self.assertRegex(table["measured"], r"^\d{4}-\d{2}-\d{2}")
        self.assertTrue(all(choice["seconds"] for choice in table["choices"]))
        shown = self.run_json("info", **self.settings)["solvers"][0]
        self.assertEqual(shown["measured"], table["measured"])
        self.assertEqual(shown["choices"], table["choices"])

    def test_tune_goes_alone(self):
        for extra in (["--designs", "3"], ["--store"], [FIVE_BAR]):
            self.assert_error(BAD_INPUT, "bench", "--tune", *extra, says=["--tune"], **self.settings)
        self.assert_error(BACKEND_UNAVAILABLE, "bench", "--tune", "--backends", "debug", says=["debug"], **self.settings)

    def test_output_file(self):
        file = self.folder / "new" / "bench.json"
        process = self.run_ok("bench", *SMALL, *HOST, "--output", file, **self.settings)
        self.assertIn("model", process.stdout)
        self.assertEqual(len(strict_json(file.read_text())["rows"]), 8)

    def test_output_that_cannot_be_written_is_found_before_the_work(self):
        (self.folder / "file").write_text("")
        self.assert_error(FILE_FAILURE, "bench", *SMALL, *HOST, "--output", self.folder / "file" / "bench.json")

    def test_without_a_gpu(self):
        """The CPU is measured, the reason is told, and nothing pretends to be a break-even point."""
        process = run("bench", *SMALL, "--json", **self.without_gpu())
        document = strict_json(process.stdout)
        if document["machine"]["gpu"]:
            self.skipTest("there is a usable GPU")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stderr, "")  # nobody has asked for a GPU
        self.assertIn("cuda:0 cannot run here", document["no_break_even"])
        table = self.run_ok("bench", *SMALL, **self.without_gpu()).stdout
        self.assertEqual((table.count("; GPU: none ("), table.count("break-even")), (1, 0))
        asked_for = run("bench", *SMALL, "--backends", "cpu:1,cuda", **self.without_gpu())
        self.assertIn("bench: without cuda: " + document["no_break_even"], asked_for.stderr)
        self.assertEqual(document["break_even"], [])
        self.assertEqual({row["backend"] for row in document["rows"]}, {"cpu:1", "cpu"})
        self.assert_error(BACKEND_UNAVAILABLE, "bench", *SMALL, "--store", says=["--store", "no GPU to compare"],
                          **self.without_gpu())
        self.assert_error(BACKEND_UNAVAILABLE, "bench", *SMALL, "--backends", "cuda", says=["cuda:0 cannot run here"],
                          **self.without_gpu())
        self.assertFalse((self.folder / "cache").exists())

    def test_left_out(self):
        process = self.run_ok("bench", *SMALL, "--backends", "cpu:1", "--longest", "1e-9", **self.settings)
        self.assertIn("left out: a run would take more than", process.stdout)

    def test_usage(self):
        for option, value, says in (("--designs", "1,,2", "''"), ("--designs", "0", "at least 1"),
                                    ("--bodies", "1,x", "'x'"), ("--repeats", "0", "at least 1"),
                                    ("--method", "direct,dierct", "did you mean 'direct'"),
                                    ("--backends", "cpu,auto", "'auto'"), ("--backends", "gpu", "'gpu'"),
                                    ("--longest", "-1", "greater than 0")):
            self.assert_error(BAD_INPUT, "bench", f"{option}={value}", says=[option, says])
        self.assert_error(BAD_INPUT, "bench", "--output", "", says=["--output", "name of a file"])
        self.assert_error(BAD_INPUT, "bench", FIVE_BAR, "--bodies", "3", says=["--bodies", "MODEL"])
        self.assert_error(BAD_INPUT, "bench", "--bodies", "3", "--parameters", "13", *HOST, says=["4 parameters per body"])
        self.assert_error(BAD_INPUT, "bench", "--desings", "3", says=["did you mean '--designs'"])

    def test_auto_reads_the_table_of_the_user(self):
        table = pathlib.Path(self.settings["env"]["XDG_CACHE_HOME"]) / "gradus" / "break-even.json"
        table.parent.mkdir(parents=True)
        briefly = ["gradient", FIVE_BAR, "--duration", "0.005"]
        version = self.run_ok("--version").stdout.split()[1]
        point = ", ".join('{"method": "%s", "bodies": %d, "parameters": %d, "designs": 77, "fewest": 1, "most": 99}' % size
                          for size in (("direct", 32, 5), ("direct", 3, 5), ("direct", 3, 128), ("none", 3, 0)))
        table.write_text('{"schema": "gradus-break-even/1", "version": "%s", "gpu": "none", "threads": %d, "points": [%s]}'
                         % (version, os.cpu_count(), point))
        self.assertIn("as measured here: 3 bodies, 5 parameters, direct: from 77 designs on",
                      self.run_ok(*briefly, **self.settings).stderr)
        self.assertIn("as measured here: 3 bodies, motion alone: from 77 designs on",
                      self.run_ok("simulate", *briefly[1:], **self.settings).stderr)
        self.assertIn("as measured here: 3 bodies, 5 parameters, direct: from 77",
                      self.run_ok(*briefly, "--method", "auto", **self.settings).stderr)
        table.write_bytes(b"\xff\x00{")
        stderr = self.run_ok(*briefly, **self.settings).stderr
        self.assertIn("break-even.json is not used (it is not JSON)", stderr)
        self.assertNotIn("auto chose", stderr)


if __name__ == "__main__":
    unittest.main()
