"""Mechanisms as functions of JAX: jit, grad, jvp, vmap.

>>> f = gradus.jax.function(mechanism)          # [parameter] -> [objective]
>>> jax.grad(lambda p: f(p)[0])(mechanism.nominal)

Numbers are of 64 bits: ``jax.config.update("jax_enable_x64", True)`` is asked for.
"""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np

from . import _core
from ._finite import marked, runnable
from ._mechanism import Mechanism


def function(mechanism: Mechanism, mode: str = "reverse") -> Callable[..., Any]:
    """``f(parameters [..., parameter]) -> objectives [..., objective]``.

    A mechanism with ``times``, ``final_state`` or ``start_states`` takes ``f(parameters, start_states)`` and gives
    ``(objectives, sensors, final_states)``. Leading axes, and those of ``vmap``, are designs of one batch. With
    ``mode="reverse"`` derivatives are taken back by the adjoint (``jax.grad``, ``jax.vjp``, ``jax.jacrev``), with
    ``"forward"`` along a direction (``jax.jvp``, ``jax.jacfwd``); JAX lets a function have one of them. Designs that
    fail are NaN.
    """
    if not jax.config.jax_enable_x64:
        raise _core.InputError('numbers of JAX have 32 bits here; jax.config.update("jax_enable_x64", True) makes them 64')
    if mode not in ("reverse", "forward"):
        raise _core.InputError(f'mode: found {mode!r}, expected "reverse" or "forward"')
    core = mechanism._core
    n_state = 2 * len(mechanism.coordinates)
    sizes = (len(mechanism.objectives), (len(core.times), core.exchanged_components), n_state if core.gives_final_states else 0)
    whole = bool(core.times or core.gives_final_states or core.takes_start_states)

    def shapes(lead):
        return tuple(jax.ShapeDtypeStruct((*lead, *(size if isinstance(size, tuple) else (size,))), jnp.float64) for size in sizes)

    def rows(array, lead, width):
        return np.ascontiguousarray(np.broadcast_to(np.asarray(array), (*lead, width)).reshape(-1, width))

    def shaped(arrays, lead):
        return tuple(np.asarray(array).reshape(*lead, *array.shape[1:]) for array in arrays)

    def start_rows(states, lead):
        return rows(states, lead, n_state) if core.takes_start_states else np.empty(0)

    def lead_of(*arrays):
        return np.broadcast_shapes(*(array.shape[:-1] for array in arrays))

    def values_of(p, s):
        lead = lead_of(p, s)
        inputs, wrong = runnable(mechanism.nominal, rows(p, lead, len(mechanism.nominal)), start_rows(s, lead))
        values, _ = core.exchange(*inputs)
        return shaped(marked(values, wrong), lead)

    def forward_of(p, s, dp, ds):
        lead = lead_of(p, s, dp, ds)
        width = len(mechanism.nominal)
        inputs, wrong = runnable(mechanism.nominal, rows(p, lead, width), start_rows(s, lead), rows(dp, lead, width), start_rows(ds, lead))
        _, products, _ = core.jacobian_vector(*inputs)
        return shaped(marked(products, wrong), lead)

    def reverse_of(p, s, *weights):
        lead = np.broadcast_shapes(lead_of(p, s), weights[0].shape[:-1])
        width = len(mechanism.nominal)
        designs = rows(p, lead, width)
        flat = [np.ascontiguousarray(np.broadcast_to(np.asarray(w), (*lead, *(size if isinstance(size, tuple) else (size,)))))
                .reshape(len(designs), -1) for w, size in zip(weights, sizes)]
        inputs, wrong = runnable(mechanism.nominal, designs, start_rows(s, lead), *flat)
        _, (by_parameters, by_states), _ = core.vector_jacobian(*inputs)
        marked((by_parameters, by_states), wrong)
        by_states = by_states if core.takes_start_states else np.zeros((len(designs), n_state))
        return by_parameters.reshape(*lead, width), by_states.reshape(*lead, n_state)

    def call(callback, result, *arguments):
        return jax.pure_callback(callback, result, *arguments, vmap_method="broadcast_all")

    def lead_traced(*arrays):
        return jnp.broadcast_shapes(*(array.shape[:-1] for array in arrays))

    def primal(p, s):
        return call(values_of, shapes(lead_traced(p, s)), p, s)

    if mode == "reverse":
        evaluate = jax.custom_vjp(primal)

        def back(kept, weights):
            p, s = kept
            lead = lead_traced(p, s)
            width = len(mechanism.nominal)
            result = (jax.ShapeDtypeStruct((*lead, width), jnp.float64), jax.ShapeDtypeStruct((*lead, n_state), jnp.float64))
            by_p, by_s = call(reverse_of, result, p, s, *weights)
            return _summed(by_p, p.shape), _summed(by_s, s.shape)

        evaluate.defvjp(lambda p, s: (primal(p, s), (p, s)), back)
    else:
        evaluate = jax.custom_jvp(primal)

        @evaluate.defjvp
        def along(at, directions):
            # The outputs apart: with several directions at once they have fewer axes than the products.
            return primal(*at), call(forward_of, shapes(lead_traced(*at, *directions)), *at, *directions)

    nowhere = np.zeros(n_state)

    def f(parameters, start_states=None):
        if start_states is None and core.takes_start_states:
            raise _core.InputError("start_states: found none, expected [..., 2 coordinate], as the mechanism was compiled with them")
        p = jnp.asarray(parameters, jnp.float64)
        s = jnp.asarray(nowhere if start_states is None else start_states, jnp.float64)
        for array, size, what in ((p, len(mechanism.nominal), "parameters"), (s, n_state, "start_states")):
            if array.shape[-1:] != (size,):
                raise _core.InputError(f"{what}: found the shape {list(array.shape)}, expected [..., {size}]")
        result = evaluate(p, s)
        return result if whole else result[0]

    return f


def _summed(array, shape):
    """Sums over the axes along which an argument was repeated."""
    extra = array.ndim - len(shape)
    array = array.sum(axis=tuple(range(extra)))
    repeated = tuple(k for k, size in enumerate(shape) if size == 1 and array.shape[k] != 1)
    return array.sum(axis=repeated, keepdims=True) if repeated else array
