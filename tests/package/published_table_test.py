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
PROGRAM = """#!{python}
# Stands in for gradus: answers with prepared numbers.
import json, sys
assert sys.argv[1] == "gradient" and "--json" in sys.argv
lengths_rounded = "L_s1=2.2361" in sys.argv and "L_s2=2.0616" in sys.argv
print(json.dumps({{"gradient": json.loads('''{rounded}''') if lengths_rounded else json.loads('''{exact}''')}}))
"""


def named(rows):
    return json.dumps({name: dict(zip(PARAMETERS, row)) for name, row in rows.items()})


def run_with(script, rounded):
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "gradus"
        program.write_text(PROGRAM.format(python=sys.executable, rounded=named(rounded), exact=named(EXACT)))
        program.chmod(0o755)
        return subprocess.run([sys.executable, script, "--program", program], capture_output=True, text=True, check=False)


def main():
    script = pathlib.Path(sys.argv[1]) / "scripts/published_table.py"
    good = run_with(script, ROUNDED)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "13 of 15 entries agree to the last printed digit, the largest difference is 2 units" in good.stdout, good.stdout

    wrong = {name: list(row) for name, row in ROUNDED.items()}
    wrong["psi2"][1] = 50.29
    bad = run_with(script, wrong)
    assert bad.returncode == 1 and "-3" in bad.stdout, bad.stdout + bad.stderr

    undefined = {name: list(row) for name, row in ROUNDED.items()}
    undefined["psi3"][0] = None
    bad = run_with(script, undefined)
    assert bad.returncode == 1 and "is not a number" in bad.stderr, bad.stdout + bad.stderr

    missing = subprocess.run([sys.executable, script, "--program", "no-such-program"], capture_output=True, text=True,
                             check=False)
    assert missing.returncode == 1 and "scripts/demo" in missing.stderr, missing.stderr


if __name__ == "__main__":
    main()
