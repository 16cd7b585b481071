// What a run on the host records of a design: its motion, and the sensitivities of its sensors by
// the parameters that the run carries.
#pragma once

#include <type_traits>

#include "src/motion/host_chunk.hpp"

namespace gradus {

// Of a run that carries the parameters from `first` on. The run with the first of them records the
// motion. A pack records the designs `design`, `design` + 1, ... of its lanes, `count` of them.
template <class Real>
class Recorder {
 public:
  Recorder(HostChunk<Real>& chunk, const MotionRequest& request, const kernels::Layout& layout,
           std::size_t design, std::size_t count, int first, MotionOutcome& outcome)
      : chunk_(chunk), request_(request), layout_(layout), first_(first), rows_(count, 0) {
    if (request.record) trajectories_ = &outcome.trajectories[design];
  }

  // Instant k, which is recorded.
  void record(std::size_t k, const Instant& at) {
    if (request_.records_columns())
      chunk_.launch(kernels::KernelId::sensor_columns, at, no_stage());
    if (first_ == 0 || kIsDual) chunk_.launch(kernels::KernelId::evaluate_signals, at, no_stage());
    for (std::size_t lane = 0; lane < rows_.size(); ++lane)
      if (!chunk_.fails(static_cast<int>(lane))) record_lane(k, at, static_cast<int>(lane));
  }

  // Recorded times of the design in a lane.
  std::size_t rows(std::size_t lane) const { return rows_[lane]; }

 private:
  static constexpr bool kIsDual = std::is_same_v<Real, kernels::DualNumber>;

  void record_lane(std::size_t k, const Instant& at, int lane) {
    if (first_ == 0) gradus::record(chunk_, layout_, *request_.plan, at, lane, trajectories_[lane]);
    std::size_t& rows = rows_[static_cast<std::size_t>(lane)];
    rows = recorded_row(request_, k) + 1;
    if (request_.columns) record_columns(rows - 1, lane);
  }

  void record_columns(std::size_t row, int lane) {
    const int parameters = request_.plan->parameter_count();
    const int signals = request_.plan->signal_count;
    const int width =
        kIsDual ? std::min(kernels::kDualDirections, parameters - first_) : chunk_.column_count();
    double* to = trajectories_[lane].sensor_columns.data() +
                 row * static_cast<std::size_t>(signals) * static_cast<std::size_t>(parameters);
    for (int s = 0; s < signals; ++s, to += parameters)
      for (int p = 0; p < width; ++p) to[first_ + p] = column(s, p, width, lane);
  }

  double column(int signal, int p, int width, int lane) {
    if constexpr (kIsDual)
      return chunk_.at(layout_.signal)[signal].derivative[p];
    else
      return chunk_.entry(layout_.signal_columns + signal * width + p, lane);
  }

  HostChunk<Real>& chunk_;
  const MotionRequest& request_;
  const kernels::Layout& layout_;
  int first_;
  Trajectory* trajectories_ = nullptr;  // of the designs in the lanes
  std::vector<std::size_t> rows_;       // [lane]
};

}  // namespace gradus
