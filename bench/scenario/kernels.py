#!/usr/bin/env python3
"""Kernels made for every model in models/: what `gradus compile` says of them, as one JSON document."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHODS = [[], ["--method", "adjoint"], ["--formulation", "index1", "--integrator", "dop853"],
           ["--formulation", "matrix-r", "--integrator", "dopri5"], ["--formulation", "index1", "--integrator", "rk4"]]
LONGEST = {"stewart-platform": "0.2", "flyball-governor": "0.1"}  # s, of models whose motions take long
FIRST = ["five-bar", "slider-crank"]  # what most is said of


def compiled(command, environment, limit):
    """What the program says in JSON; that it takes too long is an answer too."""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"status": f"not done after {limit:g} s"}
    document = json.loads(run.stdout)
    del document["folder"]
    return document


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bin/gradus")
    parser.add_argument("--commit", default="", help="commit of gradus that is measured")
    parser.add_argument("--only", metavar="MODEL", nargs="+", help="names of models, such as five-bar")
    parser.add_argument("--learn", type=float, metavar="S", help="end the learning of each method after so long")
    parser.add_argument("--limit", type=float, default=1200, help="s, how long one may take (default: 1200)")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    wish = parser.parse_args()
    documents = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "GRADUS_KERNEL_CACHE": ""}
        models = sorted(ROOT.glob("models/*/*.json"), key=lambda path: (path.stem not in FIRST, path.stem))
        for model in models:
            if wish.only and model.stem not in wish.only:
                continue
            for method in METHODS:
                brief = ["--duration", LONGEST[model.stem]] if model.stem in LONGEST else []
                command = [wish.program, "compile", str(model), "--json", "--quiet", *method, *brief]
                if wish.learn:
                    command += ["--limit", str(wish.learn)]
                document = compiled(command, environment, wish.limit)
                document.setdefault("model", model.stem)
                document["options"] = method + brief
                documents.append(document)
                record = {"schema": "gradus-kernels-record/1", "commit": wish.commit, "compiled": documents}
                wish.out.write_text(json.dumps(record, indent=1) + "\n")
                print(model.stem, *method, document["status"], file=sys.stderr)


if __name__ == "__main__":
    main()
