// What a run on the host records of a design: its motion, and the sensitivities of its sensors by
// the parameters that the run carries.
#pragma once

#include <limits>
#include <type_traits>

#include "src/motion/host_chunk.hpp"

namespace gradus {

// Room for the sensitivities of all designs, which runs with some of the parameters each fill at
// the same time.
inline void make_room_for_columns(const MotionRequest& request, MotionOutcome& outcome) {
  if (!request.columns) return;
  const std::size_t rows = recorded_row(request, request.steps) + 1;
  const std::size_t size =
      static_cast<std::size_t>(request.plan->signal_count) * request.plan->nominal.size();
  for (Trajectory& trajectory : outcome.trajectories)
    trajectory.sensor_columns.assign(rows * size, std::numeric_limits<double>::quiet_NaN());
}

// Of a run that carries the parameters from `first` on. The run with the first of them records the
// motion.
template <class Real>
class Recorder {
 public:
  Recorder(HostChunk<Real>& chunk, const MotionRequest& request, const kernels::Layout& layout,
           std::size_t design, int first, MotionOutcome& outcome)
      : chunk_(chunk), request_(request), layout_(layout), first_(first) {
    if (request.record) trajectory_ = &outcome.trajectories[design];
  }

  // Instant k, which is recorded.
  void record(std::size_t k, const Instant& at) {
    if (request_.records_columns())
      chunk_.launch(kernels::KernelId::sensor_columns, at, no_stage());
    if (chunk_.status != kernels::Status::ok) return;
    if (first_ == 0)
      gradus::record(chunk_, layout_, *request_.plan, at, *trajectory_);
    else if constexpr (kIsDual)
      chunk_.launch(kernels::KernelId::evaluate_signals, at, no_stage());
    rows_ = recorded_row(request_, k) + 1;
    if (request_.columns) record_columns(rows_ - 1);
  }

  std::size_t rows() const { return rows_; }

 private:
  static constexpr bool kIsDual = std::is_same_v<Real, kernels::DualNumber>;

  void record_columns(std::size_t row) {
    const int parameters = request_.plan->parameter_count();
    const int signals = request_.plan->signal_count;
    const int width =
        kIsDual ? std::min(kernels::kDualDirections, parameters - first_) : chunk_.column_count();
    double* to = trajectory_->sensor_columns.data() +
                 row * static_cast<std::size_t>(signals) * static_cast<std::size_t>(parameters);
    for (int s = 0; s < signals; ++s, to += parameters)
      for (int p = 0; p < width; ++p) to[first_ + p] = column(s, p, width);
  }

  double column(int signal, int p, int width) {
    if constexpr (kIsDual)
      return chunk_.at(layout_.signal)[signal].derivative[p];
    else
      return chunk_.at(layout_.signal_columns)[signal * width + p];
  }

  HostChunk<Real>& chunk_;
  const MotionRequest& request_;
  const kernels::Layout& layout_;
  int first_;
  Trajectory* trajectory_ = nullptr;
  std::size_t rows_ = 0;
};

}  // namespace gradus
