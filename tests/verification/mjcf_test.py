"""Mechanisms in MJCF against MuJoCo: every model of the PyPI packages `dm_control` and `mujoco`, and some that use what those
do not, are imported, and accelerations at random states are those of mj_forward without contact, limits, dry friction and
fluid. Equalities are rigid in gradus: those are compared at rest with the accelerations that satisfy them exactly. What is
refused is refused for a reason that is listed here."""

import importlib.metadata
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import mujoco
    import numpy

    FOLDERS = [pathlib.Path(importlib.metadata.distribution(package).locate_file(package)) for package in ("dm_control", "mujoco")]
except ImportError as missing:
    print(f"skipped: models in MJCF need the packages numpy, mujoco and dm_control ({missing})")
    sys.exit(77)

from random_mjcf import random_mjcf

PROGRAM = os.environ["GRADUS_PROGRAM"]
STATES = 2
ACCELERATION = 1e-9  # beside the largest of the model
COORDINATES = {"revolute": 1, "prismatic": 1, "spherical": 4, "floating": 7}
# Why a model that MuJoCo reads is refused.
REFUSALS = ("found no body", "shapes are not fitted", "convex hulls are not computed")
# Less than others agree: MuJoCo finds the principal axes of meshes to 1e-9 or so (principal moments of the dogs to 2e-8), and the last
# link of the arm weighs 1e-9 kg beside an armature that is 3e12 times its inertia.
LESS_EXACT = {"dog.xml": 1e-8, "drosophila_fused.xml": 1e-6, "jaco_arm.xml": 1e-5}

SMALL = {
    "chain of joints": """<mujoco><compiler angle="radian" eulerseq="XYz"/><option gravity="1 -2 -9"/>
      <default><joint damping="0.1"/><geom density="700"/>
        <default class="stiff"><joint stiffness="3" springref="0.2" armature="0.05"/><geom type="capsule" size="0.1 0.3"/></default>
      </default>
      <worldbody><body name="a" pos="0.1 0.2 0.3" euler="0.3 0.2 -0.4" childclass="stiff">
        <joint name="x" axis="1 0 0" pos="0.1 0 0" ref="0.3"/><joint name="y" axis="0 1 0.2" type="slide" ref="0.1"/>
        <joint name="z" axis="0.3 0 1" pos="0 0.2 0" class="main"/>
        <geom size="0.12"/><geom type="box" size="0.1 0.2 0.3" pos="0.4 0 0" axisangle="1 1 0 0.5" class="main"/>
        <frame pos="0 0 0.5" zaxis="1 1 1"><geom type="cylinder" fromto="0 0 0 0.1 0.2 0.5" size="0.05"/>
          <body pos="0.1 0 0" xyaxes="0 1 0 -1 0 0.2"><joint axis="0 1 0"/><geom type="ellipsoid" size="0.1 0.15 0.2" mass="0.7"/></body>
        </frame></body></worldbody></mujoco>""",
    "balls and free bodies": """<mujoco><compiler inertiafromgeom="true" boundmass="0.4" boundinertia="0.02" balanceinertia="true"/>
      <worldbody><body pos="0 0 1" euler="10 20 30"><joint type="free" damping="0.3" armature="0.2"/>
        <inertial pos="5 5 5" mass="9" diaginertia="9 9 9"/><geom size="0.1" pos="0.1 0 0"/><geom type="box" size="0.3 0.01 0.02" mass="0.01"/>
        <body pos="0.5 0 0" quat="1 0.2 0.1 0" gravcomp="0.6"><joint type="ball" pos="0 0.1 0" damping="0.2"/>
          <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.03"/></body></body></worldbody></mujoco>""",
    "tendons and actuators": """<mujoco><default><position kp="20" ctrlrange="-1 1"/><general gear="2"/></default><worldbody>
      <body name="a"><joint name="p" axis="0 1 0" range="-60 60"/><inertial mass="1" pos="0.2 0 0.1" fullinertia="0.2 0.3 0.25 0.01 0.02 -0.01"/>
        <site name="thruster" pos="0.1 0.2 0" euler="0 30 40"/>
        <body pos="0.5 0 0"><joint name="q" axis="0 0 1" ref="20"/><joint name="r" type="slide" axis="1 0 0" ref="0.2"/><geom size="0.1"/>
      </body></body></worldbody>
      <tendon><fixed name="sum" stiffness="4" damping="0.3" springlength="0.1 0.4"><joint joint="p" coef="1.5"/><joint joint="q" coef="-0.5"/></fixed>
        <fixed name="other" stiffness="2"><joint joint="r" coef="2"/></fixed></tendon>
      <actuator><position joint="p" kv="0.4"/><position joint="q" inheritrange="0" forcerange="-1 1.5"/><velocity joint="r" kv="3"/>
        <motor tendon="sum" gear="3" ctrlrange="-1 1"/><damper joint="p" kv="0.7" ctrlrange="0 1"/>
        <general joint="q" gaintype="affine" gainprm="1 0.2 0.3" biastype="affine" biasprm="0.1 -2 -0.4"/>
        <general joint="r" dyntype="filter" dynprm="0.3" gainprm="4"/><intvelocity joint="q" kp="5" actrange="-9 9" ctrlrange="-1 1"/>
        <cylinder joint="r" area="0.5" bias="0.1 -0.2 -0.3" timeconst="0.2"/><motor site="thruster" gear="1 2 3 0.1 0.2 0.3"/></actuator></mujoco>""",
    "meshes": """<mujoco><default><mesh scale="0.3 0.2 0.4"/></default><asset>
      <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 0 3 2" refpos="0.1 0.2 0" refquat="1 0.2 0 0"/>
      <mesh name="roof" vertex="0 0 0 1 0 0 1 1 0 0 1 0 0.5 0.2 0.1 0.5 0.8 0.1 0 0 1 1 0 1 1 1 1 0 1 1" inertia="exact"
        face="0 3 4 3 5 4 3 2 5 2 1 5 1 4 5 1 0 4 6 7 8 6 8 9 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 0 6 3 6 9"/></asset>
      <worldbody><body pos="0.1 0 1"><freejoint/><geom type="mesh" mesh="tetrahedron" pos="0.1 0 0" euler="20 0 0"/>
        <body pos="0 0.5 0"><joint axis="1 1 0"/><geom type="mesh" mesh="roof" mass="0.4"/><geom size="0.1" density="0"/></body></body></worldbody></mujoco>""",
    "defaults": """<mujoco><compiler inertiafromgeom="true"/><default><tendon stiffness="50" damping="3"/><equality active="false"/><geom euler="10 20 30"/>
        <position kp="3" kv="2" timeconst="0.2"/></default>
      <worldbody><body><joint name="p" axis="0 1 0"/><geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0" quat="1 2 3 4"/>
        <body pos="0.3 0 0"><joint name="q" axis="0 0 1"/><inertial pos="0.1 0 0" mass="2" diaginertia="1 2 2.5"/><geom size="0.1" mass="0"/></body></body></worldbody>
      <tendon><fixed name="t"><joint joint="p" coef="2"/></fixed></tendon><equality><joint joint1="p" joint2="q"/></equality>
      <actuator><position joint="p"/><velocity joint="q"/><position joint="q" kp="1"/></actuator></mujoco>""",
    "springs and lifted bodies": """<mujoco><worldbody><site name="s0" pos="0 0 1"/><body gravcomp="0.7"><joint type="free" armature="2" damping="0.1"/>
        <geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0"/></body>
      <body pos="0 2 0"><joint name="p" axis="0 1 0" ref="50" springref="-20"/><joint name="r" type="slide" axis="1 0 0" ref="0.4"/>
        <geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0"/><site name="s1" pos="0.5 0 0"/></body></worldbody>
      <tendon><spatial stiffness="40" damping="2"><site site="s0"/><site site="s1"/></spatial></tendon></mujoco>""",
    "least masses": """<mujoco><compiler boundmass="0.3" boundinertia="0.1"/><worldbody><body><joint axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>
        <frame pos="0 1 0" euler="0 0 90"><body pos="1 0 1" euler="0 20 0"><joint axis="1 1 0"/>
          <body pos="0 0.5 0"><joint axis="0 1 0"/><geom size="0.1" mass="0" pos="1 0 0"/>
            <body pos="0.4 0 0"><joint axis="0 0 1"/><inertial pos="0.1 0 0" mass="0.01" diaginertia="1e-3 2e-3 3e-3"/></body></body></body></frame>
      </body></worldbody></mujoco>""",
    "loops": """<mujoco><worldbody>
      <body name="crank"><joint name="A" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/>
        <body name="coupler" pos="0 0 0.2"><joint name="B" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0.1" size="0.02"/></body></body>
      <body name="rocker" pos="0.5 0 0"><joint name="C" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02"/></body>
      <body name="wheel" pos="0 1 0"><joint name="D" axis="0 1 0" ref="10"/><geom type="cylinder" size="0.1 0.02" pos="0.03 0 0"/></body>
      <body name="float" pos="0 2 0"><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/></body>
      <body name="beam" pos="0 2.5 0"><joint type="hinge" axis="1 0 0"/><joint type="hinge" axis="0 1 0"/><geom type="box" size="0.4 0.1 0.1" pos="0.2 0 0"/></body>
      </worldbody><tendon><fixed name="t"><joint joint="A" coef="1"/><joint joint="D" coef="0.5"/></fixed></tendon>
      <equality><connect body1="coupler" body2="rocker" anchor="0.5 0 0.1"/><weld body1="float" body2="beam"/>
        <joint joint1="D" joint2="C" polycoef="0 1.5 0.3 0 0"/><connect body1="rocker" anchor="0 0 0" active="false"/></equality></mujoco>""",
}

# Springs and dampers by time constants and damping ratios, in joints of all kinds.
TUNED = """<mujoco><worldbody><body euler="10 0 20"><joint name="f" type="free" armature="0.3" springdamper="0.7 1.5"/>
    <geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0"/>
    <body pos="0.4 0 0"><joint name="h" axis="0 1 1" pos="0.1 0 0" springdamper="0.1 0.4" springref="20" ref="5" stiffness="9" damping="8"/>
      <joint name="s" type="slide" axis="1 0 0.5" springdamper="0.2 0.9" springref="0.1" armature="0.2"/><geom size="0.1" pos="0.1 0.05 0"/>
      <body pos="0 0.1 0"><geom size="0.05" pos="0.3 0 0"/>
        <body pos="0.2 0.1 0" euler="0 30 0"><joint name="b" type="ball" pos="0 0.1 0" springdamper="0.3 1"/>
          <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.03"/></body></body></body></body>
  <body pos="0 3 0"><joint name="k" axis="1 0 0" springdamper="0.05 2"/><geom type="box" size="0.1 0.2 0.3" pos="0 0.1 0"/></body></worldbody></mujoco>"""


def program(*arguments):
    process = subprocess.run([PROGRAM, *arguments, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return json.loads(process.stdout)


def product(a, b):
    """Of quaternions."""
    result = numpy.zeros(4)
    mujoco.mju_mulQuat(result, numpy.asarray(a, dtype=float), numpy.asarray(b, dtype=float))
    return result


class Reference:
    """A mechanism as MuJoCo has it, in a random state."""

    def __init__(self, file, generator):
        self.model = model = mujoco.MjModel.from_xml_path(str(file))
        self.data = data = mujoco.MjData(model)
        self.has_equalities = bool(numpy.any(data.eq_active))
        model.opt.density = model.opt.viscosity = 0.0
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        if not self.has_equalities:
            data.qvel[:] = generator.uniform(-1.0, 1.0, model.nv)
            mujoco.mj_integratePos(model, data.qpos, generator.uniform(-1.0, 1.0, model.nv), 1.0)
        for k in range(model.nu):
            data.ctrl[k] = generator.uniform(*(model.actuator_ctrlrange[k] if model.actuator_ctrllimited[k] else (-1.0, 1.0)))
        data.act[:] = generator.uniform(0.0, 1.0, model.na)
        mujoco.mj_forward(model, data)

    def keyframe(self):
        def numbers(name):
            values = getattr(self.data, name)
            return f' {name}="{" ".join(repr(float(x)) for x in values)}"' if len(values) else ""

        return f'<keyframe><key name="random state"{"".join(map(numbers, ("qpos", "qvel", "ctrl", "act")))}/></keyframe>'

    def accelerations(self):
        found = self.data.qacc.copy()
        if not self.has_equalities:
            return found
        flags = mujoco.mjtDisableBit
        self.model.opt.disableflags &= ~int(flags.mjDSBL_CONSTRAINT)
        self.model.opt.disableflags |= int(flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS)
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        mujoco.mj_forward(self.model, self.data)
        jacobian = self.data.efc_J.reshape(-1, self.model.nv)
        mass = numpy.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, mass)
        across = numpy.linalg.solve(mass, jacobian.T)
        return found - across @ (numpy.linalg.pinv(jacobian @ across, rcond=1e-12) @ (jacobian @ found))


def turned(joint):
    """Euler parameters at the start of a joint that turns about a point or floats."""
    values = [value["guess"] if isinstance(value, dict) else value for value in joint["initial"]["position"]][-4:]
    return numpy.array(values) / numpy.linalg.norm(values)


def accelerations(model, reference):
    """[degree of freedom of MuJoCo] of an imported model at time 0, by the program; or why there are none."""
    joints = [(name, joint) for name, joint in model["joints"].items() if joint["type"] != "fixed"]
    assert len(joints) == reference.model.njnt
    objectives, sensors = {}, model.setdefault("sensors", {})
    for k, (name, joint) in enumerate(joints):
        sensors[f"of_joint_{k}"] = {"coordinate_acceleration": name}
        n = COORDINATES[joint["type"]]
        for i in range(n):
            objectives[f"o{k}.{i}"] = {"value": f"of_joint_{k}" + (f".{i}" if n > 1 else ""), "at": [0]}
    # What rubs in MuJoCo is a constraint.
    forces = {name: force for name, force in model.get("forces", {}).items() if "friction_speed" not in str(force.get("value"))}
    model.update(objectives=objectives, forces=forces, analysis={"duration": 1e-9, "step": 1e-9})
    with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
        file = os.path.join(folder, "model.json")
        with open(file, "w", encoding="utf-8") as text:
            json.dump(model, text)
        document = program("simulate", file, "--backend", "cpu:1")
    if document["status"] != "ok":
        return None, json.dumps(document.get("error", document))
    found = numpy.zeros(reference.model.nv)
    for k, (_, joint) in enumerate(joints):
        values = [document["objectives"][f"o{k}.{i}@0"] for i in range(COORDINATES[joint["type"]])]
        at = reference.model.jnt_dofadr[k]
        if joint["type"] == "floating":
            found[at:at + 3] = values[:3]
            at, values = at + 3, values[3:]
        if len(values) == 1:
            found[at] = values[0]
            continue
        # Twice e'' times the conjugate of e is the angular acceleration in the axes of the parent.
        e = turned(joint)
        in_parent = 2.0 * product(values, e * [1, -1, -1, -1])[1:]
        mujoco.mju_rotVecQuat(found[at:at + 3], in_parent, e * [1, -1, -1, -1])
    return found, ""


class Mechanisms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-")  # MuJoCo writes its log where it runs
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def check(self, file, generator):
        """The largest deviation, or None and why there is none."""
        try:
            reference = Reference(file, generator)
        except (ValueError, mujoco.FatalError) as error:
            return None, "MuJoCo: " + str(error).splitlines()[0]
        text = file.read_text(encoding="utf-8")
        end = text.rindex("</mujoco>")
        state = file.with_name("in random state.xml")
        state.write_text(text[:end] + reference.keyframe() + text[end:], encoding="utf-8")
        try:
            with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
                out = os.path.join(folder, "model.json")
                document = program("import", str(state), "--keyframe", "random state", "--out", out)
                if document["status"] != "ok":
                    message = document["error"]["message"]
                    self.assertTrue(any(reason in message for reason in REFUSALS), message)
                    return None, message.split(": ", 1)[1]
                with open(out, encoding="utf-8") as model:
                    found, problem = accelerations(json.load(model), reference)
        finally:
            state.unlink()
        self.assertEqual(problem, "")
        expected = reference.accelerations()
        return numpy.abs(found - expected).max(initial=0.0) / max(numpy.abs(expected).max(initial=0.0), 1e-12), ""

    def compare(self, name, file, generator):
        worst = 0.0
        for _ in range(STATES):
            deviation, reason = self.check(file, generator)
            if deviation is None:
                print(f"{name}: none, {reason}", flush=True)
                return False
            worst = max(worst, deviation)
        print(f"{name}: {worst:.1e}", flush=True)
        self.assertLess(worst, LESS_EXACT.get(pathlib.Path(name).name, ACCELERATION))
        return True

    def test_small(self):
        generator = numpy.random.default_rng(7)
        with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
            for name, text in SMALL.items():
                with self.subTest(model=name):
                    file = pathlib.Path(folder, "model.xml")
                    file.write_text(text, encoding="utf-8")
                    self.assertTrue(self.compare(name, file, generator))

    def test_tuned_springs(self):
        reference = mujoco.MjModel.from_xml_string(TUNED)
        with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
            file, out = pathlib.Path(folder, "model.xml"), pathlib.Path(folder, "model.json")
            file.write_text(TUNED, encoding="utf-8")
            document = program("import", str(file), "--out", str(out))
            forces = json.loads(out.read_text(encoding="utf-8"))["forces"]
        for k in range(reference.njnt):
            name = reference.joint(k).name
            damping = forces[name + " damping"]
            found = damping.get("linear", damping.get("torsional_damping", [None])[0])
            self.assertAlmostEqual(found / reference.dof_damping[reference.jnt_dofadr[k]], 1.0, delta=1e-12, msg=name)
            if name in "hsk":
                self.assertAlmostEqual(forces[name + " spring"]["stiffness"] / reference.jnt_stiffness[k], 1.0, delta=1e-12, msg=name)
        self.assertIn("left out: ball joint stiffness (1), free joint stiffness (1)", " ".join(document["remarks"]))
        for wrong in ("0.1 0", "-1 2"):
            with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
                file = pathlib.Path(folder, "model.xml")
                file.write_text(TUNED.replace("0.05 2", wrong), encoding="utf-8")
                document = program("import", str(file), "--out", str(pathlib.Path(folder, "model.json")))
            self.assertIn(f'springdamper = "{wrong}"', document["error"]["message"])

    def test_random_trees(self):
        compared, worst = 0, 0.0
        with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
            file = pathlib.Path(folder, "model.xml")
            for seed in range(40):
                text = random_mjcf(random.Random(seed))
                file.write_text(text, encoding="utf-8")
                with self.subTest(seed=seed, text=text):
                    deviation, reason = self.check(file, numpy.random.default_rng(seed))
                    if deviation is None:
                        self.assertIn("MuJoCo: ", reason)
                        continue
                    compared, worst = compared + 1, max(worst, deviation)
                    self.assertLess(deviation, ACCELERATION)
        print(f"random trees: {compared} compared, {worst:.1e}")
        self.assertGreater(compared, 30)

    def test_packages(self):
        generator = numpy.random.default_rng(8)
        compared = 0
        with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
            for package in FOLDERS:
                shutil.copytree(package, pathlib.Path(folder, package.name), ignore=shutil.ignore_patterns("*.py", "*.so*", "*.pyc"))
            for file in sorted(pathlib.Path(folder).rglob("*.xml")):
                if "<worldbody" not in file.read_text(encoding="utf-8"):
                    continue
                with self.subTest(model=str(file.relative_to(folder))):
                    compared += self.compare(file.relative_to(folder), file, generator)
        print(f"{compared} compared")
        self.assertGreater(compared, 25)


if __name__ == "__main__":
    unittest.main()
