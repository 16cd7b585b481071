# %% [markdown]
# # A first mechanism
#
# A pump: a motor turns a crank, a rod moves the piston, and the piston presses a fluid out. This notebook builds the model in
# Python, looks at its motion, differentiates it, checks the derivatives, and writes a report.

# %%
import pathlib
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import gradus

# %% [markdown]
# ## The model
#
# Parameters are what gradients are with respect to. They, and sensors, are expressions; any number of the model may be one.
# The crank turns about the origin, its x axis runs to the pin. The rod's x axis runs from the pin to the piston.

# %%
m = gradus.Model("pump", gravity=(0, -9.81, 0))

r = m.parameter("r", 0.08, unit="m", description="crank")
L = m.parameter("L", 0.22, unit="m", description="rod")
piston = m.parameter("piston", 1.2, unit="kg")
T = m.parameter("T", 12.0, unit="N m", description="torque of the motor at rest")
b = m.parameter("b", 60.0, unit="N s^2/m^2", description="resistance of the fluid")

m.body("crank", 3.0, inertia=0.02, points={"pin": [r, 0, 0]})
m.body("rod", 0.6, com=[L / 2, 0, 0], inertia={"xx": 0, "yy": 0.6 * L**2 / 12, "zz": 0.6 * L**2 / 12}, points={"end": [L, 0, 0]})
m.body("piston", piston, inertia=1e-3)

m.joint("shaft", "revolute", "ground", "crank", axis=[0, 0, 1], position=0, velocity=0)
m.joint("pin", "revolute", "crank.pin", "rod", axis=[0, 0, 1])
m.joint("cylinder", "prismatic", "ground", "piston", axis=[1, 0, 0], position=gradus.guess(0.3))
m.loop("gudgeon", "revolute", "rod.end", "piston", axis=[0, 0, 1])

# %% [markdown]
# The motor loses torque with speed. The fluid resists the square of the speed, on the way out only. Where does the loop put
# the piston at the start? Only the angle of the crank is given; the other positions are guesses, which gradus corrects so
# that the loop closes.

# %%
angle, speed = m.sensor("angle", coordinate="shaft"), m.sensor("speed", rate="shaft")
x, v = m.sensor("x", coordinate="cylinder"), m.sensor("v", rate="cylinder")
pin, end = m.sensor("on_pin", position="crank.pin"), m.sensor("on_piston", position="piston")

m.force("motor", "joint-force", joint="shaft", value=T - 0.3 * speed)
m.force("fluid", "joint-force", joint="cylinder", value=-b * gradus.expressions.maximum(v, 0) ** 2)

m.objective("first turn", time_when=angle - 2 * np.pi, unit="s")
m.objective("peak speed", maximum=speed, unit="rad/s")
m.objective("work", integral=b * gradus.expressions.maximum(v, 0) ** 3, unit="J")
m.analysis(duration=1.5)

about = m.describe()
print({key: about[key] for key in ("coordinates", "constraint_equations", "degrees_of_freedom") if key in about})

# %% [markdown]
# ## The motion
#
# `compile` checks the model and prepares it; `run` keeps the motion.

# %%
mechanism = m.compile(backend="cpu:1")
motion = mechanism.run(record_every=1).trajectory
print(len(motion.time), "instants,", motion.sensors.shape[1], "components of sensors")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
for t in (0.0, 0.1, 0.16, 0.2, 0.24):
    k = np.argmin(np.abs(motion.time - t))
    places = np.array([[0, 0], motion["on_pin"][k, :2], motion["on_piston"][k, :2]])
    left.plot(*places.T, "o-", label=f"{motion.time[k]:.2f} s")
left.set_aspect("equal")
left.set(xlabel="x [m]", ylabel="y [m]")
left.legend(fontsize="small", ncols=2, loc="lower right")
left.set_ylim(-0.2, 0.12)
right.plot(motion.time, motion["speed"])
right.set(xlabel="time [s]", ylabel="speed of the crank [rad/s]")
plt.show()

# %% [markdown]
# Lengths hold to round-off, whatever the integrator does:

# %%
assert np.allclose(np.linalg.norm(motion["on_piston"] - motion["on_pin"], axis=1), 0.22, atol=1e-12)

# %% [markdown]
# ## The gradient
#
# One call gives the objectives and all their derivatives. In percent per percent they can be compared:

# %%
result = mechanism.gradient()
for name in mechanism.objectives:
    relative = result.gradient[mechanism.objectives.index(name)] * mechanism.nominal / result[name]
    causes = "  ".join(f"{p} {g:+.3f}" for p, g in zip(mechanism.parameters, relative))
    print(f"{name:>10} {result[name]:8.4f} {mechanism.units[name]:6} {causes}")

assert result.derivative("first turn", "T") < 0 < result.derivative("first turn", "piston")

# %% [markdown]
# `first turn` is an instant that the motion tells, and `peak speed` belongs to one. Their derivatives are exact as well.
# Predict from them what a piston of 1.3 kg does, and compare with its motion:

# %%
predicted = result["first turn"] + 0.1 * result.derivative("first turn", "piston")
computed = mechanism.simulate(piston=1.3)["first turn"]
print(f"predicted {predicted:.5f} s, computed {computed:.5f} s, before {result['first turn']:.5f} s")
assert abs(computed - predicted) < 0.05 * abs(computed - result["first turn"])

# %% [markdown]
# ## Are they right?
#
# `check` computes the gradient by direct differentiation, by the adjoint, by dual numbers and by differences, and says how
# far they are apart. It also looks whether the integrator is accurate enough for the derivatives.

# %%
check = m.check(duration=0.8)
print(check["status"])
assert check["status"] == "ok"

# %% [markdown]
# A check by hand: central differences come closer to the derivative as their step shrinks. (The first step is 10 mm, at a
# crank of 80 mm.)

# %%
exact = result.derivative("work", "r")
for h in (1e-2, 1e-3, 1e-4):
    difference = (mechanism.simulate(r=0.08 + h)["work"] - mechanism.simulate(r=0.08 - h)["work"]) / (2 * h)
    print(f"h = {h:.0e}: {difference:.6f}, gradus: {exact:.6f}")
assert abs(difference - exact) < 1e-4 * abs(exact)

# %% [markdown]
# ## A report
#
# `save` writes the model as a file, for the program and for others. The program makes a page of its results, with the
# mechanism in motion; `python -m gradus` is the program.

# %%
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "pump.json"
    m.save(file)
    for command in (["gradient", str(file), "--columns", "--out", f"{folder}/pump"], ["report", f"{folder}/pump"]):
        subprocess.run([sys.executable, "-m", "gradus", *command, "--quiet"], check=True, capture_output=True)
    page = (pathlib.Path(folder) / "pump" / "report.html").read_text(encoding="utf-8")
print(f"report.html: {len(page) // 1000} kB, with nothing to load from elsewhere")
assert "<html" in page and "first turn" in page
