"""Robots described as URDF, read without gradus: links, inertials, joints, origins and axes.

Types of joints: fixed, revolute, continuous and prismatic.
"""

import dataclasses
import re
import xml.etree.ElementTree

import numpy

MOVING = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
ENTRIES = ("xx", "yy", "zz", "xy", "xz", "yz")
PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of the entries in the matrix
NUMBERS = 10  # of a body that gradients are by: mass, centre of mass, entries of the inertia


def rotation(roll, pitch, yaw):
    def turn(angle, first, second):
        matrix = numpy.eye(3)
        matrix[first, first] = matrix[second, second] = numpy.cos(angle)
        matrix[second, first] = numpy.sin(angle)
        matrix[first, second] = -numpy.sin(angle)
        return matrix

    return turn(yaw, 0, 1) @ turn(pitch, 2, 0) @ turn(roll, 1, 2)


def numbers(element, attribute, default):
    text = default if element is None else element.get(attribute, default)
    return numpy.array([float(word) for word in text.split()])


@dataclasses.dataclass
class Link:
    name: str
    mass: float
    com: numpy.ndarray      # in the axes of the link
    inertia: numpy.ndarray  # about it, in the axes of the link

    @property
    def is_massless(self):
        return self.mass == 0.0 and not self.inertia.any()


@dataclasses.dataclass
class Joint:
    name: str
    type: str
    parent: str
    child: str
    place: numpy.ndarray     # in the axes of the parent
    rotation: numpy.ndarray  # from the axes of the child, at zero
    axis: numpy.ndarray      # in the axes of the child

    @property
    def moves(self):
        return self.type in MOVING


class Robot:
    def __init__(self, file):
        tree = xml.etree.ElementTree.parse(file).getroot()
        self.links = [self.read_link(link) for link in tree.findall("link")]
        self.joints = [self.read_joint(joint) for joint in tree.findall("joint")]
        children = {joint.child for joint in self.joints}
        self.roots = [link.name for link in self.links if link.name not in children]

    @staticmethod
    def read_link(link):
        inertial = link.find("inertial")
        if inertial is None:
            return Link(link.get("name"), 0.0, numpy.zeros(3), numpy.zeros((3, 3)))
        origin = inertial.find("origin")
        axes = rotation(*numbers(origin, "rpy", "0 0 0"))
        matrix = numpy.zeros((3, 3))
        for entry, (row, column) in zip(ENTRIES, PLACES):
            matrix[row, column] = matrix[column, row] = float(inertial.find("inertia").get("i" + entry, 0))
        return Link(link.get("name"), float(inertial.find("mass").get("value")), numbers(origin, "xyz", "0 0 0"),
                    axes @ matrix @ axes.T)

    @staticmethod
    def read_joint(joint):
        type_name = joint.get("type")
        if type_name != "fixed" and type_name not in MOVING:
            raise ValueError(f"joint {joint.get('name')}: the type {type_name} is not read here")
        origin = joint.find("origin")
        return Joint(joint.get("name"), type_name, joint.find("parent").get("link"), joint.find("child").get("link"),
                     numbers(origin, "xyz", "0 0 0"), rotation(*numbers(origin, "rpy", "0 0 0")),
                     numbers(joint.find("axis"), "xyz", "1 0 0"))

    def carried_by(self, link):
        """The link and all that hang on it."""
        names = [link]
        for name in names:
            names += [joint.child for joint in self.joints if joint.parent == name]
        return [link for link in self.links if link.name in names]

    def fixed_to(self, link):
        """The link and all that fixed joints make one with it."""
        names = [link]
        for name in names:
            for joint in self.joints:
                ends = {joint.parent, joint.child}
                if not joint.moves and name in ends:
                    names += ends.difference(names)
        return [link for link in self.links if link.name in names]


def usable(name):
    """A name as imported bodies and joints have it."""
    return name.replace(".", "_") + ("_" if name == "ground" else "")


def identifier(name):
    """A name as imported parameters have it."""
    return re.sub(r"[^0-9A-Za-z]", "_", usable(name))


def add_state(model, robot, state):
    """Makes an imported model start with `state`: position, velocity and force of each moving joint by name. Nothing but
    these forces acts. The objectives are the accelerations of these joints at time 0."""
    sensors, forces, objectives = model.setdefault("sensors", {}), {}, {}
    for k, joint in enumerate(robot.joints):
        if not joint.moves:
            continue
        position, velocity, force = state[joint.name]
        model["joints"][usable(joint.name)]["initial"] = {"position": position, "velocity": velocity}
        forces[f"motor {k}"] = {"type": "joint-force", "joint": usable(joint.name), "value": force}
        sensors[f"a{k}"] = {"coordinate_acceleration": usable(joint.name)}
        objectives[f"j{k}"] = {"value": f"a{k}", "at": [0]}
    model.update(forces=forces, objectives=objectives, analysis={"duration": 1e-9, "step": 1e-9})
    return model
