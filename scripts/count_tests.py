#!/usr/bin/env python3
"""Counts the tests of one ctest run: count_tests.py JUNIT_FILE BUILD_FOLDER.

Prints the output of the tests that failed, a line for people, and a last line "passed failed skipped" for scripts.
With GRADUS_REQUIRE_DEVICE=1, a skipped test that needs a GPU counts as failed. Exits with 1 if no test ran at all.
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree

LINES_SHOWN = 60  # of the output of a failed test


def tests_with_label(build, label):
    """Names of the tests of a build folder that carry a label."""
    command = ["ctest", "--test-dir", build, "-N", "-L", f"^{label}$", "--show-only=json-v1"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {test["name"] for test in json.loads(listing)["tests"]}


def main():
    junit, build = sys.argv[1:]
    gpu = tests_with_label(build, "gpu")
    device_required = os.environ.get("GRADUS_REQUIRE_DEVICE") == "1"
    passed, failed, skipped, skipped_gpu = 0, [], 0, 0
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        if status == "run":
            passed += 1
        elif status == "fail":
            failed.append(name)
            lines = (case.findtext("system-out") or "").rstrip().splitlines()
            print(f"--- {name} failed:")
            print("\n".join(lines[-LINES_SHOWN:]))
        elif device_required and name in gpu:
            failed.append(name)
            print(f"--- {name} was skipped, but GRADUS_REQUIRE_DEVICE=1 asks for a GPU")
        else:
            skipped += 1
            skipped_gpu += name in gpu
    if passed + len(failed) + skipped == 0:
        print("no test ran", file=sys.stderr)
        return 1
    if failed:
        print("--- failed: " + ", ".join(failed))
    print(f"tests: {passed} passed, {len(failed)} failed, {skipped} skipped ({skipped_gpu} of them need a GPU)")
    print(passed, len(failed), skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main())
