// The table that decides which solver serves a shape: built in, or measured.
#pragma once

#include <functional>

#include "gradus/solvers.hpp"
#include "src/backend/device.hpp"

namespace gradus {

// The row that is nearest: by size first, then right-hand sides, then systems, each by its ratio.
// Native if there is none.
SolverKind choose_solver(const SolverTable& table, const LinearBatch& batch, int columns);

// The solver that the table of a device names for a batch with about so many right-hand sides;
// native if that one does not run here. `systems`: of all batches that are to have the same solver,
// 0: of this one alone.
std::unique_ptr<BatchedSolver> make_fastest_solver(Device& device, const SolverTable& table,
                                                   const LinearBatch& batch, int columns,
                                                   std::ptrdiff_t systems = 0);

bool is_cuda(const Device& device);

// "AMD EPYC 7B13", "NVIDIA H100": tables belong to these.
std::string hardware_name(const Device& device);

SolverTable built_in_table(const Device& device);

// What is measured, and how long.
struct Tuning {
  std::vector<int> sizes{2, 4, 8, 16, 32, 64, 128, 256, 512};
  std::vector<int> columns{1, 16, 256};
  std::vector<std::ptrdiff_t> systems{1, 64, 4096};
  double seconds = 0.01;        // for each solver and shape, at least
  double operations = 3e9;      // shapes with more are left out
  std::size_t bytes = 1 << 29;  // likewise
};

// Measures all solvers that run on a device; from host memory nothing but matrices is moved.
SolverTable measure_table(Device& device, const Tuning& tuning,
                          const std::function<void(const std::string&)>& progress);

}  // namespace gradus
