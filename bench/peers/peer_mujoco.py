"""MuJoCo: both problems by RK4 and central differences of its parameters, with mujoco.rollout, which is compiled.

Integrals are sums of Simpson's rule over the sensors at the ends of steps, of the order of RK4. A loop is closed by
`connect`, which is soft: however stiff it is, the part 0.9999 of an acceleration that would open the loop is
suppressed, and what has opened closes again with a time constant. So the five-bar is another problem; it comes as
close as is stated with a time constant that is short, while a shorter one needs shorter steps. Derivatives by the
length of a bar move the site of its end, the next body and the start of the two joints that close the loop."""

import copy

import mujoco
import numpy as np
from mujoco import rollout

import peer_problems as problems
from peer_common import central_differences, largest_error, median_time

PACKAGES = ("mujoco",)
LIMIT = 1e-6
CLOSING_TIME = 0.02  # time constant with which a loop that has opened closes again, s
DIFFERENCE = 1e-5  # of a parameter


def _words(values):
    return " ".join(repr(float(value)) for value in values)


def arm_document():
    bodies = ""
    for i in range(7):
        axis = {"y": "0 1 0", "z": "0 0 1"}[problems.ARM_AXES[i]]
        bodies += (f'<body pos="0 0 {problems.ARM_LENGTHS[i - 1] if i else 0}"><joint type="hinge" axis="{axis}"/>'
                   f'<inertial pos="{_words(problems.ARM_CENTRES[i])}" mass="{problems.ARM_MASSES[i]}" '
                   f'diaginertia="{_words(problems.ARM_INERTIAS[i])}"/>')
    return f"""<mujoco>
      <option integrator="RK4" gravity="0 0 {-problems.ARM_GRAVITY}">
        <flag contact="disable" constraint="disable"/>
      </option>
      <worldbody>{bodies}<site name="tip" pos="0 0 {problems.ARM_LENGTHS[6]}"/>{"</body>" * 7}</worldbody>
      <sensor><framepos objtype="site" objname="tip"/></sensor>
    </mujoco>"""


def five_bar_document():
    nominal = problems.FIVE_BAR_NOMINAL
    lengths = [float(length) for length in (nominal[4], *problems.FIVE_BAR_LENGTHS[1:])]
    masses = (nominal[2], *problems.FIVE_BAR_MASSES[1:])
    bodies = ""
    for i in range(4):
        centre = nominal[3] if i == 0 else lengths[i] / 2
        inertia = problems.FIVE_BAR_INERTIAS[i]
        # About its own axis no bar turns; MuJoCo wants some inertia there.
        bodies += (f'<body pos="{lengths[i - 1] if i else 0} 0 0"><joint type="hinge" axis="0 0 1"/>'
                   f'<inertial pos="{centre} 0 0" mass="{masses[i]}" diaginertia="0.01 {inertia} {inertia}"/>'
                   f'<site name="tip{i + 1}" pos="{lengths[i]} 0 0"/>')
    springs = "".join(f'<spatial stiffness="{problems.FIVE_BAR_STIFFNESS}" springlength="{nominal[i]}">'
                      f'<site site="B"/><site site="tip{i + 1}"/></spatial>' for i in range(2))
    sensors = "".join(f'<{kind} objtype="site" objname="tip2"/>' for kind in ("framepos", "framelinvel", "framelinacc"))
    return f"""<mujoco>
      <option integrator="RK4" gravity="0 {-problems.FIVE_BAR_GRAVITY} 0" solver="Newton" iterations="100"
              tolerance="1e-15"><flag contact="disable" refsafe="disable"/></option>
      <worldbody><site name="B" pos="1 0 0"/>{bodies}{"</body>" * 4}</worldbody>
      <tendon>{springs}</tendon>
      <equality><connect site1="B" site2="tip4" solref="{CLOSING_TIME} 1" solimp="0.9999 0.9999 0.001"/></equality>
      <sensor>{sensors}</sensor>
    </mujoco>"""


def set_arm(model, design):
    for link in range(7):
        model.body_mass[link + 1] = design[4 * link]
        model.body_ipos[link + 1] = design[4 * link + 1:4 * link + 4]
    return problems.ARM_START


def set_five_bar(model, design):
    model.tendon_lengthspring[0], model.tendon_lengthspring[1] = design[0], design[1]
    model.body_mass[1], model.body_ipos[1, 0] = design[2], design[3]
    model.body_pos[2, 0] = model.site("tip1").pos[0] = design[4]
    angles = problems.closed_five_bar(design[4])
    return np.diff(angles, prepend=0)


def arm_integrands(sensors):
    miss = sensors - np.array(problems.ARM_TARGET)
    return np.sum(miss ** 2, axis=-1, keepdims=True)


def five_bar_integrands(sensors):
    position, velocity, acceleration = np.split(sensors, 3, axis=-1)
    miss = position[..., :2] - problems.FIVE_BAR_TARGET
    # MuJoCo's accelerations are those that an accelerometer feels.
    acceleration = acceleration + np.array([0, -problems.FIVE_BAR_GRAVITY, 0])
    return np.stack([np.sum(v ** 2, axis=-1) for v in (miss, velocity, acceleration)], axis=-1)


class Motions:
    """Objectives of designs by RK4 with an even number of steps."""

    def __init__(self, document, assign, integrands, duration, steps, designs):
        self.assign, self.integrands, self.duration, self.steps = assign, integrands, duration, steps
        nominal = mujoco.MjModel.from_xml_string(document)
        nominal.opt.timestep = duration / steps
        self.models = [copy.copy(nominal) for _ in range(designs)]
        self.data = mujoco.MjData(nominal)
        self.weights = np.ones(steps + 1)
        self.weights[1:-1:2], self.weights[2:-1:2] = 4, 2

    def __call__(self, designs):
        models = self.models[:len(designs)]
        state = np.zeros((len(models), mujoco.mj_stateSize(models[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)))
        for row, model, design in zip(state, models, designs):
            row[1:1 + model.nq] = self.assign(model, design)  # behind the time
            mujoco.mj_setConst(model, self.data)
        # Sensors belong to the begin of a step, so that the end of the motion is that of one more.
        _, sensors = rollout.rollout(models, [self.data], state, nstep=self.steps + 1)
        return self.duration / self.steps / 3 * np.einsum("s,dso->do", self.weights, self.integrands(sensors))


def time_problem(problem, options, work, choices, finest):
    """`work` is what motions need but the steps; the coarsest of the choices that is accurate enough is timed."""
    def gradient(motions):
        return central_differences(motions, problem.nominal, DIFFERENCE)

    def motions(steps):
        return Motions(*work, steps, 2 * len(problem.nominal) + 1)

    if not problem.agree("MuJoCo", gradient(motions(finest)), LIMIT):
        return
    for steps in choices:
        program = motions(steps)
        result = gradient(program)
        if largest_error(result, problem.reference) < LIMIT:
            break
    times = median_time(lambda: gradient(program), max(3, options.repeats // 10))
    problem.table.add("MuJoCo", {"how": f"RK4, {steps} steps, central differences"}, times, steps, result,
                      difference=DIFFERENCE)


def run(five_bar, arm, options, folder):
    time_problem(five_bar, options,
                 (five_bar_document(), set_five_bar, five_bar_integrands, problems.FIVE_BAR_DURATION),
                 (400, 500, 600, 700, 850, 1000, 1200, 1400, 2000), 10000)
    time_problem(arm, options, (arm_document(), set_arm, arm_integrands, problems.ARM_DURATION),
                 (200, 280, 400, 560, 700, 850, 1000, 1200, 1400, 2000), 4000)
