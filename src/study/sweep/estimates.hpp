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

// Of the mean of a sample, by Student's t. No interval for fewer than two.
Estimate mean_estimate(double mean, double variance, std::size_t count, double confidence);

// Designs are dealt out to groups at random, each run of 32 to all groups once: of a sequence that
// fills space evenly, every n-th design would be a region and no sample.
inline constexpr std::size_t jackknife_groups = 32;
inline constexpr std::size_t fewest_designs_for_jackknife = 64;
std::size_t jackknife_group(std::size_t design, std::uint64_t seed);

// The interval from estimates that leave out one group each (delete-a-group jackknife), by
// Student's t. No interval without estimates, or if one of them is not finite.
Estimate jackknife_estimate(double value, const std::vector<double>& without_group,
                            double confidence);
// The same for a positive quantity, by its logarithm.
Estimate positive_jackknife_estimate(double value, std::vector<double> without_group,
                                     double confidence);

// Between sorted values by straight lines, as NumPy does by default. NaN if there is none.
double quantile_of(std::span<const double> sorted, double probability);

// With the values between which the quantile lies at least with this confidence, whatever the
// distribution: how many values lie below it is binomial. No interval if the values are too few.
Estimate quantile_estimate(std::span<const double> sorted, double probability, double confidence);

// Bins of equal width from the smallest to the largest value, one bin if these are equal. 0 bins:
// as many as the root of the number of values, from 5 to 50.
Histogram histogram_of(std::span<const double> sorted, std::size_t bins);

}  // namespace gradus
