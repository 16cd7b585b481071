// From gradients to sums, and from sums to estimates with and without each group.
#include "src/study/sweep/driver_sums.hpp"

#include <limits>

#include "src/study/sampling/dependence.hpp"
#include "src/study/sweep/intervals.hpp"

namespace gradus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t no_group = jackknife_groups;

}  // namespace

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
  const bool is_sample = sweep.sampling != Sampling::grid && sweep.sampling != Sampling::list;
  has_shares_.assign(sweep.parameters.size(), is_sample);
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
    Values value{mean_gradient.back(), sums.square / designs.count, nan, nan, nan};
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
