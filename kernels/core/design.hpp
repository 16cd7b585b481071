// What a kernel body works on: one design of a chunk, or a pack of designs that travel in lanes,
// with the plan, the memory and the place in time.
#pragma once

#include "kernels/base/view.hpp"
#include "kernels/core/arguments.hpp"
#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

template <class RealType, bool kInterleaved, std::ptrdiff_t kStride = kInterleaved ? kTile : 1>
struct Design {
  using Real = RealType;
  using Value = ValueOf<Real>;
  using Mask = MaskOf<Real>;
  using Array = StridedView<Real, kStride>;
  static constexpr int kLanes = ScalarTraits<Real>::kLanes;
  // Whether columns are spread over slices, with launches of their own. That designs are
  // interleaved is another matter: today they are where there are slices.
  static constexpr bool kHasSlices = kInterleaved;

  const PlanView& plan;
  const Layout& layout;
  const StepSettings& settings;
  const TableauView& tableau;
  std::ptrdiff_t place;  // of the design and its slice of columns
  std::ptrdiff_t index;  // of the design
  Array memory;
  Array columns;         // of the slice, if there are slices
  int column_begin;      // the first parameter of its columns
  Status* status;        // [lane]
  double* failure_time;  // [lane]
  std::ptrdiff_t design_count;
  Real* record_memory;
  std::ptrdiff_t record_capacity;
  const double* given_steps;
  const double* step_limits;
  const std::ptrdiff_t* limit_begin;
  std::ptrdiff_t limit_count;
  void* twin;
  void* aside;
  EvaluationPrograms* programs;

  // The design in other numbers.
  template <class Other>
  GRADUS_INLINE Design(const Other& d, Real* numbers)
      : plan(d.plan),
        layout(d.layout),
        settings(d.settings),
        tableau(d.tableau),
        place(d.place),
        index(d.index),
        memory(numbers),
        columns(numbers),
        column_begin(d.column_begin),
        status(d.status),
        failure_time(d.failure_time),
        design_count(d.design_count),
        record_memory(nullptr),
        record_capacity(0),
        given_steps(d.given_steps),
        step_limits(d.step_limits),
        limit_begin(nullptr),
        limit_count(d.limit_count),
        twin(nullptr),
        aside(nullptr),
        programs(nullptr) {}

  // One lane of a pack, whose numbers lie in the memory of that or elsewhere.
  template <class Pack, std::enable_if_t<(Pack::kLanes > 1)>* = nullptr>
  GRADUS_INLINE Design(const Pack& d, int lane)
      : Design(d, lane, reinterpret_cast<Real*>(d.memory.data) + lane) {}
  template <class Pack, std::enable_if_t<(Pack::kLanes > 1)>* = nullptr>
  GRADUS_INLINE Design(const Pack& d, int lane, Real* numbers)
      : plan(d.plan),
        layout(d.layout),
        settings(d.settings),
        tableau(d.tableau),
        place(0),
        index(0),
        memory(numbers),
        columns(numbers),
        column_begin(d.column_begin),
        status(d.status + lane),
        failure_time(d.failure_time + lane),
        design_count(1),
        record_memory(nullptr),
        record_capacity(0),
        given_steps(nullptr),
        step_limits(d.step_limits),
        limit_begin(nullptr),
        limit_count(d.limit_count),
        twin(nullptr),
        aside(nullptr),
        programs(nullptr) {
    if (d.limit_begin == nullptr) return;
    step_limits += kStepLimitNumbers * d.limit_begin[lane];
    limit_count = d.limit_begin[lane + 1] - d.limit_begin[lane];
  }

  GRADUS_INLINE Design(const Chunk& chunk, std::ptrdiff_t at)
      : plan(chunk.plan),
        layout(chunk.layout),
        settings(chunk.settings),
        tableau(chunk.tableau),
        place(at),
        index(kInterleaved ? at % chunk.design_count : at),
        memory(static_cast<Real*>(chunk.memory) +
               (kInterleaved ? offset_in_tiles(index, std::ptrdiff_t{kTile} * chunk.layout.shared)
                             : at * chunk.layout.size)),
        columns(kHasSlices ? static_cast<Real*>(chunk.columns) +
                                 offset_in_tiles(at, std::ptrdiff_t{kTile} *
                                                         (chunk.layout.size - chunk.layout.shared))
                           : memory.data),
        column_begin(chunk.plan.column_begin +
                     (kHasSlices
                          ? static_cast<int>(at / chunk.column_stride) * chunk.plan.column_count
                          : 0)),
        status(chunk.status + index * kLanes),
        failure_time(chunk.failure_time + index * kLanes),
        design_count(chunk.design_count),
        record_memory(static_cast<Real*>(chunk.record)),
        record_capacity(chunk.record_capacity),
        given_steps(steps_given(chunk, at)),
        step_limits(chunk.step_limits),
        limit_begin(chunk.limit_begin),
        limit_count(chunk.limit_count),
        twin(chunk.twin),
        aside(chunk.aside),
        programs(chunk.programs) {
    if (chunk.limit_begin == nullptr || kLanes > 1) return;
    const std::ptrdiff_t* const begin = chunk.limit_begin + at % chunk.column_stride;
    step_limits += kStepLimitNumbers * begin[0];
    limit_count = begin[1] - begin[0];
  }

  // The steps of an adaptive method that are given to a design or one of its runs.
  GRADUS_INLINE static const double* steps_given(const Chunk& chunk, std::ptrdiff_t at) {
    if (chunk.given_steps == nullptr || chunk.given_begin == nullptr) return chunk.given_steps;
    const std::ptrdiff_t begin = chunk.given_begin[at % chunk.column_stride];
    return begin < 0 ? nullptr : chunk.given_steps + kGivenStepNumbers * begin;
  }

  GRADUS_INLINE Array at(int offset) const {
    if (kHasSlices && offset >= layout.shared) return columns.from(offset - layout.shared);
    return memory.from(offset);
  }
  // The numbers that are kept of step `row`.
  GRADUS_INLINE Array record(std::ptrdiff_t row) const {
    const std::ptrdiff_t size = layout.record_size;
    return Array(record_memory + (kInterleaved
                                      ? row * size * kTile * tiles_of(design_count) +
                                            offset_in_tiles(index, std::ptrdiff_t{kTile} * size)
                                      : (index * record_capacity + row) * size));
  }

  // Whether nobody goes on. Lanes that have failed are carried along until then; what they compute
  // is never looked at.
  GRADUS_INLINE bool failed() const {
    for (int i = 0; i < kLanes; ++i)
      if (status[i] == Status::ok) return false;
    return true;
  }
  GRADUS_INLINE bool has_failed_lane() const {
    for (int i = 0; i < kLanes; ++i)
      if (status[i] != Status::ok) return true;
    return false;
  }
  GRADUS_INLINE Mask alive() const {
    Mask mask(false);
    for (int i = 0; i < kLanes; ++i) set_lane(mask, i, status[i] == Status::ok);
    return mask;
  }
  // The first failure is the one reported.
  template <class Time>
  GRADUS_INLINE void fail(const Mask& where, Status reason, const Time& time) const {
    if (!any(where)) return;
    for (int i = 0; i < kLanes; ++i)
      if (lane(where, i)) fail_lane(i, reason, lane(time, i));
  }
  GRADUS_INLINE void fail_lane(int i, Status reason, double time) const {
    if (status[i] != Status::ok) return;
    status[i] = reason;
    failure_time[i] = time;
  }
  // What failed goes on: it was no failure yet.
  GRADUS_INLINE void forgive(const Mask& where) const {
    for (int i = 0; i < kLanes; ++i) {
      if (!lane(where, i)) continue;
      status[i] = Status::ok;
      failure_time[i] = 0.0;
    }
  }
};

// The time of a design, or that of each lane where lanes have clocks of their own.
template <class D>
using ClockOf = typename D::Value;

// One lane of a pack as a design of its own.
template <class D>
using LaneOf = Design<double, false, D::kLanes>;

// What is the same in all lanes, because they step together.
template <class Real>
GRADUS_INLINE double common(const Real& x) {
  return lane(value_of(x), 0);
}

// A time as it is told of, where lanes may have clocks of their own that of one of them.
template <class Time>
GRADUS_INLINE double plain_time(const Time& time) {
  return common(time);
}

template <class D>
GRADUS_FUNCTION void copy_array(const D& d, int from, int to, int size) {
  for (int i = 0; i < size; ++i) d.at(to)[i] = d.at(from)[i];
}

GRADUS_KERNELS_END
