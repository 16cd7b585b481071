// The neighbours of designs, run as one batch, and what lies between them.
#include "src/sensitivity/differences.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {
namespace {

// The designs of a request become their neighbours.
MotionRequest neighbours_of(const MotionRequest& base, double step, std::vector<double>& widths) {
  const std::size_t parameters = base.plan->nominal.size();
  MotionRequest request = base;
  request.record = false;
  request.n_design = base.n_design * parameters * 2;
  request.parameters.clear();
  for (std::size_t d = 0; d < base.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const auto first = base.parameters.begin() + static_cast<std::ptrdiff_t>(d * parameters);
      std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(parameters));
      const double centre = values[p];
      const double h = step * std::max(std::abs(centre), 1.0);
      for (const double end : {centre + h, centre - h}) {
        values[p] = end;
        request.parameters.insert(request.parameters.end(), values.begin(), values.end());
      }
      widths.push_back((centre + h) - (centre - h));
    }
  return request;
}

}  // namespace

Differences central_differences(const DesignRun& run, const MotionRequest& request, double step) {
  Differences differences;
  const std::size_t parameters = request.plan->nominal.size();
  const std::size_t objectives = request.plan->objectives.size();
  if (parameters == 0) return differences;
  differences.neighbours = run.run(neighbours_of(request, step, differences.widths));
  differences.slopes.resize(request.n_design * objectives * parameters);
  for (std::size_t d = 0; d < request.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const std::size_t pair = d * parameters + p;
      const double* up = differences.neighbours.objectives.data() + 2 * pair * objectives;
      const double* down = up + objectives;
      for (std::size_t o = 0; o < objectives; ++o)
        differences.slopes[(d * objectives + o) * parameters + p] =
            (up[o] - down[o]) / differences.widths[pair];
    }
  return differences;
}

MotionOutcome difference_gradient(const DesignRun& run, double step) {
  const MotionRequest& base = run.request();
  MotionOutcome outcome = run.run(base);
  Differences differences = central_differences(run, base, step);
  outcome.gradient = std::move(differences.slopes);
  const MotionOutcome& neighbours = differences.neighbours;
  // There is no difference where a neighbour has failed.
  const std::size_t per_design = neighbours.status.size() / base.n_design;
  for (std::size_t n = 0; n < neighbours.status.size(); ++n) {
    const std::size_t d = n / per_design;
    if (outcome.status[d] != kernels::Status::ok) continue;
    outcome.status[d] = neighbours.status[n];
    outcome.failure_time[d] = neighbours.failure_time[n];
    outcome.violated[d] = neighbours.violated[n];
  }
  outcome.sensitivity_s = neighbours.motion_s;
  return outcome;
}

}  // namespace gradus
