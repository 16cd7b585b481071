// What a kernel body works on: one design of a chunk, its plan, its memory and its place in time.
#pragma once

#include "kernels/core/arguments.hpp"
#include "kernels/core/view.hpp"

GRADUS_KERNELS_BEGIN

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

  GRADUS_INLINE Design(const Chunk<Real, kInterleaved>& chunk, std::ptrdiff_t index)
      : plan(chunk.plan),
        layout(chunk.layout),
        settings(chunk.settings),
        memory(kInterleaved ? chunk.memory + index : chunk.memory + index * chunk.layout.size,
               chunk.design_count),
        status(chunk.status[index]),
        failure_time(chunk.failure_time[index]) {}

  GRADUS_INLINE Array at(int offset) const { return memory.from(offset); }
  GRADUS_INLINE bool failed() const { return status != Status::ok; }
  // The first failure is the one reported.
  GRADUS_INLINE void fail(Status reason, double time) const {
    if (status == Status::ok) {
      status = reason;
      failure_time = time;
    }
  }
};

GRADUS_KERNELS_END
