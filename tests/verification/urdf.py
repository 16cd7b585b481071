"""Models of gradus from robots described as URDF, for tests: links, inertials, joints, origins and axes.

The root link is fixed to the ground. Mimic joints move freely, and limits, friction, transmissions and shapes are left
out, as Pinocchio leaves them out of its dynamics. Types of joints: fixed, revolute, continuous and prismatic.
"""

import dataclasses
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
    """A name as bodies and joints may have it."""
    return name.replace(".", "_") + ("_" if name == "ground" else "")


def body_model(link, k):
    """The body of link k, its numbers being those of the parameter array p<k>."""
    number = [f"p{k}[{i}]" for i in range(NUMBERS)]
    return {"mass": number[0], "com": number[1:4], "inertia": dict(zip(ENTRIES, number[4:])), "points": {}}


def joint_model(joint, state):
    turn = joint.rotation
    axis = joint.axis / numpy.linalg.norm(joint.axis) if joint.moves else numpy.array([0.0, 0.0, 1.0])
    across = numpy.cross(axis, numpy.eye(3)[numpy.argmin(numpy.abs(axis))])
    model = {"type": MOVING.get(joint.type, "fixed"), "parent": usable(joint.parent) + "." + usable(joint.name),
             "child": usable(joint.child), "axis": list(turn @ axis), "child_axis": list(axis),
             "zero": list(turn @ across), "child_zero": list(across)}
    if joint.moves:
        position, velocity, _ = state[joint.name]
        model["initial"] = {"position": position, "velocity": velocity}
    return model


def values_of(link):
    """The numbers of a body, in the order of its parameters."""
    return [link.mass, *link.com, *(link.inertia[place] for place in PLACES)]


def model_of(robot, state):
    """The model of a robot that starts with `state`: position, velocity and force of each moving joint by name. Its
    objectives are the accelerations of these joints at time 0, its parameters the numbers of all links."""
    bodies = {usable(link.name): body_model(link, k) for k, link in enumerate(robot.links)}
    joints = {"root " + usable(root): {"type": "fixed", "parent": "ground", "child": usable(root)} for root in robot.roots}
    forces, sensors, objectives = {}, {}, {}
    for k, joint in enumerate(robot.joints):
        bodies[usable(joint.parent)]["points"][usable(joint.name)] = list(joint.place)
        joints[usable(joint.name)] = joint_model(joint, state)
        if not joint.moves:
            continue
        forces[f"motor {k}"] = {"type": "joint-force", "joint": usable(joint.name), "value": state[joint.name][2]}
        sensors[f"a{k}"] = {"coordinate_acceleration": usable(joint.name)}
        objectives[f"j{k}"] = {"value": f"a{k}", "at": [0]}
    return {"schema": "gradus-model/1", "name": "robot", "gravity": [0, 0, -9.81],
            "parameters": {f"p{k}": {"value": values_of(link), "size": NUMBERS} for k, link in enumerate(robot.links)},
            "bodies": bodies, "joints": joints, "forces": forces, "sensors": sensors, "objectives": objectives,
            "analysis": {"duration": 1e-9, "step": 1e-9}}
