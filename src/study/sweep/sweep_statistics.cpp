// Keeps the values of objectives, which quantiles need, and only sums of everything else.
#include "src/study/sweep/sweep_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/study/sweep/estimates.hpp"

namespace gradus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The mean, and the spread of all designs and of all but one group.
struct Moments {
  double mean = nan;
  SpreadOfDesigns all;
  std::vector<SpreadOfDesigns> without_group;
};

// From the sums of `count` deviations and of their squares.
SpreadOfDesigns spread_of(double count, double deviations, double squares) {
  if (count < 2.0) return {count, nan};
  return {count, std::max(squares - deviations * deviations / count, 0.0) / (count - 1.0)};
}

Moments moments_of(const std::vector<double>& values, const std::vector<std::uint8_t>& groups) {
  struct Sums {
    double count = 0.0, deviations = 0.0, squares = 0.0;
  };
  Moments moments;
  if (values.empty()) return moments;
  // Relative to the first value, so that equal values have no variance at all.
  double sum = 0.0;
  for (const double value : values) sum += value - values[0];
  moments.mean = values[0] + sum / static_cast<double>(values.size());
  std::vector<Sums> by_group(jackknife_groups);
  for (std::size_t k = 0; k < values.size(); ++k) {
    Sums& group = by_group[groups[k]];
    const double deviation = values[k] - moments.mean;
    group.count += 1.0;
    group.deviations += deviation;
    group.squares += deviation * deviation;
  }
  Sums all;
  for (const Sums& group : by_group) {
    all.count += group.count;
    all.deviations += group.deviations;
    all.squares += group.squares;
  }
  moments.all = spread_of(all.count, all.deviations, all.squares);
  for (const Sums& group : by_group)
    moments.without_group.push_back(spread_of(
        all.count - group.count, all.deviations - group.deviations, all.squares - group.squares));
  return moments;
}

}  // namespace

SweepStatistics::SweepStatistics(const Sweep& sweep, const std::vector<NamedUnit>& objectives)
    : sweep_(sweep), objectives_(objectives), values_(objectives.size()) {
  if (sweep.gradients) drivers_.emplace(sweep, objectives.size());
}

void SweepStatistics::add(std::size_t index, std::span<const double> values,
                          std::span<const double> objectives, std::span<const double> gradient) {
  const std::size_t group = jackknife_group(index, sweep_.seed);
  groups_.push_back(static_cast<std::uint8_t>(group));
  for (std::size_t k = 0; k < objectives.size(); ++k) values_[k].push_back(objectives[k]);
  if (drivers_ && !gradient.empty()) drivers_->add(group, values, gradient);
}

void SweepStatistics::add_distribution(double mean, double variance, std::vector<double> sorted,
                                       ObjectiveStatistics& statistics) const {
  const StatisticsSettings& settings = sweep_.statistics;
  statistics.mean = sweep_.is_sample()
                        ? mean_estimate(mean, variance, sorted.size(), settings.confidence)
                        : without_interval(mean);
  std::sort(sorted.begin(), sorted.end());
  statistics.minimum = sorted.empty() ? nan : sorted.front();
  statistics.maximum = sorted.empty() ? nan : sorted.back();
  for (const double probability : settings.quantiles)
    statistics.quantiles.push_back(
        {probability, sweep_.is_sample()
                          ? quantile_estimate(sorted, probability, settings.confidence)
                          : without_interval(quantile_of(sorted, probability))});
  statistics.histogram = histogram_of(sorted, settings.bins);
}

ObjectiveStatistics SweepStatistics::result(std::size_t objective) const {
  Moments moments = moments_of(values_[objective], groups_);
  if (!sweep_.is_sample() || groups_.size() < fewest_designs_for_jackknife)
    moments.without_group.clear();
  ObjectiveStatistics statistics;
  statistics.objective = objectives_[objective];
  statistics.count = groups_.size();
  add_distribution(moments.mean, moments.all.variance, values_[objective], statistics);
  std::vector<double> variances;
  for (const SpreadOfDesigns& other : moments.without_group) variances.push_back(other.variance);
  const double variance = groups_.size() < 2 ? nan : moments.all.variance;
  statistics.variance =
      positive_jackknife_estimate(variance, variances, sweep_.statistics.confidence);
  if (drivers_)
    statistics.drivers = drivers_->drivers(objective, moments.all, moments.without_group);
  return statistics;
}

std::vector<ObjectiveStatistics> SweepStatistics::result() const {
  std::vector<ObjectiveStatistics> all;
  for (std::size_t k = 0; k < objectives_.size(); ++k) all.push_back(result(k));
  return all;
}

}  // namespace gradus
