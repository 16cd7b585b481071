"""Runs the commands of the package tests and shows what they printed when they fail."""

import pathlib
import shlex
import shutil
import subprocess
import sys

SKIPPED = 77  # what CTest takes for "skipped"


def run(*command):
    """The standard output of a command; ends the test if the command fails."""
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(words)} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def run_refused(*command):
    """What a command printed that must fail; ends the test if it does not."""
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode == 0:
        sys.exit(f"{shlex.join(words)} did not fail:\n{result.stdout}")
    return " ".join(result.stdout.split())  # CMake breaks lines


def fresh_folder(path):
    """An empty folder at `path`, whatever was there before."""
    path = pathlib.Path(path)
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
