// The sequential time loop, the same for every backend: which kernels run, in which order, at which
// time.
#pragma once

#include <chrono>
#include <cstddef>

#include "src/motion/formulation.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Time and weight that a launch carries.
struct Instant {
  double time;
  double weight;
  bool last;
};

// Seconds spent on the motion and on its columns.
struct TimeShare {
  double motion = 0.0;
  double sensitivity = 0.0;
};

class Stopwatch {
 public:
  // Seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

inline const kernels::StageTangent& no_stage() {
  static const kernels::StageTangent stage{};
  return stage;
}

// launch(kernel, instant, stage) runs one kernel on the chunk; observe(step, instant) is called
// after the start and after every step and returns false to give up (all designs have failed).
template <class Launch, class Observe>
TimeShare run_time_loop(const MotionRequest& request, const Formulation& formulation,
                        const Launch& launch, const Observe& observe) {
  using kernels::KernelId;
  TimeShare share;
  Stopwatch watch;
  const auto columns = [&](const std::vector<kernels::StageTangent>& tangents, const Instant& at) {
    if (!request.with_columns) return;
    share.motion += watch.lap();
    launch(KernelId::linearise, at, no_stage());
    for (const kernels::StageTangent& stage : tangents) launch(KernelId::solve_columns, at, stage);
  };
  const auto finish = [&](const Instant& at) {
    launch(KernelId::accumulate_objectives, at, no_stage());
    (request.with_columns ? share.sensitivity : share.motion) += watch.lap();
  };

  const double h = request.step;
  const Instant start{0.0, 0.5 * h, request.steps == 0};
  launch(KernelId::prepare_numbers, start, no_stage());
  for (const KernelId kernel : formulation.start) launch(kernel, start, no_stage());
  if (request.with_columns) launch(KernelId::start_partials, start, no_stage());
  columns(formulation.start_tangents, start);
  finish(start);
  bool going = observe(std::size_t{0}, start);
  watch.lap();

  for (std::size_t k = 1; k <= request.steps && going; ++k) {
    const bool last = k == request.steps;
    const Instant at{static_cast<double>(k) * h, last ? 0.5 * h : h, last};
    for (const KernelId kernel : formulation.step) launch(kernel, at, no_stage());
    columns(formulation.step_tangents, at);
    finish(at);
    going = observe(k, at);
  }
  launch(KernelId::poison_failures, start, no_stage());
  return share;
}

}  // namespace gradus
