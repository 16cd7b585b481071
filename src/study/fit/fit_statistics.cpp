// Covariance by the singular values of the sensitivity matrix, whose columns have unit length.
#include "src/study/fit/fit_statistics.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "src/study/fit/identifiability.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Relative difference of sums that are the same.
constexpr double kSameSum = 1e-9;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Half width of a confidence interval in standard errors.
double quantile(const Fit& fit, double freedom) {
  const double beyond = 0.5 * (1.0 - fit.confidence);  // its complement would be rounded to 1
  if (fit.deviations_known)
    return boost::math::quantile(boost::math::complement(boost::math::normal(), beyond));
  if (freedom < 1.0) return kNaN;
  return boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), beyond));
}

// Covariance of the free variables but for its factor: (J^T J)^-1, from the singular vectors that
// are not lost in round-off; NaN for variables that the others have a part of.
MatrixXd unscaled_covariance(const Identifiability& found) {
  const auto n = static_cast<Index>(found.free.size());
  MatrixXd covariance = MatrixXd::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    if (found.is_lost(k)) continue;
    const VectorXd v = found.directions.col(k) / found.singular_values[k];
    covariance += v * v.transpose();
  }
  for (Index i = 0; i < n; ++i) {
    const double length = found.lengths[i];
    covariance.row(i) *= length > 0.0 ? 1.0 / length : kNaN;
    covariance.col(i) *= length > 0.0 ? 1.0 / length : kNaN;
  }
  for (Index i = 0; i < n; ++i)
    if (!found.is_identified(i)) {
      covariance.row(i).setConstant(kNaN);
      covariance.col(i).setConstant(kNaN);
    }
  return covariance;
}

void add_matrices(const Identifiability& found, double variance, FitResult& result) {
  const std::size_t n = result.parameters.size();
  result.covariance.assign(n * n, kNaN);
  result.correlation.assign(n * n, kNaN);
  const MatrixXd covariance = variance * unscaled_covariance(found);
  const MatrixXd unscaled = unscaled_covariance(found);
  for (std::size_t a = 0; a < found.free.size(); ++a)
    for (std::size_t b = 0; b < found.free.size(); ++b) {
      const auto i = static_cast<Index>(a), j = static_cast<Index>(b);
      const std::size_t at = found.free[a] * n + found.free[b];
      result.covariance[at] = covariance(i, j);
      result.correlation[at] = a == b ? 1.0 + 0.0 * unscaled(i, i)
                                      : unscaled(i, j) / std::sqrt(unscaled(i, i) * unscaled(j, j));
    }
}

}  // namespace

std::size_t best_fit_start(const std::vector<FitStart>& starts, double round_off) {
  double least = std::numeric_limits<double>::infinity();
  for (const FitStart& start : starts) least = std::fmin(least, start.sum_of_squares);
  const double as_small = std::max(round_off, least * (1.0 + kSameSum));
  std::size_t best = starts.size();
  for (std::size_t k = 0; k < starts.size(); ++k)
    if (starts[k].sum_of_squares <= as_small &&
        (best == starts.size() || (starts[k].converged && !starts[best].converged)))
      best = k;
  return best == starts.size() ? 0 : best;
}

void add_statistics(const FittedPoint& fitted, FitResult& result) {
  const std::size_t n = fitted.point.size();
  const Identifiability found(fitted);
  const double measurements = static_cast<double>(fitted.jacobian.size() / n);
  const double freedom = measurements - static_cast<double>(found.free.size());
  result.residual_deviation = freedom > 0.0 ? std::sqrt(fitted.sum_of_squares / freedom) : kNaN;
  for (std::size_t i = 0; i < n; ++i) {
    FittedParameter parameter;
    parameter.parameter = fitted.variables[i];
    parameter.start = fitted.start[i];
    parameter.value = fitted.point[i];
    parameter.at_bound = fitted.at_bound[i];
    result.parameters.push_back(parameter);
  }
  const double variance =
      result.fit.deviations_known ? 1.0 : std::pow(result.residual_deviation, 2);
  add_matrices(found, variance, result);
  const double width = quantile(result.fit, freedom);
  for (std::size_t i = 0; i < n; ++i) {
    FittedParameter& parameter = result.parameters[i];
    parameter.standard_error = std::sqrt(result.covariance[i * n + i]);
    parameter.low = parameter.value - width * parameter.standard_error;
    parameter.high = parameter.value + width * parameter.standard_error;
  }
  for (Index k = 0; k < found.singular_values.size(); ++k)
    result.singular_values.push_back(found.singular_values[k]);
  add_warnings(found, freedom, result);
}

}  // namespace gradus
