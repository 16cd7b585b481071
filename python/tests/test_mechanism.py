"""Evaluations from Python: the numbers of the program, batches, failures, threads, interruptions, products."""

import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gradus
from conftest import FIVE_BAR

OPTIONS = {"formulation": "index1", "integrator": "dop853", "rtol": 1e-10, "atol": 1e-12, "duration": 0.2}


def program(*arguments):
    run = subprocess.run([os.environ["GRADUS_PROGRAM"], *map(str, arguments)], stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(run.stdout)


def test_the_numbers_are_those_of_the_program(mechanism):
    options = [text for key, value in OPTIONS.items() for text in (f"--{key}", value)]
    told = program("gradient", "--json", FIVE_BAR, *options, "--set", "L_s1=2.21")
    result = mechanism.gradient(L_s1=2.21)
    for name, value in told["objectives"].items():
        assert result[name] == value
        for parameter, derivative in told["gradient"][name].items():
            assert result.derivative(name, parameter) == derivative
    run = mechanism.run(result.designs, gradient=True)
    assert np.array_equal(run.gradient, result.gradient)
    assert np.array_equal(run.objectives, result.objectives)


def test_batches_are_designs_one_by_one(mechanism):
    designs = mechanism.nominal * (1 + 0.01 * np.random.default_rng(1).uniform(-1, 1, (17, len(mechanism.nominal))))
    batch = mechanism.gradient(designs)
    assert batch.objectives.shape == (17, 3) and batch.gradient.shape == (17, 3, 5) and batch.ok.all()
    assert batch["r2"].shape == (17, 3) and batch["alpha1"].shape == (17,)
    for d in (0, 7, 16):
        single = mechanism.gradient(designs[d])
        assert np.array_equal(single.gradient, batch.gradient[d])
        assert np.array_equal(single["r2"], batch["r2"][d])
    components = mechanism.sensor_components
    assert np.array_equal(batch["alpha1"], batch.final_sensors[:, components.index("alpha1")])
    assert np.array_equal(batch["v2"][:, 1], batch.final_sensors[:, components.index("v2.y")])
    varied = mechanism.simulate(designs, L_s1=2.2)
    assert np.all(varied.designs[:, 0] == 2.2) and not np.any(designs[:, 0] == 2.2)
    assert np.array_equal(mechanism.gradient(np.asfortranarray(designs)).objectives, batch.objectives)
    assert np.array_equal(mechanism.gradient(designs[:, ::-1][:, ::-1].tolist()).objectives, batch.objectives)


def test_gradients_are_derivatives(mechanism):
    result = mechanism.gradient()
    step = 1e-5
    for k, name in enumerate(mechanism.parameters):
        up, down = mechanism.nominal.copy(), mechanism.nominal.copy()
        up[k] += step
        down[k] -= step
        differences = (mechanism.simulate(up).objectives - mechanism.simulate(down).objectives) / (2 * step)
        assert np.allclose(result.gradient[:, k], differences, rtol=2e-6, atol=1e-7), name


def test_designs_that_fail(mechanism):
    designs = np.stack([mechanism.nominal, mechanism.nominal])
    designs[1, mechanism.parameters.index("L_A1")] = 10
    batch = mechanism.gradient(designs)
    assert batch.ok.tolist() == [True, False] and "cannot be closed" in batch.failures[1]
    assert np.isnan(batch.gradient[1]).all() and np.isfinite(batch.gradient[0]).all()
    with pytest.raises(gradus.NumericalError, match="cannot be closed"):
        mechanism.gradient(L_A1=10)
    with pytest.raises(ArithmeticError):
        mechanism.simulate(L_A1=10)


def test_values_of_several_designs_by_name(mechanism):
    batch = mechanism.gradient(L_s1=[2.2, 2.3], L_s2=2.4)
    designs = np.stack([mechanism.nominal] * 2)
    designs[:, mechanism.parameters.index("L_s1")] = [2.2, 2.3]
    designs[:, mechanism.parameters.index("L_s2")] = 2.4
    assert np.array_equal(batch.designs, designs)
    assert np.array_equal(batch.gradient, mechanism.gradient(designs).gradient)
    assert np.array_equal(mechanism.simulate(designs[0], L_s1=[2.2, 2.3]).objectives, mechanism.simulate(designs).objectives)


def test_what_is_refused(five_bar, mechanism):
    for call, words in ((lambda: mechanism.gradient(np.zeros(3)), r"shape \[3\]"), (lambda: mechanism.gradient(L_s=1), "do you mean 'L_s"),
                        (lambda: mechanism.gradient(L_s1=float("nan")), "L_s1: found nan"), (lambda: mechanism.simulate(2.0), r"shape \[\]"),
                        (lambda: mechanism.simulate(np.zeros((2, 2, 5))), "shape"), (lambda: five_bar.compile(formulation="none"), "formulation"),
                        (lambda: mechanism.simulate(np.zeros((0, 5))), "found none"), (lambda: mechanism.run(np.zeros((0, 5))), "found none"),
                        (lambda: mechanism.simulate(mechanism.nominal + 1j), "complex128"), (lambda: mechanism.simulate(["2"] * 5), "str"),
                        (lambda: mechanism.simulate(L_s1=True), "L_s1: found bool"), (lambda: mechanism.simulate(L_s1=None), "L_s1: found NoneType"),
                        (lambda: mechanism.simulate([[1], [1, 2]]), "no array of numbers"),
                        (lambda: mechanism.simulate(L_s1=[2.0, 2.1], L_s2=[2.0]), "L_s2: found values of 1 designs, expected 2"),
                        (lambda: mechanism.simulate(np.stack([mechanism.nominal] * 3), L_s1=[2.0, 2.1]), "2 designs, expected 3"),
                        (lambda: mechanism.simulate(L_s1=[[2.0]]), r"L_s1: found the shape \[1, 1\], expected a number or \[design\]"),
                        (lambda: mechanism.simulate(L_s1=[]), r"L_s1: found the shape \[0\]"),
                        (lambda: mechanism.simulate(np.ma.masked_less(mechanism.nominal, 1.1)), "masked"),
                        (lambda: mechanism.vjp(mechanism.nominal, objectives=np.ones((3, 1))), r"objectives: found the shape \[3, 1\]"),
                        (lambda: mechanism.jvp(mechanism.nominal, np.ones((5, 1))), r"directions: found the shape \[5, 1\]"),
                        (lambda: mechanism.run(record=False).trajectory, "no motion")):
        with pytest.raises(gradus.InputError, match=words):
            call()
    with pytest.raises(ValueError):
        mechanism.gradient(np.zeros(3))
    with pytest.raises(TypeError, match="there is no option intgrator"):
        five_bar.compile(intgrator="dop853")
    with pytest.raises(TypeError, match="max_steps: found True, expected a number"):
        five_bar.compile(max_steps=True)
    with pytest.raises(TypeError, match="duration: found 'long', expected a number"):
        five_bar.compile(duration="long")
    with pytest.raises(TypeError, match="run.. has no option 'duration'"):
        mechanism.run(duration=1.0)
    with pytest.raises(TypeError, match="progress is an option of Mechanism.run"):
        five_bar.compile(progress=print)
    with pytest.raises(KeyError, match="do you mean 'psi"):
        mechanism.gradient().derivative("psi", "L_s1")
    with pytest.raises(KeyError) as unknown_sensor:
        mechanism.simulate()["nothing like it"]
    listed = str(unknown_sensor.value).split("there are ")[1].rstrip(")'\"").split(", ")
    assert len(listed) == len(set(listed))
    with pytest.raises(gradus.FileError):
        gradus.load("nowhere.json")
    with pytest.raises(OSError):
        gradus.load("nowhere.json")


def test_motions(mechanism):
    run = mechanism.run(record_every=10)
    trajectory = run.trajectory
    assert trajectory.time[0] == 0 and trajectory.time[-1] == 0.2
    assert trajectory["r2"].shape == (len(trajectory.time), 3) and trajectory["alpha1"].shape == trajectory.time.shape
    assert np.array_equal(trajectory["r2"][-1], run["r2"])
    assert run.about["integrator"] == "dop853"
    columns = mechanism.run(gradient=True, columns=True).trajectory.sensor_columns
    assert columns.shape[1:] == (len(mechanism.sensor_components), 5) and np.abs(columns[-1]).max() > 0.01


def test_results_keep_their_designs(mechanism):
    x = mechanism.nominal.copy()
    result = mechanism.simulate(x)
    x[0] = 7.0
    assert result.designs[0] == mechanism.nominal[0]


def test_results_travel_between_processes(mechanism):
    again = pickle.loads(pickle.dumps(mechanism.gradient(L_s1=2.22)))
    assert np.array_equal(again.gradient, mechanism.gradient(L_s1=2.22).gradient)
    assert np.array_equal(again.mechanism.simulate().objectives, mechanism.simulate().objectives)


def test_a_thread_that_the_end_of_the_program_finds_at_work():
    program = ("import sys, threading, time, gradus\n"
               "mechanism = gradus.load(sys.argv[1]).compile(duration=0.2, backend='cpu:1')\n"
               "def work():\n    while True: mechanism.simulate()\n"
               "threading.Thread(target=work, daemon=True).start(); time.sleep(0.3)\n")
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", program, str(FIVE_BAR)], stderr=subprocess.PIPE, check=True).stderr == b""


def test_runs_are_by_the_options_of_the_mechanism(five_bar):
    mechanism = five_bar.compile(method="adjoint", backend="cpu:1", **OPTIONS)
    about = mechanism.run(gradient=True).about
    assert (about["method"], about["backend"]) == ("adjoint", "cpu:1")
    assert mechanism.run(gradient=True, method="direct").about["method"] == "direct"


def test_products(five_bar):
    """With the Jacobian, beside the gradient and differences of start states."""
    mechanism = five_bar.compile(times=[0.05, 0.2], sensors=["r2"], start_states=True, final_state=True, **OPTIONS)
    start = mechanism.start_state()
    values = mechanism.evaluate(mechanism.nominal, start)
    assert values.sensors.shape == (2, 3) and values.final_states.shape == start.shape
    rng = np.random.default_rng(2)
    dp, ds = rng.normal(size=5), np.zeros(len(start))
    independent = len(start) // 2 + np.arange(2)  # rates of the first two coordinates
    ds[independent] = rng.normal(size=2)
    _, along = mechanism.jvp(mechanism.nominal, dp, start, ds)
    weights = [rng.normal(size=value.shape) for value in values]
    _, (by_p, by_s) = mechanism.vjp(mechanism.nominal, *weights, start_states=start)
    one = sum(float(np.sum(w * a)) for w, a in zip(weights, along))
    assert one == pytest.approx(float(by_p @ dp + by_s @ ds), rel=1e-8)
    assert abs(one) > 1e-3
    step = 1e-5
    up, down = (mechanism.evaluate(mechanism.nominal + s * dp, start + s * ds) for s in (step, -step))
    for a, u, d in zip(along, up, down):
        assert np.allclose(a, (u - d) / (2 * step), rtol=1e-5, atol=1e-5)


def test_threads_do_not_disturb_each_other(mechanism):
    designs = mechanism.nominal * (1 + 0.01 * np.random.default_rng(3).uniform(-1, 1, (24, 5)))
    expected = mechanism.gradient(designs).gradient
    found = [None] * 24

    def work(first):
        for d in range(first, 24, 4):
            found[d] = mechanism.gradient(designs[d]).gradient

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(np.array(found), expected)


def test_the_interpreter_is_free_during_runs(five_bar):
    slow = five_bar.compile(duration=100, backend="cpu:1")
    ticks = []
    thread = threading.Thread(target=slow.simulate)
    thread.start()
    begun = time.perf_counter()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    assert len(ticks) > 20 and max(np.diff([begun, *ticks])) < 0.5 * (ticks[-1] - begun)


INTERRUPTED = """
import sys, gradus
mechanism = gradus.load(sys.argv[1]).compile(duration=1e5, backend="cpu:2")
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["mechanism.simulate()", "mechanism.run(record=False)", "mechanism.gradient([mechanism.nominal] * 64)"])
def test_interruptions(call):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(call=call), str(FIVE_BAR)], stdout=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n" and process.returncode == 0


def test_remarks_and_progress(five_bar):
    said, done = [], []
    mechanism = five_bar.compile(duration=0.5, formulation="index1", tolerance=1e-9, log=said.append, backend="cpu:1")
    assert any("tolerance" in text for text in said)
    mechanism.run([mechanism.nominal] * 50, progress=done.append, record=False)
    assert done and done == sorted(done) and done[-1] <= 1


def test_as_the_program():
    package = pathlib.Path(gradus.__file__).parent
    run = subprocess.run([sys.executable, "-m", "gradus", "--version"], stdout=subprocess.PIPE, text=True, check=True, cwd=package.parent)
    assert run.stdout.strip() == f"gradus {gradus.__version__}"
    assert any(line.startswith("cpu") for line in gradus.backends())


def test_the_script_of_the_package_does_not_call_itself(tmp_path):
    script = tmp_path / "gradus"
    script.write_text(f"#!{sys.executable}\nfrom gradus.__main__ import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    found = dict(os.environ, GRADUS_PROGRAM=str(script), PATH=str(tmp_path))
    ran = subprocess.run([script, "--version"], env=found, capture_output=True, text=True, timeout=30, check=False)
    assert ran.returncode == 0 or "GRADUS_PROGRAM may name one" in ran.stderr
