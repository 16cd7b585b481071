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
  const TableauView& tableau;
  Array memory;
  Status& status;
  double& failure_time;
  Real* chunk_memory;
  std::ptrdiff_t index;
  std::ptrdiff_t design_count;
  Real* record_memory;
  std::ptrdiff_t record_capacity;

  GRADUS_INLINE Design(const Chunk<Real, kInterleaved>& chunk, std::ptrdiff_t place)
      : plan(chunk.plan),
        layout(chunk.layout),
        settings(chunk.settings),
        tableau(chunk.tableau),
        memory(kInterleaved ? chunk.memory + place : chunk.memory + place * chunk.layout.size,
               chunk.design_count),
        status(chunk.status[place]),
        failure_time(chunk.failure_time[place]),
        chunk_memory(chunk.memory),
        index(place),
        design_count(chunk.design_count),
        record_memory(chunk.record),
        record_capacity(chunk.record_capacity) {}

  GRADUS_INLINE Array at(int offset) const { return memory.from(offset); }
  // The numbers that are kept of step `row`.
  GRADUS_INLINE Array record(std::ptrdiff_t row) const {
    const std::ptrdiff_t size = layout.record_size;
    return Array(kInterleaved ? record_memory + row * size * design_count + index
                              : record_memory + (index * record_capacity + row) * size,
                 design_count);
  }
  // Scratch of `count` scalars, to which nobody else refers, as one plain array. What designs that
  // are interleaved keep of it together is given out design by design.
  GRADUS_INLINE Real* plain(int offset, int count) const {
    if (!kInterleaved) return memory.data + offset;
    return chunk_memory + offset * design_count + index * count;
  }
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
