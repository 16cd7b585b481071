"""What the program opens when it starts, and what it says of modules that are not there."""

import os
import pathlib
import re
import shutil
import unittest

from program import BACKEND_UNAVAILABLE, BAD_INPUT, BRIEFLY, FIVE_BAR, ProgramTest, run

# The language and the system; and those of builds with sanitizers or with a shared gradus.
EVERYWHERE = {"c", "dl", "gcc_s", "m", "pthread", "rt", "stdc++"}
OTHER_BUILDS = {"asan", "gradus", "tsan", "ubsan"}

OPTIMIZATION = """{"schema": "gradus-study/1", "name": "study", "model": "five-bar.json", "optimize": {"minimize": "psi1",
  "method": "METHOD", "parameters": {"L_s1": {"lower": 1, "upper": 3}}}}"""


def library(path):
    """The name of a library without its folder, "lib" and version."""
    return re.sub(r"^lib|\.so.*$", "", pathlib.Path(path).name)


class StartupTest(ProgramTest):
    def opened(self, *arguments):
        """The libraries that the loader opens while the program runs."""
        log = self.folder / "loader"
        self.run_ok(*arguments, env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log)})
        text = "".join(file.read_text() for file in self.folder.glob("loader.*"))
        return {library(name) for name in re.findall(r"file=(\S+) \[0\];  (?:needed|dynamically loaded)", text)}

    def test_opens_the_language_and_the_system_only(self):
        for arguments in (["--version"], ["simulate", FIVE_BAR, *BRIEFLY]):
            opened = self.opened(*arguments)
            if not opened:
                self.skipTest("this loader does not tell")
            self.assertIn("stdc++", opened)
            of_library = {"z"} if "gradus" in opened else set()  # a static gradus has what it needs of it
            self.assertLessEqual(opened - OTHER_BUILDS - of_library, EVERYWHERE)

    def test_opens_what_is_asked_for(self):
        if not self.run_json("info")["hdf5"]:
            self.skipTest("the module of HDF5 was not built")
        opened = self.opened("simulate", FIVE_BAR, *BRIEFLY, "--out", self.folder / "out", "--hdf5")
        self.assertIn("gradus_hdf5", opened)
        self.assertFalse({"gradus_ipopt", "gradus_mpi", "gradus_nlopt"} & opened)


class MissingModulesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "GRADUS_MODULES": str(self.folder / "modules")}

    def assert_refused(self, code, *arguments, says, **variables):
        process = run(*arguments, env={**self.environment, **variables})
        self.assertEqual(process.returncode, code, process.stderr)
        self.assertEqual(process.stdout, "")
        for text in says:
            self.assertIn(text, process.stderr)

    def test_hdf5(self):
        simulate = ["simulate", FIVE_BAR, *BRIEFLY, "--out", self.folder / "out", "--hdf5"]
        self.assert_refused(BAD_INPUT, *simulate, says=[
            f"--hdf5: HDF5 is not there (libgradus_hdf5.so was not found in {self.folder / 'modules'}, which GRADUS_MODULES "
            "names: it was not built, or not installed), leave it out, or build the target gradus_hdf5 (if there is none, "
            "install HDF5, Debian: libhdf5-dev, and"])
        (self.folder / "modules").mkdir()
        (self.folder / "modules" / "libgradus_hdf5.so").write_text("no library")
        self.assert_refused(BAD_INPUT, *simulate,
                            says=["--hdf5: HDF5 is not there (libgradus_hdf5.so does not load: ",
                                  "leave it out, or install HDF5 (Debian: libhdf5-103-1)"])

    def test_optimisers(self):
        shutil.copy(FIVE_BAR, self.folder)
        study = self.folder / "study.json"
        for method, name in (("slsqp", "NLopt"), ("ipopt", "Ipopt")):
            study.write_text(OPTIMIZATION.replace("METHOD", method), encoding="utf-8")
            self.assert_refused(BAD_INPUT, "optimize", study, "--out", self.folder / "out", says=[
                f'"{method}" is not there (libgradus_{name.lower()}.so was not found', 
                f"build the target gradus_{name.lower()} (if there is none, install {name}, Debian: ", "build gradus with NLopt or Ipopt"])

    def test_mpi(self):
        study = self.folder / "study.json"
        study.write_text("{}", encoding="utf-8")
        self.assert_refused(BACKEND_UNAVAILABLE, "sweep", study, "--out", self.folder / "out",
                            OMPI_COMM_WORLD_SIZE="2",
                            says=["MPI is not there (libgradus_mpi.so was not found", 
                                  "run one process, or build the target gradus_mpi (if there is none, install MPI, "])

    def test_kernels_of_checks(self):
        says = ["debug", f"libgradus_checks.so was not found in {self.folder / 'modules'}, which GRADUS_MODULES names"]
        self.assert_refused(BACKEND_UNAVAILABLE, "simulate", FIVE_BAR, *BRIEFLY, "--backend", "debug", says=says)

    def test_kernels_made_for_the_mechanism(self):
        self.assert_refused(BACKEND_UNAVAILABLE, "simulate", FIVE_BAR, *BRIEFLY, "--kernels", "specialised", says=[
            "kernels: found specialised, which cannot be had here (libgradus_specialise.so was not found",
            "build the target gradus_specialise), use general"])

    def test_info(self):
        document = self.run_json("info", env=self.environment)
        self.assertEqual(document["optimization_methods"], [])
        self.assertFalse(document["hdf5"])
        self.assertFalse(document["specialised_kernels"])
        text = self.run_ok("info", env=self.environment).stdout
        for line in ("optimisation  none", "debug: not available (", "processes     one: libgradus_mpi.so was not found", "arrays        NPZ: ",
                     "kernels       general: libgradus_specialise.so was not found"):
            self.assertIn(line, text)


if __name__ == "__main__":
    unittest.main()
