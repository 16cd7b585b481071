// Sums of squares by Welford's recurrence, which loses no digits to a large mean.
#include "src/study/sweep/input_spread.hpp"

#include <numeric>

#include "src/study/sampling/dependence.hpp"
#include "src/study/sampling/distribution.hpp"

namespace gradus {
namespace {

double variance_of_axis(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0.0, sum = 0.0;
  for (const double value : values) mean += value / count;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / count;
}

}  // namespace

InputSpread::InputSpread(const Sweep& sweep) {
  const std::size_t n = sweep.parameters.size();
  variances_.assign(n, 0.0);
  is_known_.assign(n, false);
  means_.assign(n, 0.0);
  if (sweep.sampling == Sampling::list) {
    joint_.resize(n);
    std::iota(joint_.begin(), joint_.end(), std::size_t{0});
  } else if (sweep.dependence) {
    joint_ = DependenceFactor(sweep, "sweep").parameters();
  }
  covariance_.assign(joint_.size() * joint_.size(), 0.0);
  step_.resize(joint_.size());
  if (sweep.dependence && sweep.dependence->is_covariance) {
    covariance_ = sweep.dependence->matrix;
    covariance_is_known_ = true;
  }
  for (std::size_t k = 0; k < n && sweep.sampling != Sampling::list; ++k) {
    const std::optional<double> variance = sweep.sampling == Sampling::grid
                                               ? variance_of_axis(sweep.parameters[k].values)
                                               : variance_of(sweep.parameters[k].distribution);
    is_known_[k] = variance.has_value();
    variances_[k] = variance.value_or(0.0);
  }
  for (const std::size_t k : joint_) is_known_[k] = true;  // by the matrix
}

void InputSpread::add(std::span<const double> values) {
  count_ += 1.0;
  if (!covariance_is_known_) add_to_joint(values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_known_[k]) continue;
    const double step = values[k] - means_[k];
    means_[k] += step / count_;
    variances_[k] += step * (values[k] - means_[k]);
  }
}

void InputSpread::add_to_joint(std::span<const double> values) {
  const std::size_t n = joint_.size();
  for (std::size_t k = 0; k < n; ++k) step_[k] = values[joint_[k]] - means_[joint_[k]];
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      covariance_[row * n + column] += step_[row] * step_[column] * (count_ - 1.0) / count_;
  for (std::size_t k = 0; k < n; ++k) means_[joint_[k]] += step_[k] / count_;
}

std::vector<double> InputSpread::linear_shares(const std::vector<double>& gradient) const {
  std::vector<double> shares(gradient.size());
  for (std::size_t k = 0; k < gradient.size(); ++k)
    shares[k] = gradient[k] * gradient[k] * variances_[k] / (is_known_[k] ? 1.0 : count_);
  const std::size_t n = joint_.size();
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n; ++column)
      sum += covariance_[row * n + column] * gradient[joint_[column]];
    shares[joint_[row]] = gradient[joint_[row]] * sum / (covariance_is_known_ ? 1.0 : count_);
  }
  const double whole = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= whole;  // NaN if nothing varies
  return shares;
}

}  // namespace gradus
