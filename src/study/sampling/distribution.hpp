// Distributions of single parameters: from probabilities to values and back.
#pragma once

#include <optional>
#include <string>

#include "gradus/sweep.hpp"
#include "src/study/sampling/probability.hpp"

namespace gradus {

// Throws InputError, opened by `where`, for distributions that cannot be sampled.
void check_distribution(const Distribution& distribution, const std::string& where);

// The quantile of this probability.
double value_at(const Distribution& distribution, const Probability& probability);
// The same for the probability that belongs to a normal score.
double value_at_score(const Distribution& distribution, double score);

// A value as a standardised variable: from 0 to 1 for uniform distributions, the normal score for
// the others.
struct StandardValue {
  double value = 0.0;
  double slope = 0.0;  // derivative of the parameter with respect to it
};
StandardValue standard_value(const Distribution& distribution, double value);

// In closed form; none for truncated distributions.
std::optional<double> variance_of(const Distribution& distribution);

}  // namespace gradus
