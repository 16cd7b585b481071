// Kernels of steps for devices, made of what motions on the host show.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "src/motion/device_steps.hpp"
#include "src/specialise/host_compiler.hpp"
#include "src/specialise/lessons.hpp"
#include "src/specialise/program_cache.hpp"

namespace gradus::specialise {

class DeviceStepMaker : public DeviceSteps {
 public:
  DeviceStepMaker(const StepSetup& setup, const std::string& target);
  // What is news is left to the next start of the program to compile.
  ~DeviceStepMaker() override;

  bool want_samples(int part) const override;
  void show(StepSample sample) override;
  void begin_motion() override;
  void show_missed(double time, std::vector<double> before) override;
  bool is_wrong() const override;
  bool has_news() const override;
  StepCounts counts() const override;
  StepCode code(const std::string& target, int shared) override;

 private:
  void learn(StepSample& sample);
  void open_cache();
  void store() const noexcept;
  bool waits_for_compiler() const {
    return programs_ && compiled_.empty() && is_of_use_ && counts_.obstacle.empty();
  }

  mutable std::mutex mutex_;  // of all that follows: runs may share it

  StepSetup setup_;
  std::vector<StepLaunch> launches_;  // of a step
  std::string compiler_;
  std::unique_ptr<Lessons> lessons_;
  std::unique_ptr<StepPrograms> programs_;
  std::unique_ptr<ProgramCache> cache_;
  std::string compiled_;  // of what is known; empty: not yet
  std::unique_ptr<CompiledText> text_;
  std::vector<std::unique_ptr<CompiledText>> former_;  // somebody may have a function of them
  std::size_t shown_ = 0, known_in_a_row_ = 0;         // of a motion
  mutable std::size_t offered_ = 0;
  bool is_wrong_ = false;
  bool is_of_use_ = false;  // some step went by what was learnt before
  StepCounts counts_;
};

}  // namespace gradus::specialise
