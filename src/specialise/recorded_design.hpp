// One design whose kernels run by themselves, or on the scalar that records.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/core/arguments.hpp"
#include "src/motion/request.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/program.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

// What a time loop is asked for whose steps can be recorded.
MotionRequest steps_by_ali3p(const Plan& plan, double step, std::size_t steps,
                             Sensitivity sensitivity);

// Of steps by ali3p, with or without columns.
class RecordedDesign {
 public:
  using Arguments = kernels::KernelArguments<double, false>;

  // A kernel and what it was given.
  struct Launch {
    kernels::KernelId kernel;
    kernels::LaunchArguments arguments;
  };

  // At nominal parameters. The request lives longer.
  explicit RecordedDesign(const MotionRequest& request);
  RecordedDesign(const RecordedDesign&) = delete;
  RecordedDesign& operator=(const RecordedDesign&) = delete;

  const kernels::Layout& layout() const { return arguments_.chunk.layout; }
  const kernels::PlanView& plan() const { return arguments_.chunk.plan; }
  const kernels::StepSettings& settings() const { return arguments_.chunk.settings; }
  kernels::Status status() const { return status_; }
  std::vector<double>& memory() { return memory_; }
  const std::vector<double>& memory() const { return memory_; }

  Launch at(kernels::KernelId kernel, const Instant& instant,
            const kernels::StageTangent& stage) const;
  // By the general kernel.
  void run(const Launch& launch);
  // Adds to a program what launches, at one instant, make of a memory; false if not all are of
  // kernels of a step, or if they depend on more than the memory.
  bool record(const Launch* launches, std::size_t count, const std::vector<double>& before,
              Program& program);

 private:
  using RecordedArguments = kernels::KernelArguments<Recorded, false>;

  void find_fixed();
  std::vector<Recorded> unknown(Recording& recording, const std::vector<double>& before) const;
  RecordedArguments recorded(const Launch& launch, std::vector<Recorded>& memory, double time);

  Arguments arguments_{};
  std::vector<double> memory_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::Status recorded_status_ = kernels::Status::ok;
  double recorded_failure_time_ = 0.0;
  std::vector<std::optional<double>> fixed_;  // by place
};

}  // namespace gradus::specialise
