"""Motions as CSV: in a folder, in a pipe, of batches and of sweeps; the same numbers as in the other files."""

import csv
import io
import json
import math
import re
import shutil
import struct
import unittest
import zipfile

from program import BAD_INPUT, BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

try:
    import pandas
except ImportError:
    pandas = None

AWKWARD = {
    "schema": "gradus-model/1",
    "name": "awkward",
    "parameters": {"L": {"value": 0.5, "unit": "\"m\", long"}, "ratio": 0.3},
    "bodies": {"rod": {"mass": 1, "com": ["ratio", 0, 0],
                       "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1}, "points": {"tip": [1, 0, 0]}}},
    "joints": {"the \"hinge\", left [1]": {"type": "revolute", "parent": "ground", "child": "rod",
                                 "initial": {"position": "ratio", "velocity": 0}}},
    "sensors": {"tip": {"position": "rod.tip"}},
    "objectives": {"height": {"integral": "ratio"}},
    "analysis": {"duration": 0.01, "step": 1e-3}}


def array(archive, name):
    """Shape and numbers of a float64 array in an NPZ file."""
    content = zipfile.ZipFile(archive).read(name + ".npy")
    end = 10 + struct.unpack("<H", content[8:10])[0]
    shape = [int(n) for n in re.findall(r"\d+", re.search(rb"'shape': \(([^)]*)\)", content[:end]).group(1).decode())]
    return shape, struct.unpack("<" + "d" * ((len(content) - end) // 8), content[end:])


def table(text):
    """The header and the rows as numbers; what is empty is NaN."""
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert all(len(line) == len(lines[0]) for line in lines), text
    return lines[0], [[float(cell or "nan") for cell in line] for line in lines[1:]]


class CsvTest(ProgramTest):
    def read(self, file):
        return table(file.read_bytes().decode("utf-8"))

    def test_a_motion_in_a_folder(self):
        out = self.folder / "out"
        self.run_ok("gradient", FIVE_BAR, *BRIEFLY, "--out", out, "--csv", "--columns")
        names, rows = self.read(out / "trajectory.csv")
        self.assertEqual(names[:3], ["time [s]", "coordinate A [rad]", "coordinate 1 [rad]"])
        for name in ("rate A [rad/s]", "acceleration 3 [rad/s^2]", "sensor v2.x [m/s]", "sensor energy [J]",
                     "sensor energy by m_A1 [J/kg]", "sensor v2.y by L_s2 [(m/s)/m]"):
            self.assertIn(name, names)
        self.assertEqual(len(names), 1 + 3 * 4 + (12 + 3) * (1 + 5))
        self.assertEqual(len(rows), 21)
        expected = [[] for _ in rows]
        for kind in ("time", "coordinates", "rates", "accelerations", "sensors", "sensor_columns", "objective_history", "gradient_history"):
            shape, numbers = array(out / "trajectory.npz", kind)
            width = len(numbers) // shape[0]
            for i, row in enumerate(expected):
                row.extend(numbers[i * width:(i + 1) * width])
        self.assertEqual(rows, expected)  # every digit
        self.assertTrue(any(row[-1] != 0 for row in rows))
        # In the same folder: the table of the earlier run must not stay beside the new results.
        self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--out", out)
        self.assertFalse((out / "trajectory.csv").exists())

    def test_a_motion_in_a_pipe(self):
        out = self.folder / "out"
        arguments = ["simulate", FIVE_BAR, *BRIEFLY, "--record-every", 4, "--csv"]
        piped = self.run_ok(*arguments)
        table_of_run = self.run_ok(*arguments, "--out", out)
        self.assertEqual(piped.stdout.encode(), (out / "trajectory.csv").read_bytes())
        self.assertNotIn("time [s]", table_of_run.stdout)
        self.assertEqual([row[0] for row in table(piped.stdout)[1]], [0, 0.004, 0.008, 0.012, 0.016, 0.02])
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(run(*arguments, stdout=full).returncode, 5)

    def test_designs_share_one_table(self):
        process = self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--designs", 3, "--spread", 0.01, "--csv", "--quiet")
        names, rows = table(process.stdout)
        self.assertEqual(names[:2], ["design", "time [s]"])
        self.assertEqual([row[0] for row in rows], [0] * 21 + [1] * 21 + [2] * 21)
        self.assertEqual(len({row[names.index("sensor energy [J]")] for row in rows if row[1] == 0}), 3)

    def test_a_design_that_fails_has_fewer_rows(self):
        # Loops that cannot close: some designs have no motion at all.
        process = run("simulate", FIVE_BAR, *BRIEFLY, "--designs", 30, "--spread", 0.4, "--set", "L_A1=2.2", "--csv")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE)
        rows = table(process.stdout)[1]
        counts = [sum(row[0] == design for row in rows) for design in range(30)]
        self.assertEqual(counts[0], 21)
        self.assertLess(min(counts), 21)
        self.assertTrue(all(math.isfinite(number) for row in rows for number in row))

    def test_awkward_names(self):
        model = self.write_model(json.dumps(AWKWARD))
        names, rows = table(self.run_ok("gradient", model, "--csv", "--columns").stdout)
        for name in ("coordinate the \"hinge\", left [1] [rad]", "sensor tip.x [m]",
                     "sensor tip.y by L [m/(\"m\", long)]", "sensor tip.y by ratio [m/1]"):
            self.assertIn(name, names)
        self.assertEqual(len(rows), 11)

    def test_what_excludes_it(self):
        simulate = ["simulate", FIVE_BAR, *BRIEFLY]
        self.assertIn("--csv and --json exclude each other", run(*simulate, "--csv", "--json").stderr)
        process = run("gradient", FIVE_BAR, *BRIEFLY, "--csv")
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn("--columns", process.stderr)
        self.assert_error(BAD_INPUT, *simulate, "--record-every", 2, says=["--record-every needs --out DIR or --csv"])
        self.run_json(*simulate, "--csv", "--out", self.folder / "out")

    def sweep(self, out, *arguments, record):
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")
        file = self.folder / "study.json"
        file.write_text(json.dumps({
            "schema": "gradus-study/1", "name": "lengths", "model": "five-bar.json",
            "options": {"duration": 0.05, "backend": "cpu:1"},
            "sweep": {"sampling": "random", "designs": 40, "gradients": False,
                      "parameters": {"L_A1": {"from": 1.4, "to": 3.4}}, **record}}))
        return ["sweep", file, "--out", out, "--csv", *arguments]

    def test_a_sweep(self):
        record = {"record": {"sensors": ["alpha1", "r2"], "every": 25}}
        out = self.folder / "a"
        process = run(*self.sweep(out, "--chunk", 7, record=record))
        self.assertIn(process.returncode, (0, NUMERICAL_FAILURE), process.stderr)
        names, rows = self.read(out / "trajectories.csv")
        self.assertEqual(names, ["design", "time [s]", "sensor r2.x [m]", "sensor r2.y [m]", "sensor r2.z [m]",
                                 "sensor alpha1 [rad]"])
        shape, numbers = array(out / "trajectories.npz", "sensors")
        self.assertEqual(shape, [40, 3, 4])
        times = array(out / "trajectories.npz", "time")[1]
        expected = []
        for design in range(40):
            for i in range(3):
                row = numbers[(design * 3 + i) * 4:(design * 3 + i + 1) * 4]
                if math.isfinite(row[0]):
                    expected.append([design, times[i], *row])
        self.assertLess(len(expected), 120)  # some loops do not close
        self.assertEqual(rows, expected)
        other = self.folder / "b"
        run(*self.sweep(other, "--chunk", 64, record=record))
        self.assertEqual((other / "trajectories.csv").read_bytes(), (out / "trajectories.csv").read_bytes())

    def test_a_sweep_that_records_nothing(self):
        out = self.folder / "out"
        self.assert_error(BAD_INPUT, *self.sweep(out, record={}), says=["records no motions", "leave out --csv"])
        self.assertFalse(out.exists())

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_pandas_reads_it(self):
        out = self.folder / "out"
        self.run_ok("simulate", FIVE_BAR, *BRIEFLY, "--out", out, "--csv", "--designs", 2, "--spread", 0.01)
        frame = pandas.read_csv(out / "trajectory.csv")
        frame.columns = frame.columns.str.replace(r" \[[^\[]*\]$", "", regex=True)
        self.assertEqual(list(frame.columns[:3]), ["design", "time", "coordinate A"])
        last = frame[frame["design"] == 1].iloc[-1]
        self.assertEqual(last["time"], 0.02)
        shape, numbers = array(out / "trajectory.npz", "sensors")
        self.assertEqual(list(last.filter(like="sensor ")), list(numbers[-shape[2]:]))


if __name__ == "__main__":
    unittest.main()
