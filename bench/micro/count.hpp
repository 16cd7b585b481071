// The work of one step of a direct gradient by ali3p, counted kernel by kernel: a property of the
// formulas, whatever machine, compiler or load.
#pragma once

#include <cstddef>
#include <vector>

#include <gradus/gradus.hpp>

namespace gradus::bench {

// Per step, all columns.
struct KernelStep {
  double additions = 0.0;  // and subtractions
  double multiplications = 0.0;
  double divisions = 0.0;  // and square roots
  double functions = 0.0;
  double accesses = 0.0;  // reads and writes of the design's block, as the formulas are written
  double distinct = 0.0;  // numbers of the block that a launch reads or writes, each once

  double operations() const { return additions + multiplications + divisions + functions; }
};

struct StepCount {
  std::size_t coordinates = 0;
  std::size_t parameters = 0;
  std::size_t constraint_rows = 0;
  std::size_t objectives = 0;
  std::size_t numbers = 0;          // in the block of a design
  std::vector<KernelStep> kernels;  // by KernelId

  KernelStep sum() const;
  double columns() const { return parameters > 0 ? static_cast<double>(parameters) : 1.0; }
};

// Throws InputError, or NumericalError if the motion fails.
StepCount count_step(const Model& model, std::size_t steps);

}  // namespace gradus::bench
