// Sweeps of functions whose statistics are known, for tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/study/sampling/sampler.hpp"
#include "src/study/sweep/sweep_statistics.hpp"

namespace gradus::test {

inline Distribution uniform(double from, double to) {
  Distribution distribution;
  distribution.from = from;
  distribution.to = to;
  return distribution;
}

inline Distribution normal(double mean, double deviation) {
  Distribution distribution;
  distribution.kind = Distribution::Kind::normal;
  distribution.mean = mean;
  distribution.standard_deviation = deviation;
  return distribution;
}

inline Distribution log_normal(double median, double deviation) {
  Distribution distribution;
  distribution.kind = Distribution::Kind::log_normal;
  distribution.median = median;
  distribution.standard_deviation = deviation;
  return distribution;
}

inline Distribution truncated(Distribution distribution, double from, double to) {
  distribution.truncated = {from, to};
  return distribution;
}

// Parameters are called "x0", "x1", ...
inline Sweep sweep_of(Sampling sampling, std::size_t designs,
                      const std::vector<Distribution>& distributions, std::uint64_t seed = 1) {
  Sweep sweep;
  sweep.sampling = sampling;
  sweep.designs = designs;
  sweep.seed = seed;
  for (const Distribution& distribution : distributions) {
    SweepParameter parameter;
    parameter.name = "x" + std::to_string(sweep.parameters.size());
    parameter.distribution = distribution;
    sweep.parameters.push_back(parameter);
  }
  return sweep;
}

inline std::vector<double> design(const Sampler& sampler, const Sweep& sweep, std::size_t index) {
  std::vector<double> values(sweep.parameters.size());
  sampler.sample(index, values);
  return values;
}

// The values of one parameter in all designs.
inline std::vector<double> column(const Sweep& sweep, std::size_t parameter) {
  const Sampler sampler(sweep);
  std::vector<double> values;
  for (std::size_t k = 0; k < sampler.designs(); ++k)
    values.push_back(design(sampler, sweep, k)[parameter]);
  return values;
}

// A value, and its derivatives in the second argument.
using Function = std::function<double(const std::vector<double>&, std::vector<double>&)>;

inline ObjectiveStatistics statistics_of(const Sweep& sweep, const Function& function) {
  const Sampler sampler(sweep);
  SweepStatistics statistics(sweep, {{"f", "m"}});
  std::vector<double> gradient(sweep.parameters.size());
  for (std::size_t k = 0; k < sampler.designs(); ++k) {
    const std::vector<double> values = design(sampler, sweep, k);
    const double value = function(values, gradient);
    statistics.add(k, values, {&value, 1}, gradient);
  }
  return statistics.result().at(0);
}

}  // namespace gradus::test
