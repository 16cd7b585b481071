"""The two problems of pypi_peers.py: their numbers, and the arm as a model of gradus.

The five-bar, which casadi_peers.py has as well, is models/five-bar/five-bar.json, whose numbers are repeated here. The
arm has seven links that hang from one another by hinges, falls from rest for a second, and is asked for the integral
of the squared distance of its tip from a target, with the derivatives by the mass and the centre of mass of every
link: 28 parameters.
"""

import numpy as np

FIVE_BAR_PARAMETERS = {"L_s1": np.sqrt(5), "L_s2": np.sqrt(17) / 2, "m_A1": 1.0, "r_G": np.sqrt(2) / 2,
                       "L_A1": np.sqrt(2)}
FIVE_BAR_NOMINAL = np.array(list(FIVE_BAR_PARAMETERS.values()))
FIVE_BAR_OBJECTIVES = ("psi1", "psi2", "psi3")
FIVE_BAR_DURATION = 5.0
FIVE_BAR_GRAVITY = 9.81
FIVE_BAR_STIFFNESS = 100.0
FIVE_BAR_B = np.array([1.0, 0.0])
FIVE_BAR_TARGET = np.array([0.5, -2.0])
# Of the bars A1, 12, 23 and 3B; mass, length and centre of the first one are parameters.
FIVE_BAR_MASSES = (None, 1.5, 1.5, 1.0)
FIVE_BAR_LENGTHS = (None, np.sqrt(13) / 2, np.sqrt(13) / 2, np.sqrt(2))
FIVE_BAR_INERTIAS = (1 / 6, 0.40625, 0.40625, 1 / 6)
# Absolute angles of the bars A1 and 12, which depend on no parameter.
FIVE_BAR_ANGLES = (-3 * np.pi / 4, -np.pi / 2 + np.arctan(1.5))

ARM_AXES = "zyzyzyz"
ARM_LENGTHS = (0.30, 0.25, 0.25, 0.20, 0.20, 0.15, 0.10)
ARM_MASSES = np.array([4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0])
ARM_CENTRES = np.array([[0.02, 0.03, 0.15], [0.03, 0.01, 0.12], [0.01, 0.03, 0.12], [0.03, 0.02, 0.10],
                        [0.02, 0.03, 0.10], [0.03, 0.01, 0.07], [0.02, 0.02, 0.05]])
ARM_INERTIAS = np.array([[0.050, 0.045, 0.020], [0.040, 0.038, 0.018], [0.035, 0.032, 0.016], [0.028, 0.026, 0.014],
                         [0.022, 0.020, 0.012], [0.016, 0.014, 0.010], [0.010, 0.009, 0.008]])
ARM_START = (0.3, 0.8, -0.4, 1.0, 0.5, -0.7, 0.2)
ARM_TARGET = (0.4, 0.1, 0.3)
ARM_GRAVITY = 9.81
ARM_DURATION = 1.0
ARM_NAMES = tuple(name + str(link) for link in range(1, 8) for name in ("m", "x", "y", "z"))
ARM_NOMINAL = np.column_stack([ARM_MASSES, ARM_CENTRES]).ravel()  # link by link, in the order of the names


def closed_five_bar(first_length):
    """Absolute angles of all four bars at the start, where the last two follow from those of the first two."""
    third, fourth = FIVE_BAR_LENGTHS[2:]
    e1, e2 = (np.array([np.cos(angle), np.sin(angle)]) for angle in FIVE_BAR_ANGLES)
    way = FIVE_BAR_B - first_length * e1 - FIVE_BAR_LENGTHS[1] * e2
    square = way @ way
    along = (square + third ** 2 - fourth ** 2) / (2 * third)
    beside = -np.sqrt(square - along ** 2)
    e3 = (along * way + beside * np.array([-way[1], way[0]])) / square
    e4 = (way - third * e3) / fourth
    return (*FIVE_BAR_ANGLES, np.arctan2(e3[1], e3[0]), np.arctan2(e4[1], e4[0]))


def arm_model():
    """The arm as a model of gradus."""
    parameters = {name: float(value) for name, value in zip(ARM_NAMES, ARM_NOMINAL)}
    bodies, joints = {}, {}
    for i in range(7):
        link = i + 1
        bodies[f"link{link}"] = {
            "mass": f"m{link}", "com": [f"x{link}", f"y{link}", f"z{link}"],
            "inertia": dict(zip(("xx", "yy", "zz"), map(float, ARM_INERTIAS[i]))),
            "points": {"tip": [0, 0, ARM_LENGTHS[i]]}}
        joints[f"hinge{link}"] = {
            "type": "revolute", "parent": f"link{i}.tip" if i else "ground", "child": f"link{link}",
            "axis": [float(axis == ARM_AXES[i]) for axis in "xyz"],
            "initial": {"position": ARM_START[i], "velocity": 0}}
    miss = f"tip - {list(ARM_TARGET)}"
    return {"schema": "gradus-model/1", "name": "arm", "gravity": [0, 0, -ARM_GRAVITY], "parameters": parameters,
            "bodies": bodies, "joints": joints, "sensors": {"tip": {"position": "link7.tip"}},
            "objectives": {"miss": {"integral": f"dot({miss}, {miss})", "unit": "m^2 s"}},
            "analysis": {"duration": ARM_DURATION}}
