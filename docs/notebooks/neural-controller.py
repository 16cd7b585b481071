# %% [markdown]
# # A neural controller, trained through a closed mechanism
#
# A five-bar robot that lies on a table: two motors at the base move two arms, two rods connect these in the tool. A small
# neural network shall bring the tool to any place of a region, and stop it there. We train it by the derivatives of the whole
# motion: through the network, which JAX differentiates, and through the mechanism, which gradus does.

# %%
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

import gradus
import gradus.jax

jax.config.update("jax_enable_x64", True)

# %% [markdown]
# ## The robot
#
# Arms of 0.25 m, rods of 0.35 m, and a base 0.2 m wide. The torques of the motors are parameters. The loop is cut in the
# tool: the angles of the arms are given, those of the rods are guesses, which close the loop.

# %%
m = gradus.Model("five-bar robot", gravity=(0, 0, -9.81))
u = [m.parameter(f"u{k}", 0.0, unit="N m") for k in (0, 1)]
m.ground(points={"A": [-0.1, 0, 0], "B": [0.1, 0, 0]})
for side, pivot, at, swing, bend in (("left", "A", 0, 2.3, -1.5), ("right", "B", 1, 0.84, 1.5)):
    m.body(f"{side} arm", 0.5, com=[0.125, 0, 0], inertia=0.5 * 0.25**2 / 12, points={"end": [0.25, 0, 0]})
    m.body(f"{side} rod", 0.3, com=[0.175, 0, 0], inertia=0.3 * 0.35**2 / 12, points={"tool": [0.35, 0, 0]})
    m.joint(f"{side} motor", "revolute", f"ground.{pivot}", f"{side} arm", axis=[0, 0, 1], position=swing, velocity=0)
    m.joint(f"{side} elbow", "revolute", f"{side} arm.end", f"{side} rod", axis=[0, 0, 1], position=gradus.guess(bend))
    rate = m.sensor(f"{side}_rate", rate=f"{side} motor")
    m.force(f"{side} torque", "joint-force", joint=f"{side} motor", value=u[at] - 0.1 * rate)
m.loop("tool", "revolute", "left rod.tool", "right rod.tool", axis=[0, 0, 1])
m.sensor("tool", position="left rod.tool")
m.sensor("velocity", velocity="left rod.tool")

# %% [markdown]
# The controller is sampled: it sees the state, sets both torques, and these stay for 25 ms. So one period is a mechanism of
# its own, from a state to a state, and `gradus.jax.function` makes a function of JAX of it: `(torques, state)` to the state
# 25 ms later. Leading axes are designs of one batch.

# %%
period = 0.025
m.analysis(duration=period, step=period / 5, formulation="index1", integrator="rk4")
mechanism = m.compile(start_states=True, final_state=True, times=[period], sensors=["tool", "velocity"], backend="cpu:1")
advance = gradus.jax.function(mechanism)
home = mechanism.start_state()
print(mechanism.coordinates, home.round(3))

_, sensors, _ = advance(jnp.zeros(2), jnp.asarray(home))
print("the tool after 25 ms without torques:", sensors[0, :2], "m")
assert np.allclose(sensors[0, 3:], 0, atol=1e-12)      # it lies on a table

# %% [markdown]
# ## The network
#
# It sees how far the tool is from its target, how fast it moves, both arms, and the target: eight inputs, twelve hidden
# units, two torques, which a last `tanh` limits to 6 N m. At first its torques are small.

# %%
LIMIT, STEPS = 6.0, 24
arms_at = np.array([mechanism.coordinates.index(f"{side} motor") for side in ("left", "right")])
random = np.random.default_rng(3)


def some_targets(count):
    return jnp.asarray(np.column_stack([random.uniform(-0.12, 0.12, count), random.uniform(0.34, 0.46, count)]))


def fresh():
    return {"W1": jnp.asarray(0.4 * random.standard_normal((12, 8))), "b1": jnp.zeros(12),
            "W2": jnp.asarray(0.02 * random.standard_normal((2, 12))), "b2": jnp.zeros(2)}


def controller(weights, state, tool, velocity, target):
    """[design, ...] to torques [design, 2]."""
    arms = state[:, arms_at] - jnp.array([2.3, 0.84])
    seen = jnp.concatenate([(target - tool) / 0.1, velocity, arms, target / 0.1 - jnp.array([0, 4.0])], axis=1)
    return LIMIT * jnp.tanh(jnp.tanh(seen @ weights["W1"].T + weights["b1"]) @ weights["W2"].T + weights["b2"])


def motion(weights, states, tool, targets):
    """Paths of the tool [step, design, 2] and torques [step, design, 2]."""
    def step(carry, _):
        state, place, speed = carry
        torques = controller(weights, state, place, speed, targets)
        _, sensors, state = advance(torques, state)
        place, speed = sensors[:, 0, :2], sensors[:, 0, 3:5]
        return (state, place, speed), (place, torques)

    return jax.lax.scan(step, (states, tool, jnp.zeros_like(tool)), None, length=STEPS)[1]


def loss(weights, states, tool, targets):
    paths, torques = motion(weights, states, tool, targets)
    miss = ((paths - targets) ** 2).sum(axis=2)
    return 1e2 * (miss[4:].mean() + 2 * miss[-6:].mean()) + 1e-3 * (torques**2).mean()


# %% [markdown]
# ## Derivatives, checked
#
# The gradient of the loss runs back through 24 periods, each a product of the mechanism's Jacobian with a vector. Central
# differences of four weights agree:

# %%
count = 12
states = jnp.tile(jnp.asarray(home), (count, 1))
start = sensors[0, :2] * jnp.ones((count, 1))
targets = some_targets(count)

weights = fresh()
value_and_gradient = jax.jit(jax.value_and_grad(loss))
value, gradient = value_and_gradient(weights, states, start, targets)
only_value = jax.jit(loss)
for name, place in (("W1", (3, 1)), ("b1", (5,)), ("W2", (1, 7)), ("b2", (0,))):
    h = 1e-5
    up, down = ({**weights, name: weights[name].at[place].add(d)} for d in (h, -h))
    difference = (only_value(up, states, start, targets) - only_value(down, states, start, targets)) / (2 * h)
    print(f"{name}{list(place)}: {float(gradient[name][place]):+.9f}, by differences {float(difference):+.9f}")
    assert abs(difference - gradient[name][place]) < 1e-6 * max(1.0, abs(float(difference)))

# %% [markdown]
# ## Training
#
# Adam, written out, on twelve targets at a time.

# %%
untrained = weights
first, second = ({k: jnp.zeros_like(v) for k, v in weights.items()} for _ in range(2))
history = []
for n in range(1, 131):
    targets = some_targets(count)
    value, gradient = value_and_gradient(weights, states, start, targets)
    first = {k: 0.9 * first[k] + 0.1 * gradient[k] for k in weights}
    second = {k: 0.99 * second[k] + 0.01 * gradient[k] ** 2 for k in weights}
    rate = 0.03 if n < 90 else 0.01
    weights = {k: weights[k] - rate * first[k] / (1 - 0.9**n) / (jnp.sqrt(second[k] / (1 - 0.99**n)) + 1e-8) for k in weights}
    history.append(float(value))
print(f"loss {np.mean(history[:5]):.3f} at first, {np.mean(history[-20:]):.4f} at last")

# %% [markdown]
# ## Does it work?
#
# On 200 targets that it has not seen, as one batch:

# %%
targets = some_targets(200)
many, at_home = jnp.tile(jnp.asarray(home), (200, 1)), sensors[0, :2] * jnp.ones((200, 1))
paths, torques = motion(weights, many, at_home, targets)
miss = 1e3 * np.linalg.norm(paths[-1] - targets, axis=1)
before = 1e3 * np.linalg.norm(motion(untrained, many, at_home, targets)[0][-1] - targets, axis=1)
print(f"misses after 0.6 s: {np.mean(miss):.1f} mm on average, {np.max(miss):.1f} mm at most; untrained {np.mean(before):.0f} mm")
assert np.max(miss) < 10 and np.mean(miss) < 3 and np.mean(before) > 20

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
left.semilogy(history)
left.set(xlabel="iteration", ylabel="loss")
shown = np.concatenate([np.asarray(at_home)[None], np.asarray(paths)])[:, :25]
middle.plot(1e3 * shown[:, :, 0], 1e3 * shown[:, :, 1], lw=0.8)
middle.plot(*(1e3 * np.asarray(targets[:25]).T), "k+", markersize=5)
middle.set(xlabel="x [mm]", ylabel="y [mm]", title="paths of the tool")
middle.set_aspect("equal")
right.step(period * np.arange(STEPS), np.asarray(torques)[:, :4, 0], where="post", lw=1)
right.set(xlabel="time [s]", title="left motor [N m], four targets")
for axis in (middle, right):
    axis.title.set_fontsize("medium")
plt.show()

# %% [markdown]
# ## The same in PyTorch
#
# `gradus.torch.function` has the same inputs and outputs, and PyTorch differentiates the loop as it stands. Its gradient is
# that of JAX:

# %% tags=["torch"]
import torch

import gradus.torch

advance_torch = gradus.torch.function(mechanism)


def tensor(array):
    return torch.tensor(np.array(array), dtype=torch.float64)


def loss_torch(w, state, place, target):
    speed, paths, squares = torch.zeros_like(place), [], []
    for _ in range(STEPS):
        arms = state[:, arms_at] - tensor([2.3, 0.84])
        seen = torch.cat([(target - place) / 0.1, speed, arms, target / 0.1 - tensor([0, 4.0])], dim=1)
        torques = LIMIT * torch.tanh(torch.tanh(seen @ w["W1"].T + w["b1"]) @ w["W2"].T + w["b2"])
        _, sensors, state = advance_torch(torques, state)
        place, speed = sensors[:, 0, :2], sensors[:, 0, 3:5]
        paths.append(place)
        squares.append((torques**2).mean())
    miss = ((torch.stack(paths) - target) ** 2).sum(dim=2)
    return 1e2 * (miss[4:].mean() + 2 * miss[-6:].mean()) + 1e-3 * torch.stack(squares).mean()


targets = some_targets(count)
value, gradient = value_and_gradient(untrained, states, start, targets)
w = {k: tensor(v).requires_grad_() for k, v in untrained.items()}
there = loss_torch(w, tensor(states), tensor(start), tensor(targets))
there.backward()
for name in w:
    assert np.allclose(w[name].grad, gradient[name], rtol=1e-9, atol=1e-10 * float(np.abs(gradient[name]).max()))
print(f"loss {there.item():.9f}, by JAX {float(value):.9f}; all {sum(v.numel() for v in w.values())} derivatives agree")

# %% [markdown]
# So any optimiser of PyTorch trains it:

# %% tags=["torch"]
optimizer = torch.optim.Adam(w.values(), lr=0.03)
losses = []
for _ in range(20):
    optimizer.zero_grad()
    now = loss_torch(w, tensor(states), tensor(start), tensor(some_targets(count)))
    now.backward()
    optimizer.step()
    losses.append(now.item())
print(f"loss {losses[0]:.3f} at first, {losses[-1]:.3f} after 20 iterations")
assert losses[-1] < 0.2 * losses[0]
