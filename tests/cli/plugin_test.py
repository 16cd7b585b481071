"""Plug-ins on the command line: what is loaded, what is refused, and studies that need them."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from program import BAD_INPUT, DONE, FILE_FAILURE, PROGRAM, ProgramTest

PLUGIN = os.environ["GRADUS_TEST_PLUGIN"]
EXAMPLE = pathlib.Path(os.environ["GRADUS_SOURCE_DIR"], "examples", "plugin", "magnets.json")
LOADED = ["--plugin", PLUGIN]

SWEEP = """{
  "schema": "gradus-study/1", "name": "magnets", "model": "magnets.json", %s
  "options": { "duration": 0.1 },
  "sweep": { "sampling": "latin-hypercube", "designs": 64, "gradients": true,
             "parameters": { "strength": { "from": 0.02, "to": 0.04 }, "lag": { "from": 0.05, "to": 0.2 } } }
}"""
OPTIMIZE = """{
  "schema": "gradus-study/1", "name": "magnets", "model": "magnets.json", "plugins": ["%s"],
  "options": { "duration": 0.1 },
  "optimize": { "minimize": "effort", "parameters": { "strength": { "lower": 0.02, "upper": 0.04 } } }
}"""


class PluginTest(ProgramTest):
    def model(self):
        return shutil.copy(EXAMPLE, self.folder)

    def study(self, text, name="study.json"):
        self.model()
        return self.write_model(text, name)

    def test_every_command_loads_them(self):
        briefly = ["--duration", "0.05"]
        model = self.model()
        for command in (["simulate", model, *briefly], ["gradient", model, *briefly], ["check", model, *briefly], ["info", model],
                        ["show", model, "--out", self.folder / "show.html"],
                        ["bench", model, "--designs", "1", "--steps", "1", "--repeats", "1", "--backends", "cpu:1"]):
            self.run_ok(*command, *LOADED)
            if command[0] != "bench":
                self.assert_error(BAD_INPUT, *command, says=["/forces/pair/type", "a type of a plug-in, which must be loaded before"])

    def test_gradient_is_proved(self):
        lines = self.run_json("check", self.model(), *LOADED)["lines"]
        self.assertEqual(len(lines), 21)
        self.assertEqual({line["verdict"] for line in lines}, {"proved"})

    def test_info_lists_types_and_where_they_come_from(self):
        forces = {line["type"]: line["plugin"] for line in self.run_json("info", *LOADED)["forces"]}
        file = os.path.realpath(PLUGIN)
        for name in ("magnets", "drag", "lagging-motor"):
            self.assertEqual(forces[name], file)
        self.assertIsNone(forces["torque"])
        text = self.run_ok("info", *LOADED).stdout
        self.assertRegex(text, rf"lagging-motor +{file}\n")
        self.assertRegex(text, r"torque +gradus\n")
        self.assertNotIn("magnets", self.run_ok("info").stdout)

    def test_what_cannot_be_loaded_is_refused(self):
        damaged = self.write_model("no library", "libdamaged.so")
        other = self.folder / "libother.so"
        other.write_bytes(pathlib.Path(PLUGIN).read_bytes() + b"more")
        self.assert_error(FILE_FAILURE, "info", "--plugin", self.folder / "none.so", says=["none.so", "No such file", "check the path"])
        self.assert_error(FILE_FAILURE, "info", "--plugin", self.folder, says=["it is no regular file"])
        self.assert_error(BAD_INPUT, "info", "--plugin", "", says=["--plugin: found ''"])
        self.assert_error(BAD_INPUT, "info", "--plugin", damaged, says=["it is no library that can be loaded"])
        self.assert_error(BAD_INPUT, "info", *LOADED, "--plugin", other, says=["found a force of the type", "has one of that type"])
        self.run_ok("info", *LOADED, *LOADED)

    def test_formulas_refuse_with_a_path_in_the_model(self):
        model = json.loads("".join(line for line in EXAMPLE.read_text().splitlines() if not line.startswith("//")))
        model["forces"]["pair"]["shield"] = "exponential"
        self.assert_error(BAD_INPUT, "simulate", self.write_model(json.dumps(model)), *LOADED,
                          says=["model.json: /forces/pair: the formula of \"magnets\" cannot be used", "a shield needs a", "libmagnets.so"])
        model["forces"]["pair"]["depth"] = 0.3
        self.run_ok("simulate", self.write_model(json.dumps(model)), *LOADED, "--duration", "0.05")
        model["forces"]["pair"]["depth"] = -0.3
        self.assert_error(BAD_INPUT, "simulate", self.write_model(json.dumps(model)), *LOADED,
                          says=["/forces/pair/depth: found -0.3 (it has to be above 0)"])
        model["forces"]["pair"]["depth"] = 0.3
        model["forces"]["pair"]["shield"] = "wooden"
        self.assert_error(BAD_INPUT, "simulate", self.write_model(json.dumps(model)), *LOADED, says=["/forces/pair/shield"])

    def test_results_are_reported(self):
        out = self.folder / "results"
        self.run_ok("gradient", self.model(), *LOADED, "--duration", "0.05", "--out", out)
        self.run_ok("report", out, *LOADED)
        page = (out / "report.html").read_text()
        self.assertNotIn("The motion is not shown", page)
        self.assertIn("Motion (with libmagnets.so as it is now)", page)
        self.run_ok("report", out)
        self.assertIn("a type of a plug-in, which must be loaded before", (out / "report.html").read_text())

    def test_study_names_its_plugins(self):
        shutil.copy(PLUGIN, self.folder / "libmine.so")
        study = self.study(SWEEP % '"plugins": ["libmine.so"],')
        out = self.folder / "out"
        self.run_ok("sweep", study, "--out", out)
        self.assertEqual((out / "inputs" / "2-libmine.so").read_bytes(), pathlib.Path(PLUGIN).read_bytes())
        self.run_ok("sweep", study, "--out", out, "--resume")
        self.run_ok("report", out)

    def test_resumed_study_needs_the_same_plugin(self):
        mine = self.folder / "libmine.so"
        shutil.copy(PLUGIN, mine)
        study = self.study(SWEEP % '"plugins": ["libmine.so"],')
        out = self.folder / "out"
        self.run_ok("sweep", study, "--out", out)
        mine.write_bytes(mine.read_bytes() + b"another build")
        self.assert_error(BAD_INPUT, "sweep", study, "--out", out, "--resume", says=["another \"libmine.so\""])
        self.run_ok("sweep", study, "--out", out, "--overwrite")

    def test_study_errors_name_their_place(self):
        study = self.study(SWEEP % '"plugins": ["libnone.so"],')
        self.assert_error(FILE_FAILURE, "sweep", study, says=["study.json: /plugins/0: ", "libnone.so"])
        study = self.study(SWEEP % '"plugins": ["magnets.json"],')
        self.assert_error(BAD_INPUT, "sweep", study, says=["study.json: /plugins/0: ", "it is no library that can be loaded"])
        study = self.study(SWEEP % '"plugins": "libnone.so",')
        self.assert_error(BAD_INPUT, "sweep", study, says=["/plugins"])
        study = self.study(SWEEP % '"plugins": [""],')
        self.assert_error(BAD_INPUT, "sweep", study, says=["/plugins/0"])

    def test_command_line_loads_those_of_a_study(self):
        study = self.study(SWEEP % "")
        out = self.folder / "out"
        self.run_ok("sweep", study, "--out", out, *LOADED)
        self.run_ok("sweep", study, "--out", out, *LOADED, "--resume")
        self.assert_error(BAD_INPUT, "sweep", study, "--out", out, "--resume", says=["a type of a plug-in"])

    def test_optimum_is_reported_with_the_same_plugin_only(self):
        mine, other = self.folder / "libmine.so", self.folder / "other" / "libmine.so"
        shutil.copy(PLUGIN, mine)
        other.parent.mkdir()
        other.write_bytes(mine.read_bytes() + b"another build")
        out = self.folder / "optimum"
        self.run_ok("optimize", self.study(OPTIMIZE % "libmine.so"), "--out", out)
        self.assertEqual(json.loads((out / "summary.json").read_text())["status"], "ok")
        for loaded, expected in (([], "a type of a plug-in, which must be loaded before"),
                                 (["--plugin", other], "it is not the plug-in with which the results were made"),
                                 (["--plugin", mine], "")):
            # Nothing that lies in a folder of results is run.
            self.run_ok("report", out, *loaded)
            page = (out / "report.html").read_text()
            self.assertEqual("The motion is not shown" in page, expected != "")
            self.assertIn(expected, page)

    def test_processes_share_a_study(self):
        if shutil.which("mpirun") is None:
            self.skipTest("mpirun is not installed")
        study = self.study(SWEEP % f'"plugins": ["{PLUGIN}"],')
        self.run_ok("sweep", study, "--out", self.folder / "one", "--chunk", "8")
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": "sh"}
        command = ["mpirun", "--oversubscribe", "-n", "2", PROGRAM, "sweep", str(study), "--out", str(self.folder / "two"), "--chunk", "8"]
        process = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        if "MPI is not there" in process.stderr:
            self.skipTest("the module of MPI was not built")
        self.assertEqual(process.returncode, DONE, process.stderr)
        for name in ("summary.json", "designs.npz"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
