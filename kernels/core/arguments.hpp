// Arguments of every launch, handed over by value: trivially copyable, the same for all
// translations of the kernels.
#pragma once

#include <cstddef>

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"
#include "kernels/core/status.hpp"

namespace gradus::kernels {

// Settings of the time integration, the same for all designs.
struct StepSettings {
  double step;  // s
  double beta;  // Newmark parameters
  double gamma;
  double tolerance;  // on the 2-norm of the Newton increment
  int iteration_limit;
  int with_columns;  // 1: sensitivities are computed
};

// The designs that one time loop drives.
template <class Real, bool kInterleaved>
struct Chunk {
  PlanView plan;
  Layout layout;
  StepSettings settings;
  Real* memory;    // [layout.size, n_design] if interleaved, [n_design, layout.size] otherwise
  Status* status;  // [n_design]
  double* failure_time;  // [n_design] s
  std::ptrdiff_t design_count;
};

// A leading matrix, [n, n] and its reduced factor: offsets into a design's memory. matrix < 0: the
// kinematic problem, where the top rows give the values of the held coordinates.
struct LeadingMatrix {
  int matrix;
  int factor;
  int pivot;
};

// factor * (matrix at `matrix`) * (columns at `columns`).
struct LinearTerm {
  int matrix;
  int columns;
  double factor;
};

// target = sum of factor * source, all [n, parameter]. The target may be the first source.
struct Combination {
  int target;
  int count;
  int source[3];
  double factor[3];
};

// The linearised form of one stage, see stages/solve_columns.hpp.
struct StageTangent {
  LeadingMatrix leading;
  int unknown;           // columns solved for
  int residual_partial;  // -1 if none
  double residual_scale;
  int constraint_partial;  // -1 if none
  int term_count;
  LinearTerm terms[3];
  int constraint_term_count;
  LinearTerm constraint_terms[3];
  int before_count;
  Combination before[3];  // formed before the solution
  int after_count;
  Combination after[3];  // and after it
};

// What a launch carries besides its chunk. Each kernel reads what it needs.
template <class Real, bool kInterleaved>
struct KernelArguments {
  Chunk<Real, kInterleaved> chunk;
  double time;    // s
  double weight;  // of the instant in the integrals [s]
  int last;       // 1: the last instant
  StageTangent stage;
};

}  // namespace gradus::kernels
