// Half widths by Student's t, standard errors by the jackknife, ranks by the binomial distribution.
// The values of objectives are kept, which quantiles need, and only sums of everything else.
#include "src/study/sweep/sweep_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "src/study/sampling/random_numbers.hpp"

namespace gradus {
namespace {

// The mean, and the spread of all designs and of all but one group.
struct Moments {
  double mean = kNaN;
  SpreadOfDesigns all;
  std::vector<SpreadOfDesigns> without_group;
};

// From the sums of `count` deviations and of their squares.
SpreadOfDesigns spread_of(double count, double deviations, double squares) {
  if (count < 2.0) return {count, kNaN};
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

// Half the width of an interval in standard errors.
double student_factor(double confidence, std::size_t degrees_of_freedom) {
  return student_score(0.5 * (1.0 - confidence), static_cast<double>(degrees_of_freedom));
}

// NaN if there is none.
double jackknife_half_width(const std::vector<double>& values, double confidence) {
  if (values.size() < 2) return kNaN;
  const auto groups = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / groups;
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  const double error = std::sqrt((groups - 1.0) / groups * sum);
  return std::isfinite(error) ? student_factor(confidence, values.size() - 1) * error : kNaN;
}

// The smallest rank at which the probability of so many of `count` events, each of probability
// `each`, exceeds this one; 0 if it does so from the start.
std::size_t values_below(std::size_t count, double each, double probability) {
  std::size_t first = 0, last = count;  // the answer lies between
  while (first < last) {
    const std::size_t middle = first + (last - first + 1) / 2;
    if (binomial_probability(middle - 1, count, each) <= probability)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
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
  statistics.minimum = sorted.empty() ? kNaN : sorted.front();
  statistics.maximum = sorted.empty() ? kNaN : sorted.back();
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
  const double variance = groups_.size() < 2 ? kNaN : moments.all.variance;
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

Estimate without_interval(double value) {
  return {value, kNaN, kNaN};
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

double quantile_of(std::span<const double> sorted, double probability) {
  if (sorted.empty()) return kNaN;
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

Estimate quantile_estimate(std::span<const double> sorted, double probability, double confidence) {
  const Estimate alone = without_interval(quantile_of(sorted, probability));
  const std::size_t count = sorted.size();
  if (count < 2) return alone;
  const double tail = 0.5 * (1.0 - confidence);
  // Ranks from either end; from above, values lie over the quantile with the other probability.
  const std::size_t low = values_below(count, probability, tail);
  const std::size_t high = values_below(count, 1.0 - probability, tail);
  if (low == 0 || high == 0) return alone;
  return {alone.value, sorted[low - 1], sorted[count - high]};
}

Histogram histogram_of(std::span<const double> sorted, std::size_t bins) {
  if (sorted.empty()) return {};
  const double first = sorted.front(), last = sorted.back();
  if (first == last) return {{first, last}, {sorted.size()}};
  if (bins == 0) {
    const double root = std::ceil(std::sqrt(static_cast<double>(sorted.size())));
    bins = static_cast<std::size_t>(std::clamp(root, 5.0, 50.0));
  }
  Histogram histogram{{first}, {}};
  auto counted = sorted.begin();
  for (std::size_t k = 1; k <= bins; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(bins);
    const double edge = k == bins ? last : first * (1.0 - part) + last * part;
    const auto end = k == bins ? sorted.end() : std::lower_bound(counted, sorted.end(), edge);
    histogram.edges.push_back(edge);
    histogram.counts.push_back(static_cast<std::size_t>(end - counted));
    counted = end;
  }
  return histogram;
}

}  // namespace gradus
