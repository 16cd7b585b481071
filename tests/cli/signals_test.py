"""An interrupted run ends at once, says so, and leaves nothing that looks like a result."""

import json
import shutil
import signal
import subprocess
import time
import unittest

from program import FIVE_BAR, ProgramTest, start, wait_until_it_has_computed


class SignalsTest(ProgramTest):
    def interrupt(self, number):
        out = self.folder / "out"
        process = start("gradient", FIVE_BAR, "--duration", 1e5, "--record-every", 1000000, "--out", out,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            wait_until_it_has_computed(process, 0.3)  # in the middle of the motion
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            process.send_signal(number)
            output, errors = process.communicate(timeout=30)
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(process.returncode, -number)  # so that shells and schedulers see what happened
        self.assertEqual(output, b"")
        self.assertIn(b"gradus: interrupted", errors)
        self.assertEqual(list(out.iterdir()), [])

    def test_interrupt(self):
        self.interrupt(signal.SIGINT)

    def test_terminate(self):
        self.interrupt(signal.SIGTERM)

    def test_studies_end_soon(self):
        """Though they have but one chunk, or a batch of evaluations, which takes far longer."""
        shutil.copy(FIVE_BAR, self.folder / "five-bar.json")
        (self.folder / "measured.csv").write_text("time,alpha1\n0,-2.3561944901923448\n50,-2.36\n")
        parameters = {"L_s1": {"lower": 2.1, "upper": 2.4}}
        verbs = {"sweep": ("direct", {"sampling": "random", "designs": 64, "parameters": {"r_G": {"from": 0.69, "to": 0.724}}}),
                 "optimize": ("adjoint", {"minimize": "psi1", "method": "slsqp", "parameters": parameters}),
                 "fit": ("direct", {"parameters": parameters, "data": "measured.csv", "starts": 64})}
        for verb, (method, section) in verbs.items():
            study = self.folder / f"{verb}.json"
            study.write_text(json.dumps({"schema": "gradus-study/1", "name": verb, "model": "five-bar.json", verb: section,
                                         "options": {"duration": 200, "method": method, "backend": "cpu:1"}}))
            process = start(verb, study, "--out", self.folder / verb, *(["--chunk", 64] if verb == "sweep" else []),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                wait_until_it_has_computed(process, 0.5)
                if process.poll() is not None and b"is not there" in process.stderr.read():
                    continue  # a library
                self.assertIsNone(process.poll(), "the study ended before it could be interrupted")
                process.send_signal(signal.SIGINT)
                begin = time.monotonic()
                output, errors = process.communicate(timeout=60)
            finally:
                process.kill()
                process.communicate()
            self.assertLess(time.monotonic() - begin, 10)  # machines may be busy; half a second is what it waits
            self.assertEqual((process.returncode, output), (-signal.SIGINT, b""), errors)
            self.assertIn(b"to continue: gradus " + verb.encode(), errors)


if __name__ == "__main__":
    unittest.main()
