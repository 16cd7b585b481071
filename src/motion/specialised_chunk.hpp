// Chunks of the host whose steps go by programs made for their mechanism, where these know the way.
#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "src/motion/host_chunk.hpp"
#include "src/motion/specialised_steps.hpp"

namespace gradus {

// Steps of a chunk, said once by what they launch: they are taken by programs, or launched.
class ToldSteps {
 public:
  ToldSteps(HostChunk<double>& chunk, SpecialisedSteps& steps, int part)
      : chunk_(chunk), steps_(steps), part_(part) {}
  ToldSteps(const ToldSteps&) = delete;
  ToldSteps& operator=(const ToldSteps&) = delete;
  ~ToldSteps() { steps_.count(programmed_, missed_); }

  bool are_told() const { return !told_.empty(); }
  void forget() { told_.clear(); }
  void tell(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    told_.push_back({kernel, chunk_.arguments_of(kernel, at, stage)});
  }

  // That which ends at `time` [s]. A design that has failed stands still, of which programs know
  // nothing.
  void take(double time) {
    if (chunk_.has_failure()) return launch(time);
    if (steps_.are_ready(part_)) {
      chunk_.look_for_cancellation();
      if (steps_.take(part_, chunk_.at(0), time)) {
        ++programmed_;
        return;
      }
      ++missed_;
    }
    if (!steps_.want_samples(part_)) return launch(time);
    const double* const memory = chunk_.at(0);
    StepSample sample{part_, time, {memory, memory + chunk_.memory_size()}, {}, {}};
    Stopwatch watch;
    launch(time);
    sample.general_s = watch.lap();
    if (chunk_.has_failure()) return;
    sample.launches = told_;
    steps_.show(std::move(sample));
  }
  void launch(double time) {
    for (StepLaunch& launch : told_) {
      launch.arguments.time = time;
      chunk_.launch(launch);
    }
  }

 private:
  HostChunk<double>& chunk_;
  SpecialisedSteps& steps_;
  int part_;
  std::vector<StepLaunch> told_;
  std::size_t programmed_ = 0, missed_ = 0;
};

// Drives run_time_loop() like the chunk itself.
class SpecialisedChunk {
 public:
  SpecialisedChunk(HostChunk<double>& chunk, const MotionRequest& request, SpecialisedSteps& steps)
      : chunk_(chunk), request_(request), steps_(chunk, steps, step_forwards) {}

  bool has_failed() const { return chunk_.has_failed(); }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (is_told_)
      steps_.tell(kernel, at, stage);
    else
      chunk_.launch(kernel, at, stage);
  }
  void count_step() { ++step_; }
  // `step()` tells of a step by its launches. Whoever records one looks at all that it leaves.
  template <std::invocable Step>
  void replay(std::size_t count, const Step& step) {
    replay(count, step, [](double) {});
  }
  // The same; begin(time) is called before each step, with its end [s].
  template <std::invocable Step, std::invocable<double> Begin>
  void replay(std::size_t count, const Step& step, const Begin& begin) {
    steps_.forget();
    is_told_ = true;
    step();
    is_told_ = false;
    for (; count > 0 && !has_failed(); --count) {
      const double time = static_cast<double>(++step_) * request_.step;
      begin(time);
      if (is_seen(request_, step_))
        steps_.launch(time);
      else
        steps_.take(time);
    }
  }

 private:
  HostChunk<double>& chunk_;
  const MotionRequest& request_;
  ToldSteps steps_;
  bool is_told_ = false;
  std::size_t step_ = 0;
};

// A chunk whose steps are taken one by one, forwards and back.
class ReversibleChunk : public HostChunk<double> {
 public:
  using HostChunk<double>::HostChunk;

  // From here on those of `steps`, if there are any.
  void use_steps(SpecialisedSteps* steps) {
    for (const int part : {step_forwards, step_back}) {
      auto& own = steps_[static_cast<std::size_t>(part)];
      own.reset();
      if (steps != nullptr) own.emplace(*this, *steps, part);
    }
  }

  // A part of a step that ends at `time` [s]. `launch_all()` launches what is done there, the same
  // at each instant; `has_program`: whether a program may do it.
  template <std::invocable Launches>
  void take(int part, double time, bool has_program, const Launches& launch_all) {
    auto& own = steps_[static_cast<std::size_t>(part)];
    if (!own || !has_program) return launch_all();
    if (!own->are_told()) {
      told_ = &*own;
      launch_all();
      told_ = nullptr;
    }
    own->take(time);
  }

  using HostChunk<double>::launch;
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (told_ != nullptr)
      told_->tell(kernel, at, stage);
    else
      HostChunk<double>::launch(kernel, at, stage);
  }

 private:
  std::optional<ToldSteps> steps_[2];
  ToldSteps* told_ = nullptr;
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
