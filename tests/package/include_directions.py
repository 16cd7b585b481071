"""Checks that nothing includes upward (docs/design.md, "The house"): include_directions.py ROOT | --self-test."""

import pathlib
import re
import sys
import tempfile

# Layers of the kernels, from the ground up. A room knows those of the layers below it, not its neighbours.
KERNEL_LAYERS = (("base",), ("math",), ("linear", "expressions"), ("core",), ("joints",), ("bodies",), ("laws",),
                 ("forces", "constraints"), ("passes",), ("stages",), ("integrators",), ("launch",))


def kernel_rooms():
    rooms, below = {}, ()
    for layer in KERNEL_LAYERS:
        layer = tuple(f"kernels/{room}/" for room in layer)
        rooms.update(dict.fromkeys(layer, below))
        below += layer
    return rooms


# Each room, and the rooms it may know besides itself.
BELOW_MOTION = ("src/modules/", "src/backend/", "src/plan/", "src/model/", "kernels/", "include/gradus/")
ROOMS = {
    "include/gradus/": (),
    **kernel_rooms(),
    "src/model/": ("kernels/expressions/", "include/gradus/"),
    "src/constraints/": ("src/plan/", "src/model/", "kernels/", "include/gradus/"),
    "src/forces/": ("src/plan/", "src/model/", "kernels/", "include/gradus/"),
    "src/sensors/": ("src/plan/", "src/model/", "kernels/", "include/gradus/"),
    "src/plan/": ("src/model/", "kernels/", "include/gradus/"),
    "src/plugins/": ("src/plan/", "src/model/", "kernels/expressions/", "include/gradus/"),
    "src/modules/": (),
    "src/backend/": ("src/modules/", "src/plan/", "kernels/", "include/gradus/"),
    "src/motion/": BELOW_MOTION,
    "src/sensitivity/": ("src/motion/", *BELOW_MOTION),
    "src/specialise/": ("src/motion/", *BELOW_MOTION),
    "src/mechanism/": ("src/sensitivity/", "src/motion/", *BELOW_MOTION),
    "src/study/": ("src/plugins/", "src/mechanism/", "src/sensitivity/", "src/motion/", "src/results/", *BELOW_MOTION),
    "src/report/": ("src/study/", "src/results/", "src/model/", "include/gradus/"),
    "src/results/": ("src/modules/", "include/gradus/"),
    "src/cli/": ("src/", "include/gradus/"),
    "python/src/": ("src/results/", "src/model/", "include/gradus/"),
}
SOURCES = {".hpp", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')

CUDA_HEADER = re.compile(r"^(cuda|cub/|cublas|cusolver|cooperative_groups|thrust/|nv/|device_launch|curand|nvrtc|nvtx)")
# What is neither compiled by nvcc in device code nor wanted there: heap, strings, streams, exceptions, Eigen.
HOST_ONLY_HEADER = re.compile(r"^(Eigen/|nlohmann/|boost/|CLI/|unsupported/|vector|string|map|unordered_map|set|"
                              r"unordered_set|list|deque|functional|memory|iostream|sstream|fstream|stdexcept|"
                              r"exception|optional|variant|any|omp\.h)($|(?<=/))")
THIRD_PARTY_HEADER = re.compile(r"^(Eigen/|nlohmann/|boost/|CLI/|unsupported/)")


def room_of(path):
    return next((room for room in ROOMS if path.startswith(room)), None)


def may_see_cuda(path):
    return path.startswith(("kernels/launch/", "src/backend/cuda/")) or (
        path.startswith("kernels/") and path.endswith((".cu", ".cuh")))


def resolve(root, file, name):
    """Path below the root of what a quoted or angled include names, or None for a header from outside."""
    for candidate in (root / name, root / "include" / name, file.parent / name):
        if candidate.is_file():
            return candidate.resolve().relative_to(root.resolve()).as_posix()
    return None


def complaint(root, file, name, quoted):
    """What is wrong with one include, or None."""
    path = file.relative_to(root).as_posix()
    room = room_of(path)
    if name.startswith("/") or ".." in name.split("/"):
        return "is written from the file's own place (write it from the root of the repository)"
    target = resolve(root, file, name)
    if target is None:
        if quoted:
            return "names no file of the repository (write it from the root of the repository)"
        if CUDA_HEADER.match(name) and not may_see_cuda(path):
            return "is a CUDA header (only kernels/launch, kernels/**/*.cu and src/backend/cuda may see one)"
        if room == "include/gradus/" and THIRD_PARTY_HEADER.match(name):
            return "is another project's header (the public face has none)"
        if room and room.startswith("kernels/") and path.endswith(".hpp") and not path.startswith("kernels/launch/") \
                and HOST_ONLY_HEADER.match(name):
            return "is not for kernel bodies (no heap, strings, streams, exceptions or Eigen there)"
        return None
    if path.startswith("tests/oracle/") and path.endswith(".hpp") and not target.startswith("tests/oracle/"):
        return "makes the oracle share code with what it judges"
    if target.startswith("kernels/") and target.endswith(".cuh") and not may_see_cuda(path):
        return "is a device header (only kernels/launch, kernels/**/*.cu and src/backend/cuda may see one)"
    if room is None:
        return None
    if target.startswith(room) or any(target.startswith(other) for other in ROOMS[room]):
        return None
    return f"points out of its room ({room.rstrip('/')} may know: {', '.join(ROOMS[room]) or 'only itself'})"


def complaints(root):
    found = []
    for top in ("include", "kernels", "src", "python", "tests", "bench", "examples"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SOURCES or not file.is_file():
                continue
            if file.relative_to(root).as_posix().startswith("tests/package/consumer/"):
                continue  # a project of its own
            path = file.relative_to(root).as_posix()
            if top in ("src", "kernels", "python") and room_of(path) is None:
                found.append(f"{path}: lies in no room of the house")
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    wrong = complaint(root, file, match[1] or match[2], match[1] is not None)
                    if wrong:
                        found.append(f"{path}:{number}: {match[1] or match[2]} {wrong}")
    return found


# A file, what it includes, and whether that is right.
SAMPLES = [
    ("kernels/math/a.hpp", '"kernels/base/k.hpp"', True),
    ("kernels/math/a.hpp", '"kernels/core/k.hpp"', False),
    ("kernels/base/a.hpp", '"kernels/math/k.hpp"', False),
    ("kernels/core/a.hpp", '"kernels/math/k.hpp"', True),
    ("kernels/core/a.hpp", '"kernels/expressions/e.hpp"', True),
    ("kernels/core/a.hpp", '"kernels/joints/k.hpp"', False),
    ("kernels/expressions/a.hpp", '"kernels/linear/k.hpp"', False),
    ("kernels/joints/a.hpp", '"kernels/bodies/k.hpp"', False),
    ("kernels/bodies/a.hpp", '"kernels/joints/k.hpp"', True),
    ("kernels/bodies/a.hpp", '"kernels/passes/k.hpp"', False),
    ("kernels/laws/a.hpp", '"kernels/bodies/k.hpp"', True),
    ("kernels/laws/a.hpp", '"kernels/forces/k.hpp"', False),
    ("kernels/forces/a.hpp", '"kernels/laws/k.hpp"', True),
    ("kernels/forces/a.hpp", '"kernels/constraints/k.hpp"', False),
    ("kernels/constraints/a.hpp", '"kernels/forces/k.hpp"', False),
    ("kernels/constraints/a.hpp", '"kernels/passes/k.hpp"', False),
    ("kernels/passes/a.hpp", '"kernels/forces/k.hpp"', True),
    ("kernels/passes/a.hpp", '"kernels/stages/k.hpp"', False),
    ("kernels/stages/a.hpp", '"kernels/integrators/k.hpp"', False),
    ("kernels/integrators/a.hpp", '"kernels/stages/k.hpp"', True),
    ("kernels/integrators/a.hpp", '"kernels/launch/k.hpp"', False),
    ("kernels/launch/a.hpp", '"kernels/core/k.hpp"', True),
    ("kernels/elsewhere/a.hpp", "<cmath>", False),
    ("kernels/math/a.hpp", "<cmath>", True),
    ("kernels/math/a.hpp", '"src/plan/p.hpp"', False),
    ("kernels/math/a.hpp", '"gradus/g.hpp"', False),
    ("kernels/math/a.hpp", "<vector>", False),
    ("kernels/math/a.hpp", "<Eigen/Dense>", False),
    ("kernels/math/a.hpp", "<boost/math/constants/constants.hpp>", False),
    ("kernels/math/a.hpp", "<cuda_runtime.h>", False),
    ("kernels/math/a.hpp", '"kernels/launch/device.cuh"', False),
    ("kernels/math/a.cpp", "<vector>", True),
    ("kernels/math/a.cu", "<cub/cub.cuh>", True),
    ("kernels/math/a.cu", '"kernels/launch/device.cuh"', False),
    ("kernels/launch/a.cu", '"kernels/launch/device.cuh"', True),
    ("kernels/linear/a.cu", '"kernels/linear/k.cuh"', True),
    ("kernels/linear/a.hpp", '"kernels/linear/k.cuh"', False),
    ("kernels/launch/a.hpp", "<vector>", True),
    ("include/gradus/a.hpp", '"gradus/g.hpp"', True),
    ("include/gradus/a.hpp", '"src/model/m.hpp"', False),
    ("include/gradus/a.hpp", "<Eigen/Core>", False),
    ("include/gradus/a.hpp", "<boost/version.hpp>", False),
    ("include/gradus/a.hpp", "<cuda.h>", False),
    ("src/study/a.cpp", "<boost/random/sobol.hpp>", True),
    ("src/model/a.cpp", '"kernels/expressions/e.hpp"', True),
    ("src/model/a.cpp", '"kernels/core/k.hpp"', False),
    ("src/model/a.cpp", '"src/plan/p.hpp"', False),
    ("src/plan/a.cpp", '"src/model/m.hpp"', True),
    ("src/plan/a.cpp", '"src/backend/b.hpp"', False),
    ("src/backend/a.cpp", '"src/plan/p.hpp"', True),
    ("src/backend/a.cpp", '"src/model/m.hpp"', False),
    ("src/backend/a.cpp", "<cuda_runtime_api.h>", False),
    ("src/backend/cuda/a.cu", "<thrust/sort.h>", True),
    ("src/motion/a.cpp", '"src/backend/b.hpp"', True),
    ("src/motion/a.cpp", '"src/sensitivity/s.hpp"', False),
    ("src/sensitivity/a.cpp", '"src/study/t.hpp"', False),
    ("src/study/a.cpp", '"src/sensitivity/s.hpp"', True),
    ("src/study/a.cpp", '"src/cli/c.hpp"', False),
    ("src/study/a.cpp", '"src/report/r.hpp"', False),
    ("src/report/a.cpp", '"src/study/t.hpp"', True),
    ("src/report/a.cpp", '"src/cli/c.hpp"', False),
    ("src/report/a.cpp", '"src/motion/n.hpp"', False),
    ("src/results/a.cpp", '"src/report/r.hpp"', False),
    ("src/results/a.cpp", '"gradus/g.hpp"', True),
    ("src/results/a.cpp", '"src/motion/n.hpp"', False),
    ("src/cli/a.cpp", '"src/study/t.hpp"', True),
    ("src/cli/a.cpp", '"kernels/core/k.hpp"', False),
    ("src/motion/a.cpp", '"../backend/b.hpp"', False),
    ("src/motion/a.cpp", '"missing.hpp"', False),
    ("src/elsewhere/a.cpp", "<cmath>", False),
    ("tests/oracle/a.hpp", '"kernels/math/k.hpp"', False),
    ("tests/oracle/a.hpp", '"tests/oracle/o.hpp"', True),
    ("tests/oracle/a_test.cpp", '"gradus/g.hpp"', True),
    ("tests/unit/a.cpp", '"src/motion/n.hpp"', True),
    ("bench/a.cpp", "<cuda_runtime.h>", False),
]
SAMPLE_TARGETS = [*(f"kernels/{room}/k.hpp" for layer in KERNEL_LAYERS for room in layer),
                  "kernels/launch/device.cuh", "kernels/linear/k.cuh", "kernels/expressions/e.hpp",
                  "include/gradus/g.hpp", "src/model/m.hpp", "src/plan/p.hpp", "src/backend/b.hpp", "src/motion/n.hpp",
                  "src/sensitivity/s.hpp", "src/study/t.hpp", "src/report/r.hpp", "src/cli/c.hpp", "tests/oracle/o.hpp"]


def self_test():
    """Every sample is judged as it should be; ends with the number of samples judged wrongly."""
    wrong = 0
    for path, include, right in SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for target in SAMPLE_TARGETS:
                (root / target).parent.mkdir(parents=True, exist_ok=True)
                (root / target).write_text("// Empty.\n")
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"// Sample.\n#include {include}\n")
            found = complaints(root)
            if bool(found) == right:
                wrong += 1
                print(f"{path} with {include} should be {'accepted' if right else 'refused'}: {found}")
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(1 if self_test() else 0)
    found = complaints(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
