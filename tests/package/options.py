"""Which values the options of the build take: options.py CMAKE SOURCE."""

import sys

from commands import run, run_refused

ALLOWED = ["GRADUS_UNITY=off", "GRADUS_NLOPT=on", "GRADUS_CUDA=Auto", "GRADUS_VECTOR_LEVELS=ALL", "GRADUS_SANITIZE=",
           "GRADUS_SANITIZE=thread", "GRADUS_SANITIZE=address,undefined"]
REFUSED = {"GRADUS_UNITY=fast": "ON, OFF", "GRADUS_BUILD_TESTS=2": "ON, OFF", "GRADUS_NLOPT=maybe": "AUTO, ON, OFF",
           "GRADUS_VECTOR_LEVELS=v3": "native, all, none", "GRADUS_SANITIZE=adress": "nothing, or some of address, ",
           "GRADUS_SANITIZE=address;undefined": "nothing, or some of address, "}


def main():
    cmake, source = sys.argv[1:]
    script = f"{source}/cmake/GradusOptions.cmake"
    for option in ALLOWED:
        run(cmake, "-DPROJECT_IS_TOP_LEVEL=ON", f"-D{option}", "-P", script)
    for option, allowed in REFUSED.items():
        name, value = option.split("=")
        expected = f"{name} is '{value}' (allowed: {allowed}"
        output = run_refused(cmake, "-DPROJECT_IS_TOP_LEVEL=ON", f"-D{option}", "-P", script)
        if expected not in output:
            sys.exit(f"-D{option} was answered with '{output}', expected '{expected}'")


if __name__ == "__main__":
    main()
