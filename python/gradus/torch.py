"""Mechanisms as functions of PyTorch, with gradients by the adjoint.

>>> f = gradus.torch.function(mechanism)        # [..., parameter] -> [..., objective]
>>> f(parameters)[0].backward()
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np
import torch

from . import _core
from ._finite import marked, runnable
from ._mechanism import Mechanism


def function(mechanism: Mechanism) -> Callable[..., Any]:
    """``f(parameters [..., parameter]) -> objectives [..., objective]``.

    A mechanism with ``times``, ``final_state`` or ``start_states`` takes ``f(parameters, start_states)`` and gives
    ``(objectives, sensors, final_states)``. Leading axes are designs of one batch. Numbers are of 64 bits, on the CPU;
    others are converted, and so are gradients on their way back. Designs that fail are NaN.
    """
    core = mechanism._core
    width, n_state = len(mechanism.nominal), 2 * len(mechanism.coordinates)
    whole = bool(core.times or core.gives_final_states or core.takes_start_states)

    def rows(tensor: torch.Tensor, size: int) -> np.ndarray:
        count = tensor.numel() // size if size else 0
        return np.ascontiguousarray(tensor.detach().to("cpu", torch.float64).numpy().reshape(count, size))

    class Evaluation(torch.autograd.Function):
        @staticmethod
        def forward(context, parameters, start_states):
            context.save_for_backward(parameters, start_states)
            lead = parameters.shape[:-1]
            states = rows(start_states, n_state) if core.takes_start_states else np.empty(0)
            designs = rows(parameters, width)
            count = len(designs)
            if count == 0:  # one design tells the shapes
                designs = np.asarray(mechanism.nominal)[None]
                states = np.zeros((1, n_state)) if core.takes_start_states else states
            inputs, wrong = runnable(mechanism.nominal, designs, states)
            values, _ = core.exchange(*inputs)
            return tuple(torch.from_numpy(value[:count]).reshape(*lead, *value.shape[1:]) for value in marked(values, wrong))

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(context, *weights):
            parameters, start_states = context.saved_tensors
            if parameters.numel() == 0:
                return torch.zeros_like(parameters), torch.zeros_like(start_states) if core.takes_start_states else None
            designs = rows(parameters, width)
            states = rows(start_states, n_state) if core.takes_start_states else np.empty(0)
            flat = [np.ascontiguousarray(w.detach().to("cpu", torch.float64).numpy().reshape(len(designs), -1)) for w in weights]
            inputs, wrong = runnable(mechanism.nominal, designs, states, *flat)
            _, (by_parameters, by_states), _ = core.vector_jacobian(*inputs)
            marked((by_parameters, by_states), wrong)
            back = torch.from_numpy(by_parameters).reshape(parameters.shape).to(parameters)
            of_states = torch.from_numpy(by_states).reshape(start_states.shape).to(start_states) if core.takes_start_states else None
            return back, of_states

    def f(parameters: torch.Tensor, start_states: Optional[torch.Tensor] = None):
        if (start_states is None) == core.takes_start_states:
            raise _core.InputError("start_states: they are given if, and only if, the mechanism was compiled with them")
        if parameters.shape[-1:] != (width,):
            raise _core.InputError(f"parameters: found the shape {list(parameters.shape)}, expected [..., {width}]")
        if start_states is not None and start_states.shape != (*parameters.shape[:-1], n_state):
            raise _core.InputError(f"start_states: found the shape {list(start_states.shape)}, expected "
                                   f"{[*parameters.shape[:-1], n_state]}")
        result = Evaluation.apply(parameters, parameters.new_empty(0) if start_states is None else start_states)
        return result if whole else result[0]

    return f
