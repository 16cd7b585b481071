"""What casadi_peers.py and pypi_peers.py share: errors, clocks, the table, and gradus as a program."""

import datetime
import importlib.metadata
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import time

import numpy as np


def errors(result, reference):
    """Relative errors of an array of objectives, and below them a row of their derivatives for each parameter.

    "value" is the worst of the objectives, "row" the worst error of a gradient over its largest entry, "entry" the
    worst one over the entry itself, where that is not zero."""
    difference, rows = np.abs(result - reference), np.abs(reference[1:])
    largest = rows.max(axis=0)
    there = rows > 1e-12 * largest
    return {"value": float((difference[0] / np.abs(reference[0])).max()),
            "row": float((difference[1:] / largest).max()),
            "entry": float((difference[1:][there] / rows[there]).max())}


def largest_error(result, reference):
    """The worst of the objectives and of the gradients, the latter over their largest entries."""
    found = errors(result, reference)
    return max(found["value"], found["row"])


def variations(nominal, count):
    """Designs that differ from the nominal one by up to 2 % in every parameter."""
    return nominal * (1 + 0.02 * np.random.default_rng(1).uniform(-1, 1, (count, len(nominal))))


def median_time(call, repeats):
    """Medians of the seconds of a call, of the clock and of the processor: apart where other work disturbs."""
    call()
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return [statistics.median(column) for column in zip(*times)]


def central_differences(motions, nominal, size):
    """Objectives and gradient from `motions`, which takes designs and returns an array of their objectives.

    The nominal design and one on either side for every parameter, `size` of the parameter away."""
    steps = size * np.abs(nominal)
    designs = np.vstack([nominal, nominal + np.diag(steps), nominal - np.diag(steps)])
    values = np.asarray(motions(designs))
    count = len(nominal)
    return np.vstack([values[:1], (values[1:1 + count] - values[1 + count:]) / (2 * steps[:, None])])


class Table:
    """Prints the rows of a problem as they come, and keeps them."""

    def __init__(self, title, reference):
        self.title, self.reference, self.rows = title, reference, []

    @staticmethod
    def head():
        print(f"{'':88}{'us':>11}{'cpu us':>11}{'steps':>8}{'value':>9}{'row':>9}{'entry':>9}")

    def add(self, contender, setting, times, steps=None, result=None, **more):
        """The setting is what decides the accuracy, by names: tolerances, a step, or words. Times are in seconds."""
        error = {} if result is None else errors(result, self.reference)
        self.rows.append({"problem": self.title, "contender": contender, **setting, "seconds": times[0],
                          "cpu_seconds": times[1], "steps": steps, "error": error, **more})
        words = [self.title, contender] + [value if isinstance(value, str) else f"{name} {value:.0e}"
                                           for name, value in setting.items()]
        cells = [format(1e6 * t, "11.1f") for t in times] + [" " * 8 if steps is None else format(steps, "8.1f")]
        cells += [format(e, "9.1e") for e in error.values()]
        print(f"{', '.join(words):88}" + "".join(cells), flush=True)


def as_options(setting):
    return [item for name, number in setting.items() for item in (f"--{name}", number)]


class Gradus:
    """The program with a model and options that all calls have; its specialised kernels lie in a cache of their own."""

    def __init__(self, program, model, cache, *options):
        self.program, self.model, self.options = program, model, options
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}

    def call(self, command, *options):
        arguments = [self.program, command, self.model, *self.options, *options]
        done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise SystemExit(f"gradus: {done.stderr}")
        return done

    def run(self, *options):
        """The document of a gradient, with the time of the processor from the start of the program to its end."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.call("gradient", "--json", "--backend", "cpu:1", "--estimate-every", 0, *options)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        document = json.loads(done.stdout)
        document["cpu_s"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        document["remark"] = " ".join(line for line in done.stderr.splitlines() if "kernels:" in line)
        return document

    def warm(self, *options):
        """Each run compiles what it lacks for the next ones: what is rare."""
        for _ in range(8):
            if "the compiler took 0 s" in self.run(*options)["remark"]:
                return


def numbers_of(document, objectives, parameters):
    """Objectives, and below them a row of their derivatives for each parameter, of a document of gradus."""
    if document.get("status", "ok") != "ok":
        raise SystemExit(f"gradus: {document['status']}")
    return np.array([[document["objectives"][o] for o in objectives],
                     *([document["gradient"][o][name] for o in objectives] for name in parameters)])


class Batch:
    """The same run of gradus several times. Times are those of a design: that of the clock is timing.total_s, that of
    the processor is of the whole program."""

    def __init__(self, kernels, setting, count, runs):
        self.kernels, self.setting, self.count = kernels, setting, count
        self.document = runs[0]
        clock = [run["timing"]["total_s"] / count for run in runs]
        self.times = [statistics.median(clock), statistics.median(run["cpu_s"] / count for run in runs)]
        # Steps of one length are the same number for all designs.
        self.steps = float(np.mean(self.document.get("steps_taken", self.document["steps"])))
        self.more = {"designs": count, "rejected": sum(self.document.get("steps_rejected", [])),
                     "remarks": [run["remark"] for run in runs], "seconds_of_runs": clock}


def timed_batches(gradus, counts, settings, *options, method="direct"):
    """Batches by both kinds of kernels, one design at a time and in 8 lanes, for every setting. `counts` has the
    designs for each kind."""
    for kernels, count in counts.items():
        if kernels == "specialised":
            # Runs that are shorter than the compiler takes end it, and fill no cache.
            gradus.call("compile", *options, *as_options(settings[0]))
        for lanes in (1,) if method == "adjoint" else (1, 8):
            fixed = ("--spread", 0.02, "--lanes", lanes, "--kernels", kernels, "--method", method, *options)
            if kernels == "specialised":
                # Twice the designs come to more that is rare.
                gradus.warm(*fixed, *as_options(settings[0]), "--designs", 2 * count)
            for setting in settings:
                yield Batch(kernels, setting, count,
                            [gradus.run(*fixed, *as_options(setting), "--designs", count) for _ in range(3)])


def surroundings(packages):
    """What times depend on, for a record."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=pathlib.Path(__file__).resolve().parent,
                            capture_output=True, text=True)
    processor = re.search("model name\\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())  # Linux on x86
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()
    return {"date": datetime.date.today().isoformat(), "commit": commit.stdout.strip(),
            "processor": processor and processor[1], "compiler": compiler[0],
            "packages": {name: importlib.metadata.version(name) for name in sorted(packages)}}
