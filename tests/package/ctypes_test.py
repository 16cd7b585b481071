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
