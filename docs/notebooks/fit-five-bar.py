# %% [markdown]
# # Parameters from noisy measurements
#
# The five-bar mechanism of López Varela's thesis hangs from two hinges and two springs, and swings for a second. A camera
# sees its lowest joint, an encoder one angle. Which spring lengths, and which mass of the first bar, explain the recording?
# The residuals' exact derivatives make that a matter of a few iterations, first with SciPy, then with `gradus fit`.

# %%
import json
import pathlib
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import scipy.optimize

import gradus

MODEL = pathlib.Path("../../models/five-bar/five-bar.json")

# %% [markdown]
# ## A recording
#
# We make one, with parameters that the fit does not know: 100 instants, noise of 2 mm and 2 mrad. A mechanism that is
# compiled with `times` and `sensors` hands over these values.

# %%
times = np.arange(1, 101) / 100
mechanism = gradus.load(MODEL).compile(duration=1, times=times, sensors=["r2", "alpha1"], backend="cpu:1")
names = ["L_s1", "L_s2", "m_A1"]
which = [mechanism.parameters.index(name) for name in names]
truth = np.array([2.30, 2.00, 1.25])
deviation = np.array([2e-3, 2e-3, 2e-3])               # of x, y and the angle


def design(x):
    full = mechanism.nominal.copy()
    full[which] = x
    return full


def measured_sensors(values):                          # r2.x, r2.y and alpha1 of r2.x, r2.y, r2.z, alpha1
    return values.sensors[..., [0, 1, 3]]


random = np.random.default_rng(7)
recording = measured_sensors(mechanism.evaluate(design(truth))) + deviation * random.standard_normal((100, 3))
assert recording.shape == (100, 3)

# %% [markdown]
# ## Residuals and their Jacobian
#
# `jvp` is the product of the Jacobian with a direction; three of them, as one batch, are the three columns that the fit
# needs. Each comes with the motion and costs little more than that.

# %%
calls = {"residuals": 0, "jacobian": 0}


def residuals(x):
    calls["residuals"] += 1
    return ((measured_sensors(mechanism.evaluate(design(x))) - recording) / deviation).ravel()


def jacobian(x):
    calls["jacobian"] += 1
    directions = np.eye(len(mechanism.nominal))[which]
    _, products = mechanism.jvp(np.tile(design(x), (3, 1)), directions)
    return (measured_sensors(products) / deviation).reshape(3, -1).T


start = mechanism.nominal[which]
fit = scipy.optimize.least_squares(residuals, start, jac=jacobian, method="lm")
exact_calls = dict(calls)
print(names, fit.x.round(5), fit.message)
print(exact_calls)

# %% [markdown]
# The same with differences needs four motions for each Jacobian, and its derivatives are as good as the choice of the step.
# Here it gets to the same place, since the motions are accurate to many digits:

# %%
calls["residuals"] = 0
by_differences = scipy.optimize.least_squares(residuals, start, method="lm")
print(by_differences.x.round(5), calls["residuals"], "motions")
assert np.allclose(by_differences.x, fit.x, atol=1e-5)
assert calls["residuals"] > 2 * exact_calls["residuals"]

# %% [markdown]
# ## How well are they known?
#
# The covariance is that of linear least squares with the Jacobian at the result. The sum of squares should be about the
# number of measurements less that of the parameters.

# %%
covariance = np.linalg.inv(fit.jac.T @ fit.jac)
error = np.sqrt(np.diag(covariance))
for name, value, sigma, true in zip(names, fit.x, error, truth):
    print(f"{name}: {value:.5f} ± {sigma:.5f}, in truth {true:.2f}")
print(f"sum of squares {2 * fit.cost:.1f} of {recording.size - 3} degrees of freedom")
assert (np.abs(fit.x - truth) < 3.5 * error).all()
assert abs(2 * fit.cost - 297) < 4 * np.sqrt(2 * 297)

# %%
figure, axes = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
before = measured_sensors(mechanism.evaluate(design(start)))
after = measured_sensors(mechanism.evaluate(design(fit.x)))
labels = ("x of the lowest joint [m]", "y of the lowest joint [m]", "angle of the first bar [rad]")
for k, (axis, label) in enumerate(zip(axes, labels)):
    axis.plot(times, recording[:, k], ".", color="0.45", markersize=4, label="measured")
    axis.plot(times, before[:, k], "--", label="at the start")
    axis.plot(times, after[:, k], lw=1, label="fitted")
    axis.set(xlabel="time [s]", title=label)
    axis.title.set_fontsize("medium")
axes[0].legend(fontsize="small")
plt.show()

# %% [markdown]
# ## The errors, tried out
#
# Are these standard errors honest? Forty recordings with other noise, each fitted from the first result:

# %%
exact_motion = measured_sensors(mechanism.evaluate(design(truth)))
found = []
for _ in range(40):
    recording = exact_motion + deviation * random.standard_normal((100, 3))
    found.append(scipy.optimize.least_squares(residuals, fit.x, jac=jacobian, method="lm", xtol=1e-6, ftol=1e-6).x)
spread = np.std(found, axis=0, ddof=1)
print("standard errors", error.round(6), "spread of 40 fits", spread.round(6))
assert ((0.65 < spread / error) & (spread / error < 1.4)).all()

# %% [markdown]
# ## The same by gradus fit
#
# A study in a file does all of this: several starts, intervals, correlations, warnings of what cannot be told apart, and a
# check of its derivatives. It reads the recording from a CSV file. Here it warns that a longer first spring and a heavier
# first bar do nearly the same to the motion, which is why the mass is known so much worse than the lengths.

# %%
recording = exact_motion + deviation * np.random.default_rng(7).standard_normal((100, 3))
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    table = np.column_stack([times, recording])
    np.savetxt(folder / "recording.csv", table, delimiter=",", header="time,x,y,alpha1", comments="")
    seen = (("x", "r2.x"), ("y", "r2.y"), ("alpha1", "alpha1"))
    columns = {column: {"sensor": sensor, "deviation": 2e-3} for column, sensor in seen}
    data = {"file": "recording.csv", "columns": columns}
    study = {"schema": "gradus-study/1", "name": "a recording", "model": str(MODEL.resolve()), "options": {"duration": 1},
             "fit": {"parameters": names, "data": data, "deviations_known": True, "starts": 4}}
    (folder / "study.json").write_text(json.dumps(study))
    result = gradus.fit(folder / "study.json", out=folder / "fit").summary

for p in result["parameters"]:
    print(f"{p['name']}: {p['value']:.5f} ± {p['standard_error']:.5f}, 95 % between {p['low']:.4f} and {p['high']:.4f}")
print(result["status"], result["warnings"])
assert result["status"] == "ok" and "can hardly be told apart" in result["warnings"][0]
assert np.allclose([p["value"] for p in result["parameters"]], fit.x, atol=1e-5)
assert np.allclose([p["standard_error"] for p in result["parameters"]], error, rtol=1e-2)
