"""scripts/device-check on stand-ins for the GPU's tools and programs: device_check_test.py ROOT."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve()
REPORT = {"testsuites": [{"name": "Cuda", "testsuite": [
    {"name": "Runs", "status": "RUN", "result": "COMPLETED"},
    {"name": "Other", "status": "RUN", "result": "COMPLETED"},
    {"name": "DISABLED_Off", "status": "NOTRUN", "result": "SUPPRESSED"}]}]}

TEST_PROGRAM = """#!/bin/sh
[ "$GRADUS_REQUIRE_DEVICE" = 1 ] || exit 7
for word in "$@"; do case $word in --gtest_output=json:*) cat "$(dirname "$0")/report" >"${word#--gtest_output=json:}";; esac; done
exit CODE
"""
PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*"
exit CODE
"""


class DeviceCheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        (self.folder / "bin").mkdir()
        for name in ("gradus", "gradus_bench_batches", "gradus_bench_throughput", "nvidia-smi", "compute-sanitizer"):
            self.program(name)
        self.test_program()

    def program(self, name, text=PROGRAM, code=0):
        file = self.folder / "bin" / name
        file.write_text(text.replace("CODE", str(code)))
        file.chmod(0o755)

    def test_program(self, report=REPORT, code=0):
        (self.folder / "bin" / "report").write_text(json.dumps(report))
        self.program("test_cuda", TEST_PROGRAM, code)

    def check(self, *arguments, code):
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        process = subprocess.run([sys.executable, ROOT / "scripts/device-check", "--out", self.out, *arguments], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
        self.assertEqual(process.returncode, code, process.stdout)
        self.output = process.stdout
        file = self.out / "summary.json"
        return json.loads(file.read_text()) if file.exists() else None

    def with_binaries(self, *arguments, code):
        return self.check("--binaries", self.folder, *arguments, code=code)

    def test_all_parts_pass(self):
        summary = self.with_binaries(code=0)
        self.assertEqual([part["part"] for part in summary["parts"]],
                         ["machine", "tests", "memcheck", "initcheck", "racecheck", "synccheck", "bench"])
        self.assertEqual((summary["passed"], summary["failed"]), (7, 0))
        self.assertEqual(summary["parts"][1]["note"], "2 tests")
        self.assertIn("--tool racecheck", (self.out / "racecheck-gradient-general.log").read_text())
        self.assertIn("--backend cuda", (self.out / "memcheck-simulate-specialised.log").read_text())
        self.assertIn("bench", (self.out / "bench.log").read_text())
        self.assertIn("--kernels specialised", (self.out / "synccheck-gradient-specialised.log").read_text())
        self.assertTrue((self.out / "throughput.log").exists())
        self.assertTrue((self.out / "batches.log").exists())

    def failures(self, summary):
        return {part["part"]: part["note"] for part in summary["parts"] if not part["passed"]}

    def test_a_failure_hides_no_other(self):
        self.program("compute-sanitizer", code=99)
        self.program("gradus_bench_throughput", code=1)
        summary = self.with_binaries(code=1)
        failures = self.failures(summary)
        self.assertEqual(set(failures), {"memcheck", "initcheck", "racecheck", "synccheck", "bench"})
        self.assertIn("ended with 99", failures["memcheck"])
        self.assertIn("throughput: ended with 1", failures["bench"])
        self.assertTrue((self.out / "bench-five-bar.log").exists())
        self.assertIn("2 passed, 5 failed", self.output)

    def test_skipped_tests_did_not_pass(self):
        skipped = json.loads(json.dumps(REPORT))
        skipped["testsuites"][0]["testsuite"][1]["result"] = "SKIPPED"
        self.test_program(skipped)
        self.assertIn("Cuda.Other (skipped)", self.failures(self.with_binaries("tests", code=1))["tests"])

    def test_failed_tests_are_named(self):
        failed = json.loads(json.dumps(REPORT))
        failed["testsuites"][0]["testsuite"][0]["failures"] = [{"failure": "wrong"}]
        self.test_program(failed, code=1)
        note = self.failures(self.with_binaries("tests", code=1))["tests"]
        self.assertIn("1 of 2 tests did not pass: Cuda.Runs", note)

    def test_a_crash_is_no_success(self):
        self.program("test_cuda", code=139)
        self.assertIn("ended with 139", self.failures(self.with_binaries("tests", code=1))["tests"])
        self.test_program(code=139)  # after its report
        self.assertIn("ended with 139", self.failures(self.with_binaries("tests", code=1))["tests"])
        self.test_program({"testsuites": []})
        self.assertEqual(self.failures(self.with_binaries("tests", code=1))["tests"], "no test ran")

    def test_missing_programs_are_told(self):
        (self.folder / "bin" / "test_cuda").unlink()
        (self.folder / "bin" / "gradus").unlink()
        failures = self.failures(self.with_binaries(code=1))
        self.assertIn("No such file", failures["tests"])
        self.assertIn("No such file", failures["bench"])

    def test_what_hangs_is_ended(self):
        self.program("compute-sanitizer", "#!/bin/sh\nexec sleep 60\n")
        summary = self.with_binaries("--limit", "0.5", "memcheck", "machine", code=1)
        self.assertIn("not done after 0.5 s", self.failures(summary)["memcheck"])
        self.assertTrue(summary["parts"][1]["passed"])

    def test_dry_run_prints_every_command_and_runs_none(self):
        for name in ("gradus", "nvidia-smi", "compute-sanitizer", "test_cuda", "cmake"):
            self.program(name, f"#!/bin/sh\ntouch {self.folder}/ran\n")
        summary = self.check("--dry-run", "--bundle", self.folder / "bundle", code=0)
        self.assertFalse((self.folder / "ran").exists())
        self.assertTrue(summary["dry_run"])
        for text in ("nvidia-smi", "-DGRADUS_CUDA=ON", f"-DGRADUS_BUNDLE={self.folder / 'bundle'}", "cmake --build",
                     "test_cuda --gtest_output=json:", "--tool memcheck", "--tool initcheck", "--tool racecheck", "--tool synccheck", "gradus bench",
                     "gradus_bench_throughput --out"):
            self.assertIn(text, self.output)

    def test_build_commands(self):
        self.program("nvidia-smi", "#!/bin/sh\necho 9.0\n")
        self.program("cmake")
        self.check("--bundle", self.folder, "build", code=0)
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=90", (self.out / "configure.log").read_text())
        self.assertIn("test_cuda", (self.out / "build.log").read_text())
        self.program("nvidia-smi", code=9)
        self.assertIn("nvidia-smi", self.failures(self.check("build", code=1))["build"])

    def test_usage(self):
        self.check("tset", code=2)
        self.assertIn("expected one of: machine, build", self.output)
        self.with_binaries("build", code=2)


if __name__ == "__main__":
    unittest.main()
