// From gradients to sums, and from sums to estimates with and without each jackknife group.
#include "src/study/sweep/sweep_statistics.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "src/study/sampling/sampler.hpp"

namespace gradus {
namespace {

constexpr std::size_t no_group = jackknife_groups;

// (P_k-1 - P_k+1) / (2 sqrt(2k + 1)) at 2s - 1.
BasisWeights legendre_weights(double s) {
  const double t = 2.0 * s - 1.0;
  BasisWeights weights;
  double before = 1.0, current = t;
  for (std::size_t degree = 1; degree <= basis_degree; ++degree) {
    const auto k = static_cast<double>(degree);
    const double next = ((2.0 * k + 1.0) * t * current - k * before) / (k + 1.0);
    weights[degree - 1] = (before - next) / (2.0 * std::sqrt(2.0 * k + 1.0));
    before = current;
    current = next;
  }
  return weights;
}

// He_k-1 / sqrt(k!), from h_k = He_k / sqrt(k!).
BasisWeights hermite_weights(double z) {
  BasisWeights weights;
  double before = 0.0, current = 1.0;
  for (std::size_t degree = 1; degree <= basis_degree; ++degree) {
    const auto k = static_cast<double>(degree);
    weights[degree - 1] = current / std::sqrt(k);
    const double next = (z * current - std::sqrt(k - 1.0) * before) / std::sqrt(k);
    before = current;
    current = next;
  }
  return weights;
}

double variance_of_axis(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0.0, sum = 0.0;
  for (const double value : values) mean += value / count;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / count;
}

}  // namespace

BasisWeights basis_weights(Distribution::Kind kind, const StandardValue& value) {
  BasisWeights weights = kind == Distribution::Kind::uniform ? legendre_weights(value.value)
                                                             : hermite_weights(value.value);
  for (double& weight : weights) weight *= value.slope;
  return weights;
}

double poincare_constant(Distribution::Kind kind) {
  return kind == Distribution::Kind::uniform ? 1.0 / (std::numbers::pi * std::numbers::pi) : 1.0;
}

// Sums of squares by Welford's recurrence, which loses no digits to a large mean.
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

DriverSums::DriverSums(const Sweep& sweep, std::size_t objectives)
    : distributions_(distributions_of(sweep)),
      subtracts_noise_(sweep.sampling == Sampling::random),
      confidence_(sweep.statistics.confidence),
      spread_(sweep),
      sums_(objectives * sweep.parameters.size() * jackknife_groups),
      squares_(objectives * sweep.parameters.size()),
      weights_(sweep.parameters.size()),
      slopes_(sweep.parameters.size()) {
  for (const SweepParameter& parameter : sweep.parameters) parameters_.push_back(parameter.name);
  has_shares_.assign(sweep.parameters.size(), sweep.is_sample());
  const DependenceFactor dependence(sweep, "sweep");
  for (const std::size_t k : dependence.parameters()) has_shares_[k] = false;
}

void DriverSums::add(std::size_t group, std::span<const double> values,
                     std::span<const double> gradient) {
  spread_.add(values);
  const std::size_t n = parameters_.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (!has_shares_[k]) continue;
    const StandardValue value = standard_value(distributions_[k], values[k]);
    weights_[k] = basis_weights(distributions_[k].kind, value);
    slopes_[k] = value.slope;
  }
  for (std::size_t term = 0; term < gradient.size(); ++term) {  // [objective, parameter]
    const double derivative = gradient[term];
    Sums& sums = sums_[term * jackknife_groups + group];
    sums.derivative += derivative;
    sums.square += derivative * derivative;
    const std::size_t parameter = term % n;
    if (!has_shares_[parameter]) continue;
    const double standard = derivative * slopes_[parameter];
    sums.standard_square += standard * standard;
    for (std::size_t k = 0; k < basis_degree; ++k) {
      const double coefficient = derivative * weights_[parameter][k];
      sums.coefficients[k] += coefficient;
      squares_[term][k] += coefficient * coefficient;
    }
  }
}

DriverSums::Sums DriverSums::sums_of(std::size_t place, std::size_t left_out) const {
  Sums all;
  for (std::size_t group = 0; group < jackknife_groups; ++group) {
    if (group == left_out) continue;
    const Sums& sums = sums_[place * jackknife_groups + group];
    all.derivative += sums.derivative;
    all.square += sums.square;
    all.standard_square += sums.standard_square;
    for (std::size_t k = 0; k < basis_degree; ++k) all.coefficients[k] += sums.coefficients[k];
  }
  return all;
}

// The variances of the terms of the coefficients: 1/n of them is what the square of an estimated
// coefficient is too large on average, of independent samples. The error of Sobol's sequence and,
// but for interactions, of Latin hypercubes is far smaller; there nothing is subtracted.
BasisWeights DriverSums::noise_of(std::size_t place, const Sums& all, double count) const {
  BasisWeights noise{};
  if (!subtracts_noise_ || count < 2.0) return noise;
  for (std::size_t k = 0; k < basis_degree; ++k) {
    const double mean = all.coefficients[k] / count;
    noise[k] = (squares_[place][k] - count * mean * mean) / (count - 1.0);
  }
  return noise;
}

std::vector<DriverSums::Values> DriverSums::values_of(
    std::size_t objective, const SpreadOfDesigns& designs, std::size_t left_out,
    const std::vector<BasisWeights>& noise) const {
  std::vector<Values> values;
  std::vector<double> mean_gradient;
  for (std::size_t parameter = 0; parameter < parameters_.size(); ++parameter) {
    const Sums sums = sums_of(place(objective, parameter), left_out);
    mean_gradient.push_back(sums.derivative / designs.count);
    Values value{mean_gradient.back(), sums.square / designs.count, kNaN, kNaN, kNaN};
    if (has_shares_[parameter] && designs.variance > 0.0) {
      double effect = 0.0;
      for (std::size_t k = 0; k < basis_degree; ++k) {
        const double coefficient = sums.coefficients[k] / designs.count;
        effect += coefficient * coefficient - noise[parameter][k] / designs.count;
      }
      value.first_order = effect / designs.variance;
      value.total_bound = poincare_constant(distributions_[parameter].kind) * sums.standard_square /
                          designs.count / designs.variance;
    }
    values.push_back(value);
  }
  const std::vector<double> shares = spread_.linear_shares(mean_gradient);
  for (std::size_t parameter = 0; parameter < shares.size(); ++parameter)
    if (!(designs.variance <= 0.0)) values[parameter].linear_share = shares[parameter];
  return values;
}

std::vector<Driver> DriverSums::drivers(std::size_t objective, const SpreadOfDesigns& all,
                                        const std::vector<SpreadOfDesigns>& without_group) const {
  std::vector<BasisWeights> noise;
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    noise.push_back(
        noise_of(place(objective, k), sums_of(place(objective, k), no_group), all.count));
  const std::vector<Values> values = values_of(objective, all, no_group, noise);
  std::vector<std::vector<Values>> others;
  for (std::size_t group = 0; group < without_group.size(); ++group)
    others.push_back(values_of(objective, without_group[group], group, noise));

  const auto estimate = [&](std::size_t parameter, double Values::*member) {
    std::vector<double> left_out;
    for (const std::vector<Values>& other : others) left_out.push_back(other[parameter].*member);
    return jackknife_estimate(values[parameter].*member, left_out, confidence_);
  };
  std::vector<Driver> drivers;
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    drivers.push_back({parameters_[k], estimate(k, &Values::mean_derivative),
                       estimate(k, &Values::mean_square_derivative),
                       estimate(k, &Values::first_order), estimate(k, &Values::total_bound),
                       estimate(k, &Values::linear_share)});
  return drivers;
}

}  // namespace gradus
