// A design, or a pack in lanes, that advances by programs made for its mechanism: steps by general
// kernels teach them, the compiler of the host translates them, and where they do not know the way,
// the step is done by general kernels.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "src/specialise/step_programs.hpp"

namespace gradus::specialise {

// Whether there are programs for the steps of a motion: ali3p takes them, and no objective looks
// for an instant of its own, which depends on more than a step sees.
bool has_step_programs(const MotionRequest& request);

// Drives run_time_loop() as chunks do.
class SpecialisedChunk {
 public:
  // `lessons`: steps that are recorded before the compiler is first called, none: never. Throws
  // Error if there are no programs for these steps.
  SpecialisedChunk(const MotionRequest& request, std::size_t lessons, int lanes = 1);

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    const RecordedDesign::Launch launch = design_.at(kernel, at, stage);
    if (is_told_)
      step_launches_.push_back(launch);
    else
      design_.run(launch);
  }
  // `step()` tells of a step by its launches. The last of them goes by general kernels, so that
  // whoever looks at the memory behind it finds all of it.
  template <std::invocable Step>
  void replay(std::size_t count, const Step& step) {
    step_launches_.clear();
    is_told_ = true;
    step();
    is_told_ = false;
    for (; count > 0 && design_.status() == kernels::Status::ok; --count) take_step(count == 1);
  }
  void count_step() { ++steps_; }

  RecordedDesign& design() { return design_; }
  const StepPrograms& programs() const { return programs_; }
  std::size_t programmed_steps() const { return programmed_; }
  std::size_t missed_steps() const { return missed_; }
  double compile_time() const { return compile_time_; }    // s
  double learning_time() const { return learning_time_; }  // s, of recordings

 private:
  void take_step(bool is_last);
  void set_time();
  bool is_ordinary() const;
  void run_general();
  void learn();
  void compile();

  double step_;  // s
  std::size_t lessons_;
  RecordedDesign design_;
  StepPrograms programs_;
  std::vector<RecordedDesign::Launch> step_launches_;
  bool is_told_ = false, is_given_up_ = false;
  std::size_t steps_ = 0, programmed_ = 0, missed_ = 0;
  std::size_t patience_ = 0, compiled_ = 0;
  double compile_time_ = 0.0, learning_time_ = 0.0;
  std::vector<double> before_;
};

}  // namespace gradus::specialise
