// A design that advances by a program made for its mechanism: steps by general kernels teach it,
// the compiler of the host translates it, and where it does not know the way, the step is undone
// and done by general kernels.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <vector>

#include "src/specialise/carried.hpp"
#include "src/specialise/host_compiler.hpp"
#include "src/specialise/recorded_design.hpp"

namespace gradus::specialise {

// Whether there are programs for the steps of a motion: ali3p takes them, and no objective looks
// for an instant of its own, which depends on more than a step sees.
bool has_step_programs(const MotionRequest& request);

// Drives run_time_loop() as chunks do.
class SpecialisedChunk {
 public:
  // `lessons`: steps that are recorded before the compiler is called; `divide`: the kernel behind
  // which a step is divided, so that ways through both parts do not multiply. Throws Error if there
  // are no programs for these steps.
  SpecialisedChunk(const MotionRequest& request, std::size_t lessons,
                   kernels::KernelId divide = kernels::KernelId::solve_position);

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

  const RecordedDesign& design() const { return design_; }
  std::size_t programmed_steps() const { return programmed_; }
  std::size_t missed_steps() const { return missed_; }
  double compile_time() const { return compile_time_; }  // s

 private:
  using Function = int(double*, double);

  // Launches of a step whose program is a function of its own.
  struct Piece {
    std::size_t begin = 0, end = 0;  // of the launches of a step
    Program program;
    Function* function = nullptr;
  };

  void take_step(bool is_last);
  void set_time();
  bool is_ordinary() const;
  void find_pieces();
  void learn();
  void compile();
  std::vector<char> places_carried() const;
  bool run_program();

  double step_;  // s
  std::size_t lessons_;
  kernels::KernelId divide_;
  RecordedDesign design_;
  std::vector<RecordedDesign::Launch> step_launches_;
  bool is_told_ = false;
  std::size_t steps_ = 0, programmed_ = 0, missed_ = 0;
  double compile_time_ = 0.0;
  std::vector<Piece> pieces_;
  std::unique_ptr<CompiledText> text_;
  std::vector<int> written_;   // carried places that some piece writes
  std::vector<double> saved_;  // what they held before the step
  std::vector<double> before_, played_, values_;
};

}  // namespace gradus::specialise
