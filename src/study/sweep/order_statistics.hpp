// What the sorted values of an objective say: quantiles and the histogram.
#pragma once

#include <span>

#include "gradus/sweep.hpp"

namespace gradus {

// Between sorted values by straight lines, as NumPy does by default. NaN if there is none.
double quantile_of(std::span<const double> sorted, double probability);

// With the values between which the quantile lies at least with this confidence, whatever the
// distribution: how many values lie below it is binomial. No interval if the values are too few.
Estimate quantile_estimate(std::span<const double> sorted, double probability, double confidence);

// Bins of equal width from the smallest to the largest value, one bin if these are equal. 0 bins:
// as many as the root of the number of values, from 5 to 50.
Histogram histogram_of(std::span<const double> sorted, std::size_t bins);

}  // namespace gradus
