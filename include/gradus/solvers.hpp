// Which solver serves batches of linear systems of which shape: a table for each device, built in
// until it is measured.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gradus {

// The fastest solver for `systems` systems of `size` equations with `columns` right-hand sides
// each.
struct SolverChoice {
  int size = 0;
  int columns = 0;
  std::ptrdiff_t systems = 0;
  bool definite = false;  // symmetric and positive definite
  std::string solver;     // "native", "eigen", "cublas-getrs", "cublas-trsm" or "cusolver"
  std::map<std::string, double> seconds;  // of each solver that runs there; empty if not measured
};

struct SolverTable {
  std::string device;    // "AMD EPYC 7B13", "NVIDIA H100"
  std::string measured;  // date; empty if the table was not measured on this machine
  std::string origin;    // "built in" or the file; and why another was not used
  std::vector<SolverChoice> choices;
};

// The tables in use: of the host, and of the first GPU if it can be used.
std::vector<SolverTable> describe_solvers();

// Measures the table of a backend, "cpu" or "cuda[:device]", and stores it in the user's cache
// folder ($XDG_CACHE_HOME/gradus, else ~/.cache/gradus), where later runs find it. Takes some
// seconds; `progress` hears of each shape and may be empty. Throws BackendError or FileError.
SolverTable tune_solvers(const std::string& backend,
                         const std::function<void(const std::string&)>& progress);

}  // namespace gradus
