"""Kernels made for a model ahead of the runs that use them."""

import os
import shutil
import signal
import subprocess
import unittest

from program import BACKEND_UNAVAILABLE, BAD_INPUT, BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run, start, strict_json


class CompileTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder), "GRADUS_KERNEL_CACHE": ""}

    def compile_quickly(self):
        """By a compiler that does not optimise, which takes a third of the time."""
        compiler = self.folder / "quick"
        compiler.write_text('#!/bin/sh\nfor word; do shift; [ "$word" = -O1 ] && word=-O0\n  set -- "$@" "$word"\ndone\n'
                            'exec "$(command -v clang || echo cc)" "$@"\n')
        compiler.chmod(0o755)
        self.environment["GRADUS_CC"] = str(compiler)

    def compile(self, *options):
        return self.run_json("compile", FIVE_BAR, *BRIEFLY, *options, env=self.environment)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_what_was_made_is_found(self):
        made = self.compile("--limit", "1000")
        self.assertEqual((made["schema"], made["status"]), ("gradus-kernels/1", "ok"))
        self.assertEqual(made["folder"], str(self.folder / "gradus" / "kernels"))
        self.assertEqual([line["of"] for line in made["kernels"]], ["motion", "motion", "gradient", "gradient"]
                         if len(made["kernels"]) == 4 else ["motion", "gradient"])
        for line in made["kernels"]:
            self.assertGreater(line["ways"], 3)
            self.assertTrue(line["complete"])
            self.assertGreaterEqual(line["compilations"], 1)
            self.assertGreater(min(line["compile_s"], line["general_s"], line["specialised_s"]), 0)
            self.assertNotIn("obstacle", line)
        again = self.compile()
        for before, line in zip(made["kernels"], again["kernels"]):
            self.assertEqual((line["lanes"], line["of"]), (before["lanes"], before["of"]))
            self.assertEqual((line["found"], line["compilations"]), (1, 0))
        remark = self.run_ok("gradient", FIVE_BAR, *BRIEFLY, "--lanes", "1", "--designs", "5000", "--spread", "0.01",
                             "--kernels", "specialised", env=self.environment).stderr
        self.assertIn("found in the cache", remark)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_of_adjoints(self):
        self.compile_quickly()
        for options in (("--formulation", "ali3p"), ("--formulation", "index1", "--integrator", "dop853", "--rtol", "1e-6")):
            made = self.compile(*options, "--method", "adjoint")
            self.assertEqual({line["of"] for line in made["kernels"]}, {"motion", "adjoint"})
            self.assertNotIn("obstacle", made["kernels"][-1])
            lanes = [line["lanes"] for line in made["kernels"] if line["of"] == "motion"]
            # Adjoints of adaptive methods go back by the steps of each design.
            self.assertEqual([line["lanes"] for line in made["kernels"] if line["of"] == "adjoint"],
                             [1] if "dop853" in options else lanes)
            batch = ("gradient", FIVE_BAR, *BRIEFLY, *options, "--method", "adjoint", "--lanes", "1", "--designs", "2000",
                     "--spread", "0.01")
            remark = self.run_ok(*batch, "--kernels", "specialised", env=self.environment).stderr
            self.assertIn("found in the cache", remark)
        self.assert_error(BAD_INPUT, "compile", FIVE_BAR, "--method", "dual", says=["--method", "adjoint"])

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_of_what_cannot_be_recorded_at_times(self):
        """A stop whose slope is infinite where it is met: such steps teach the compiler nothing, and what is kept serves others."""
        self.compile_quickly()
        model = self.write_model("""{"schema": "gradus-model/1", "name": "stop", "gravity": [0, 0, 0],
          "parameters": {"k": 3.0, "w0": 0.5},
          "bodies": {"cart": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.02}, "points": {"tip": [0.1, 0, 0]}},
                     "rod": {"mass": 0.5, "com": [0.2, 0, 0], "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.02}}},
          "joints": {"s": {"type": "prismatic", "parent": "ground", "child": "cart", "axis": [1, 0, 0]},
                     "h": {"type": "revolute", "parent": "cart.tip", "child": "rod", "axis": [0, 0, 1], "initial": {"velocity": "w0"}}},
          "forces": {"drive": {"type": "joint-force", "joint": "s", "value": "k*sin(4*t)"},
                     "stop": {"type": "joint-force", "joint": "s", "value": "-0.1*max(0, q - 0.05)^1.5"}},
          "sensors": {"q": {"coordinate": "s"}}, "objectives": {"o": {"integral": "q^2"}}, "analysis": {"duration": 1, "step": 0.01}}""")
        made = self.run_json("compile", model, "--limit", "60", env=self.environment)["kernels"]
        for line in made:
            self.assertLessEqual(line["compilations"], 3)
        self.assertGreater(made[-1]["ways"], 3)
        batch = ("gradient", model, "--designs", "1000", "--spread", "0.03", "--lanes", "1", "--estimate-every", "0")
        general = self.run_json(*batch, "--kernels", "general", env=self.environment)
        made = self.run_ok(*batch, "--json", "--kernels", "specialised", env=self.environment)
        self.assertIn("found in the cache", made.stderr)
        self.assertEqual(strict_json(made.stdout)["gradient"], general["gradient"])

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_of_evaluations(self):
        self.compile_quickly()
        text = self.run_ok("compile", FIVE_BAR, *BRIEFLY, "--formulation", "index1", "--integrator", "rk4",
                           env=self.environment).stdout
        self.assertRegex(text, r"(?m)^gradients +1 +\d+ +\d+ +\d+ +[\d.e-]+ +[\d.e-]+ +[\d.e-]+ +[\d.]+$")
        self.assertIn("kept in " + str(self.folder), text)
        self.environment["GRADUS_KERNEL_CACHE"] = "off"
        process = self.run_ok("compile", FIVE_BAR, *BRIEFLY, "--backend", "cuda", env=self.environment)
        self.assertIn("kept nowhere", process.stdout)
        self.assertIn("--backend: has no effect", process.stderr)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_where_others_may_write_nothing_is_kept(self):
        self.compile_quickly()
        folder = self.folder / "gradus" / "kernels"
        folder.mkdir(parents=True)
        (folder / "old").write_text("")
        os.utime(folder / "old", (1, 1))
        folder.chmod(0o777)
        self.assertIsNone(self.compile("--formulation", "index1", "--integrator", "rk4")["folder"])

    def test_for_a_gpu_that_is_not_here(self):
        image = self.folder / "five-bar.cubin"
        command = ["compile", FIVE_BAR, *BRIEFLY, "--device", "sm_80", "--image", image]
        process = run(*command, env=self.environment)
        if process.returncode == BACKEND_UNAVAILABLE and "NVRTC" in process.stderr:
            self.skipTest("no NVRTC")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(image.read_bytes()[:4], b"\x7fELF")
        self.assertRegex(process.stdout, r"(?m)^gradients +1 +\d+ +\d+ +\d+ +[\d.]+ +- +- +-$")
        self.assert_error(BACKEND_UNAVAILABLE, *command, "--formulation", "index1", env=self.environment,
                          says=["ali3p"])
        self.assert_error(BACKEND_UNAVAILABLE, "compile", FIVE_BAR, *BRIEFLY, "--device", "sm_10",
                          env=self.environment, says=["sm_10"])
        for nonsense in ("host", "compute_90", "sm_90 -x", ""):
            self.assert_error(BAD_INPUT, "compile", FIVE_BAR, "--device", nonsense, says=["--device"])
        self.assert_error(BAD_INPUT, "compile", FIVE_BAR, "--image", image, says=["--device"])

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_with_a_limit(self):
        brief = self.run_json("compile", FIVE_BAR, *BRIEFLY, "--limit", "1e-9", env=self.environment, code=BACKEND_UNAVAILABLE)
        for line in brief["kernels"]:
            self.assertEqual((line["complete"], line["compilations"]), (False, 0))
            self.assertEqual(line["obstacle"], "learning ended before any were made: they take longer than the limit")
            self.assertIsNone(line["specialised_s"])
        self.assert_error(BAD_INPUT, "compile", FIVE_BAR, "--limit", "-1", says=["--limit"])
        self.assert_error(BAD_INPUT, "compile", FIVE_BAR, "--limit", "1", "--device", "sm_90", says=["--limit"])

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_interrupted(self):
        """What is made by then is listed."""
        self.compile_quickly()
        process = start("compile", FIVE_BAR, "--duration", "0.5", env=self.environment, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True)
        try:
            said = ""
            while "gradients, one design" not in said:
                line = process.stderr.readline()
                self.assertNotEqual(line, "", said)
                said += line
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertRegex(output, r"(?m)^motions +1 ")

    def test_compilers_that_are_none(self):
        for name in ("/nowhere/cc", "no-such-compiler"):
            self.environment["GRADUS_CC"] = name
            for command in ("compile", "simulate"):
                options = ["--kernels", "specialised"] if command == "simulate" else []
                self.assert_error(BACKEND_UNAVAILABLE, command, FIVE_BAR, *BRIEFLY, *options, env=self.environment,
                                  says=[name, "GRADUS_CC"])
        self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--kernels", "auto", env=self.environment)
        for name in ("/nowhere/cc", "/bin/false"):
            self.environment["GRADUS_CC"] = name
            self.assertIn("general: ", self.run_ok("info", env=self.environment).stdout)
            self.assertFalse(self.run_json("info", env=self.environment)["specialised_kernels"])

    def test_a_compiler_that_says_no_end_of_it(self):
        """It fails, and fills no disk."""
        compiler = self.folder / "talker"
        compiler.write_text("#!/bin/sh\nexec yes error\n")
        compiler.chmod(0o755)
        self.environment["GRADUS_CC"] = str(compiler)
        text = self.run_ok("info", env=self.environment).stdout
        self.assertIn(f"general: {compiler}", text)
        self.assertNotIn("took too long", text)

    def test_a_compiler_that_never_ends(self):
        compiler = self.folder / "patient"
        compiler.write_text("#!/bin/sh\nsleep 1000\n")
        compiler.chmod(0o755)
        self.environment["GRADUS_CC"] = str(compiler)
        self.assertIn(f"general: {compiler} took too long", self.run_ok("info", env=self.environment).stdout)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_where_they_are_kept(self):
        self.compile_quickly()
        folder = self.folder / "gradus" / "kernels"
        self.assertIn(f"kept in {folder} (0 MB)", self.run_ok("info", env=self.environment).stdout)
        self.assertFalse(folder.exists())
        self.compile("--formulation", "index1", "--integrator", "rk4")
        self.assertRegex(self.run_ok("info", env=self.environment).stdout, rf"kept in {folder} \(0?\.?[1-9]")
        self.assertEqual(self.run_json("info", env=self.environment)["kernel_cache"], str(folder))
        (self.folder / "file").write_text("")
        for setting in ({"GRADUS_KERNEL_CACHE": "off"}, {"XDG_CACHE_HOME": str(self.folder / "file")}):
            self.assertIn("kept nowhere", self.run_ok("info", env={**self.environment, **setting}).stdout)

    def test_what_cannot_be_made(self):
        self.environment["GRADUS_CC"] = "/bin/false"
        process = run("compile", FIVE_BAR, *BRIEFLY, env=self.environment)
        self.assertEqual(process.returncode, BACKEND_UNAVAILABLE)
        self.assertIn("no kernels could be made: /bin/false ended with 1, and said nothing", process.stderr)
        self.assertNotIn("kept", process.stdout)
        self.assertRegex(process.stdout, r"(?m)^motions +1 .* - +-$")
        self.assert_error(NUMERICAL_FAILURE, "compile", FIVE_BAR, *BRIEFLY, "--set", "L_A1=10")


if __name__ == "__main__":
    unittest.main()
