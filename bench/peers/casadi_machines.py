"""The mechanisms of casadi_peers.py: their equations of motion by hand, in as few coordinates as they have degrees of
freedom, for CasADi. The numbers of the models are repeated, those of the five-bar in peer_problems.py, so that nothing
is shared with gradus."""

import dataclasses
from typing import Callable

import casadi as ca
import numpy as np

import peer_problems as problems
from peer_common import numbers_of


@dataclasses.dataclass(frozen=True)
class Machine:
    """What is computed of a mechanism: three objectives, which are integrals, and their derivatives by parameters."""
    name: str
    model: str  # the same for gradus, in its folder of models
    parameters: dict[str, float]  # nominal values by the names of the model, in any order
    start: tuple[float, ...]  # positions, behind them velocities; depends on no parameter
    duration: float
    step: float  # the one that the model states
    designs: int  # of a batch
    equations: Callable  # of state and parameters: the rates of the state, and the integrands of the objectives
    objectives: tuple[str, ...] = ("psi1", "psi2", "psi3")

    @property
    def nominal(self):
        return np.array(list(self.parameters.values()))

    def numbers(self, document):
        return numbers_of(document, self.objectives, self.parameters)


def five_bar(x, p):
    """In the angles of bars A1 and 12. The intersection of two circles gives the others in closed form."""
    natural1, natural2, m1, centre1, l1 = ca.vertsplit(p)
    _, l2, l3, l4 = problems.FIVE_BAR_LENGTHS
    _, m2, m3, m4 = problems.FIVE_BAR_MASSES
    i1, i2, i3, i4 = problems.FIVE_BAR_INERTIAS
    g, stiffness, ground = problems.FIVE_BAR_GRAVITY, problems.FIVE_BAR_STIFFNESS, ca.DM(problems.FIVE_BAR_B)
    w1, w2 = x[2], x[3]

    def across(v):
        return ca.vertcat(-v[1], v[0])

    e1, e2 = (ca.vertcat(ca.cos(x[i]), ca.sin(x[i])) for i in range(2))
    n1, n2 = across(e1), across(e2)
    tip1 = l1 * e1
    tip2 = tip1 + l2 * e2
    # Bars 23 and 3B span the way from point 2 to B, whose length gives their directions. The sign of `beside` is that
    # of the assembly, which could change in singular configurations only.
    way = ground - tip2
    square = ca.sumsqr(way)
    along = (square + l3 ** 2 - l4 ** 2) / (2 * l3)
    beside = -ca.sqrt(square - along ** 2)
    e3 = (along * way + beside * across(way)) / square
    e4 = (way - l3 * e3) / l4
    sine = e3[0] * e4[1] - e3[1] * e4[0]

    # The rates of bars 23 and 3B by those of A1 and 12, and their accelerations where a1'' = a2'' = 0.
    by3, by4 = -e4 / (l3 * sine), e3 / (l4 * sine)
    lever1, lever2 = l1 * n1, l2 * n2
    r31, r32, r41, r42 = ca.dot(lever1, by3), ca.dot(lever2, by3), ca.dot(lever1, by4), ca.dot(lever2, by4)
    w3, w4 = r31 * w1 + r32 * w2, r41 * w1 + r42 * w2
    bias2 = -l1 * w1 ** 2 * e1 - l2 * w2 ** 2 * e2
    bias = bias2 - l3 * w3 ** 2 * e3 - l4 * w4 ** 2 * e4
    b3, b4 = ca.dot(bias, by3), ca.dot(bias, by4)

    # Two double pendulums, one from A and one from B, each by its two absolute angles.
    m11, m22 = i1 + m1 * centre1 ** 2 + m2 * l1 ** 2, i2 + m2 * l2 ** 2 / 4
    m44, m33 = i4 + m4 * l4 ** 2 / 4 + m3 * l4 ** 2, i3 + m3 * l3 ** 2 / 4
    left, right = m2 * l1 * l2 / 2, m3 * l4 * l3 / 2
    m12, m34 = left * ca.dot(e1, e2), right * ca.dot(e3, e4)
    turn = left * (e1[1] * e2[0] - e1[0] * e2[1])
    length1, length2 = ca.norm_2(tip1 - ground), ca.sqrt(square)
    pull1 = stiffness * (natural1 / length1 - 1) * (tip1 - ground)
    pull2 = stiffness * (1 - natural2 / length2) * way
    f1 = ca.dot(lever1, pull1 + pull2) - g * (m1 * centre1 + m2 * l1) * e1[0] - turn * w2 ** 2
    f2 = ca.dot(lever2, pull2) - g * m2 * l2 / 2 * e2[0] + turn * w1 ** 2
    f3 = g * m3 * l3 / 2 * e3[0] + right * sine * w4 ** 2 - m33 * b3 - m34 * b4
    f4 = g * (m4 / 2 + m3) * l4 * e4[0] - right * sine * w3 ** 2 - m34 * b3 - m44 * b4

    # Projected on the two coordinates: two equations, solved by Cramer's rule.
    u1, u2 = m33 * r31 + m34 * r41, m33 * r32 + m34 * r42
    v1, v2 = m34 * r31 + m44 * r41, m34 * r32 + m44 * r42
    a11, a12, a22 = m11 + r31 * u1 + r41 * v1, m12 + r31 * u2 + r41 * v2, m22 + r32 * u2 + r42 * v2
    f1, f2 = f1 + r31 * f3 + r41 * f4, f2 + r32 * f3 + r42 * f4
    determinant = a11 * a22 - a12 ** 2
    acceleration = ca.vertcat(a22 * f1 - a12 * f2, a11 * f2 - a12 * f1) / determinant

    speed = lever1 * w1 + lever2 * w2
    change = lever1 * acceleration[0] + lever2 * acceleration[1] + bias2
    miss = tip2 - ca.DM(problems.FIVE_BAR_TARGET)
    integrands = ca.vertcat(ca.sumsqr(miss), ca.sumsqr(speed), ca.sumsqr(change))
    return ca.vertcat(w1, w2, acceleration), integrands


def slider_crank(x, p):
    """In the angle of the crank. Point B gives the place of the slider and both angles of the cardan joint."""
    m3, stiffness, damping, natural = ca.vertsplit(p)
    y, z, l1, l2, offset = 0.1, 0.12, 0.08, 0.3, 0.05  # A is at (0, y, z); offset leads from C to D
    m1, m2, i1, along, across, g = 0.12, 0.5, 1e-4, 4e-4, 4e-3, 9.81
    angle, w = x[0], x[1]

    # Primes are derivatives by the angle; u is the square of the distance of B from the slide, s the place of C.
    d = l1 * (z * ca.cos(angle) - y * ca.sin(angle))
    d1 = -l1 * (z * ca.sin(angle) + y * ca.cos(angle))
    u = y ** 2 + z ** 2 + l1 ** 2 + 2 * d  # u' = 2 d', d'' = -d
    s = ca.sqrt(l2 ** 2 - u)
    s1 = -d1 / s
    s2 = (d - s1 ** 2) / s
    # The rod turns about the slide as B does about it, with the rate v / u times w, and about the normal of both with
    # s' / sqrt(u) times w. Of the first, the share s / l2 lies along the rod and sqrt(u) / l2 across.
    v = l1 ** 2 + d  # v' = d'

    # Half the mass that the coordinate feels is the kinetic energy at w = 1.
    share = l2 ** 2 / u - 1
    mass = (i1 + m1 * l1 ** 2 / 4 + m2 * l1 ** 2 / 4 + (m3 + m2 / 4 + across / u) * s1 ** 2
            + v ** 2 / u * (across + along * share) / l2 ** 2)
    half_mass1 = ((m3 + m2 / 4 + across / u) * s1 * s2 - across * s1 ** 2 * d1 / u ** 2
                  + (v * d1 / u - v ** 2 * d1 / u ** 2) * (across + along * share) / l2 ** 2
                  - along * v ** 2 * d1 / u ** 3)
    weight = g * (m1 + m2) / 2 * l1 * ca.sin(angle)
    pull = stiffness * (s + offset - natural) + damping * s1 * w
    acceleration = (weight - pull * s1 - half_mass1 * w ** 2) / mass

    change = s1 * acceleration + s2 * w ** 2
    integrands = ca.vertcat((s + offset - 0.25) ** 2, (s1 * w) ** 2, change ** 2)
    return ca.vertcat(w, acceleration), integrands


MACHINES = {machine.name: machine for machine in (
    # The angles of both joints are given, so that the start depends on no parameter. Those of bars 23 and 3B depend on
    # L_A1, but as functions of the state, which the chain rule covers wherever they occur.
    Machine("five-bar", "five-bar/five-bar.json", problems.FIVE_BAR_PARAMETERS, (*problems.FIVE_BAR_ANGLES, 0.0, 0.0),
            problems.FIVE_BAR_DURATION, 1e-3, 1024, five_bar),
    Machine("slider-crank", "slider-crank/slider-crank-spring.json", {"m_CD": 2.0, "k": 10.0, "c": 1.0, "L": 0.25},
            (0.0, 6.0), 5.0, 5e-4, 256, slider_crank),
)}
