"""Shows that scripts/published_table.py accepts known numbers and refuses wrong ones, with a stand-in for the program."""

import json
import pathlib
import subprocess
import sys
import tempfile

PARAMETERS = ["L_s1", "L_s2", "m_A1", "r_G", "L_A1"]
# From an independent simulation with the same step and quadrature: rounded natural lengths, exact ones.
ROUNDED = {"psi1": [-4.228365, 3.212046, 0.318628, 0.442320, 3.359473],
           "psi2": [-15.45006, 50.31712, 0.969954, 0.745248, -27.36980],
           "psi3": [221.7569, 2437.1545, -32.51366, -85.69930, -2547.2674]}
EXACT = {"psi1": [-4.2288168, 3.2115941, 0.3186545, 0.4423445, 3.359833],
         "psi2": [-15.4521889, 50.308741, 0.9701588, 0.7456892, -27.3590876],
         "psi3": [221.6411136, 2436.6075893, -32.4969357, -85.6576148, -2546.5946247]}
# Moments of inertia rounded as well: the published ALI3-P DDM.
MOMENTS = {"psi1": [-4.228, 3.212, 0.3186, 0.4423, 3.359],
           "psi2": [-15.45, 50.32, 0.9700, 0.7454, -27.37],
           "psi3": [221.7, 2437, -32.51, -85.70, -2547]}
PROGRAM = """#!{python} -IS
# Stands in for gradus: answers with prepared numbers.
import json, sys
assert sys.argv[1] == "gradient" and "--json" in sys.argv
told = dict(zip(sys.argv, sys.argv[1:]))
assert told["--integrator"] == "newmark" and told["--reference"] in ("rtdyn0", "rtdyn1")
answers = json.loads('''{answers}''')
model = open(sys.argv[2], encoding="utf-8").read()
lengths_rounded = "L_s1=2.2361" in sys.argv and "L_s2=2.0616" in sys.argv
moments_rounded = "0.1667" in model and "0.4063" in model and "1/6" not in model and "0.40625" not in model
kind = "moments" if moments_rounded else "rounded" if lengths_rounded else "exact"
for key in ("{{formulation}} {{method}}".format(formulation=told["--formulation"], method=told["--method"]),
            told["--method"], kind):
    if key in answers: break
print(json.dumps({{"gradient": answers[key]}}))
"""


def named(rows):
    return {name: dict(zip(PARAMETERS, row)) for name, row in rows.items()}


def changed(rows, objective, parameter, value):
    copy = {name: list(row) for name, row in rows.items()}
    copy[objective][PARAMETERS.index(parameter)] = value
    return copy


def run_with(script, **answers):
    """Answers by kind (rounded, exact, moments), by method, or by "formulation method"."""
    prepared = {"rounded": ROUNDED, "exact": EXACT, "moments": MOMENTS, "continuous-adjoint": EXACT}
    prepared.update({key.replace("__", " ").replace("_", "-"): rows for key, rows in answers.items()})
    text = json.dumps({key: named(rows) for key, rows in prepared.items()})
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "gradus"
        program.write_text(PROGRAM.format(python=sys.executable, answers=text))
        program.chmod(0o755)
        return subprocess.run([sys.executable, script, "--program", program], capture_output=True, text=True, check=False)


def expect_refused(run, *texts):
    assert run.returncode == 1, run.stdout + run.stderr
    for text in texts:
        assert text in run.stdout, (text, run.stdout)


def main():
    script = pathlib.Path(sys.argv[1]) / "scripts/published_table.py"
    good = run_with(script)
    assert good.returncode == 0, good.stdout + good.stderr
    lines = good.stdout.splitlines()
    for table in ("Table 7.4", "Table 7.5", "Table 7.6"):
        assert sum(line.startswith(table) for line in lines) == 1, good.stdout
    assert sum(line.startswith("  published, ") for line in lines) == 33, good.stdout
    direct = next(line for line in lines if line.startswith("  matrix-r direct, rtdyn0") and "Reference" in line)
    assert "Matrix R DDM 13, 2 (d psi2/d r_G)" in direct, direct
    assert "ALI3-P DDM 15, 0;" in good.stdout, good.stdout
    assert sum(line.startswith("  matrix-r continuous-adjoint") and "ALI3-P" not in line and "221.6411" in line
               for line in lines) == 2, good.stdout

    # One unit is allowed, two only in the entry of which the script says so.
    expect_refused(run_with(script, rounded=changed(ROUNDED, "psi2", "L_s2", 50.29)),
                   "ali3p direct, rtdyn0: d psi2/d L_s2 is -3 units off the row ALI3-P DDM", "not kept by")
    assert run_with(script, rounded=changed(ROUNDED, "psi2", "L_s2", 50.31)).returncode == 0
    expect_refused(run_with(script, rounded=changed(ROUNDED, "psi2", "L_s2", 50.30)), "-2 units off")
    expect_refused(run_with(script, rounded=changed(ROUNDED, "psi2", "r_G", 0.7451)), "-3 units off")
    expect_refused(run_with(script, moments=changed(MOMENTS, "psi2", "r_G", 0.7452)), "moments rounded too: d psi2/d r_G")
    # Every kind of row is held to it, the discrete adjoint to the published direct row.
    for kind in ("ali3p direct", "ali3p adjoint", "matrix-r direct", "matrix-r adjoint"):
        bad = run_with(script, **{kind.replace(" ", "__").replace("-", "_"): changed(ROUNDED, "psi3", "m_A1", -32.54)})
        expect_refused(bad, f"{kind}, rtdyn0: d psi3/d m_A1 is -3 units off", f"{kind}, rtdyn1")

    bad = run_with(script, rounded=changed(ROUNDED, "psi3", "L_s1", None))
    assert bad.returncode == 1 and "is not a number" in bad.stderr, bad.stdout + bad.stderr

    missing = subprocess.run([sys.executable, script, "--program", "no-such-program"], capture_output=True, text=True,
                             check=False)
    assert missing.returncode == 1 and "scripts/demo" in missing.stderr, missing.stderr


if __name__ == "__main__":
    main()
