// Half widths by Student's t, standard errors by the jackknife.
#include "src/study/sweep/intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "src/study/sampling/permutation.hpp"

namespace gradus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// How many standard errors an interval reaches to each side.
double student_factor(double confidence, std::size_t degrees_of_freedom) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Policy> distribution(
      static_cast<double>(degrees_of_freedom));
  return -boost::math::quantile(distribution, 0.5 * (1.0 - confidence));
}

// NaN if there is none.
double jackknife_half_width(const std::vector<double>& values, double confidence) {
  if (values.size() < 2) return nan;
  const auto groups = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / groups;
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  const double error = std::sqrt((groups - 1.0) / groups * sum);
  return std::isfinite(error) ? student_factor(confidence, values.size() - 1) * error : nan;
}

}  // namespace

Estimate without_interval(double value) {
  return {value, nan, nan};
}

Estimate mean_estimate(double mean, double variance, std::size_t count, double confidence) {
  if (count < 2) return without_interval(mean);
  const double half =
      student_factor(confidence, count - 1) * std::sqrt(variance / static_cast<double>(count));
  return {mean, mean - half, mean + half};
}

std::size_t jackknife_group(std::size_t design, std::uint64_t seed) {
  const Permutation deal(jackknife_groups, seed,
                         static_cast<std::uint32_t>(design / jackknife_groups),
                         RandomPurpose::group);
  return deal(design % jackknife_groups);
}

Estimate jackknife_estimate(double value, const std::vector<double>& without_group,
                            double confidence) {
  const double half = jackknife_half_width(without_group, confidence);
  return {value, value - half, value + half};
}

Estimate positive_jackknife_estimate(double value, std::vector<double> without_group,
                                     double confidence) {
  for (double& other : without_group) other = std::log(other);
  const double half = jackknife_half_width(without_group, confidence);
  return {value, value * std::exp(-half), value * std::exp(half)};
}

}  // namespace gradus
