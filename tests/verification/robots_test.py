"""Public robots against Pinocchio: every URDF of the PyPI package `example-robot-data` is imported, and accelerations at
random states and their derivatives by the mass, the centre of mass and the inertia of every link are those of Pinocchio
(PyPI `pin`); or it is refused for a reason that is proved here without gradus."""

import copy
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import numpy
    import pinocchio

    FILES = sorted(str(file.locate()) for file in importlib.metadata.distribution("example-robot-data").files
                   if file.suffix == ".urdf")
except ImportError as missing:
    print(f"skipped: robots need the packages numpy, pin and example-robot-data ({missing})")
    sys.exit(77)

from urdf import ENTRIES, NUMBERS, PLACES, Robot, add_state, identifier, usable

PROGRAM = os.environ["GRADUS_PROGRAM"]
STATES = 3
# Largest deviations of accelerations, and of derivatives by the numbers of a kind that one link has (its mass, its centre
# of mass, its inertia), beside the terms that they are sums of.
ACCELERATION, GRADIENT = 1e-12, 1e-10
ROUND_OFF = 1e-12


def program(*arguments):
    """The document that the program prints, and its remarks and errors."""
    process = subprocess.run([PROGRAM, *arguments, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return json.loads(process.stdout), process.stderr


def imported(file):
    """The model of a robot, whose masses, centres of mass and inertias are parameters; or the message that refuses it. As
    in Pinocchio, joints that mimic others move freely."""
    with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
        model = os.path.join(folder, "robot.json")
        document, _ = program("import", file, "--parameters", "inertial", "--mimic", "ignore", "--out", model)
        if document["status"] != "ok":
            return None, document["error"]["message"]
        with open(model, encoding="utf-8") as text:
            return json.load(text), ""


def gradient(model):
    with tempfile.TemporaryDirectory(prefix="gradus-") as folder:
        file = os.path.join(folder, "robot.json")
        with open(file, "w", encoding="utf-8") as text:
            json.dump(model, text, allow_nan=False)
        return program("gradient", file, "--backend", "cpu:1")


def derivative(row, link, name):
    """An empty link "world" is the ground, whose numbers change no motion."""
    return row.get(name, 0.0) if link.name == "world" and link.is_massless else row[name]


def names_of(link):
    """The parameters that the numbers of a link are."""
    of = "_" + identifier(link.name)
    return ["mass" + of, *(f"com{of}[{i}]" for i in range(3)), *(f"inertia{of}[{i}]" for i in range(6))]


def without_negative_moments(matrix):
    moments, axes = numpy.linalg.eigh(matrix)
    return axes @ numpy.diag(numpy.maximum(moments, 0.0)) @ axes.T


def has_negative_moment(matrix):
    return numpy.linalg.eigvalsh(matrix)[0] < -ROUND_OFF * numpy.trace(matrix)


def corrected(file):
    """The text of a URDF whose inertias have no negative principal moments, as gradus is to take them."""
    tree = xml.etree.ElementTree.parse(file).getroot()
    for inertia in tree.iter("inertia"):
        matrix = numpy.zeros((3, 3))
        for entry, (row, column) in zip(ENTRIES, PLACES):
            matrix[row, column] = matrix[column, row] = float(inertia.get("i" + entry, 0))
        if not has_negative_moment(matrix):
            continue
        matrix = without_negative_moments(matrix)
        for entry, place in zip(ENTRIES, PLACES):
            inertia.set("i" + entry, repr(float(matrix[place])))
    return xml.etree.ElementTree.tostring(tree, encoding="unicode")


class Reference:
    """A robot as Pinocchio has it."""

    def __init__(self, file, robot):
        self.robot = robot
        self.model = pinocchio.buildModelFromXML(corrected(file))
        self.data = self.model.createData()
        self.row = {joint.name: self.model.joints[self.model.getJointId(joint.name)].idx_v
                    for joint in robot.joints if joint.moves}

    def draw(self, random):
        """Position, velocity and force of each moving joint. The forces are those that random accelerations need, which
        suit light joints as heavy ones."""
        angles = {joint.name: random.uniform(-1.0, 1.0) * (0.5 if joint.type == "prismatic" else numpy.pi)
                  for joint in self.robot.joints if joint.moves}
        self.q = pinocchio.neutral(self.model)
        for name, angle in angles.items():
            joint = self.model.joints[self.model.getJointId(name)]
            self.q[joint.idx_q:joint.idx_q + joint.nq] = (
                [numpy.cos(angle), numpy.sin(angle)] if joint.nq == 2 else [angle])
        self.v = random.uniform(-1.0, 1.0, self.model.nv)
        self.force = pinocchio.rnea(self.model, self.data, self.q, self.v, random.uniform(-1.0, 1.0, self.model.nv))
        return {name: (angle, float(self.v[self.row[name]]), float(self.force[self.row[name]]))
                for name, angle in angles.items()}

    def mass_matrix(self):
        upper = numpy.triu(pinocchio.crba(self.model, self.data, self.q))
        return upper + numpy.triu(upper, 1).T

    def accelerations(self):
        """[joint] accelerations, and the size of what they are sums of: of M a = force - bias, by the inverse of M."""
        found = pinocchio.aba(self.model, self.data, self.q, self.v, self.force).copy()
        bias = pinocchio.nonLinearEffects(self.model, self.data, self.q, self.v)
        return found, self.terms(found, numpy.abs(self.force) + numpy.abs(bias))

    def terms(self, solution, right):
        mass = self.mass_matrix()
        return numpy.abs(numpy.linalg.inv(mass)) @ (numpy.abs(mass) @ numpy.abs(solution) + right)

    def derivatives(self):
        """[joint, link, number] of the accelerations: M da = -Y dn, where Y are the forces that they need by the numbers
        n of the body that a link is a part of; and the size of what they are sums of."""
        accelerations, _ = self.accelerations()
        forces = pinocchio.computeJointTorqueRegressor(self.model, self.data, self.q, self.v, accelerations).copy()
        found = numpy.zeros((self.model.nv, len(self.robot.links), NUMBERS))
        terms = numpy.zeros(found.shape)
        for k, link in enumerate(self.robot.links):
            frame = self.model.frames[self.model.getFrameId(link.name, pinocchio.FrameType.BODY)]
            if frame.parentJoint == 0:
                continue  # fixed to the ground
            first = NUMBERS * (frame.parentJoint - 1)
            of_body, of_link = forces[:, first:first + NUMBERS], numbers_of_body(link, frame.placement)
            found[:, k, :] = -numpy.linalg.solve(self.mass_matrix(), of_body @ of_link)
            terms[:, k, :] = self.terms(found[:, k, :], numpy.abs(of_body) @ numpy.abs(of_link))
        return found, terms


def numbers_of_body(link, placement):
    """Derivatives [10, 10] of the numbers that Pinocchio has of a body (mass, first moment, inertia about its origin) by
    those of a link at `placement` in it. Both are those of the sums of m [x; 1] [x; 1]^T over its particles."""
    identity, com = numpy.eye(3), link.com

    def about_origin(bilinear):
        return numpy.trace(bilinear) * identity - bilinear

    columns = [(1.0, com, about_origin(numpy.outer(com, com)))]
    for k in range(3):
        columns.append((0.0, link.mass * identity[k], link.mass * about_origin(
            numpy.outer(com, identity[k]) + numpy.outer(identity[k], com))))
    for row, column in PLACES:
        inertia = numpy.zeros((3, 3))
        inertia[row, column] = inertia[column, row] = 1.0
        columns.append((0.0, numpy.zeros(3), inertia))

    result = []
    for mass, moment, inertia in columns:
        sums = numpy.zeros((4, 4))
        sums[:3, :3] = 0.5 * numpy.trace(inertia) * identity - inertia
        sums[:3, 3] = sums[3, :3] = moment
        sums[3, 3] = mass
        sums = placement.homogeneous @ sums @ placement.homogeneous.T
        inertia = about_origin(sums[:3, :3])
        result.append([sums[3, 3], *sums[:3, 3], inertia[0, 0], inertia[0, 1], inertia[1, 1], inertia[0, 2],
                       inertia[1, 2], inertia[2, 2]])
    return numpy.array(result).T


KINDS = (slice(0, 1), slice(1, 4), slice(4, 10))  # of the numbers of a link


class Deviation:
    """The largest of accelerations and of their derivatives: beside the largest of them (`plain`), and beside the terms
    that they are sums of, which are far larger where light bodies hang on heavy ones: then Pinocchio's own algorithms
    differ as much."""

    def __init__(self):
        self.plain, self.beside_terms = numpy.zeros(2), numpy.zeros(2)

    def see(self, which, difference, expected, terms):
        largest = numpy.abs(difference).max(initial=0.0)
        if largest == 0.0:
            return
        self.beside_terms[which] = max(self.beside_terms[which], largest / terms.max())
        if numpy.abs(expected).max() > 1e-10 * terms.max():  # else it is round-off of zero
            self.plain[which] = max(self.plain[which], largest / numpy.abs(expected).max())

    def see_all(self, other):
        self.plain = numpy.maximum(self.plain, other.plain)
        self.beside_terms = numpy.maximum(self.beside_terms, other.beside_terms)

    def __str__(self):
        return "{:.1e} {:.1e}, beside terms {:.1e} {:.1e}".format(*self.plain, *self.beside_terms)


class Robots(unittest.TestCase):
    def prove_refusal(self, file, robot, reference, message):
        """Why gradus is right to refuse the robot; fails if it is not."""
        if "found no link" in message:
            self.assertEqual(robot.links, [])
            return "no link"
        name = re.search(r'/bodies/([^/]*)/inertia: the inertia about the centre of mass has the eigenvalue', message)
        if name:
            link = next(link for link in robot.links if usable(link.name) == name[1])
            moments = numpy.linalg.eigvalsh(link.inertia)
            together = sum(numpy.trace(part.inertia) for part in robot.fixed_to(link.name))
            self.assertLess(moments[0], -1e-3 * together)
            return f"{link.name} has the principal moments {moments[0]:.2g}, {moments[1]:.2g}, {moments[2]:.2g}"
        name = re.search(r'/bodies/([^/]*)/mass: massless free body', message)
        if name:
            joint = next(joint for joint in robot.joints if usable(joint.child) == name[1])
            self.assertTrue(joint.moves)
            self.assertTrue(all(link.is_massless for link in robot.carried_by(joint.child)))
            row = reference.row[joint.name]
            self.assertEqual(reference.mass_matrix()[row, row], 0.0)
            return f"{joint.name} moves nothing that has mass"
        names = re.search(r"the mass matrix is singular: a motion of (.*) moves no inertia", message)
        self.assertTrue(names, message)
        mass = reference.mass_matrix()
        scale = 1.0 / numpy.sqrt(numpy.where(numpy.diag(mass) > 0.0, numpy.diag(mass), 1.0))
        self.assertLess(numpy.linalg.eigvalsh(mass * numpy.outer(scale, scale))[0], 1e-13)
        return f"a motion of {names[1]} moves no inertia"

    def compare(self, reference, robot, document, worst):
        moving = [(k, joint) for k, joint in enumerate(robot.joints) if joint.moves]
        if not moving:
            return
        rows = [reference.row[joint.name] for _, joint in moving]
        found = numpy.array([document["objectives"][f"j{k}@0"] for k, _ in moving])
        gradient = numpy.array([[[derivative(document["gradient"][f"j{k}@0"], link, name) for name in names_of(link)]
                                 for link in robot.links] for k, _ in moving])
        expected, terms = (values[rows] for values in reference.accelerations())
        for k in range(len(rows)):
            worst.see(0, found[k] - expected[k], expected, terms[k])
        expected, terms = (values[rows] for values in reference.derivatives())
        for kind in KINDS:
            least = 1e-6 * numpy.abs(expected[:, :, kind]).max()
            for k in range(len(robot.links)):
                here = numpy.maximum(terms[:, k, kind], least)
                worst.see(1, gradient[:, k, kind] - expected[:, k, kind], expected[:, k, kind], here)

    def check(self, file):
        """What is to be said of a robot, and its worst deviations or None."""
        robot = Robot(file)
        model, refusal = imported(file)
        random = numpy.random.default_rng(20)
        reference = Reference(file, robot) if robot.links else None
        if refusal:
            if reference:
                reference.draw(random)
            return self.prove_refusal(file, robot, reference, refusal), None
        worst = Deviation()
        for _ in range(STATES):
            document, remarks = gradient(add_state(copy.deepcopy(model), robot, reference.draw(random)))
            if document["status"] != "ok":
                return self.prove_refusal(file, robot, reference, document["error"]["message"]), None
            self.compare(reference, robot, document, worst)
        changed = any(has_negative_moment(link.inertia) for link in robot.links)
        self.assertEqual("negative principal moments" in remarks, changed, remarks)
        joints = sum(joint.moves for joint in robot.joints)
        return f"{len(robot.links)} links, {joints} moving joints{', corrected' if changed else ''}: {worst}", worst

    def test_all(self):
        self.assertGreater(len(FILES), 60)
        accepted, worst_of_all = 0, Deviation()
        print("largest deviations of accelerations and of their derivatives")
        for file in FILES:
            name = os.path.basename(file)
            with self.subTest(robot=name):
                verdict, worst = self.check(file)
                print(f"{name}: {verdict if worst else 'refused, ' + verdict}", flush=True)
                if not worst:
                    continue
                accepted += 1
                worst_of_all.see_all(worst)
                self.assertLess(worst.beside_terms[0], ACCELERATION)
                self.assertLess(worst.beside_terms[1], GRADIENT)
        print(f"{accepted} of {len(FILES)} accepted: {worst_of_all}")
        self.assertGreater(accepted, len(FILES) / 2)


if __name__ == "__main__":
    unittest.main()
