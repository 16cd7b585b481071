"""Bad usage: exit code 2, and messages that say what was found and what is allowed."""

import re
import unittest

from program import BAD_INPUT, BRIEFLY, FIVE_BAR, ProgramTest, run


class UsageTest(ProgramTest):
    def reject(self, *arguments, says=()):
        process = self.assert_error(BAD_INPUT, *arguments, says=says)
        self.assertEqual(process.stdout, "")

    def test_no_command(self):
        process = run()
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn("simulate, gradient, check, compile, sweep, optimize, fit, bench, info, modes, show, report", process.stderr)
        self.assertIn("--help", process.stderr)

    def test_unknown_command(self):
        self.reject("gradeint", FIVE_BAR, says=["'gradeint'", "did you mean 'gradient'"])

    def test_unknown_option(self):
        self.reject("gradient", FIVE_BAR, "--stp", "1", says=["'--stp'", "did you mean '--step'"])

    def test_model_is_missing(self):
        for command in ("simulate", "gradient", "check"):
            self.reject(command, says=["MODEL"])

    def test_extra_argument(self):
        self.reject("gradient", FIVE_BAR, "more", says=["'more'"])

    def test_option_without_value(self):
        self.reject("gradient", FIVE_BAR, "--step", says=["--step", "SECONDS"])

    def test_option_given_twice(self):
        self.reject("gradient", FIVE_BAR, "--step", 1, "--step", 2, says=["--step", "more than once"])

    def test_options_of_other_commands(self):
        self.reject("simulate", FIVE_BAR, "--method", "dual", says=["'--method'"])
        self.reject("simulate", FIVE_BAR, "--columns", says=["'--columns'"])
        self.reject("check", FIVE_BAR, "--designs", 3, says=["'--designs'"])
        self.reject("info", FIVE_BAR, "--step", 1, says=["'--step'"])

    def test_numbers(self):
        for option in ("--step", "--duration", "--tolerance", "--rtol", "--atol"):
            for value in ("0", "-1", "nan", "inf", "-inf", "1e999", "abc", "1e-3x", "", " 1", "0x10", "1,5"):
                self.reject("simulate", FIVE_BAR, option, value,
                            says=[option, f"'{value}'", "greater than 0"])

    def test_counts(self):
        for option, smallest in (("--designs", 1), ("--record-every", 1)):
            for value in ("0", "-3", "1.5", "1e3", "x", "99999999999999999999"):
                self.reject("simulate", FIVE_BAR, "--out", self.folder / "out", f"{option}={value}",
                            says=[option, f"'{value}'", f"at least {smallest}"])
        self.assertFalse((self.folder / "out").exists())

    def test_bytes(self):
        for value in ("0", "-1", "1.5M", "M", "12T", "99999999999G", "1 M"):
            self.reject("gradient", FIVE_BAR, "--method", "adjoint", f"--memory={value}",
                        says=["--memory", f"'{value}'", "512M"])
        self.reject("gradient", FIVE_BAR, "--method", "adjoint", "--memory", "1k",
                    says=["memory: found 1024 bytes", "expected at least"])

    def test_spread(self):
        for value in ("-0.1", "1", "nan"):
            self.reject("simulate", FIVE_BAR, "--designs", 2, "--spread", value, says=["--spread", f"'{value}'"])

    def test_options_that_need_another(self):
        self.reject("simulate", FIVE_BAR, "--spread", 0.1, says=["--designs"])
        self.reject("simulate", FIVE_BAR, "--seed", 2, says=["--designs"])
        self.reject("simulate", FIVE_BAR, "--record-every", 2, says=["--out"])
        self.reject("gradient", FIVE_BAR, "--columns", says=["--columns", "--out"])

    def test_choices(self):
        self.reject("gradient", FIVE_BAR, "--method", "finite-diference",
                    says=["direct, adjoint, continuous-adjoint, auto, finite-difference, dual", "did you mean 'finite-difference'"])
        self.reject("gradient", FIVE_BAR, "--backend", "cdua", says=["cpu:THREADS", "did you mean 'cuda'"])
        for backend in ("cpu:0", "cpu:", "cpu:x", "cpu:-1", "debug:1", "auto:2", "cuda:x", ""):
            self.reject("gradient", FIVE_BAR, "--backend", backend, says=[f"'{backend}'", "allowed"])

    def test_choices_of_the_engine(self):
        self.reject("simulate", FIVE_BAR, *BRIEFLY, "--formulation", "ali9z", says=["ali9z"])
        self.reject("simulate", FIVE_BAR, *BRIEFLY, "--reference", "nowhere", says=["nowhere"])
        self.reject("simulate", FIVE_BAR, *BRIEFLY, "--integrator", "rk4", says=["rk4", "ali3p", "newmark"])
        self.reject("simulate", FIVE_BAR, *BRIEFLY, "--formulation", "matrix-r", "--integrator", "rk9",
                    says=["rk9", "rk4"])

    def test_columns_of_other_methods(self):
        for method in ("adjoint", "finite-difference"):
            self.reject("gradient", FIVE_BAR, *BRIEFLY, "--out", self.folder / "out", "--columns", "--method", method,
                        says=["columns", method, "direct"])

    def test_assignments(self):
        for value in ("m_A1", "=1", "", "m_A1=", "m_A1=x", "m_A1=nan", "m_A1=inf", "m_A1=1=2", "m_A1=+-1"):
            self.reject("simulate", FIVE_BAR, "--set", value, says=["--set"])
        self.reject("simulate", FIVE_BAR, "--set", "m_A1=1", "--set", "m_A1=2", says=["'m_A1'", "twice"])

    def test_unknown_parameter(self):
        self.reject("simulate", FIVE_BAR, *BRIEFLY, "--set", "m_B7=1", says=["m_B7"])

    def test_option_that_swallows_no_model(self):
        self.run_ok("simulate", "--set", "m_A1=1.5", FIVE_BAR, *BRIEFLY)


class HelpTest(ProgramTest):
    def test_version(self):
        self.assertRegex(self.run_ok("--version").stdout, re.compile(r"^gradus \d+\.\d+\.\d+\n$"))

    def test_help(self):
        text = self.run_ok("--help").stdout
        for command in ("simulate", "gradient", "check", "sweep", "optimize", "fit", "bench", "info", "report"):
            self.assertIn(command, text)
            self.assertIn("--json", self.run_ok(command, "--help").stdout)
        self.assertIn("--method", self.run_ok("gradient", "--help").stdout)
        self.assertNotIn("--method", self.run_ok("simulate", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
