// Estimates from samples: quantiles, histograms, and confidence intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus {

// A value without an interval.
Estimate without_interval(double value);

// The mean of a sample, with an interval by Student's t if there are at least two values.
Estimate mean_estimate(double mean, double variance, std::size_t count, double confidence);

// Designs are assigned to groups at random, each run of 32 once to every group: in a sequence that
// fills space evenly, every n-th design would cover a region instead of being a sample.
inline constexpr std::size_t jackknife_groups = 32;
inline constexpr std::size_t fewest_designs_for_jackknife = 64;
std::size_t jackknife_group(std::size_t design, std::uint64_t seed);

// The interval from estimates that leave out one group each (delete-a-group jackknife), by
// Student's t. No interval without estimates, or if one of them is not finite.
Estimate jackknife_estimate(double value, const std::vector<double>& without_group,
                            double confidence);
// The same for a positive quantity, on the scale of its logarithm.
Estimate positive_jackknife_estimate(double value, std::vector<double> without_group,
                                     double confidence);

// Linear interpolation between sorted values, NumPy's default. NaN if there are none.
double quantile_of(std::span<const double> sorted, double probability);

// The same with a distribution-free interval: the number of values below a quantile is binomial. No
// interval if there are too few values.
Estimate quantile_estimate(std::span<const double> sorted, double probability, double confidence);

// Bins of equal width from the smallest to the largest value; a single bin if these are equal.
// `bins` 0: the square root of the number of values, between 5 and 50.
Histogram histogram_of(std::span<const double> sorted, std::size_t bins);

}  // namespace gradus
