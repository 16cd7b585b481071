# What the scripts share: where the repository is, headings, the Python and the number of jobs to use.
# Read it with `source`; it changes nothing by itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${GRADUS_JOBS:-$(nproc 2>/dev/null || echo 2)}

heading() { printf '\n=== %s ===\n' "$*"; }

# find_python [MODULE]: the first Python 3.9 or newer, if asked one that has the module; nothing if there is none.
find_python() {
  local candidate
  for candidate in "${GRADUS_PYTHON:-}" python3 /usr/bin/python3; do
    if [[ -n $candidate ]] && "$candidate" -c "import sys, ${1:-sys}; assert sys.version_info >= (3, 9)" 2>/dev/null; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return 0
    fi
  done
  return 1
}

# Whether clang++ is there with its sanitizers, which are a package of their own.
has_clang_sanitizers() { echo "int main() {}" | clang++ -fsanitize=address,undefined -x c++ - -o /dev/null 2>/dev/null; }

# configure PRESET [options]: an existing build folder keeps its compiler and is only brought up to date.
configure() {
  local preset=$1 python
  shift
  if ! python=$(find_python numpy || find_python); then
    echo "no Python 3.9 or newer was found (python3 in PATH, or GRADUS_PYTHON); run scripts/setup" >&2
    return 1
  fi
  if command -v ccache >/dev/null; then
    # Precompiled headers are part of what is cached.
    export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$root CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  fi
  (cd "$root" && cmake --preset "$preset" "-DPython3_EXECUTABLE=$python" "$@")
}

# build PRESET [options]
build() {
  local preset=$1
  shift
  (cd "$root" && cmake --build --preset "$preset" --parallel "$jobs" "$@")
}
