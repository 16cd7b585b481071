"""Everything that is not bad usage: bad files, bad folders, failing numbers, missing backends, full disks."""

import os
import resource
import subprocess
import unittest

from program import (BACKEND_UNAVAILABLE, BAD_INPUT, BRIEFLY, FILE_FAILURE, FIVE_BAR, NUMERICAL_FAILURE, PROGRAM,
                     ProgramTest, run, strict_json)


class ModelFileTest(ProgramTest):
    def test_missing_file(self):
        for command in ("simulate", "gradient", "check", "info"):
            self.assert_error(FILE_FAILURE, command, self.folder / "none.json", says=["none.json"])

    def test_folder_instead_of_a_file(self):
        self.assert_error(FILE_FAILURE, "gradient", self.folder, says=[str(self.folder)])

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_file_that_may_not_be_read(self):
        file = self.write_model("{}")
        file.chmod(0)
        self.assert_error(FILE_FAILURE, "gradient", file, says=["model.json"])

    def test_not_json(self):
        for text in ("", "{", "[1, 2", "{} x", "\0\0\0", b"\xff\xfe{}", '{"name": "a}', "nothing", "{'a': 1}"):
            self.assert_error(BAD_INPUT, "gradient", self.write_model(text), says=["model.json"])

    def test_not_a_model(self):
        for text in ("null", "[]", "1", "{}", '{"schema": "gradus-model/99"}', '{"schema": 1}'):
            self.assert_error(BAD_INPUT, "gradient", self.write_model(text), says=["model.json"])

    def test_models_and_studies_taken_for_each_other(self):
        study = self.write_model('{"schema": "gradus-study/1", "name": "s", "model": "m.json"}')
        self.assert_error(BAD_INPUT, "simulate", study, says=["/schema", "gradus sweep, optimize or fit"])
        self.assert_error(BAD_INPUT, "sweep", FIVE_BAR, "--out", self.folder / "out", says=["/schema", "gradus simulate or gradient"])

    def test_messages_do_not_steer_the_terminal(self):
        file = self.folder / "\x1b[31mred\n.json"
        process = run("gradient", file)
        self.assertEqual(process.returncode, FILE_FAILURE)
        self.assertEqual(len(process.stderr.splitlines()), 1)
        self.assertIn("\ufffd[31mred .json", process.stderr)


class NumbersTest(ProgramTest):
    def test_loop_that_cannot_close(self):
        arguments = [FIVE_BAR, *BRIEFLY, "--set", "L_A1=10"]
        process = run("gradient", *arguments)
        self.assertEqual(process.returncode, NUMERICAL_FAILURE)
        self.assertIn("failed", process.stdout)
        self.assertIn("gradus: error: ", process.stderr)
        document = self.run_json("gradient", *arguments, code=NUMERICAL_FAILURE)
        self.assertEqual(document["status"], "failed")
        self.assertEqual([failure["design"] for failure in document["failures"]], [0])
        self.assertIsNone(document["objectives"]["psi1"])
        self.assertIsNone(document["gradient"]["psi1"]["m_A1"])

    def test_check_of_a_motion_that_fails(self):
        self.assert_error(NUMERICAL_FAILURE, "check", FIVE_BAR, *BRIEFLY, "--set", "L_A1=10")


class BackendTest(ProgramTest):
    def test_device_that_does_not_exist(self):
        self.assert_error(BACKEND_UNAVAILABLE, "gradient", FIVE_BAR, *BRIEFLY, "--backend", "cuda:4096", says=["cuda"])


class OutputFolderTest(ProgramTest):
    def refuse(self, out):
        self.assert_error(FILE_FAILURE, "simulate", FIVE_BAR, *BRIEFLY, "--out", out, says=[str(out)])

    def test_file_in_the_way(self):
        file = self.write_model("precious", "out")
        self.refuse(file)
        self.refuse(file / "deeper")
        self.assertEqual(file.read_text(), "precious")

    def test_folder_that_cannot_be_created(self):
        self.refuse("/proc/gradus")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_may_not_be_written(self):
        out = self.folder / "out"
        out.mkdir(mode=0o500)
        self.refuse(out)

    def test_folder_is_tried_before_the_run(self):
        # The motion of this run takes far longer than the test may.
        process = run("simulate", FIVE_BAR, "--duration", 1e6, "--out", "/proc/gradus", timeout=60)
        self.assertEqual(process.returncode, FILE_FAILURE)

    def test_full_disk(self):
        out = self.folder / "out"
        self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--out", out)

        def limit_files():  # stands for a full disk: writing fails half-way, behind the copy of the model
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

        process = run("simulate", FIVE_BAR, *BRIEFLY, "--out", out, preexec_fn=limit_files)
        self.assertEqual(process.returncode, FILE_FAILURE, process.stderr)
        self.assertRegex(process.stderr, r"gradus: error: cannot write .*gradient\.npz \(File too large\)")
        self.assertFalse((out / "summary.json").exists(), "a folder that is incomplete must not look complete")
        self.assertEqual([file.name for file in out.iterdir() if file.name.startswith(".")], [])


class StandardOutputTest(ProgramTest):
    def test_full_device(self):
        for arguments in (["gradient", FIVE_BAR, *BRIEFLY], ["gradient", FIVE_BAR, *BRIEFLY, "--json"],
                          ["info"], ["info", FIVE_BAR], ["--version"], ["--help"]):
            with open("/dev/full", "w") as full:
                process = run(*arguments, stdout=full)
            self.assertEqual(process.returncode, FILE_FAILURE, arguments)
            self.assertIn("gradus: error: cannot write to standard output (No space left on device)", process.stderr)

    def test_closed(self):
        code = subprocess.call(["sh", "-c", '"$0" info >&- 2>/dev/null', PROGRAM])
        self.assertEqual(code, FILE_FAILURE)

    def test_results_are_safe_when_standard_output_fails(self):
        with open("/dev/full", "w") as full:
            run("simulate", FIVE_BAR, *BRIEFLY, "--out", self.folder / "out", stdout=full)
        strict_json((self.folder / "out" / "summary.json").read_text())


if __name__ == "__main__":
    unittest.main()
