// Making room for an outcome.
#include "src/motion/outcome.hpp"

namespace gradus {

kernels::StepSettings MotionRequest::settings() const {
  kernels::StepSettings s{};
  s.step = step;
  s.beta = 0.25;  // trapezoidal rule
  s.gamma = 0.5;
  s.tolerance = tolerance;
  s.iteration_limit = 50;
  s.with_columns = with_columns ? 1 : 0;
  return s;
}

MotionOutcome make_outcome(const MotionRequest& request) {
  const Plan& plan = *request.plan;
  const std::size_t designs = request.n_design;
  const std::size_t objectives = plan.objectives.size();
  MotionOutcome outcome;
  outcome.status.assign(designs, kernels::Status::ok);
  outcome.failure_time.assign(designs, 0.0);
  outcome.objectives.assign(designs * objectives, 0.0);
  if (request.with_columns)
    outcome.gradient.assign(designs * objectives * plan.nominal.size(), 0.0);
  outcome.signals.assign(designs * static_cast<std::size_t>(plan.signal_count), 0.0);
  outcome.violation.assign(designs * 3, 0.0);
  outcome.iterations.assign(designs, 0.0);
  if (request.record) {
    outcome.trajectories.resize(designs);
    for (std::size_t d = 0; d < designs; ++d) outcome.trajectories[d].design = d;
  }
  return outcome;
}

bool is_recorded(const MotionRequest& request, std::size_t k) {
  return request.record && (k % request.record_every == 0 || k == request.steps);
}

}  // namespace gradus
