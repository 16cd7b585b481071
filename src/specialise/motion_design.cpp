// Designs at the start of a motion.
#include "src/specialise/motion_design.hpp"

#include <algorithm>
#include <vector>

#include "kernels/core/cut.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/plan/layout.hpp"

namespace gradus::specialise {
namespace {

StepSetup setup_of(const MotionRequest& request) {
  StepSetup setup;
  setup.plan = request.plan->view();
  Extras extras;
  extras.saddle = request.uses_penalty();
  setup.layout = make_layout(setup.plan, request.sensitivity, {}, extras);
  setup.settings = request.settings();
  setup.launch = host_kernels();
  return setup;
}

std::vector<double> nominal_memory(const StepSetup& setup, const Plan& plan) {
  std::vector<double> memory(
      static_cast<std::size_t>(setup.layout.size + kernels::kMostKeptNumbers), 0.0);
  std::copy(plan.nominal.begin(), plan.nominal.end(), memory.begin() + setup.layout.parameter);
  return memory;
}

}  // namespace

MotionRequest steps_by_ali3p(const Plan& plan, double step, std::size_t steps,
                             Sensitivity sensitivity) {
  MotionRequest request;
  request.plan = &plan;
  request.formulation = &formulation_traits("ali3p");
  request.step = step;
  request.steps = steps;
  request.sensitivity = sensitivity;
  return request;
}

MotionDesign::MotionDesign(const MotionRequest& request)
    : MotionDesign(setup_of(request), request) {}

MotionDesign::MotionDesign(const StepSetup& setup, const MotionRequest& request)
    : RecordedDesign(setup, nominal_memory(setup, *request.plan).data()) {}

MotionDesign::Launch MotionDesign::at(kernels::KernelId kernel, const Instant& instant,
                                      const kernels::StageTangent& stage) const {
  Launch launch{kernel, {}};
  launch.arguments.time = instant.time;
  launch.arguments.weight = instant.weight;
  launch.arguments.last = instant.kind();
  launch.arguments.stage = stage;
  return launch;
}

}  // namespace gradus::specialise
