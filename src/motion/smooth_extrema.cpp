// Smooth extrema, from integrals.
#include "src/motion/smooth_extrema.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// In products with the Jacobian the extremum is multiplied by a parameter, its weight.
void make_extremum(const MotionRequest& request, std::size_t design, std::size_t o, double& value,
                   std::span<double> gradient) {
  const kernels::ObjectiveEntry& objective = request.plan->objectives[o];
  const double integral = value;
  value = objective.smooth * std::log(integral / request.settings().duration);
  const std::size_t parameters = request.plan->nominal.size();
  const auto weight = static_cast<std::size_t>(std::max(objective.weight, 0));
  double factor = objective.smooth / integral;
  if (objective.weight >= 0) factor *= request.parameters[design * parameters + weight];
  for (double& derivative : gradient) derivative *= factor;
  if (objective.weight >= 0 && gradient.size() == parameters) gradient[weight] = value;
}

}  // namespace

void make_smooth_extrema(const MotionRequest& request, MotionOutcome& outcome) {
  const auto& objectives = request.plan->objectives;
  const std::size_t count = objectives.size();
  if (std::all_of(objectives.begin(), objectives.end(),
                  [](const kernels::ObjectiveEntry& entry) { return entry.smooth == 0.0; }))
    return;
  const std::size_t columns = outcome.gradient.size() / (request.n_design * count);
  for (std::size_t design = 0; design < request.n_design; ++design) {
    if (outcome.status[design] != kernels::Status::ok) continue;
    for (std::size_t o = 0; o < count; ++o) {
      if (objectives[o].smooth == 0.0) continue;
      double& value = outcome.objectives[design * count + o];
      make_extremum(request, design, o, value,
                    std::span(outcome.gradient).subspan((design * count + o) * columns, columns));
      if (std::isfinite(value) || outcome.status[design] != kernels::Status::ok) continue;
      outcome.status[design] = kernels::Status::objective_not_finite;
      outcome.failure_time[design] = request.settings().duration;
      outcome.blamed[design] = -1.0 - static_cast<double>(o);
    }
    judge_design(request, design, outcome);
  }
}

}  // namespace gradus
