// A chunk of the host whose steps go by programs made for its mechanism, where these know the way.
#pragma once

#include <concepts>
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
    if (is_recorded(request_, step_) || has_value_at(time) || chunk_.has_failure())
      return run_general(time);
    if (steps_.are_ready()) {
      chunk_.look_for_cancellation();
      if (steps_.take(chunk_.at(0), time)) {
        ++programmed_;
        return;
      }
      ++missed_;
    }
    if (!steps_.want_samples()) return run_general(time);
    const double* const memory = chunk_.at(0);
    before_.assign(memory, memory + chunk_.memory_size());
    run_general(time);
    if (!chunk_.has_failure()) steps_.show(before_.data(), told_);
  }

  void run_general(double time) {
    for (StepLaunch& launch : told_) {
      launch.arguments.time = time;
      chunk_.launch(launch);
    }
  }

  // Kernels compare the instant of an objective as a plain number, which recordings do not see.
  bool has_value_at(double time) const {
    const std::vector<kernels::ObjectiveEntry>& all = request_.plan->objectives;
    return std::any_of(all.begin(), all.end(), [&](const auto& objective) {
      return objective.kind == kernels::ObjectiveKind::value && objective.time == time;
    });
  }

  HostChunk<double>& chunk_;
  const MotionRequest& request_;
  SpecialisedSteps& steps_;
  std::vector<StepLaunch> told_;
  bool is_told_ = false;
  std::size_t step_ = 0, programmed_ = 0, missed_ = 0;
  std::vector<double> before_;
};

}  // namespace gradus
