// What a kernel body works on: one design of a chunk, its plan, its memory and its place in time.
#pragma once

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"
#include "kernels/core/status.hpp"
#include "kernels/core/view.hpp"

GRADUS_KERNELS_BEGIN

// Settings of the time integration, the same for all designs.
struct StepSettings {
  double step;       // s
  double beta;       // Newmark parameters
  double gamma;
  double tolerance;  // on the 2-norm of the Newton increment
  int iteration_limit;
  int with_columns;  // 1: sensitivities are computed
};

// Argument of every launch, by value. Trivially copyable.
template <class RealType, bool kInterleaved>
struct Chunk {
  PlanView plan;
  Layout layout;
  StepSettings settings;
  RealType* memory;       // [layout.size, n_design] if interleaved, [n_design, layout.size] otherwise
  Status* status;         // [n_design]
  double* failure_time;   // [n_design] s
  std::ptrdiff_t design_count;
};

template <class RealType, bool kInterleaved>
struct Design {
  using Real = RealType;
  using Array = View<Real, kInterleaved>;

  const PlanView& plan;
  const Layout& layout;
  const StepSettings& settings;
  Array memory;
  Status& status;
  double& failure_time;

  GRADUS_FUNCTION Design(const Chunk<Real, kInterleaved>& chunk, std::ptrdiff_t index)
      : plan(chunk.plan),
        layout(chunk.layout),
        settings(chunk.settings),
        memory(kInterleaved ? chunk.memory + index : chunk.memory + index * chunk.layout.size,
               chunk.design_count),
        status(chunk.status[index]),
        failure_time(chunk.failure_time[index]) {}

  GRADUS_FUNCTION Array at(int offset) const { return memory.from(offset); }
  GRADUS_FUNCTION bool failed() const { return status != Status::ok; }
  // The first failure is the one reported.
  GRADUS_FUNCTION void fail(Status reason, double time) const {
    if (status == Status::ok) {
      status = reason;
      failure_time = time;
    }
  }
};

GRADUS_KERNELS_END
