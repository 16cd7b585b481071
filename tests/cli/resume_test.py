"""Results that look complete are looked at when they are resumed: what was damaged or lost is made again."""

import json
import shutil
import unittest

from program import BAD_INPUT, FIVE_BAR, ProgramTest, run

STUDY = {
    "schema": "gradus-study/1", "name": "tolerances", "model": "five-bar.json",
    "options": {"duration": 0.05, "backend": "cpu:1"},
    "sweep": {"sampling": "random", "designs": 20, "parameters": {"r_G": {"from": 0.69, "to": 0.724}}},
    "optimize": {"minimize": "psi1", "parameters": {"L_s1": {"lower": 2.1, "upper": 2.4}}},
    "fit": {"parameters": {"L_s1": {"start": 2.24}}, "data": "measured.csv"},
}


def flip(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


class ResumeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")
        (self.folder / "measured.csv").write_text("time,alpha1\n0,-2.3561944901923448\n0.05,-2.36\n")
        self.file = self.folder / "study.json"
        self.file.write_text(json.dumps(STUDY))

    def study(self, verb, out, *options):
        process = run(verb, self.file, "--out", out, *options)
        if "is not there" in process.stderr:
            self.skipTest(process.stderr)  # a library
        self.assertIn(process.returncode, (0, 3), process.stderr)
        return process

    def files_of(self, out):
        return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file() and path.name != "run.json"}

    def test_damage_is_mended(self):
        damages = [flip, lambda file: file.write_bytes(b""), lambda file: file.unlink(),
                   lambda file: file.write_bytes(file.read_bytes() + b" ")]
        out = self.folder / "out"
        self.study("sweep", out)
        reference = self.files_of(out)
        for k, name in enumerate(["summary.json", "designs.npz", "statistics.csv", "drivers.csv"] * 2):
            damages[k % 4 if k < 4 else (k + 1) % 4](out / name)
            process = self.study("sweep", out, "--resume")
            self.assertNotIn("nothing left to do", process.stderr, name)
            self.assertIn(f'"{name}"', process.stderr)
            self.assertEqual(self.files_of(out), reference, name)
        self.assertIn("nothing left to do", self.study("sweep", out, "--resume").stderr)
        self.assertEqual(self.files_of(out), reference)

    def test_every_study(self):
        for verb, name in (("optimize", "history.csv"), ("fit", "residuals.csv")):
            out = self.folder / verb
            self.study(verb, out)
            reference = self.files_of(out)
            (out / name).write_bytes((out / name).read_bytes()[:-1])
            self.assertIn(f'"{name}"', self.study(verb, out, "--resume").stderr)
            self.assertEqual(self.files_of(out), reference)

    def test_files_of_others_stay(self):
        out = self.folder / "out"
        self.study("sweep", out)
        (out / "summary.json").write_text('{ "schema": "other/1" }')
        self.assert_error(BAD_INPUT, "sweep", self.file, "--out", out, "--resume",
                          says=["summary.json", "no study wrote"])

    def test_without_checksums_nothing_is_whole(self):
        """Where the record is lost or damaged, other damage would go unseen."""
        for verb, name in (("sweep", "designs.npz"), ("optimize", "history.csv"), ("fit", "residuals.csv")):
            with self.subTest(verb):
                out = self.folder / verb
                self.study(verb, out)
                reference = self.files_of(out)
                record = (out / "run.json").read_text()
                for text in (None, "", "{", "[]", '{"files": 1}', '{"files": {}}', record[:len(record) // 2]):
                    if text is None:
                        (out / "run.json").unlink()
                        (out / name).unlink()
                    else:
                        (out / "run.json").write_text(text)
                        flip(out / name)
                    process = self.study(verb, out, "--resume")
                    self.assertIn('"run.json"', process.stderr)
                    self.assertNotIn("nothing left to do", process.stderr)
                    self.assertEqual(self.files_of(out), reference, (verb, text))
                self.assertIn("nothing left to do", self.study(verb, out, "--resume").stderr)

    def test_summary_that_is_empty(self):
        out = self.folder / "out"
        self.study("sweep", out)
        reference = self.files_of(out)
        (out / "summary.json").write_text("")
        (out / "run.json").unlink()
        self.study("sweep", out, "--resume")
        self.assertEqual(self.files_of(out), reference)

    def test_without_state_nobody_wrote_it(self):
        """What is in the folder may be anybody's, so that it stays, but it is not said to be."""
        out = self.folder / "out"
        self.study("sweep", out)
        (out / "inputs" / "state.json").unlink()
        for option in ("--resume", "--overwrite"):
            self.assert_error(BAD_INPUT, "sweep", self.file, "--out", out, option,
                              says=["designs.npz", "no inputs/state.json"])

    def test_journal_that_is_a_folder(self):
        for verb in ("optimize", "fit"):
            out = self.folder / verb
            self.study(verb, out)
            (out / "summary.json").unlink()
            self.study(verb, out, "--resume")
            (out / "summary.json").unlink()
            # What identifies unfinished work is the name of its folder, which a run that is refused leaves behind.
            (out / "history.csv").unlink()
            (out / "history.csv").mkdir()
            (out / "history.csv" / "in the way").write_text("")
            process = run(verb, self.file, "--out", out, "--resume")
            self.assertEqual(process.returncode, 5, process.stderr)
            journal, = out.glob("unfinished/*/evaluations-0.journal")
            journal.unlink()
            journal.mkdir()
            self.assertRegex(run(verb, self.file, "--out", out, "--resume").stderr,
                             r"gradus: error: cannot .*evaluations-0\.journal \(")


if __name__ == "__main__":
    unittest.main()
