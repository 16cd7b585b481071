"""Mechanisms as functions of PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import gradus  # noqa: E402
import gradus.torch  # noqa: E402


def test_gradients(mechanism):
    f = gradus.torch.function(mechanism)
    expected = mechanism.gradient()
    p = torch.tensor(np.array(mechanism.nominal), requires_grad=True)
    assert np.allclose(f(p).detach().numpy(), expected.objectives, rtol=1e-12)
    (f(p) ** 2).sum().backward()
    assert np.allclose(p.grad.numpy(), 2 * expected.objectives @ expected.gradient, rtol=1e-9)
    designs = torch.tensor(np.stack([mechanism.nominal, 1.005 * mechanism.nominal]).reshape(2, 1, 5), requires_grad=True)
    f(designs).sum().backward()
    whole = mechanism.gradient(designs.detach().numpy().reshape(2, 5)).gradient.sum(axis=1)
    assert np.allclose(designs.grad.numpy().reshape(2, 5), whole, rtol=1e-9)


def test_no_designs(mechanism, pendulum):
    f = gradus.torch.function(mechanism)
    designs = torch.zeros(0, len(mechanism.nominal), dtype=torch.float64, requires_grad=True)
    found = f(designs)
    assert found.shape == (0, len(mechanism.gradient().objectives))
    found.sum().backward()
    assert designs.grad.shape == designs.shape
    whole = gradus.torch.function(pendulum.compile(times=[0.25], sensors=["q"], start_states=True, final_state=True))
    outputs = whole(torch.zeros(2, 0, len(pendulum.compile().nominal)), torch.zeros(2, 0, 2))
    assert [o.shape[:2] for o in outputs] == [(2, 0)] * 3


def test_designs_without_numbers_are_nan(mechanism):
    f = gradus.torch.function(mechanism)
    values = np.stack([mechanism.nominal] * 3)
    values[1, 0] = np.nan
    designs = torch.tensor(values, requires_grad=True)
    found = f(designs)
    assert torch.isnan(found[1]).all() and torch.isfinite(found[[0, 2]]).all()
    (found[0, 0] + found[1, 0] + np.nan * found[2, 0]).backward()
    assert torch.isfinite(designs.grad[0]).all() and torch.isnan(designs.grad[1:]).all()


def test_states_and_sensors(pendulum):
    mechanism = pendulum.compile(times=[0.25, 0.5], sensors=["q"], start_states=True, final_state=True)
    f = gradus.torch.function(mechanism)
    p = torch.tensor(np.array(mechanism.nominal), requires_grad=True)
    s = torch.tensor([-0.3, 0.1], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(f, (p, s), eps=1e-5, atol=1e-5, rtol=1e-4)
    with pytest.raises(gradus.InputError, match="start_states"):
        f(p)
    with pytest.raises(gradus.InputError, match="shape"):
        f(p, s[:1])


def test_a_controller_is_trained(pendulum):
    """A network gives the torque from where the pendulum starts, so that it ends where it should."""
    mechanism = pendulum.compile(start_states=True, final_state=True, rtol=1e-7, atol=1e-9)
    f = gradus.torch.function(mechanism)
    torch.manual_seed(1)
    network = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)).double()
    starts = torch.rand(8, 2, dtype=torch.float64) * 0.4 - 0.2
    optimiser = torch.optim.Adam(network.parameters(), lr=0.1)

    def loss():
        torque = 8 * network(starts)
        designs = torch.cat([torch.full((8, 1), 2.0), torch.full((8, 1), 0.8), torque], 1)
        return (f(designs, starts)[2][:, 0] ** 2).mean()

    first = loss().item()
    for _ in range(60):
        optimiser.zero_grad()
        found = loss()
        found.backward()
        optimiser.step()
    assert loss().item() < 0.01 * first
