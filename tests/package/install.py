"""Installs gradus into an empty prefix and builds and runs a project outside that finds it there."""

import argparse
import json
import pathlib
import shutil
import sys

from commands import fresh_folder, run, run_refused


def check_partial_builds(arguments, scratch):
    """Of a folder that built nothing, or no module, installing says what is missing and how to build it."""
    build, partial = pathlib.Path(arguments.build), scratch / "partial"
    scripts = [*build.rglob("cmake_install.cmake"), *build.glob("CMakeFiles/Export/**/*.cmake"), *build.glob("*.cmake")]
    for script in scripts:
        copy = partial / script.relative_to(build)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(script.read_text().replace(str(build), str(partial)))
    install = [arguments.cmake, "--install", partial, "--prefix", scratch / "nothing"]

    def expect(output, *texts):
        for text in (*texts, f"Hint: cmake --build {partial} --target gradus_all"):
            if text not in output:
                sys.exit(f"installing a partial build printed '{output}', expected '{text}'")

    expect(run_refused(*install), "gradus is not built, there is no libgradus.", " libgradus_c.so")
    if (scratch / "nothing").exists():
        sys.exit("a build that is not there was installed by halves")
    for file in [*build.glob("lib/libgradus.*"), *build.glob("lib/libgradus_c.*"), *build.glob("bin/gradus")]:
        (partial / file.parent.name).mkdir(exist_ok=True)
        shutil.copy2(file, partial / file.parent.name, follow_symlinks=False)
    expect(run(*install), "without the modules that are not built: libgradus_checks.so")


def check_components(arguments, scratch, prefix):
    """gradus has no components, and says so."""
    (scratch / "components").mkdir()
    (scratch / "components/CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(components NONE)\nfind_package(gradus REQUIRED COMPONENTS hdf5)\n")
    output = run_refused(arguments.cmake, "-S", scratch / "components", "-B", scratch / "components/build", "-G", arguments.generator,
                         f"-DCMAKE_PREFIX_PATH={prefix}")
    if "it has no component 'hdf5'" not in output:
        sys.exit(f"a component that gradus does not have was answered with '{output}'")


# What the forces of the example say, as laws of the model.
LAWS = {
    "pair": {"type": "spring-damper", "from": "ground.magnet", "to": "rod.tip",
             "law": "strength/(length + offset)^2*(1 + 0.3*sin(7*t))"},
    "air": {"type": "force", "at": "rod.tip",
            "components": [f"-(drag*sqrt(dot(against, against) + 1e-12))*against.{k}" for k in "xyz"]},
    "motor": {"type": "joint-force", "joint": "hinge", "value": "torque - 0.1*min(w, 0)"},
}


def with_laws(text):
    model = json.loads("".join(line for line in text.splitlines() if not line.startswith("//")))
    model["forces"] = LAWS
    model["definitions"] = {"against": "v - [2*cos(t), 0.5, 0]"}
    model["sensors"]["v"] = {"velocity": "rod.tip"}
    del model["sensors"]["torque"]
    model["states"] = {"torque": {"rate": "(amplitude*sin(3*t) - 0.2*w - torque)/lag", "initial": 0.1}}
    return json.dumps(model)


def check_plugin(arguments, scratch, prefix):
    """The example of a plug-in, built outside by what is installed, gives what its forces give as laws of the model."""
    project = scratch / "plugin"
    shutil.copytree(f"{arguments.source}/examples/plugin", project)
    run(arguments.cmake, "-S", project, "-B", project / "build", "-G", arguments.generator,
        f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    run(arguments.cmake, "--build", project / "build")
    run(project / "build/test_magnets")
    laws = project / "laws.json"
    laws.write_text(with_laws((project / "magnets.json").read_text()))
    for program in sorted((prefix / "bin").glob("gradus")):
        for options in ([], ["--method", "adjoint"], ["--method", "dual"], ["--backend", "debug"],
                        ["--designs", "9", "--spread", "0.01", "--step", "0.002"]):
            plugin = json.loads(run(program, "gradient", project / "magnets.json", "--plugin", project / "build/libmagnets.so",
                                    "--json", "--quiet", *options))
            law = json.loads(run(program, "gradient", laws, "--json", "--quiet", *options))
            for name in ("objectives", "gradient"):
                if plugin[name] != law[name]:
                    sys.exit(f"with {options} the forces of the plug-in give the {name} {plugin[name]}, as laws {law[name]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cmake", "generator", "compiler", "source", "build", "version", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    scratch = fresh_folder(arguments.scratch)
    prefix = scratch / "prefix"

    run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)
    # Moved after installing: nothing installed may remember where it was built or put.
    moved = scratch / "moved"
    prefix.rename(moved)
    run(arguments.cmake, "-S", f"{arguments.source}/tests/package/consumer", "-B", scratch / "consumer", "-G",
        arguments.generator, f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_PREFIX_PATH={moved}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in ("NLopt", "Ipopt", "Hdf5C", "HDF5", "MPI")))
    run(arguments.cmake, "--build", scratch / "consumer")
    output = run(scratch / "consumer/consumer", f"{arguments.source}/models/five-bar/five-bar.json").strip()
    modules = {file.name for file in pathlib.Path(arguments.build, "lib").glob("libgradus_*.so")}
    installed = {file.name for file in moved.rglob("libgradus_*.so")}
    if installed != modules:
        sys.exit(f"installed are the modules {sorted(installed)}, built were {sorted(modules)}")
    methods = (["lbfgs", "slsqp", "mma", "augmented-lagrangian"] if "libgradus_nlopt.so" in modules else []) + (
        ["ipopt"] if "libgradus_ipopt.so" in modules else [])
    expected = " ".join([arguments.version, "five-bar", *methods])
    if output != expected:
        sys.exit(f"the project outside printed '{output}', expected '{expected}'")

    for program in sorted((moved / "bin").glob("gradus")):
        output = run(program, "--version").strip()
        if arguments.version not in output:
            sys.exit(f"the installed program says its version is '{output}', expected {arguments.version}")
        info = json.loads(run(program, "info", "--json"))
        found = (info["optimization_methods"], info["hdf5"])
        if found != (methods, "libgradus_hdf5.so" in modules):
            sys.exit(f"the installed program finds {found} of the modules {sorted(modules)}")
    check_plugin(arguments, scratch, moved)
    check_components(arguments, scratch, moved)
    check_partial_builds(arguments, scratch)
    build = str(arguments.build).encode()
    for file in sorted(moved.rglob("*.cmake")):
        if build in file.read_bytes():
            sys.exit(f"{file.relative_to(moved)} names the build folder")


if __name__ == "__main__":
    main()
