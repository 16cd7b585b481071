#!/usr/bin/env python3
"""Compares a new measurement with a stored one: compare_records.py RECORD NEW [--tolerance 0.1] [--backend cuda].

RECORD and NEW are documents of gradus_bench_throughput or `gradus bench`, as scripts/device-check writes them. RECORD may
be a folder: then the newest record in it of the same benchmark on the same GPU counts. A row of the record is kept if NEW
has it, its numbers were right, and its time is no longer than the recorded one by more than the tolerance.

Exit code 0 if all rows are kept, 1 if one is slower, wrong or missing, 2 if there is nothing to compare.
"""

import argparse
import json
import pathlib
import sys

# A GPU of one's own repeats itself within 1 % (bench/results); drivers and clocks may take some more.
TOLERANCE = 0.1


class NotComparable(Exception):
    """Why two documents cannot be compared."""


class Record:
    """What two documents are compared by: benchmark, GPU, date, and the seconds of every row, None where there are none."""

    def __init__(self, file, backend):
        try:
            document = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
            self.benchmark = document["benchmark"] if "benchmark" in document else document["schema"]
            self.date = document.get("date", "")
            # The name alone: drivers change.
            self.gpu = (document["machine"].get("gpu") or "").split(",")[0]
            self.rows = dict(self.read_row(row) for row in document["batches" if "batches" in document else "rows"])
        except (OSError, UnicodeDecodeError) as error:
            raise NotComparable(f"{file} cannot be read ({error})") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise NotComparable(f"{file} is no document of a benchmark ({error!r}), see bench/README.md") from None
        self.file = file
        self.rows = {row: time for row, time in self.rows.items() if row[2].split(":")[0] == backend}

    @staticmethod
    def read_row(row):
        name = row["mechanism"] if "mechanism" in row else row["model"]
        backend = row.get("backend_ran") or row["backend"]
        key = (name, row.get("method", "direct"), backend, row["designs"], row["parameters"], row["steps"])
        return key, row["total_s"] if "total_s" in row else row["seconds"]


def newest(folder, new, backend):
    """The newest record of a folder that NEW can be compared with."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            record = Record(file, backend)
        except NotComparable:
            continue  # of a benchmark of another kind
        if (record.benchmark, record.gpu) == (new.benchmark, new.gpu):
            found.append(record)
    if not found:
        raise NotComparable(f"{folder} holds no record of {new.benchmark} on {new.gpu or 'a machine without GPU'}; "
                            f"if the numbers of {new.file} are right, store it there")
    return max(found, key=lambda record: (record.date, str(record.file)))


def verdict(recorded, measured, tolerance):
    """(whether a row is kept, what to say of it)."""
    if recorded is None:
        return True, "was not measured then"
    if measured is None:
        return False, f"{recorded:.4g} s then, has no time now: it was left out, failed or gave other numbers"
    ratio = measured / recorded
    return ratio <= 1 + tolerance, f"{recorded:.4g} s then, {measured:.4g} s now, {100 * (ratio - 1):+.1f} %"


def compare(record, new, tolerance):
    """Prints a line per row; the number of rows that are not kept."""
    if (record.benchmark, record.gpu) != (new.benchmark, new.gpu):
        raise NotComparable(f"{record.file} is of {record.benchmark} on '{record.gpu}', {new.file} of {new.benchmark} on "
                            f"'{new.gpu}' (times of different machines say nothing)")
    if not any(record.rows.values()):
        raise NotComparable(f"{record.file} has no row of that backend")
    bad = 0
    for row, recorded in record.rows.items():
        kept, text = verdict(recorded, new.rows.get(row), tolerance)
        bad += not kept
        name, method, backend, designs, parameters, steps = row
        print(f"{'ok    ' if kept else 'WORSE '} {name}, {method}, {backend}, {designs} designs, {parameters} parameters, "
              f"{steps} steps: {text}")
    for row in new.rows.keys() - record.rows.keys():
        print(f"new    {', '.join(map(str, row))}")
    return bad


def tolerance_of(text):
    value = float(text)
    if not 0 <= value < 10:
        raise argparse.ArgumentTypeError(f"found {text}, expected a share of the time from 0 to 10")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=pathlib.Path, metavar="RECORD", help="stored document, or a folder of them")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW", help="document of a new measurement")
    parser.add_argument("--tolerance", type=tolerance_of, default=TOLERANCE,
                        help="share by which a time may grow (default %(default)s)")
    parser.add_argument("--backend", default="cuda", help="which rows count (default %(default)s)")
    arguments = parser.parse_args()
    try:
        new = Record(arguments.new, arguments.backend)
        record = newest(arguments.record, new, arguments.backend) if arguments.record.is_dir() else Record(
            arguments.record, arguments.backend)
        print(f"{arguments.new} against {record.file}, tolerance {100 * arguments.tolerance:g} %")
        bad = compare(record, new, arguments.tolerance)
    except NotComparable as reason:
        print(f"compare_records: {reason}", file=sys.stderr)
        return 2
    print(f"{len(record.rows) - bad} rows kept, {bad} slower, wrong or missing")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
