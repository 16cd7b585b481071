#!/usr/bin/env python3
"""Gradients of the models in models/ in reference-point coordinates beside those of joints, as one JSON document."""

import argparse
import datetime
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHODS = [["--formulation", "index1", "--integrator", "dop853", "--rtol", "1e-8"], ["--formulation", "ali3p", "--integrator", "newmark"]]
LONGEST = {"stewart-platform": "0.02"}  # s, of models whose motions take long


def run(program, model, options, verb):
    command = [program, verb, str(model), "--json", "--quiet", "--backend", "cpu:1", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def measured(program, model, method, repeats):
    """Times of both kinds of coordinates in turn, in one row."""
    options = method + (["--duration", LONGEST[model.stem]] if model.stem in LONGEST else [])
    times = {"joint": [], "reference-point": []}
    row = {"model": model.stem, "options": options}
    for repeat in range(repeats + 1):
        for kind, found in times.items():
            result = run(program, model, [*options, "--coordinates", kind], "gradient")
            if result["status"] != "ok":
                return {**row, "failed": kind, "message": result["error"]["message"]}
            if repeat > 0:
                found.append(result["timing"]["total_s"])
            row[kind] = {"gradient": result["gradient"], "steps": result.get("steps_taken", result["steps"])}
    for kind, found in times.items():
        info = run_info(program, model, kind)
        row[kind].update(median_s=statistics.median(found), coordinates=info["coordinates"],
                         rank=info["constraint_rank"], equations=info["constraint_equations"])
    row["ratio"] = row["reference-point"]["median_s"] / row["joint"]["median_s"]
    return row


def run_info(program, model, kind):
    command = [program, "info", str(model), "--json", "--coordinates", kind]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bin/gradus")
    parser.add_argument("--commit", default="", help="commit of gradus that is measured")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    wish = parser.parse_args()
    rows = []
    for model in sorted(ROOT.glob("models/*/*.json")):
        for method in METHODS:
            rows.append(measured(wish.program, model, method, wish.repeats))
            print(rows[-1]["model"], *method, rows[-1].get("ratio", rows[-1].get("message")), flush=True)
            record = {"schema": "gradus-coordinates-record/1", "date": str(datetime.date.today()),
                      "commit": wish.commit, "rows": rows}
            wish.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
