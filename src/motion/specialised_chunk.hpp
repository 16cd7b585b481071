// A chunk of the host whose steps go by programs made for its mechanism, where these know the way.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "src/motion/host_chunk.hpp"
#include "src/motion/specialised_steps.hpp"

namespace gradus {

// Drives run_time_loop() like the chunk itself.
class SpecialisedChunk {
 public:
  SpecialisedChunk(HostChunk<double>& chunk, const MotionRequest& request, SpecialisedSteps& steps)
      : chunk_(chunk), request_(request), steps_(steps) {}
  SpecialisedChunk(const SpecialisedChunk&) = delete;
  SpecialisedChunk& operator=(const SpecialisedChunk&) = delete;
  ~SpecialisedChunk() { steps_.count(programmed_, missed_); }

  bool has_failed() const { return chunk_.has_failed(); }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (is_told_)
      told_.push_back({kernel, chunk_.arguments_of(kernel, at, stage)});
    else
      chunk_.launch(kernel, at, stage);
  }
  void count_step() { ++step_; }
  // `step()` tells of a step by its launches.
  template <std::invocable Step>
  void replay(std::size_t count, const Step& step) {
    told_.clear();
    is_told_ = true;
    step();
    is_told_ = false;
    for (; count > 0 && !has_failed(); --count) take_step();
  }

 private:
  void take_step() {
    const double time = static_cast<double>(++step_) * request_.step;
    // Whoever records a step looks at all that it leaves. A design that has failed stands still,
    // of which programs know nothing.
    if (is_seen(request_, step_) || chunk_.has_failure()) return run_general(time);
    if (steps_.are_ready(part)) {
      chunk_.look_for_cancellation();
      if (steps_.take(part, chunk_.at(0), time)) {
        ++programmed_;
        return;
      }
      ++missed_;
    }
    if (!steps_.want_samples(part)) return run_general(time);
    const double* const memory = chunk_.at(0);
    StepSample sample{part, time, {memory, memory + chunk_.memory_size()}, {}, {}};
    Stopwatch watch;
    run_general(time);
    sample.general_s = watch.lap();
    if (chunk_.has_failure()) return;
    sample.launches = told_;
    steps_.show(std::move(sample));
  }

  void run_general(double time) {
    for (StepLaunch& launch : told_) {
      launch.arguments.time = time;
      chunk_.launch(launch);
    }
  }

  static constexpr int part = 0;

  HostChunk<double>& chunk_;
  const MotionRequest& request_;
  SpecialisedSteps& steps_;
  std::vector<StepLaunch> told_;
  bool is_told_ = false;
  std::size_t step_ = 0, programmed_ = 0, missed_ = 0;
};

// The evaluations of one, by programs where these know the way, as long as it lives.
class SpecialisedEvaluations : public kernels::EvaluationPrograms {
 public:
  SpecialisedEvaluations(HostChunk<double>& chunk, SpecialisedSteps& steps)
      : chunk_(chunk), steps_(steps) {
    chunk_.use_programs(this);
  }
  SpecialisedEvaluations(const SpecialisedEvaluations&) = delete;
  SpecialisedEvaluations& operator=(const SpecialisedEvaluations&) = delete;
  ~SpecialisedEvaluations() override {
    chunk_.use_programs(nullptr);
    steps_.count(programmed_, missed_);
  }

  kernels::Taken take(kernels::EvaluationPart asked, double time, void* memory) override {
    using kernels::Taken;
    const int part = static_cast<int>(asked);
    auto* const numbers = static_cast<double*>(memory);
    if (steps_.are_ready(part)) {
      if (steps_.take(part, numbers, time)) {
        ++programmed_;
        return Taken::whole;
      }
      ++missed_;
    } else if (steps_.gives_up(part)) {
      return Taken::by_parts;
    }
    is_wanted_ = steps_.want_samples(part);
    if (!is_wanted_) return Taken::general;
    sample_ = {part, time, {numbers, numbers + chunk_.memory_size()}, {}, {}};
    watch_.lap();
    return Taken::shown;
  }
  void show(const void* memory) override {
    if (!is_wanted_) return;
    is_wanted_ = false;
    sample_.general_s = watch_.lap();
    const auto* const numbers = static_cast<const double*>(memory);
    sample_.after.assign(numbers, numbers + chunk_.memory_size());
    steps_.show(std::move(sample_));
  }

 private:
  HostChunk<double>& chunk_;
  SpecialisedSteps& steps_;
  StepSample sample_;
  Stopwatch watch_;
  bool is_wanted_ = false;
  std::size_t programmed_ = 0, missed_ = 0;
};

}  // namespace gradus
