#!/usr/bin/env python3
"""Prints the JSON of gradus_bench_gradient as a table: show.py FILE [--markdown]."""

import argparse
import json
import sys

COLUMNS = ["scenario", "backend", "steps", "designs", "parameters", "Newton/step", "total [s]", "spread", "CPU [s]",
           "motion [s]", "sensitivity [s]", "column-steps/s", "per CPU s", "cost ratio", "by CPU"]


def cells(scenario):
    head = [scenario["name"], scenario["backend"], str(scenario["steps"]), str(scenario["designs"]),
            str(scenario["parameters"]), f"{scenario['newton_iterations_per_step']:.2f}"]
    times = scenario["times"]
    if times is None:
        return head + [f"wrong by {scenario['deviation']}"] + [""] * (len(COLUMNS) - len(head) - 1)
    total = f"{times['total_s']['median']:.4g}"
    if "target_s" in times:
        total += f" (target {times['target_s']:g})"
    return head + [total, f"{100 * times['total_s']['spread']:.0f} %",
                   f"{times['processor_s']['median']:.4g}", f"{times['motion_s']['median']:.4g}",
                   f"{times['sensitivity_s']['median']:.4g}", f"{times['column_steps_per_s']:.3g}",
                   f"{times['column_steps_per_processor_s']:.3g}", f"{times['gradient_cost_ratio']:.2f}",
                   f"{times['gradient_cost_ratio_processor']:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    try:
        with open(arguments.file, encoding="utf-8") as stream:
            document = json.load(stream)
    except (OSError, ValueError) as error:
        sys.exit(f"show: {arguments.file}: {error}")

    machine = document["machine"]
    print(f"{document['date']}, commit {document.get('commit', 'not stated')}, gradus {machine['gradus']}; "
          f"{machine['processor']}, {machine['hardware_threads']} threads; {machine['compiler']}, "
          f"{machine['flags']}; median of {document['repeats']}\n")
    rows = [COLUMNS] + [cells(scenario) for scenario in document["scenarios"]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    for number, row in enumerate(rows):
        padded = [cell.ljust(width) if column < 2 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(row, widths))]
        print("| " + " | ".join(padded) + " |" if arguments.markdown else "  ".join(padded).rstrip())
        if number == 0 and arguments.markdown:
            print("| " + " | ".join("-" * (width if column < 2 else width - 1) + ("" if column < 2 else ":")
                                    for column, width in enumerate(widths)) + " |")


if __name__ == "__main__":
    main()
