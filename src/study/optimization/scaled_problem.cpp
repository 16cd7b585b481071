// Scales an optimisation.
#include "src/study/optimization/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

double norm(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

double finite_size(double bound) {
  return std::isfinite(bound) ? std::abs(bound) : 0.0;
}

// What one unit of a scaled variable is: the width of its bounds, or else a size that it has.
double scale_of(const Variable& variable, double start) {
  if (std::isfinite(variable.lower) && std::isfinite(variable.upper))
    return variable.upper - variable.lower;
  if (start != 0.0) return std::abs(start);
  const double bound = std::max(finite_size(variable.lower), finite_size(variable.upper));
  return bound > 0.0 ? bound : 1.0;
}

double beyond(double value, double lower, double upper) {
  return std::max({lower - value, value - upper, 0.0});
}

}  // namespace

ScaledProblem::ScaledProblem(const Optimization& optimization, const OptimizationTerms& terms,
                             std::span<const double> start, const Answer& at_start)
    : optimization_(optimization), terms_(terms) {
  for (std::size_t k = 0; k < start.size(); ++k) {
    const Variable& variable = optimization.variables[k];
    const bool bounded = std::isfinite(variable.lower) && std::isfinite(variable.upper);
    offset_.push_back(bounded ? variable.lower : 0.0);
    scale_.push_back(scale_of(variable, start[k]));
    lower_.push_back((variable.lower - offset_[k]) / scale_[k]);
    upper_.push_back((variable.upper - offset_[k]) / scale_[k]);
    start_.push_back(std::clamp((start[k] - offset_[k]) / scale_[k], lower_[k], upper_[k]));
  }
  // Scales are 1 so far: these are the user's numbers by scaled variables.
  constraint_scale_.assign(terms.constraints.size(), 1.0);
  const ScaledEvaluation found = evaluation(at_start);
  // A gradient that is nothing beside the value says nothing about size.
  objective_scale_ = std::max(norm(found.gradient), 1e-8 * std::abs(found.objective));
  if (!(objective_scale_ > 0.0)) objective_scale_ = 1.0;
  const std::size_t n = start.size();
  for (std::size_t row = 0; row < terms.constraints.size(); ++row) {
    const double lower = terms.constraints[row].lower;
    const double upper = terms.constraints[row].upper;
    const double size = std::max(finite_size(lower), finite_size(upper));
    const double slope = norm(std::span(found.constraint_gradient).subspan(row * n, n));
    double scale = std::max(slope, 1e-8 * std::max(size, std::abs(found.constraints[row])));
    if (!(scale > 0.0)) scale = 1.0;
    constraint_scale_[row] = scale;
    constraint_lower_.push_back(lower / scale);
    constraint_upper_.push_back(upper / scale);
    constraint_tolerance_.push_back(optimization.constraint_tolerance * std::max(size, scale) /
                                    scale);
  }
}

std::vector<double> ScaledProblem::point(std::span<const double> x) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Variable& variable = optimization_.variables[k];
    const double value = offset_[k] + scale_[k] * x[k];
    // Bounds are met to the last bit.
    if (x[k] <= lower_[k] || value < variable.lower)
      values.push_back(variable.lower);
    else if (x[k] >= upper_[k] || value > variable.upper)
      values.push_back(variable.upper);
    else
      values.push_back(value);
  }
  return values;
}

ScaledEvaluation ScaledProblem::evaluation(const Answer& answer) const {
  const std::size_t n = variables();
  const std::size_t gradients = terms_.objectives;  // where they begin
  ScaledEvaluation result;
  result.objective = objective_of(terms_, answer) / objective_scale_;
  result.gradient.assign(n, 0.0);
  for (const OptimizationTerms::Term& term : terms_.minimised)
    for (std::size_t k = 0; k < n; ++k)
      result.gradient[k] +=
          term.weight * answer[gradients + term.objective * n + k] * scale_[k] / objective_scale_;
  for (std::size_t row = 0; row < constraints(); ++row) {
    const std::size_t objective = terms_.constraints[row].objective;
    result.constraints.push_back(answer[objective] / constraint_scale_[row]);
    for (std::size_t k = 0; k < n; ++k)
      result.constraint_gradient.push_back(answer[gradients + objective * n + k] * scale_[k] /
                                           constraint_scale_[row]);
  }
  return result;
}

double ScaledProblem::violation(const ScaledEvaluation& evaluation) const {
  double largest = 0.0;
  for (std::size_t row = 0; row < constraints(); ++row)
    largest = std::max(largest, beyond(evaluation.constraints[row], constraint_lower_[row],
                                       constraint_upper_[row]) /
                                    constraint_tolerance_[row]);
  return largest;
}

double objective_of(const OptimizationTerms& terms, const Answer& answer) {
  double sum = 0.0;
  for (const OptimizationTerms::Term& term : terms.minimised)
    sum += term.weight * answer[term.objective];
  return sum;
}

double violation_of(const OptimizationTerms& terms, const Answer& answer) {
  double largest = 0.0;
  for (const OptimizationTerms::Row& row : terms.constraints)
    largest = std::max(largest, beyond(answer[row.objective], row.lower, row.upper));
  return largest;
}

}  // namespace gradus
