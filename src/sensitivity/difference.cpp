// Central differences: every design becomes a batch of its neighbours.
#include <algorithm>
#include <cmath>

#include "src/sensitivity/gradient.hpp"

namespace gradus {

MotionOutcome difference_gradient(const DesignRun& session, double step) {
  const MotionRequest& base = session.request();
  MotionOutcome outcome = session.run(base);
  const std::size_t parameters = session.plan().nominal.size();
  const std::size_t objectives = session.plan().objectives.size();
  outcome.gradient.assign(base.n_design * objectives * parameters, 0.0);
  if (parameters == 0) return outcome;

  MotionRequest request = base;
  request.record = false;
  request.n_design = base.n_design * parameters * 2;
  request.parameters.clear();
  std::vector<double> widths;
  for (std::size_t d = 0; d < base.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const auto first = base.parameters.begin() + static_cast<std::ptrdiff_t>(d * parameters);
      std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(parameters));
      const double centre = values[p];
      const double h = step * std::max(std::abs(centre), 1.0);
      const double up = centre + h;
      const double down = centre - h;
      widths.push_back(up - down);
      values[p] = up;
      request.parameters.insert(request.parameters.end(), values.begin(), values.end());
      values[p] = down;
      request.parameters.insert(request.parameters.end(), values.begin(), values.end());
    }
  const MotionOutcome neighbours = session.run(std::move(request));
  for (std::size_t d = 0; d < base.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const std::size_t pair = d * parameters + p;
      const double* up = neighbours.objectives.data() + 2 * pair * objectives;
      const double* down = up + objectives;
      for (std::size_t o = 0; o < objectives; ++o)
        outcome.gradient[(d * objectives + o) * parameters + p] = (up[o] - down[o]) / widths[pair];
    }
  outcome.sensitivity_s = neighbours.motion_s;
  return outcome;
}

}  // namespace gradus
