// The sequential time loop, the same for every backend: which kernels run, in which order, at which
// time.
#pragma once

#include <algorithm>
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
  bool is_before_sample = false;

  int kind() const {
    return is_before_sample ? kernels::kBeforeSample : last ? kernels::kLast : kernels::kWithin;
  }
};

// Seconds spent on the motion and on its columns.
struct TimeShare {
  double motion = 0.0;
  double sensitivity = 0.0;

  // And `more`, of which each had the same share.
  void add(const TimeShare& own, double more) {
    const double all = own.motion + own.sensitivity;
    const double times = all > 0.0 ? 1.0 + more / all : 1.0;
    motion += times * own.motion;
    sensitivity += times * own.sensitivity;
  }
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

// The columns of accelerations where a motion begins.
template <class Chunk>
void settle_columns(const MotionRequest& request, const Formulation& formulation, Chunk& chunk,
                    const Instant& at) {
  using kernels::KernelId;
  if (!request.with_columns()) return;
  chunk.launch(KernelId::linearise, at, no_stage());
  for (const kernels::StageTangent& stage : formulation.settle_tangents)
    chunk.launch(KernelId::solve_columns, at, stage);
}

// Everything up to the state at time 0 and its columns.
template <class Chunk>
void run_start(const MotionRequest& request, const Formulation& formulation, Chunk& chunk) {
  using kernels::KernelId;
  const Instant start{0.0, 0.0, false};
  chunk.launch(KernelId::prepare_numbers, start, no_stage());
  for (const KernelId kernel : formulation.start) chunk.launch(kernel, start, no_stage());
  if (request.with_columns()) {
    if (!formulation.rest_tangents.empty()) {
      chunk.launch(KernelId::linearise_rest, start, no_stage());
      for (const kernels::StageTangent& stage : formulation.rest_tangents)
        chunk.launch(KernelId::solve_columns, start, stage);
      chunk.launch(KernelId::start_velocity, start, no_stage());  // which rest has set aside
    }
    chunk.launch(KernelId::start_partials, start, no_stage());
    for (const kernels::StageTangent& stage : formulation.start_tangents)
      chunk.launch(KernelId::solve_columns, start, stage);
  }
  for (const KernelId kernel : formulation.settle) chunk.launch(kernel, start, no_stage());
  settle_columns(request, formulation, chunk, start);
}

// An instant at which states are sampled, of designs that advance by the same steps.
template <class Chunk>
void run_sample(const MotionRequest& request, const Formulation& formulation, Chunk& chunk,
                const Instant& at) {
  chunk.launch(kernels::KernelId::sample, at, no_stage());
  settle_columns(request, formulation, chunk, at);
}

// A chunk may take steps that do the same again and again without being told each time what they
// do: replay(count, step), where step() says it once; count_step() tells of another one.
template <class Chunk>
concept Replays = requires(Chunk& chunk, void (*step)()) {
  chunk.replay(std::size_t{1}, step);
};

// A chunk may go on before what it launched is done: synchronise() returns when it is.
template <class Chunk>
concept Waits = requires(Chunk& chunk) {
  chunk.synchronise();
};

// Shows nothing of a chunk but launches: each step is told.
template <class Chunk>
struct StepByStep {
  Chunk& chunk;
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    chunk.launch(kernel, at, stage);
  }
};

// From step k on, the first but the last of all that is recorded or reported, or before one that
// ends with a sample.
inline std::size_t next_seen_step(const MotionRequest& request, std::size_t k) {
  constexpr std::size_t kStride = 64;
  while (k + 1 < request.steps && !is_recorded(request, k) && k % kStride != 0 &&
         !request.samples_at(k + 1))
    ++k;
  return k;
}

// All designs advance by the same steps. A device is waited for at the start and the end only: the
// steps that it replays count by what motion and columns have of the last one.
template <class Chunk, class Observe>
TimeShare run_step_loop(const MotionRequest& request, const Formulation& formulation, Chunk& chunk,
                        const Observe& observe) {
  using kernels::KernelId;
  TimeShare share;
  Stopwatch watch;
  const auto lap = [&] {
    if constexpr (Waits<Chunk>) chunk.synchronise();
    return watch.lap();
  };
  const auto finish = [&](const Instant& at) {
    chunk.launch(KernelId::accumulate_objectives, at, no_stage());
  };
  const auto finished = [&](TimeShare& of) {
    (request.with_columns() ? of.sensitivity : of.motion) += lap();
  };

  const double h = request.step;
  const Instant start{0.0, 0.5 * h, request.steps == 0};
  run_start(request, formulation, chunk);
  if (request.samples_at(0)) run_sample(request, formulation, chunk, start);
  finish(start);
  finished(share);
  bool going = observe(std::size_t{0}, start);
  watch.lap();

  const auto take_step = [&](const Instant& at, const auto& before_columns) {
    for (const KernelId kernel : formulation.step) chunk.launch(kernel, at, no_stage());
    if (request.with_columns() && !formulation.step_tangents.empty()) {
      before_columns();
      chunk.launch(KernelId::linearise, at, no_stage());
      for (const kernels::StageTangent& stage : formulation.step_tangents)
        chunk.launch(KernelId::solve_columns, at, stage);
    }
  };
  // The integrals see what was before a sample and what is behind it, all else the latter.
  const auto finish_step = [&](std::size_t k, const Instant& at) {
    if (!request.samples_at(k)) return finish(at);
    finish({at.time, 0.5 * h, false, true});
    run_sample(request, formulation, chunk, at);
    finish({at.time, at.last ? 0.0 : 0.5 * h, at.last});
  };
  for (std::size_t k = 1; k <= request.steps && going; ++k) {
    const bool last = k == request.steps;
    if constexpr (Replays<Chunk>) {
      if (!last && !request.samples_at(k)) {
        const std::size_t end = next_seen_step(request, k);
        const Instant replayed{0.0, h, false};
        chunk.replay(end - k + 1, [&] {
          take_step(replayed, [] {});
          finish(replayed);
        });
        k = end;
        going = observe(k, Instant{static_cast<double>(k) * h, h, false});
        continue;
      }
    }
    const Instant at{static_cast<double>(k) * h, last ? 0.5 * h : h, last};
    if constexpr (Replays<Chunk>) {
      if (!last) {
        chunk.count_step();
        take_step(at, [] {});
        finish_step(k, at);
        going = observe(k, at);
        continue;
      }
    }
    const double replayed = Replays<Chunk> ? lap() : 0.0;
    TimeShare own;
    take_step(at, [&] { own.motion += lap(); });
    finish_step(k, at);
    finished(own);
    share.add(own, replayed);
    going = observe(k, at);
  }
  return share;
}

inline constexpr std::size_t kReports = 64;  // times at which a run without records reports

// Each design advances by steps of its own from one time of observation to the next.
template <class Chunk, class Observe>
TimeShare run_clock_loop(const MotionRequest& request, const Formulation& formulation, Chunk& chunk,
                         const Observe& observe) {
  using kernels::KernelId;
  Stopwatch watch;
  run_start(request, formulation, chunk);
  const Instant start{0.0, 0.0, false};
  chunk.launch(KernelId::begin_integration, start, no_stage());
  bool going = observe(std::size_t{0}, start);
  const std::size_t stride =
      request.record ? request.record_every : std::max<std::size_t>(request.steps / kReports, 1);
  for (std::size_t k = 0; k < request.steps && going;) {
    k = std::min(k + stride, request.steps);
    const bool last = k == request.steps;
    const Instant at{static_cast<double>(k) * request.step, 0.0, last};
    chunk.launch(KernelId::advance, at, no_stage());
    if (is_recorded(request, k)) chunk.launch(KernelId::interpolate, at, no_stage());
    if (last) chunk.launch(KernelId::accumulate_objectives, at, no_stage());
    going = observe(k, at);
  }
  if constexpr (Waits<Chunk>) chunk.synchronise();
  TimeShare share;
  (request.with_columns() ? share.sensitivity : share.motion) = watch.lap();
  return share;
}

// chunk.launch(kernel, instant, stage) runs one kernel; observe(step, instant) is called
// after the start and at every step, or at those that are recorded or reported, and returns false
// to give up (all designs have failed).
template <class Chunk, class Observe>
TimeShare run_time_loop(const MotionRequest& request, const Formulation& formulation, Chunk& chunk,
                        const Observe& observe) {
  return formulation.has_clock() ? run_clock_loop(request, formulation, chunk, observe)
                                 : run_step_loop(request, formulation, chunk, observe);
}

}  // namespace gradus
