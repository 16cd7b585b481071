"""Uses gradus from Python by ctypes: ctypes_test.py LIBRARY MODEL PROGRAM."""

import ctypes
import json
import subprocess
import sys

Doubles = ctypes.POINTER(ctypes.c_double)


def numbers(values):
    return (ctypes.c_double * len(values))(*values)


def check(library, code):
    if code != 0:
        raise SystemExit(f"code {code}: {library.gradus_last_error().decode()}")


class Inputs(ctypes.Structure):
    _fields_ = [("parameters", Doubles), ("start_states", Doubles)]


class Outputs(ctypes.Structure):
    _fields_ = [("objectives", Doubles), ("sensors", Doubles), ("final_states", Doubles)]


def check_exchange(library, model):
    """A column by a start rate against its transpose and a difference."""
    options, mechanism, session = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(library, library.gradus_options_create(ctypes.byref(options)))
    for name, value in ((b"duration", b"0.05"), (b"backend", b"cpu:1"), (b"start-states", b"true"), (b"sensor-times", b" 0.05 "),
                        (b"sensors", b"r2"), (b"final-state", b"true")):
        check(library, library.gradus_options_set(options, name, value))
    check(library, library.gradus_mechanism_read(model.encode(), options, ctypes.byref(mechanism)))
    check(library, library.gradus_session_create(mechanism, ctypes.byref(session)))
    sizes = {}
    for name in ("parameter", "coordinate", "objective", "exchanged_component", "time"):
        function = getattr(library, f"gradus_{name}_count")
        function.restype, function.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
        sizes[name] = function(mechanism)
    states, components = 2 * sizes["coordinate"], sizes["exchanged_component"] * sizes["time"]
    assert (states, components) == (8, 3)
    for name, count in (("gradus_evaluate", 2), ("gradus_multiply_jacobian", 4), ("gradus_multiply_transposed_jacobian", 4)):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_void_p] * (count + 1)

    def inputs():
        return Inputs(numbers([0.0] * sizes["parameter"]), numbers([0.0] * states))

    def outputs():
        return Outputs(numbers([0.0] * sizes["objective"]), numbers([0.0] * components), numbers([0.0] * states))

    at, direction, column, row, weights, failed = inputs(), inputs(), outputs(), inputs(), outputs(), ctypes.c_size_t(99)
    check(library, library.gradus_nominal_parameters(mechanism, at.parameters))
    check(library, library.gradus_start_state(mechanism, None, None, at.start_states))
    rate, sensor = sizes["coordinate"], 1  # of the first crank; r2.y
    direction.start_states[rate] = weights.sensors[sensor] = 1.0
    check(library, library.gradus_multiply_jacobian(session, 1, ctypes.byref(at), ctypes.byref(direction), ctypes.byref(column),
                                                    None, ctypes.byref(failed)))
    assert failed.value == 0
    check(library, library.gradus_multiply_transposed_jacobian(session, 1, ctypes.byref(at), ctypes.byref(weights),
                                                               ctypes.byref(row), None, ctypes.byref(failed)))
    ends, start, step = [], at.start_states[rate], 1e-4
    for side in (-1.0, 1.0):
        at.start_states[rate] = start + side * step
        end = outputs()
        check(library, library.gradus_evaluate(session, 1, ctypes.byref(at), ctypes.byref(end), ctypes.byref(failed)))
        ends.append(end.sensors[sensor])
    found = column.sensors[sensor]
    assert found != 0.0 and abs(row.start_states[rate] - found) < 1e-11 * abs(found), (row.start_states[rate], found)
    assert abs((ends[1] - ends[0]) / (2.0 * step) - found) < 1e-6 * abs(found), (ends, found)
    library.gradus_session_free(session)
    library.gradus_mechanism_free(mechanism)
    library.gradus_options_free(options)


def main():
    path, model, program = sys.argv[1:]
    library = ctypes.CDLL(path)
    library.gradus_last_error.restype = ctypes.c_char_p
    library.gradus_parameter_name.restype = ctypes.c_char_p
    library.gradus_objective_name.restype = ctypes.c_char_p
    for name in ("gradus_parameter_count", "gradus_objective_count"):
        getattr(library, name).restype = ctypes.c_size_t
        getattr(library, name).argtypes = [ctypes.c_void_p]
    for name in ("gradus_parameter_name", "gradus_objective_name"):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.gradus_gradient.argtypes = [ctypes.c_void_p, ctypes.c_size_t, Doubles, Doubles, Doubles,
                                        ctypes.POINTER(ctypes.c_size_t)]

    check_exchange(library, model)
    options, mechanism, session = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(library, library.gradus_options_create(ctypes.byref(options)))
    check(library, library.gradus_options_set(options, b"duration", b"0.05"))
    check(library, library.gradus_options_set(options, b"backend", b"cpu:1"))
    check(library, library.gradus_mechanism_read(model.encode(), options, ctypes.byref(mechanism)))
    check(library, library.gradus_session_create(mechanism, ctypes.byref(session)))
    n = library.gradus_parameter_count(mechanism)
    m = library.gradus_objective_count(mechanism)
    parameters = numbers([0.0] * n)
    check(library, library.gradus_nominal_parameters(mechanism, parameters))
    objectives, gradient, failed = numbers([0.0] * m), numbers([0.0] * (m * n)), ctypes.c_size_t(99)
    check(library, library.gradus_gradient(session, 1, parameters, objectives, gradient, ctypes.byref(failed)))
    assert failed.value == 0

    # The program prints every digit.
    said = json.loads(subprocess.run([program, "gradient", model, "--duration", "0.05", "--backend", "cpu:1", "--json"],
                                     capture_output=True, text=True, check=True).stdout)
    for o in range(m):
        objective = library.gradus_objective_name(mechanism, o).decode()
        assert said["objectives"][objective] == objectives[o], objective
        for p in range(n):
            parameter = library.gradus_parameter_name(mechanism, p).decode()
            assert said["gradient"][objective][parameter] == gradient[o * n + p], (objective, parameter)
    library.gradus_session_free(session)
    library.gradus_mechanism_free(mechanism)
    library.gradus_options_free(options)


if __name__ == "__main__":
    main()
