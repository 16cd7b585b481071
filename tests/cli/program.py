"""Runs the program for the tests. CTest sets GRADUS_PROGRAM and GRADUS_SOURCE_DIR."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["GRADUS_PROGRAM"]
os.environ["GRADUS_KERNEL_CACHE"] = "off"  # tests leave nothing in the folder of the user
FIVE_BAR = os.path.join(os.environ["GRADUS_SOURCE_DIR"], "models", "five-bar", "five-bar.json")
BRIEFLY = ["--duration", "0.02"]  # where the numbers do not matter

DONE, UNEXPECTED, BAD_INPUT, NUMERICAL_FAILURE, BACKEND_UNAVAILABLE, FILE_FAILURE = range(6)

PARAMETERS = ["L_s1", "L_s2", "m_A1", "r_G", "L_A1"]
OBJECTIVES = ["psi1", "psi2", "psi3"]
SENSORS = {"r2": 3, "v2": 3, "a2": 3, "alpha1": 1, "alpha2": 1, "energy": 1}


def start(*arguments, **settings):
    # A test may run in the background of a shell, where interruptions are ignored and the program inherits that.
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **settings)


def wait_until_it_has_computed(process, seconds):
    """Until the program has had that much of a processor, however busy the machine is, or has ended."""
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= ticks:
            return
        time.sleep(0.01)


def run(*arguments, **settings):
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 240, **settings}
    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, text=True,
                          encoding="utf-8", **settings)


def strict_json(text):
    """The one document in `text`; NaN, infinities, repeated members and anything after it are errors."""

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(names) != len(set(names)):
            raise ValueError("repeated members in " + str(names))
        return dict(pairs)

    def constant(name):
        raise ValueError(name + " is not JSON")

    return json.loads(text, object_pairs_hook=members, parse_constant=constant)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_ok(self, *arguments, **settings):
        process = run(*arguments, **settings)
        self.assertEqual(process.returncode, DONE, process.stderr)
        return process

    def run_json(self, *arguments, code=DONE, **settings):
        # Behind the command, where no option can take it for its value.
        process = run(*arguments[:1], "--json", *arguments[1:], **settings)
        self.assertEqual(process.returncode, code, process.stderr)
        return strict_json(process.stdout)

    def assert_error(self, code, *arguments, says=(), **settings):
        """The run ends with `code`, one line of error that holds `says`, and in JSON with the same error."""
        process = run(*arguments, **settings)
        errors = [line for line in process.stderr.splitlines() if line.startswith("gradus: error: ")]
        self.assertEqual(process.returncode, code, process.stderr)
        self.assertEqual(len(errors), 1, process.stderr)
        for text in says:
            self.assertIn(text, errors[0])
        for text in ("std::", "exception", "terminate", "what()"):
            self.assertNotIn(text, process.stderr)
        document = self.run_json(*arguments, code=code, **settings)
        self.assertEqual(document["status"], "failed" if code == NUMERICAL_FAILURE else "error")
        self.assertEqual(document["error"]["code"], code)
        for text in says:
            self.assertIn(text, document["error"]["message"])
        return process

    def write_model(self, text, name="model.json"):
        file = self.folder / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file
