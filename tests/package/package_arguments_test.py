"""What scripts/package refuses before it builds or packs anything: package_arguments_test.py SOURCE."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1), "scripts/package")
CACHE = "CMAKE_PROJECT_NAME:STATIC=gradus\nCMAKE_PROJECT_VERSION:STATIC=0.1.0\nGRADUS_VECTOR_LEVELS:STRING="


class PackageArgumentsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def assert_refused(self, *arguments, says):
        result = subprocess.run([PACKAGE, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertTrue(result.stderr.startswith(f"package: {says}"), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_unknown(self):
        for words in (["--foo"], ["--foo", "x"], ["folder"]):
            self.assert_refused(*words, says=f"unknown argument '{words[0]}' (allowed: --build")

    def test_without_a_folder(self):
        for option in ("--build", "--output", "--root"):
            self.assert_refused(option, says=f"{option} wants a folder")

    def test_no_build(self):
        for folder in (self.folder, self.folder / "missing"):
            self.assert_refused("--build", folder, says=f"--build: found '{folder}', which is no build folder of gradus")

    def test_no_root(self):
        self.assert_refused("--root", self.folder, says=f"--root: found '{self.folder}', which is no root of a system")

    def test_kernels_of_one_processor(self):
        (self.folder / "CMakeCache.txt").write_text(f"{CACHE}native\n")
        self.assert_refused("--build", self.folder, says=f"--build: {self.folder} has kernels for processors like the one")

    def test_kernels_of_one_processor_on_request(self):
        for levels, options in (("native", ["--native"]), ("all", [])):
            (self.folder / "CMakeCache.txt").write_text(f"{CACHE}{levels}\n")
            result = subprocess.run([PACKAGE, "--build", self.folder, *options, "--output", self.folder],
                                    capture_output=True, text=True, check=False)
            self.assertNotIn("package: --build", result.stderr)
            self.assertNotEqual(result.returncode, 0)  # nothing is built there


if __name__ == "__main__":
    unittest.main()
