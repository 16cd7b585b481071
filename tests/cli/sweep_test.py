"""Sweeps: the same files whatever split, interrupted and continued the work; statistics; mistakes."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, BRIEFLY, FILE_FAILURE, FIVE_BAR, NUMERICAL_FAILURE, PROGRAM, ProgramTest, run, start

DESIGNS = int(os.environ.get("GRADUS_SWEEP_DESIGNS", "2000"))  # CTest says how many

# As models/five-bar/studies/tolerances.json, but brief.
TOLERANCES = {
    "schema": "gradus-study/1",
    "name": "tolerances",
    "model": "five-bar.json",
    "options": {"duration": 0.05, "backend": "cpu:1"},
    "sweep": {
        "sampling": "random",
        "designs": DESIGNS,
        "seed": 7,
        "parameters": {
            "L_s1": {"distribution": "normal", "mean": "sqrt(5)", "standard_deviation": 0.01},
            "m_A1": {"distribution": "log-normal", "median": 1, "log_standard_deviation": 0.02},
            "r_G": {"from": 0.69, "to": 0.724},
        },
    },
}
# The motion of no design of it closes: L_A1 is too long for the loop.
UNCERTAIN = {"L_A1": {"from": 1.4, "to": 3.4}}


def variation(study, **members):
    """A copy of the study, with members of its sweep replaced."""
    copy = json.loads(json.dumps(study))
    copy["sweep"].update(members)
    return copy


# Small chunks, in the slowest way: a run that is to be disturbed lasts long, and the others of its study do not.
SLOWLY = ["--chunk", 5, "--lanes", 1]


def slow_study():
    """One that runs long enough to be disturbed."""
    study = variation(TOLERANCES, designs=min(DESIGNS, 400))
    study["options"]["duration"] = 0.5
    return study


class SweepTest(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")
        self.count = 0

    def write_study(self, study, name="study.json"):
        file = self.folder / name
        file.write_text(study if isinstance(study, str) else json.dumps(study))
        return file

    def out(self):
        self.count += 1
        return self.folder / f"out{self.count}"

    def sweep(self, study, *options):
        """The folder of a sweep that went well."""
        out = self.out()
        self.run_ok("sweep", self.write_study(study), "--out", out, *options)
        return out

    def files_of(self, folder):
        """What is in a folder, but for run.json, which tells of times."""
        return {path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "run.json"}

    def assert_same_files(self, first, second):
        a, b = self.files_of(first), self.files_of(second)
        self.assertEqual(set(a), set(b))
        for name in a:
            self.assertTrue(a[name] == b[name], f"{name} differs")

    def test_split_leaves_no_trace(self):
        reference = self.sweep(TOLERANCES, "--chunk", 4096)
        self.assertEqual(set(self.files_of(reference)),
                         {"designs.npz", "summary.json", "statistics.csv", "drivers.csv",
                          "inputs/study.json", "inputs/state.json", "inputs/1-five-bar.json"})
        self.assert_same_files(reference, self.sweep(TOLERANCES, "--chunk", 64))
        self.assert_same_files(reference, self.sweep(TOLERANCES, "--backend", "cpu:2", "--chunk", 4096))
        self.assert_same_files(reference, self.sweep(TOLERANCES, "--backend", "cpu:2", "--chunk", 63, "--lanes", 1))

    def test_killed_and_continued(self):
        study = slow_study()
        reference = self.sweep(study)
        out = self.out()
        file = self.write_study(study)
        process = start("sweep", file, "--out", out, *SLOWLY, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 5)
        process.kill()
        process.communicate()
        self.assertFalse((out / "summary.json").exists())
        self.assert_error(BAD_INPUT, "sweep", file, "--out", out, says=["unfinished results", "--resume"])
        self.run_ok("sweep", file, "--out", out, "--resume", "--chunk", 256, "--backend", "cpu:2")
        self.assert_same_files(reference, out)
        self.assertIn("nothing left to do", run("sweep", file, "--out", out, "--resume").stderr)
        self.assert_same_files(reference, out)

    def chunks_written(self, out):
        try:
            return len(list(out.glob("unfinished/*/chunk-*.npz")))
        except FileNotFoundError:  # glob lists folders, and the program may remove them meanwhile
            return 0

    def wait_for_chunks(self, process, out, count):
        deadline = time.monotonic() + 60
        while self.chunks_written(out) < count:
            self.assertIsNone(process.poll(), "the sweep ended before it could be disturbed")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_interrupted_and_continued(self):
        study = variation(slow_study(), designs=200)
        study["options"]["duration"] = 0.25  # the device of the debug backend is slow
        out = self.out()
        file = self.write_study(study)
        process = start("sweep", file, "--out", out, "--chunk", 20, "--backend", "debug", stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)  # so that shells see what happened
        self.assertEqual(output, b"")
        self.assertIn(b"--resume", errors)
        command = errors.decode().strip().splitlines()[-1].split("to continue: ")[1].split()
        self.assertEqual(command[0], "gradus")
        self.assertIn("--backend debug", " ".join(command))
        self.run_ok(*command[1:])
        self.assert_same_files(self.sweep(study, "--backend", "debug"), out)

    def test_processes_share_a_sweep(self):
        if shutil.which("mpirun") is None:
            self.skipTest("mpirun is not installed")
        study, out = self.write_study(TOLERANCES), self.out()
        # Open MPI leaves memory behind, which is not what sanitizers are to look for here; and it asks for a remote
        # shell, which machines without others need not have.
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": "sh"}
        command = ["mpirun", "--oversubscribe", "-n", "2", PROGRAM, "sweep", str(study), "--out", str(out),
                   "--chunk", "64"]
        process = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        if "MPI is not there" in process.stderr:
            self.skipTest("the module of MPI was not built")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout.count(" designs of five-bar"), 1)
        self.assertEqual(json.loads((out / "run.json").read_text())["processes"], 2)
        self.assert_same_files(self.sweep(TOLERANCES), out)

    def test_full_disk_loses_a_chunk_at_most(self):
        study, out = self.write_study(TOLERANCES), self.out()
        limit = ["bash", "-c", 'ulimit -f 40; exec "$@"', "bash"]  # blocks of 1 KiB that a file may have
        process = subprocess.run([*limit, PROGRAM, "sweep", str(study), "--out", str(out), "--chunk", "1000"],
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, FILE_FAILURE, process.stderr)
        self.assertIn("--resume", process.stderr)
        self.assertEqual(list(out.rglob("*.part")), [])
        self.assertFalse((out / "summary.json").exists())
        self.run_ok("sweep", study, "--out", out, "--resume")
        self.assert_same_files(self.sweep(TOLERANCES), out)

    def test_damaged_chunk_is_run_again(self):
        study = slow_study()
        out = self.out()
        file = self.write_study(study)
        process = start("sweep", file, "--out", out, *SLOWLY, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 3)
        process.kill()
        process.communicate()
        chunk = sorted(out.glob("unfinished/*/chunk-*.npz"))[0]
        content = bytearray(chunk.read_bytes())
        content[len(content) // 2] ^= 1
        chunk.write_bytes(content)
        self.run_ok("sweep", file, "--out", out, "--resume")
        self.assert_same_files(self.sweep(study), out)

    def test_results_are_not_replaced_unasked(self):
        small = variation(TOLERANCES, designs=10)
        out = self.sweep(small)
        file = self.write_study(small)
        self.assert_error(BAD_INPUT, "sweep", file, "--out", out, says=["holds results", "--overwrite"])
        other = self.write_study(variation(TOLERANCES, designs=11), "other.json")
        self.assert_error(BAD_INPUT, "sweep", other, "--out", out, "--resume", says=["begun with another", "study"])
        self.assertEqual(json.loads((out / "summary.json").read_text())["designs"], 10)
        self.run_ok("sweep", other, "--out", out, "--overwrite")
        self.assertEqual(json.loads((out / "summary.json").read_text())["designs"], 11)

    def test_files_of_others_are_left_alone(self):
        project = self.folder / "project"
        (project / "inputs").mkdir(parents=True)
        (project / "inputs" / "precious").write_text("x")
        (project / "history.csv").write_text("y")
        study = self.write_study(variation(TOLERANCES, designs=10))
        for options in ([], ["--overwrite"], ["--resume"]):
            self.assert_error(BAD_INPUT, "sweep", study, "--out", project, *options,
                              says=["inputs", "history.csv", "--out"])
        self.assertEqual((project / "inputs" / "precious").read_text(), "x")
        self.assertEqual((project / "history.csv").read_text(), "y")

    def test_runs_leave_studies_alone(self):
        small = variation(TOLERANCES, designs=10)
        out, reference = self.sweep(small), self.sweep(small)
        motion = ["simulate", FIVE_BAR, *BRIEFLY, "--out", out]
        self.assert_error(BAD_INPUT, *motion, says=["results of a study", "--overwrite"])
        self.assert_same_files(reference, out)
        (out / "model.json").write_text("{}")
        self.assert_error(BAD_INPUT, *motion, "--overwrite", says=["model.json", "no run wrote"])
        (out / "model.json").unlink()
        self.assert_same_files(reference, out)
        self.run_ok(*motion, "--overwrite")
        self.assertFalse((out / "inputs").exists())
        self.assertEqual(json.loads((out / "summary.json").read_text())["schema"], "gradus-result/1")
        self.run_ok(*motion)  # replaces its own

    def test_runs_leave_files_of_others_alone(self):
        for name, content in {"summary.json": '{ "schema": "other/1" }', "model.json": "{}"}.items():
            project = self.folder / name.replace(".", "-")
            project.mkdir()
            (project / name).write_text(content)
            for options in ([], ["--overwrite"]):
                self.assert_error(BAD_INPUT, "gradient", FIVE_BAR, *BRIEFLY, "--out", project, *options,
                                  says=[name, "no run wrote", "--out"])
            self.assertEqual([file.name for file in project.iterdir()], [name])
            self.assertEqual((project / name).read_text(), content)

    def test_interrupted_runs_are_replaced(self):
        out = self.folder / "run"
        self.run_ok("gradient", FIVE_BAR, *BRIEFLY, "--out", out)
        (out / "summary.json").unlink()
        other = self.folder / "other.json"
        other.write_text(pathlib.Path(FIVE_BAR).read_text().replace('"five-bar"', '"other"'))
        self.run_ok("gradient", other, *BRIEFLY, "--out", out)
        self.assertEqual(json.loads((out / "summary.json").read_text())["model"], "other")

    def test_summaries_of_others_complete_nothing(self):
        study, out = self.write_study(slow_study()), self.out()
        process = start("sweep", study, "--out", out, *SLOWLY, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 2)
        process.kill()
        process.communicate()
        (out / "summary.json").write_text('{ "schema": "gradus-result/1" }')
        for options in ([], ["--overwrite"], ["--resume"]):
            self.assert_error(BAD_INPUT, "sweep", study, "--out", out, *options, says=["summary.json", "no study wrote"])
        (out / "summary.json").unlink()
        self.assertTrue(list(out.glob("unfinished/*/chunk-*.npz")))
        self.run_ok("sweep", study, "--out", out, "--resume")

    def test_one_run_at_a_time(self):
        study, out = self.write_study(slow_study()), self.out()
        process = start("sweep", study, "--out", out, *SLOWLY, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 2)
        for options in ([], ["--overwrite"], ["--resume"]):
            self.assert_error(BAD_INPUT, "sweep", study, "--out", out, *options, says=["another run"])
        self.assertEqual(process.communicate()[1], b"")
        self.assertEqual(process.returncode, 0)

    def test_chunks_of_another_study_are_not_taken(self):
        study, out = self.write_study(slow_study()), self.out()
        process = start("sweep", study, "--out", out, *SLOWLY, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_chunks(process, out, 3)
        process.kill()
        process.communicate()
        chunks = next((out / "unfinished").iterdir())
        shutil.copytree(chunks, self.folder / "chunks")
        other = slow_study()
        other["sweep"]["seed"] = 8
        file = self.write_study(other, "other.json")
        process = start("sweep", file, "--out", out, "--overwrite", *SLOWLY, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        while chunks.exists():
            self.assertIsNone(process.poll(), "the sweep ended and left the chunks of another study")
            time.sleep(0.01)
        self.wait_for_chunks(process, out, 3)
        process.kill()
        process.communicate()
        shutil.copytree(self.folder / "chunks", out / "unfinished" / chunks.name)
        self.run_ok("sweep", file, "--out", out, "--resume")
        self.assert_same_files(self.sweep(other), out)

    def test_failure_is_told_again(self):
        study = self.write_study(variation(TOLERANCES, designs=4, parameters={"L_A1": {"from": 5, "to": 6}}))
        out = self.out()
        self.assertEqual(run("sweep", study, "--out", out).returncode, NUMERICAL_FAILURE)
        process = run("sweep", study, "--out", out, "--resume")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE, process.stderr)
        self.assertIn("gradus: error: ", process.stderr)

    def test_torn_files_are_cleared_away(self):
        study = self.write_study(variation(TOLERANCES, designs=10))
        out = self.out()
        self.run_ok("sweep", study, "--out", out)
        (out / ".designs.npz.1-2.part").write_text("x")
        self.run_ok("sweep", study, "--out", out, "--resume")
        self.assertFalse((out / ".designs.npz.1-2.part").exists())

    def test_default_folders_differ(self):
        study = self.write_study(variation(TOLERANCES, designs=10), "spread.json")
        self.run_ok("sweep", study, cwd=self.folder)
        self.assertTrue((self.folder / "spread-sweep" / "summary.json").exists())

    def test_failed_designs_are_left_out_and_named(self):
        study = variation(TOLERANCES, designs=40, parameters=UNCERTAIN)
        document = self.run_json("sweep", self.write_study(study), "--out", self.out())
        self.assertEqual(document["schema"], "gradus-sweep/1")
        self.assertTrue(0 < document["failed"] < 40)
        self.assertEqual(len(document["failures"]), document["failed"])
        self.assertEqual(document["statistics"][0]["count"], 40 - document["failed"])

    def test_trajectories(self):
        study = variation(TOLERANCES, designs=5, record={"sensors": ["r2", "alpha1"], "every": 20})
        out = self.sweep(study)
        try:
            import numpy
        except ImportError:
            self.skipTest("needs numpy")
        arrays = numpy.load(out / "trajectories.npz")
        self.assertEqual(arrays["sensors"].shape, (5, 4, 4))
        self.assertEqual(list(arrays["sensor_names"]), ["r2.x", "r2.y", "r2.z", "alpha1"])
        numpy.testing.assert_allclose(arrays["time"], [0, 0.02, 0.04, 0.05], rtol=1e-12, atol=0)
        designs = numpy.load(out / "designs.npz")
        row = {name: value for name, value in zip(designs["parameter_names"], designs["parameter_values"][3])}
        alone = self.out()
        self.run_ok("gradient", FIVE_BAR, "--duration", 0.05, "--out", alone, "--record-every", 20,
                    *[word for name, value in row.items() for word in ("--set", f"{name}={float(value)!r}")])
        numpy.testing.assert_array_equal(numpy.load(alone / "gradient.npz")["gradient"][0], designs["gradient"][3])
        sensors = numpy.load(alone / "trajectory.npz")["sensors"]
        numpy.testing.assert_array_equal(arrays["sensors"][3][:, :3], sensors[:, :3])

    def require_hdf5(self):
        if not self.run_json("info")["hdf5"]:
            self.skipTest("the module of HDF5 was not built")

    def test_hdf5(self):
        self.require_hdf5()
        study = variation(TOLERANCES, designs=300, record={"sensors": ["r2"], "every": 20})
        plain = self.files_of(self.sweep(study))
        reference = self.sweep(study, "--hdf5", "--chunk", 4096)
        files = self.files_of(reference)
        self.assertEqual(set(files) - set(plain), {"designs.h5", "trajectories.h5"})
        self.assertEqual({name: files[name] for name in plain}, plain)
        self.assertTrue(files["designs.h5"].startswith(b"\x89HDF\r\n\x1a\n"))
        for arguments in (["--chunk", 64], ["--chunk", 64, "--backend", "cpu:2"],
                          ["--chunk", 4096, "--backend", "cpu:2", "--lanes", 1]):
            self.assert_same_files(reference, self.sweep(study, "--hdf5", *arguments))
        self.run_ok("sweep", self.write_study(study), "--out", reference, "--overwrite")
        self.assertEqual(self.files_of(reference), plain)

    def test_hdf5_of_complete_results(self):
        self.require_hdf5()
        study = variation(TOLERANCES, designs=10)
        out, file = self.sweep(study), self.write_study(study)
        self.assert_error(BAD_INPUT, "sweep", file, "--out", out, "--resume", "--hdf5",
                          says=["without designs.h5", "--overwrite"])
        self.run_ok("sweep", file, "--out", out, "--overwrite", "--hdf5")
        self.assertIn("nothing left to do", self.run_ok("sweep", file, "--out", out, "--resume", "--hdf5").stderr)

    def test_hdf5_on_a_full_disk(self):
        self.require_hdf5()
        # Every chunk and designs.npz are below the limit, designs.h5 is not.
        study = variation(TOLERANCES, designs=300)
        reference = self.sweep(study, "--hdf5")
        sizes = {name: len(content) for name, content in self.files_of(reference).items()}
        self.assertGreater(sizes["designs.h5"], sizes["designs.npz"] + 1024)
        file, out = self.write_study(study), self.out()
        limit = ["bash", "-c", f'ulimit -f {sizes["designs.npz"] // 1024 + 1}; exec "$@"', "bash"]
        process = subprocess.run([*limit, PROGRAM, "sweep", str(file), "--out", str(out), "--hdf5", "--chunk", "50"],
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, FILE_FAILURE, process.stderr)
        self.assertIn("designs.h5", process.stderr)
        self.assertIn("--hdf5 --resume", process.stderr)
        self.assertNotIn("HDF5-DIAG", process.stderr)
        self.assertEqual(list(out.rglob("*.part")) + list(out.rglob("*.h5")), [])
        self.run_ok("sweep", file, "--out", out, "--hdf5", "--resume")
        self.assert_same_files(reference, out)

    def test_progress_as_json(self):
        process = run("sweep", self.write_study(variation(TOLERANCES, designs=2000)), "--out", self.out(), "--progress",
                      "json", "--chunk", 100)
        lines = [json.loads(line) for line in process.stderr.splitlines() if line.startswith("{")]
        self.assertEqual((lines[-1]["done"], lines[-1]["total"]), (2000, 2000))

    def test_mistakes(self):
        def wrong(study, *says, code=BAD_INPUT):
            out = self.out()
            self.assert_error(code, "sweep", self.write_study(study), "--out", out, says=says)
            self.assertFalse(out.exists())

        ranges = TOLERANCES["sweep"]["parameters"]
        wrong(variation(TOLERANCES, parameters={"L_s3": ranges["r_G"]}), "L_s3", "L_s1")
        wrong(variation(TOLERANCES, parameters={"r_G": {"from": 0.7, "to": 0.7}}), "/sweep/parameters/r_G")
        wrong(variation(TOLERANCES, correlation={"parameters": ["L_s1", "r_G"], "matrix": [[1, 1], [1, 1]]}),
              "/sweep/correlation", "L_s1", "r_G")
        wrong(variation(TOLERANCES, designs=0), "/sweep/designs")
        wrong(variation(TOLERANCES, sampling="sobel"), "sobol")
        wrong(variation(TOLERANCES, parameters={"r_G": {"from": "nan", "to": 1}}), "/sweep/parameters/r_G")
        wrong({**TOLERANCES, "model": "nowhere.json"}, "nowhere.json", code=FILE_FAILURE)
        wrong({**TOLERANCES, "options": {"step": -1}}, "step")
        wrong({**TOLERANCES, "options": {"integrator": "euler"}}, "/options/integrator")
        wrong({**TOLERANCES, "set": {"m_A2": 1}}, "m_A2", "m_A1")
        wrong({**TOLERANCES, "swep": {}}, "swep", "sweep")
        wrong("{", "line 1")
        without = {key: value for key, value in TOLERANCES.items() if key != "sweep"}
        wrong(without, "sweep")


if __name__ == "__main__":
    unittest.main()
