"""An interrupted run ends at once, says so, and leaves nothing that looks like a result."""

import signal
import subprocess
import time
import unittest

from program import FIVE_BAR, ProgramTest, start


class SignalsTest(ProgramTest):
    def interrupt(self, number):
        out = self.folder / "out"
        process = start("gradient", FIVE_BAR, "--duration", 1e5, "--record-every", 1000000, "--out", out,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            time.sleep(1.0)  # long enough to be in the middle of the motion
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


if __name__ == "__main__":
    unittest.main()
