// What results are truly wrong by.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gradus/gradus.hpp"

namespace gradus::test {

// By the tightest tolerances that make sense.
inline Result converged(const Model& model, Options options) {
  options.accuracy.reset();
  options.estimate_every = 0;
  options.designs = {};
  options.formulation = model.loops.empty() && model.constraints.empty() && model.joints.size() == 1
                            ? "semi-recursive"
                            : "index1";
  options.integrator = "dop853";
  options.columns_in_error = true;
  options.rtol = 1e-13;
  options.atol = 1e-15;
  options.method = "direct";
  return gradient(model, options);
}

struct Errors {
  std::vector<double> values, gradients;  // [n_objective], relative

  double largest() const {
    double most = 0.0;
    for (const double x : values) most = std::max(most, x);
    for (const double x : gradients) most = std::max(most, x);
    return most;
  }
};

// Of design 0; rows of the gradient in units of the parameters.
inline Errors errors_of(const Result& result, const Result& truth) {
  Errors errors;
  const std::size_t width = truth.parameters.size();
  for (std::size_t o = 0; o < truth.objectives.size(); ++o) {
    const double size = std::max(std::abs(truth.objective_values[o]), 1e-12);
    errors.values.push_back(std::abs(result.objective_values[o] - truth.objective_values[o]) /
                            size);
    double change = 0.0, largest = std::max(1e-12, 1e-9 * size);
    for (std::size_t p = 0; p < width; ++p) {
      const double parameter = std::abs(truth.parameter_values[p]);
      const double scale = parameter == 0.0 ? 1.0 : parameter;
      const std::size_t at = o * width + p;
      change = std::max(change, scale * std::abs(result.gradient[at] - truth.gradient[at]));
      largest = std::max(largest, scale * std::abs(truth.gradient[at]));
    }
    // Of the size of round-off of the objective: zero.
    errors.gradients.push_back(change < 1e-13 * size ? 0.0 : change / largest);
  }
  return errors;
}

}  // namespace gradus::test
