#!/usr/bin/env python3
"""A pendulum in a rough bearing: gradients by gradus, by differences of its motions, and by what MuJoCo has.

    python friction.py build/release/bin/gradus      # MuJoCo from PyPI, if it is there

docs/friction.md has the results.
"""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile

PARAMETERS = {"m": 2.0, "L": 0.8, "mu": 0.25, "r": 0.05, "v_t": 0.005}
DURATION = 3.0
GRAVITY = 9.81
MODEL = {
    "schema": "gradus-model/1", "name": "rough-pendulum", "gravity": [0, -GRAVITY, 0],
    "parameters": PARAMETERS,
    "bodies": {"rod": {"mass": "m", "com": ["L", 0, 0],
                       "inertia": {"xx": 0, "yy": "0.02*m", "zz": "0.02*m"}}},
    "joints": {"pin": {"type": "revolute", "parent": "ground", "child": "rod", "axis": [0, 0, 1],
                       "initial": {"position": -0.3, "velocity": 0}}},
    "forces": {"rub": {"type": "joint-friction", "joint": "pin", "law": "brown-mcphee", "static": "1.2*mu",
                       "dynamic": "mu", "transition_speed": "v_t", "radius": "r", "load": "force",
                       "pressure_factor": 1, "smoothing": 1e-6}},
    "sensors": {"q": {"coordinate": "pin"}, "taken": {"power": "rub"}},
    "objectives": {"angle": {"terminal": "q", "unit": "rad"}, "lost": {"integral": "-taken", "unit": "J"}},
    "analysis": {"formulation": "index1", "integrator": "dop853", "duration": DURATION, "rtol": 1e-10, "atol": 1e-12},
}


class Gradus:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.model = pathlib.Path(self.folder.name) / "rough-pendulum.json"
        self.model.write_text(json.dumps(MODEL))

    def run(self, verb, options=(), **values):
        command = [self.program, verb, str(self.model), "--json", "--quiet", "--backend", "cpu:1", *options]
        for name, value in values.items():
            command += ["--set", f"{name}={value!r}"]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)

    def objectives(self, options=(), **values):
        return list(self.run("simulate", options, **values)["objectives"].values())


def differences(value_of, name, share):
    step = share * PARAMETERS[name]
    up, down = (value_of(**{name: PARAMETERS[name] + sign * step}) for sign in (1, -1))
    return [(a - b) / (2 * step) for a, b in zip(up, down)]


def mujoco_objectives(mujoco, m, L, mu, r, v_t):  # pylint: disable=unused-argument
    """The nearest that it has: dry friction of a size of its own, here mu r m g, which does not see the load."""
    document = f"""<mujoco><option integrator="implicitfast" timestep="0.0002" gravity="0 {-GRAVITY} 0"/>
      <worldbody><body><joint name="pin" type="hinge" axis="0 0 1" frictionloss="{mu * r * PARAMETERS['m'] * GRAVITY!r}"
        solreffriction="0.0004 1"/>
        <inertial pos="{L!r} 0 0" mass="{m!r}" diaginertia="1e-9 {0.02 * m!r} {0.02 * m!r}"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(document)
    data = mujoco.MjData(model)
    data.qpos[0] = -0.3
    inertia = m * (0.02 + L * L)
    energy = lambda: 0.5 * inertia * data.qvel[0] ** 2 + m * GRAVITY * L * math.sin(data.qpos[0])
    before = energy()
    for _ in range(round(DURATION / 0.0002)):
        mujoco.mj_step(model, data)
    return [data.qpos[0], before - energy()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bin/gradus")
    wish = parser.parse_args()
    gradus = Gradus(wish.program)
    document = gradus.run("gradient")
    print("objectives", document["objectives"])
    print("gradient", json.dumps(document["gradient"]))
    plain = lambda **v: gradus.objectives(**v)
    rough = lambda **v: gradus.objectives(("--rtol", "1e-6", "--atol", "1e-8"), **v)
    for share in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        print("differences of mu and v_t, relative step", share, differences(plain, "mu", share), differences(plain, "v_t", share),
              "at rtol 1e-6", differences(rough, "mu", share), differences(rough, "v_t", share))
    try:
        import mujoco
    except ImportError:
        return print("MuJoCo is not there")
    other = lambda **v: mujoco_objectives(mujoco, **{**PARAMETERS, **v})
    print("MuJoCo", mujoco.__version__, other())
    for name in ("m", "L", "mu", "r"):
        print("MuJoCo by", name, differences(other, name, 1e-3))


if __name__ == "__main__":
    main()
