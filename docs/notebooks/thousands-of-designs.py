# %% [markdown]
# # Thousands of designs
#
# A quarter of a car crosses a bump: the [model of the gallery](../gallery/quarter-car.md). Designs are rows of an array, and
# gradus runs them as one batch on all cores. This notebook maps a plane of designs, finds the best of them, and asks what
# tolerances of the parts do to it, by Monte Carlo and by one gradient.

# %%
import json
import pathlib
import tempfile
import time

import matplotlib.pyplot as plt
import numpy as np
import scipy.optimize

import gradus

MODEL = pathlib.Path("../../models/gallery/quarter-car.json")
options = {"formulation": "semi-recursive", "integrator": "rk4", "step": 2e-3, "duration": 1.5}
mechanism = gradus.load(MODEL).compile(**options)
print(mechanism.parameters, mechanism.objectives)

# %% [markdown]
# Steps of fixed length suit a batch, since all designs then take the same ones. Are 2 ms short enough? The adaptive method of
# high order says:

# %%
reference = gradus.load(MODEL).compile(duration=1.5, rtol=1e-9).simulate()
error = mechanism.simulate().objectives / reference.objectives - 1
print("relative errors", error)
assert np.abs(error).max() < 1e-3

# %% [markdown]
# ## A map
#
# Stiffness of the spring against damping in rebound, 40 by 40 designs:

# %%
k, c = np.linspace(10e3, 40e3, 40), np.linspace(500, 4000, 40)
designs = np.tile(mechanism.nominal, (1600, 1))
designs[:, [mechanism.parameters.index(name) for name in ("k", "c_r")]] = np.stack(np.meshgrid(k, c), axis=-1).reshape(-1, 2)

began = time.perf_counter()
batch = mechanism.simulate(designs)
print(f"{len(designs)} designs in {time.perf_counter() - began:.1f} s, {batch.ok.sum()} of them reached the end")
assert batch.ok.all()

comfort, travel = (batch[name].reshape(40, 40) for name in ("comfort", "travel"))
figure, axis = plt.subplots(figsize=(6, 3.6), layout="constrained")
lines = axis.contour(k / 1e3, c / 1e3, comfort, levels=14, cmap="viridis")
axis.clabel(lines, fontsize="small")
bound = axis.contour(k / 1e3, c / 1e3, 1e3 * travel, levels=[45, 50, 55], colors="C3", linestyles="--")
axis.clabel(bound, fmt="%g mm", fontsize="small")
axis.set(xlabel="k [kN/m]", ylabel="c_r [kN s/m]", title="comfort [m²/s³], travel of the strut (dashed)")
plt.show()

# %% [markdown]
# ## The best design
#
# Least acceleration, with 50 mm of travel at most, over the spring and both coefficients of the damper. SLSQP asks for the
# objective, the constraint and their gradients; one motion gives them all, so we keep the last one.

# %%
names = ["k", "c_c", "c_r"]
which = [mechanism.parameters.index(name) for name in names]
size = np.array([1e4, 1e3, 1e3])
row = {name: n for n, name in enumerate(mechanism.objectives)}
kept = {}


def at(x):
    if not np.array_equal(kept.get("x"), x):
        kept.update(x=np.array(x), result=mechanism.gradient(**dict(zip(names, x * size))), count=kept.get("count", 0) + 1)
    return kept["result"]


def most_comfortable(start, travel):
    """The most comfortable design whose strut needs no more travel."""
    bound = {"type": "ineq", "fun": lambda x: 20 * (travel - at(x)["travel"]),
             "jac": lambda x: -20 * at(x).gradient[row["travel"], which] * size}
    return scipy.optimize.minimize(lambda x: at(x)["comfort"], start, jac=lambda x: at(x).gradient[row["comfort"], which] * size,
                                   method="SLSQP", bounds=[(1, 4), (0.2, 4), (0.2, 4)], constraints=bound)


best = most_comfortable([2, 0.9, 2.2], 0.05)
optimum = at(best.x)
print(dict(zip(names, np.round(best.x * size).tolist())))
print(f"comfort {best.fun:.4f}, travel {1e3 * optimum['travel']:.2f} mm, {kept['count']} motions with gradients")

on_map = comfort[travel <= 0.05].min()
print(f"the best of 1600 designs of the map: {on_map:.4f}")
assert best.success and abs(optimum["travel"] - 0.05) < 1e-6 and best.fun < on_map
assert kept["count"] < 30

# %% [markdown]
# ## Tolerances: Monte Carlo
#
# No part is exactly as drawn. Standard deviations, relative: 3 % for the spring, 5 % for the damper, 5 % for the tyre, 1 %
# for the masses. The bump stays as it is.

# %%
relative = np.array([0.03, 0.05, 0.05, 0.05, 0.01, 0.01, 0.0])
deviation = relative * optimum.designs
random = np.random.default_rng(1)
designs = optimum.designs + deviation * random.standard_normal((4000, 7))

began = time.perf_counter()
batch = mechanism.simulate(designs)
seconds = time.perf_counter() - began
print(f"{len(designs)} designs in {seconds:.1f} s")
assert batch.ok.all()

# %% [markdown]
# ## Tolerances: one gradient
#
# To first order the variance of an objective is the sum of the squares of derivative times deviation, and every term is what
# one part contributes. It takes a single motion.

# %%
terms = (optimum.gradient * deviation) ** 2
linear = np.sqrt(terms.sum(axis=1))
sampled = batch.objectives.std(axis=0, ddof=1)
for n, name in enumerate(mechanism.objectives):
    shares = ", ".join(f"{p} {100 * s:.0f} %" for p, s in zip(mechanism.parameters, terms[n] / terms[n].sum()) if s > 0.02)
    print(f"{name:8} standard deviation {sampled[n]:.5g} by Monte Carlo, {linear[n]:.5g} by the gradient; {shares}")
assert (np.abs(linear / sampled - 1) < 0.08).all()

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
for axis, name, factor, unit in zip(axes, ("comfort", "travel"), (1, 1e3), ("m²/s³", "mm")):
    values, middle, sigma = factor * batch[name], factor * optimum[name], factor * linear[row[name]]
    axis.hist(values, bins=50, density=True, color="0.8", label="Monte Carlo")
    x = np.linspace(values.min(), values.max(), 200)
    axis.plot(x, np.exp(-0.5 * ((x - middle) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)), label="by the gradient")
    axis.set(xlabel=f"{name} [{unit}]", yticks=[])
axes[0].legend(fontsize="small")
plt.show()

# %% [markdown]
# Half of the cars would exceed the travel that the optimum uses up. With the standard deviation known, the bound can be moved
# by as much as it takes: at 1.645 of them 95 % stay within 50 mm.

# %%
too_much = (batch["travel"] > 0.05).mean()
margin = 1.645 * linear[row["travel"]]
safe = most_comfortable(best.x, 0.05 - margin)
chosen = at(safe.x)
again = mechanism.simulate(chosen.designs + relative * chosen.designs * random.standard_normal((4000, 7)))
still = (again["travel"] > 0.05).mean()
print(f"beyond 50 mm: {100 * too_much:.1f} % before, {100 * still:.1f} % now; comfort {best.fun:.3f} before, {safe.fun:.3f} now")
assert 0.4 < too_much < 0.6 and 0.03 < still < 0.07

# %% [markdown]
# ## As a study
#
# `gradus sweep` does such analyses from a file, for as many designs as the disk holds, and goes on where it was interrupted.
# Of nonlinear objectives it also says what part of the variance would vanish if one parameter were known (`first_order`),
# from the gradients of all designs.

# %%
with tempfile.TemporaryDirectory() as folder:
    varied = {name: {"distribution": "normal", "mean": value, "standard_deviation": sigma}
              for name, value, sigma in zip(mechanism.parameters, optimum.designs.tolist(), deviation.tolist()) if sigma > 0}
    study = {"schema": "gradus-study/1", "name": "tolerances", "model": str(MODEL.resolve()), "options": options,
             "sweep": {"sampling": "sobol", "designs": 512, "parameters": varied}}
    file = pathlib.Path(folder) / "study.json"
    file.write_text(json.dumps(study))
    summary = gradus.sweep(file, out=pathlib.Path(folder) / "sweep").summary

comfort = summary["statistics"][0]
print(f"comfort: mean {comfort['mean']['value']:.4f}, standard deviation {comfort['variance']['value'] ** 0.5:.4f}")
first_order = {driver["parameter"]: driver["first_order"]["value"] for driver in comfort["drivers"]}
print("first order:", ", ".join(f"{name} {100 * share:.1f} %" for name, share in first_order.items()))
assert abs(comfort["variance"]["value"] ** 0.5 / sampled[row["comfort"]] - 1) < 0.1
by_one_gradient = dict(zip(mechanism.parameters, terms[row["comfort"]] / terms[row["comfort"]].sum()))
assert all(abs(share - by_one_gradient[name]) < 0.03 for name, share in first_order.items())
