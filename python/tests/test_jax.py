"""Mechanisms as functions of JAX."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402

import gradus  # noqa: E402
import gradus.jax  # noqa: E402


def test_gradients(mechanism):
    f = gradus.jax.function(mechanism)
    expected = mechanism.gradient()
    assert np.allclose(f(mechanism.nominal), expected.objectives, rtol=1e-14)
    assert np.allclose(jax.jacrev(f)(mechanism.nominal), expected.gradient, rtol=1e-9, atol=1e-10)
    jitted = jax.jit(jax.grad(lambda p: jnp.sum(f(p) ** 2)))(jnp.asarray(mechanism.nominal))
    assert np.allclose(jitted, 2 * expected.objectives @ expected.gradient, rtol=1e-9)
    along = gradus.jax.function(mechanism, "forward")
    direction = np.arange(1.0, 6.0)
    value, product = jax.jvp(along, (mechanism.nominal,), (direction,))
    assert np.allclose(product, expected.gradient @ direction, rtol=1e-9)
    assert np.allclose(jax.jacfwd(along)(mechanism.nominal), expected.gradient, rtol=1e-9, atol=1e-10)


def test_batches(mechanism):
    f = gradus.jax.function(mechanism)
    designs = mechanism.nominal * (1 + 0.01 * np.random.default_rng(5).uniform(-1, 1, (6, 5)))
    expected = mechanism.gradient(designs)
    assert np.allclose(f(designs), expected.objectives, rtol=1e-14)
    assert np.allclose(jax.vmap(f)(designs), expected.objectives, rtol=1e-14)
    assert np.allclose(jax.vmap(jax.jacrev(f))(designs), expected.gradient, rtol=1e-9, atol=1e-10)
    assert np.allclose(jax.vmap(jax.vmap(f))(designs.reshape(2, 3, 5)), expected.objectives.reshape(2, 3, 3), rtol=1e-14)
    designs[3, 4] = 10
    designs[1, 0] = np.nan
    found = np.asarray(f(designs))
    assert np.isnan(found[[1, 3]]).all() and np.isfinite(found[2]).all()
    gradient = jax.grad(lambda p: jnp.nansum(f(p)))(jnp.asarray(designs))
    assert np.isnan(gradient[1]).all() and np.isfinite(gradient[2]).all()
    weights = jax.vjp(f, jnp.asarray(designs[:3]))[1](jnp.asarray([[1.0, 0, 0], [0, 0, 0], [0, np.nan, 0]]))[0]
    assert np.isfinite(weights[0]).all() and np.isnan(weights[1:]).all()
    for wrong in (1.0, np.zeros(3), designs[:, :1]):
        with pytest.raises(gradus.InputError, match="expected .*5"):
            f(wrong)


def test_states_and_sensors(pendulum):
    mechanism = pendulum.compile(times=[0.25, 0.5], sensors=["q"], start_states=True, final_state=True)
    f = gradus.jax.function(mechanism)
    start = jnp.asarray([-0.3, 0.1])

    def loss(p, s):
        objectives, sensors, final = f(p, s)
        return objectives[0] + 2 * jnp.sum(sensors) + final[1]

    by_p, by_s = jax.grad(loss, (0, 1))(jnp.asarray(mechanism.nominal), start)
    step = 1e-5
    for array, gradient, k in [(0, by_p, i) for i in range(3)] + [(1, by_s, i) for i in range(2)]:
        def moved(sign):
            at = [np.array(mechanism.nominal), np.array(start)]
            at[array][k] += sign * step
            return float(loss(*map(jnp.asarray, at)))
        assert float(gradient[k]) == pytest.approx((moved(1) - moved(-1)) / (2 * step), rel=1e-5, abs=1e-6)
    # One design from several states: its weights are summed.
    states = jnp.stack([start, start + 0.1])
    several = jax.grad(lambda p: jnp.sum(f(p, states)[0]))(jnp.asarray(mechanism.nominal))
    single = sum(jax.grad(lambda p: jnp.sum(f(p, s)[0]))(jnp.asarray(mechanism.nominal)) for s in states)
    assert np.allclose(several, single, rtol=1e-9)
    row = jax.grad(lambda p: jnp.sum(f(p, states)[0]))(jnp.asarray(mechanism.nominal)[None, :])
    assert row.shape == (1, 3) and np.allclose(row[0], single, rtol=1e-9)


def test_a_fit(pendulum):
    """Two parameters found again from where they lead."""
    mechanism = pendulum.compile(times=[0.1, 0.2, 0.3, 0.4, 0.5], sensors=["q"])
    f = gradus.jax.function(mechanism)
    truth = np.array([2.0, 0.8, 0.5])
    data = f(truth)[1]

    def loss(free):
        return jnp.sum((f(jnp.array([2.0, free[0], free[1]]))[1] - data) ** 2)

    free = jnp.array([0.6, 0.1])
    residual = jax.jit(jax.jacrev(lambda free: (f(jnp.array([2.0, free[0], free[1]]))[1] - data).ravel()))
    for _ in range(8):  # by Gauss and Newton
        jacobian = residual(free)
        rest = (f(jnp.array([2.0, free[0], free[1]]))[1] - data).ravel()
        free = free - jnp.linalg.lstsq(jacobian, rest)[0]
    assert np.allclose(free, truth[1:], rtol=1e-7) and float(loss(free)) < 1e-16


def test_what_is_refused(mechanism):
    with pytest.raises(gradus.InputError, match="mode"):
        gradus.jax.function(mechanism, "both")
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(gradus.InputError, match="x64"):
            gradus.jax.function(mechanism)
    finally:
        jax.config.update("jax_enable_x64", True)
