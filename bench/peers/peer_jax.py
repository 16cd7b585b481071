"""JAX: the five-bar by equations by hand in two coordinates, those of casadi_machines.py, differentiated by jacfwd.

Integrals are states of their own. The motion goes by diffrax, with Dormand and Prince's method of order 8 and steps
that it chooses by the error of the motion alone, or by a loop over steps of fixed length (lax.scan) with the stages
of dop853 or RK4. Batches go through vmap. Compilation is left out of the times and stated in the record."""

import os
import time

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
from scipy.integrate._ivp import dop853_coefficients as dop853

import peer_problems as problems
from peer_common import largest_error, median_time, variations

jax.config.update("jax_enable_x64", True)

PACKAGES = ("jax", "jaxlib", "diffrax", "equinox")
START = np.array([*problems.FIVE_BAR_ANGLES, 0, 0, 0, 0, 0])
DURATION = problems.FIVE_BAR_DURATION
RK4 = (np.array([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]]), np.array([1, 2, 2, 1]) / 6)
DOP853 = (dop853.A[:12, :12], dop853.B[:12])
LIMIT = 1e-6  # of the errors of objectives and gradient


def rates(x, p):
    """Rates of both angles, both angular velocities and the three integrals."""
    natural1, natural2, m1, centre1, l1 = p
    _, l2, l3, l4 = problems.FIVE_BAR_LENGTHS
    _, m2, m3, m4 = problems.FIVE_BAR_MASSES
    i1, i2, i3, i4 = problems.FIVE_BAR_INERTIAS
    g, stiffness, ground = problems.FIVE_BAR_GRAVITY, problems.FIVE_BAR_STIFFNESS, jnp.asarray(problems.FIVE_BAR_B)
    w1, w2 = x[2], x[3]

    def across(v):
        return jnp.stack([-v[1], v[0]])

    e1, e2 = (jnp.stack([jnp.cos(x[i]), jnp.sin(x[i])]) for i in range(2))
    n1, n2 = across(e1), across(e2)
    tip1 = l1 * e1
    tip2 = tip1 + l2 * e2
    # Bars 23 and 3B span the way from point 2 to B, whose length gives their directions.
    way = ground - tip2
    square = way @ way
    along = (square + l3 ** 2 - l4 ** 2) / (2 * l3)
    beside = -jnp.sqrt(square - along ** 2)
    e3 = (along * way + beside * across(way)) / square
    e4 = (way - l3 * e3) / l4
    sine = e3[0] * e4[1] - e3[1] * e4[0]

    # The rates of bars 23 and 3B by those of A1 and 12, and their accelerations where a1'' = a2'' = 0.
    by3, by4 = -e4 / (l3 * sine), e3 / (l4 * sine)
    lever1, lever2 = l1 * n1, l2 * n2
    r31, r32, r41, r42 = lever1 @ by3, lever2 @ by3, lever1 @ by4, lever2 @ by4
    w3, w4 = r31 * w1 + r32 * w2, r41 * w1 + r42 * w2
    bias2 = -l1 * w1 ** 2 * e1 - l2 * w2 ** 2 * e2
    bias = bias2 - l3 * w3 ** 2 * e3 - l4 * w4 ** 2 * e4
    b3, b4 = bias @ by3, bias @ by4

    # Two double pendulums, one from A and one from B, each by its two absolute angles.
    m11, m22 = i1 + m1 * centre1 ** 2 + m2 * l1 ** 2, i2 + m2 * l2 ** 2 / 4
    m44, m33 = i4 + m4 * l4 ** 2 / 4 + m3 * l4 ** 2, i3 + m3 * l3 ** 2 / 4
    left, right = m2 * l1 * l2 / 2, m3 * l4 * l3 / 2
    m12, m34 = left * (e1 @ e2), right * (e3 @ e4)
    turn = left * (e1[1] * e2[0] - e1[0] * e2[1])
    length1, length2 = jnp.sqrt((tip1 - ground) @ (tip1 - ground)), jnp.sqrt(square)
    pull1 = stiffness * (natural1 / length1 - 1) * (tip1 - ground)
    pull2 = stiffness * (1 - natural2 / length2) * way
    f1 = lever1 @ (pull1 + pull2) - g * (m1 * centre1 + m2 * l1) * e1[0] - turn * w2 ** 2
    f2 = lever2 @ pull2 - g * m2 * l2 / 2 * e2[0] + turn * w1 ** 2
    f3 = g * m3 * l3 / 2 * e3[0] + right * sine * w4 ** 2 - m33 * b3 - m34 * b4
    f4 = g * (m4 / 2 + m3) * l4 * e4[0] - right * sine * w3 ** 2 - m34 * b3 - m44 * b4

    # Projected on the two coordinates: two equations, solved by Cramer's rule.
    u1, u2 = m33 * r31 + m34 * r41, m33 * r32 + m34 * r42
    v1, v2 = m34 * r31 + m44 * r41, m34 * r32 + m44 * r42
    a11, a12, a22 = m11 + r31 * u1 + r41 * v1, m12 + r31 * u2 + r41 * v2, m22 + r32 * u2 + r42 * v2
    f1, f2 = f1 + r31 * f3 + r41 * f4, f2 + r32 * f3 + r42 * f4
    determinant = a11 * a22 - a12 ** 2
    acceleration1, acceleration2 = (a22 * f1 - a12 * f2) / determinant, (a11 * f2 - a12 * f1) / determinant

    speed = lever1 * w1 + lever2 * w2
    change = lever1 * acceleration1 + lever2 * acceleration2 + bias2
    miss = tip2 - jnp.asarray(problems.FIVE_BAR_TARGET)
    return jnp.stack([w1, w2, acceleration1, acceleration2, miss @ miss, speed @ speed, change @ change])


def adaptive(tolerance):
    """The objectives as a function of the parameters, and the number of steps, by diffrax."""
    def motion(p):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, q: rates(y, q)), diffrax.Dopri8(), 0.0, DURATION, 1e-3, START, p,
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
            adjoint=diffrax.ForwardMode(), max_steps=100000)
        return solution.ys[-1, 4:], solution.stats["num_accepted_steps"]
    return motion


def fixed(method, steps, unrolled):
    """The same with a loop over steps of fixed length, and the stages of a step in another one or one after another."""
    stages, weights = method
    h = DURATION / steps

    def written_out(y, p):
        slopes = []
        for row in stages:
            slopes.append(rates(sum((h * float(w) * k for w, k in zip(row, slopes) if w), y), p))
        return sum((h * float(w) * k for w, k in zip(weights, slopes) if w), y)

    def looped(y, p):
        def stage(s, slopes):
            return slopes.at[s].set(rates(y + h * (jnp.asarray(stages)[s] @ slopes), p))
        return y + h * (weights @ jax.lax.fori_loop(0, len(weights), stage, jnp.zeros((len(weights), len(y)))))

    def motion(p):
        step = written_out if unrolled else looped
        end, _ = jax.lax.scan(lambda y, _: (step(y, p), None), START, length=steps)
        return end[4:], steps
    return motion


def gradient(motion):
    """Objectives, below them their derivatives, and steps; of one design, with the motion shared by all columns."""
    def both(p):
        def twice(q):
            values, steps = motion(q)
            return values, (values, steps)
        slopes, (values, steps) = jax.jacfwd(twice, has_aux=True)(p)
        return jnp.vstack([values[None], slopes.T]), steps
    return both


def evaluate(motion):
    """The compiled gradient and its result, the steps, and the seconds of the first call, most of them compilation."""
    function = jax.jit(gradient(motion))
    begin = time.perf_counter()
    result, steps = jax.block_until_ready(function(problems.FIVE_BAR_NOMINAL))
    return function, np.asarray(result), float(steps), time.perf_counter() - begin


def coarsest(kind, choices, reference):
    """Of the choices from coarse to fine the first one whose gradient is accurate enough."""
    for choice in choices:
        if largest_error(evaluate(kind(choice))[1], reference) < LIMIT:
            return choice
    raise RuntimeError("no choice is accurate enough")


def time_one(five_bar, options, how, motion):
    function, result, steps, seconds = evaluate(motion)
    nominal = jnp.asarray(problems.FIVE_BAR_NOMINAL)
    times = median_time(lambda: jax.block_until_ready(function(nominal)), options.repeats)
    five_bar.table.add("JAX", {"how": f"{how}, one design"}, times, steps, result, first_call_s=seconds)


def time_batch(five_bar, options, how, motion):
    count = options.designs
    designs = jnp.asarray(variations(problems.FIVE_BAR_NOMINAL, count))
    batch = jax.jit(jax.vmap(gradient(motion)))
    begin = time.perf_counter()
    steps = float(np.mean(batch(designs)[1]))
    seconds = time.perf_counter() - begin
    times = [t / count for t in median_time(lambda: jax.block_until_ready(batch(designs)), 5)]
    five_bar.table.add("JAX", {"how": f"{how}, vmap of {count}, each"}, times, steps, first_call_s=seconds)


def time_all(five_bar, options):
    if not five_bar.agree("JAX", evaluate(fixed(DOP853, 4000, False))[1], 1e-8):
        return
    narrow = jax.jit(jax.vmap(gradient(fixed(DOP853, 1000, False))))
    five_bar.agree_in_designs("JAX", lambda designs: np.asarray(narrow(designs)[0]))
    tolerance = coarsest(adaptive, [10 ** (-k / 4) for k in range(24, 41)], five_bar.reference)
    how, motion = f"diffrax Dopri8, rtol {tolerance:.0e}", adaptive(tolerance)
    time_one(five_bar, options, how, motion)
    time_batch(five_bar, options, how, motion)
    for name, method, choices in (("dop853", DOP853, (30, 32, 34, 36, 38, 40, 45, 50, 60)),
                                  ("RK4", RK4, (450, 500, 550, 600, 700, 850, 1000))):
        steps = coarsest(lambda n: fixed(method, n, False), choices, five_bar.reference)
        how = f"scan of {name}, {steps} steps"
        time_one(five_bar, options, f"{how}, loop over stages", fixed(method, steps, False))
        # What is written out takes the compiler a minute; it is quicker in batches, and slower with one design.
        unrolled = method is DOP853
        time_batch(five_bar, options, f"{how}, {'unrolled' if unrolled else 'loop over stages'}",
                   fixed(method, steps, unrolled))


def run(five_bar, arm, options, folder):
    # Options of XLA do not keep its threads to one core. They start with the first computation and stay where it is.
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        time_all(five_bar, options)
    finally:
        os.sched_setaffinity(0, cores)
