"""Exudyn: the five-bar of four rigid bodies and five hinges in the plane, by central differences.

Exudyn has no derivatives by parameters, and for closed loops implicit methods alone: here the trapezoidal rule on
constraints of velocities, whose order is two. Integrals are sums of the trapezoidal rule over the sensors at the ends
of steps, and two runs with n and 2n steps give a result of order four (Richardson), which needs less time for the
same accuracy than short steps. Every motion is built anew, which takes Exudyn less than a step in a hundred."""

import sys

sys.exudynFast = True  # the module without checks of ranges

import exudyn
import numpy as np
from exudyn import itemInterface as items

import peer_problems as problems
from peer_common import central_differences, largest_error, median_time

PACKAGES = ("exudyn",)
LIMIT = 1e-6
DIFFERENCE = 1e-4  # of a parameter


def five_bar(design):
    """The mechanism, and its sensors of position, velocity and acceleration of point 2."""
    lengths = (design[4], *problems.FIVE_BAR_LENGTHS[1:])
    masses = (design[2], *problems.FIVE_BAR_MASSES[1:])
    centres = (design[3], *(length / 2 for length in lengths[1:]))
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddObject(items.ObjectGround())
    last, b = (system.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[x, 0, 0])) for x in (0, 1))
    tips, bodies, origin = [], [], np.zeros(2)
    for i, angle in enumerate(problems.closed_five_bar(design[4])):
        along = np.array([np.cos(angle), np.sin(angle)])
        node = system.AddNode(items.NodeRigidBody2D(referenceCoordinates=[*(origin + centres[i] * along), angle]))
        body = system.AddObject(items.ObjectRigidBody2D(mass=masses[i], inertia=problems.FIVE_BAR_INERTIAS[i],
                                                        nodeNumber=node))
        ends = [system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[x - centres[i], 0, 0]))
                for x in (0, lengths[i])]
        centre = system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        system.AddLoad(items.LoadMassProportional(markerNumber=centre, loadVector=[0, -problems.FIVE_BAR_GRAVITY, 0]))
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[last, ends[0]]))
        last = ends[1]
        tips.append(last)
        bodies.append(body)
        origin = origin + lengths[i] * along
    system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[last, b]))
    for i in range(2):
        system.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=[b, tips[i]], referenceLength=design[i],
                                                           stiffness=problems.FIVE_BAR_STIFFNESS, damping=0))
    kinds = exudyn.OutputVariableType
    sensors = [system.AddSensor(items.SensorBody(bodyNumber=bodies[1], localPosition=[lengths[1] - centres[1], 0, 0],
                                                 storeInternal=True, outputVariableType=kind))
               for kind in (kinds.Position, kinds.Velocity, kinds.Acceleration)]
    system.Assemble()
    return system, sensors


def settings(steps):
    result = exudyn.SimulationSettings()
    time = result.timeIntegration
    time.numberOfSteps, time.endTime, time.verboseMode = steps, problems.FIVE_BAR_DURATION, 0
    time.newton.relativeTolerance, time.newton.absoluteTolerance = 1e-10, 1e-12
    time.newton.useModifiedNewton = True
    result.solution.file.write = False
    result.solution.sensors.writePeriod = problems.FIVE_BAR_DURATION / steps
    result.linearSolver.solverType = exudyn.LinearSolverType.EXUdense
    return result


def motion(design, steps):
    """The three objectives of a design."""
    system, sensors = five_bar(design)
    system.SolveDynamic(settings(steps), solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    vectors = [system.GetSensorStoredData(sensor)[:, 1:3] for sensor in sensors]
    vectors[0] = vectors[0] - problems.FIVE_BAR_TARGET
    return [np.trapezoid(np.sum(v ** 2, axis=1), dx=problems.FIVE_BAR_DURATION / steps) for v in vectors]


def plain(steps):
    return lambda designs: [motion(design, steps) for design in designs]


def extrapolated(steps):
    return lambda designs: (4 * np.array(plain(2 * steps)(designs)) - plain(steps)(designs)) / 3


def run(five_bar, arm, options, folder):
    def gradient(motions):
        return central_differences(motions, five_bar.nominal, DIFFERENCE)

    if not five_bar.agree("Exudyn", gradient(extrapolated(5000)), 1e-6):
        return
    for kind, choices, limit in ((plain, (2500, 3500, 5000, 7000, 10000), 1e-5),
                                 (extrapolated, (500, 700, 1000, 1400, 2000, 2800), LIMIT)):
        for steps in choices:
            motions = kind(steps)
            result = gradient(motions)
            if largest_error(result, five_bar.reference) < limit:
                break
        times = median_time(lambda: gradient(motions), max(3, options.repeats // 25))
        counts = f"{steps} steps" if kind is plain else f"{steps} and {2 * steps} steps"
        five_bar.table.add("Exudyn", {"how": f"trapezoidal rule, {counts}, central differences"}, times,
                           steps if kind is plain else 3 * steps, result, difference=DIFFERENCE)
