// One scaled problem for all optimisers: variables, objective and constraints of size one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/optimize.hpp"
#include "src/study/optimization/optimization_terms.hpp"
#include "src/study/together.hpp"

namespace gradus {

// What was found at a point, in scaled numbers.
struct ScaledEvaluation {
  double objective = 0.0;
  std::vector<double> gradient;             // [n]
  std::vector<double> constraints;          // [m]
  std::vector<double> constraint_gradient;  // [m, n]
};

// The answer to a request for an optimisation: the values of all objectives, then their gradients
// by the variables, row by row.
class ScaledProblem {
 public:
  // Scaled at a start by the gradients found there; the answer is not empty. Both must outlive it.
  ScaledProblem(const Optimization& optimization, const OptimizationTerms& terms,
                std::span<const double> start, const Answer& at_start);

  std::size_t variables() const { return scale_.size(); }
  std::size_t constraints() const { return constraint_scale_.size(); }

  // All scaled.
  const std::vector<double>& start() const { return start_; }
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  const std::vector<double>& constraint_lower() const { return constraint_lower_; }
  const std::vector<double>& constraint_upper() const { return constraint_upper_; }
  const std::vector<double>& constraint_tolerance() const { return constraint_tolerance_; }
  bool is_equation(std::size_t row) const {
    return constraint_lower_[row] == constraint_upper_[row];
  }
  double tolerance() const { return optimization_.tolerance; }
  double objective_scale() const { return objective_scale_; }  // scaled = user's / scale
  double constraint_scale(std::size_t row) const { return constraint_scale_[row]; }
  double variable_scale(std::size_t k) const { return scale_[k]; }

  // The point that scaled variables mean, never outside the bounds.
  std::vector<double> point(std::span<const double> x) const;
  ScaledEvaluation evaluation(const Answer& answer) const;

  // The largest violation in units of its tolerance: up to 1 is feasible.
  double violation(const ScaledEvaluation& evaluation) const;

 private:
  const Optimization& optimization_;
  const OptimizationTerms& terms_;
  std::vector<double> offset_, scale_;  // variable = offset + scale * x
  std::vector<double> start_, lower_, upper_;
  double objective_scale_ = 1.0;
  std::vector<double> constraint_scale_, constraint_lower_, constraint_upper_;
  std::vector<double> constraint_tolerance_;
};

// Of answers, in the user's units.
double objective_of(const OptimizationTerms& terms, const Answer& answer);  // as minimised
double violation_of(const OptimizationTerms& terms, const Answer& answer);  // the largest

}  // namespace gradus
