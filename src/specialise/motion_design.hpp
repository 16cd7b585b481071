// Designs to record at the start of a motion, for tests and benchmarks.
#pragma once

#include <cstddef>

#include "src/motion/request.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/recorded_design.hpp"

namespace gradus::specialise {

// What a time loop is asked for whose steps can be recorded.
MotionRequest steps_by_ali3p(const Plan& plan, double step, std::size_t steps,
                             Sensitivity sensitivity);

// At nominal parameters. The request lives longer.
class MotionDesign : public RecordedDesign {
 public:
  explicit MotionDesign(const MotionRequest& request);

  Launch at(kernels::KernelId kernel, const Instant& instant,
            const kernels::StageTangent& stage) const;

 private:
  explicit MotionDesign(const StepSetup& setup, const MotionRequest& request);
};

}  // namespace gradus::specialise
