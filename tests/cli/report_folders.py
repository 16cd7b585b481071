"""Small folders of studies, written by hand: what gradus report reads of them, and nothing more."""

import json
import math
import random
import struct
import zipfile

from program import FIVE_BAR

VARIED = ["L_s1", "L_s2", "m_A1"]
UNITS = {"L_s1": "m", "L_s2": "m", "m_A1": "kg", "r_G": "m", "L_A1": "m"}
NOMINAL = {"L_s1": math.sqrt(5), "L_s2": math.sqrt(17) / 2, "m_A1": 1.0, "r_G": math.sqrt(0.5), "L_A1": math.sqrt(2)}
OBJECTIVES = {"psi1": "m^2 s", "psi2": "m^2/s"}


def npy(shape, values):
    if values and isinstance(values[0], str):
        width = max(1, *map(len, values))
        kind, body = "<U" + str(width), b"".join(text.ljust(width, "\0").encode("utf-32-le") for text in values)
    else:
        kind, body = "<f8", struct.pack("<" + str(len(values)) + "d", *values)
    extents = "(" + "".join(str(extent) + ", " for extent in shape) + ")"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {extents}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


def write_npz(file, arrays):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, (shape, values) in arrays.items():
            archive.writestr(name + ".npy", npy(shape, values))


def names_and_units(what, units):
    return {what + "_names": ([len(units)], list(units)), what + "_units": ([len(units)], list(units.values()))}


def write_inputs(folder, verb):
    """Copies of a study, as every study keeps them."""
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    study = {"schema": "gradus-study/1", "name": "by hand", "model": "five-bar.json",
             "options": {"duration": 0.5}, "fit": {"parameters": VARIED, "data": "data.csv"}}
    (inputs / "study.json").write_text(json.dumps(study))
    with open(FIVE_BAR, encoding="utf-8") as model:
        (inputs / "1-five-bar.json").write_text(model.read())
    (inputs / "2-data.csv").write_text("time,r2.x\n" + "".join(f"{0.1 * i},{0.5 + 0.01 * i}\n" for i in range(6)))
    state = {"schema": "gradus-state/1", "verb": verb, "version": "0.1.0", "backend": "cpu",
             "files": ["study", "five-bar.json", "data.csv"]}
    (inputs / "state.json").write_text(json.dumps(state))


def head(kind):
    return {"schema": f"gradus-{kind}/1", "version": "0.1.0", "status": "ok", "study": "by hand",
            "description": "A folder for a test", "model": "five-bar", "backend": "cpu", "formulation": "ali3p",
            "integrator": "newmark", "reference": "rtdyn0", "method": "direct", "step": 1e-3, "duration": 0.5}


def estimate(value, room):
    return {"value": value, "low": value - room, "high": value + room}


def write_summary(folder, summary):
    (folder / "summary.json").write_text(json.dumps(summary))


def statistics_of(objective, unit, values):
    ordered = sorted(values)
    low, width = ordered[0], (ordered[-1] - ordered[0]) / 12
    counts = [0] * 12
    for value in values:
        counts[min(11, int((value - low) / width))] += 1
    quantiles = [{"probability": p, "value": estimate(ordered[int(p * (len(values) - 1))], width / 4)}
                 for p in (0.05, 0.25, 0.5, 0.75, 0.95)]
    drivers = [{"parameter": name, "mean_derivative": estimate((-1) ** k * (k + 1.0), 0.2),
                "mean_square_derivative": estimate((k + 1.0) ** 2, 0.4),
                "first_order": estimate(0.5 / (k + 1), 0.05), "total_bound": estimate(0.7 / (k + 1), 0.08),
                "linear_share": estimate(0.45 / (k + 1), 0.02)} for k, name in enumerate(VARIED)]
    mean = sum(values) / len(values)
    return {"objective": objective, "unit": unit, "count": len(values), "mean": estimate(mean, 0.01),
            "variance": estimate(sum((v - mean) ** 2 for v in values) / len(values), 1e-3), "minimum": ordered[0],
            "maximum": ordered[-1], "quantiles": quantiles,
            "histogram": {"edges": [low + i * width for i in range(13)], "counts": counts}, "drivers": drivers}


def write_sweep(folder, designs=400):
    folder.mkdir()
    write_inputs(folder, "sweep")
    draw = random.Random(1)
    parameters, objectives, gradient = [], [], []
    for _ in range(designs):
        row = {name: NOMINAL[name] * (draw.uniform(0.9, 1.1) if name in VARIED else 1) for name in UNITS}
        parameters += row.values()
        a, b, c = (row[name] - NOMINAL[name] for name in VARIED)
        objectives += [0.7 - 4 * a + 3 * b + 6 * a * a, 7.3 - 15 * a + 50 * b + c]
        gradient += [-4 + 12 * a, 3, 0, 0, 0, -15, 50, 1, 0, 0]
    failed = 7
    objectives[2 * failed:2 * failed + 2] = [math.nan] * 2
    write_npz(folder / "designs.npz", {
        "parameter_values": ([designs, 5], parameters), "objective_values": ([designs, 2], objectives),
        "gradient": ([designs, 2, 5], gradient), **names_and_units("parameter", UNITS),
        **names_and_units("objective", OBJECTIVES)})
    times = [0.01 * i for i in range(51)]
    sensors = []
    for design in range(40):
        for t in times:
            sensors += [0.5 + t * (1 + 0.02 * design), -2 + t * t * (1 - 0.01 * design), 0]
    write_npz(folder / "trajectories.npz", {
        "time": ([51], times), "sensors": ([40, 51, 3], sensors),
        **names_and_units("sensor", {"r2.x": "m", "r2.y": "m", "r2.z": "m"})})
    statistics = [statistics_of(name, unit, [v for v in objectives[i::2] if v == v])
                  for i, (name, unit) in enumerate(OBJECTIVES.items())]
    statistics[1]["drivers"][0]["first_order"] = {"value": None, "low": None, "high": None}
    write_summary(folder, {
        **head("sweep"), "sampling": "latin-hypercube", "seed": 1, "designs": designs, "failed": 1,
        "failures": [{"design": failed, "time": 0.25, "message": "the loop cannot close"}],
        "parameters": [{"name": name, "unit": unit, "varies": name in VARIED} for name, unit in UNITS.items()],
        "objectives": [{"name": name, "unit": unit} for name, unit in OBJECTIVES.items()],
        "confidence": 0.95, "statistics": statistics})


def write_optimization(folder):
    folder.mkdir()
    write_inputs(folder, "optimize")
    rows = ["start,evaluation,objective,gradient_norm,constraint_violation,feasible,at L_s1,at L_s2"]
    for start in range(4):
        for i in range(20 + 3 * start):
            point = f"{2.31 + 0.1 * (start - 1) * math.exp(-i)},{2 - 0.1 * start * math.exp(-i)}"
            fails = start == 2 and i == 1
            rows.append(f"{start},{i},,,,,{point}" if fails else
                        f"{start},{i},{0.2 + (1 + start) * math.exp(-0.6 * i)},{3 * math.exp(-0.9 * i)},{0.1 * math.exp(-i)},"
                        f"{'false' if i < 3 else 'true'},{point}")
    (folder / "history.csv").write_text("\n".join(rows) + "\n")
    write_summary(folder, {
        **head("optimize"),
        "variables": [{"name": "L_s1", "unit": "m", "lower": 1.5, "upper": 3.0, "start": 2.236, "optimum": 2.31, "gradient": -0.4},
                      {"name": "L_s2", "unit": "m", "lower": 1.5, "upper": 2.0, "start": 1.9, "optimum": 2.0, "gradient": 1.7}],
        "constraints": [{"name": "psi2", "unit": "m^2/s", "lower": None, "upper": 7.0, "value": 7.0,
                         "multiplier": 0.3, "active": True},
                        {"name": "psi1", "unit": "m^2 s", "lower": 0.0, "upper": 1e-9, "value": 5e-10,
                         "multiplier": 0.0, "active": False}],
        "objectives": [{"name": "psi1", "unit": "m^2 s", "value": 0.2}],
        "optimizer": "slsqp", "minimize": [{"objective": "psi1", "weight": 2}], "objective": 0.21, "best": 1, "evaluations": 98,
        "starts": [{"start": [2.2, 1.9], "point": [2.31, 2.0], "objective": 0.2 + 0.01 * k, "evaluations": 20 + 3 * k,
                    "constraint_violation": 0.0, "converged": True, "reason": "step below tolerance"} for k in range(4)],
        "check": {"method": "adjoint", "objective_deviation": 1e-15, "gradient_deviation": 2e-12, "passed": True,
                  "active": ["L_s2 at its upper bound", "psi2 at its maximum"], "stationarity": 1e-9, "remark": ""}})


def write_fit(folder):
    folder.mkdir()
    write_inputs(folder, "fit")
    draw = random.Random(2)
    rows = ["sensor,time,measured,computed,residual"]
    for sensor, start in (("r2.x", 0.5), ("r2.y", -2.0)):
        for i in range(200):
            computed = start + 0.3 * math.sin(0.03 * i)
            error = draw.gauss(0, 0.01)
            rows.append(f"{sensor},{0.0025 * i},{computed + error},{computed},{error}")
    (folder / "residuals.csv").write_text("\n".join(rows) + "\n")
    rows = ["start,iteration,sum_of_squares,gradient_norm,damping"]
    for start in range(2):
        rows += [f"{start},{i},{0.04 + 10 ** (1 - i)},{10 ** (2 - 2 * i)},{10 ** (-2 - i)}" for i in range(8)]
    (folder / "history.csv").write_text("\n".join(rows) + "\n")
    write_summary(folder, {
        **head("fit"), "confidence": 0.95, "sum_of_squares": 0.04, "residual_deviation": 0.01, "gradient_norm": 1e-9,
        "check_deviation": 1e-8, "check_error": 1e-5, "best": 0, "warnings": ["L_s1 and L_s2 can replace each other (correlation -0.98)"],
        "parameters": [{"name": name, "unit": UNITS[name], "start": NOMINAL[name] * 1.05, "value": NOMINAL[name],
                        "standard_error": 0.01, "low": NOMINAL[name] - 0.02, "high": NOMINAL[name] + 0.02,
                        "lower": None, "upper": None, "at_bound": False} for name in VARIED],
        "correlation": [[1, -0.98, 0.2], [-0.98, 1, None], [0.2, None, 1]],
        "starts": [{"start": [2.3, 2.1, 1.1], "point": [2.2, 2.06, 1], "sum_of_squares": 0.04, "iterations": 8,
                    "converged": True, "reason": "sum no longer decreases"} for _ in range(2)]})
