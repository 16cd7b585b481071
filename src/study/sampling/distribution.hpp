// Distributions of single parameters: from probabilities to values and back.
#pragma once

#include <optional>
#include <string>

#include "gradus/sweep.hpp"

namespace gradus {

// The standard normal distribution, with both tails.
// ------------------------------------------------ A probability and what it leaves to 1: the
// smaller of the two keeps the digits.
struct Probability {
  double below = 0.5;
  double above = 0.5;
};

Probability normal_probability(double score);
double normal_score(const Probability& probability);

// P(first < score < second), first < second, from the nearer tail.
double normal_mass(double first, double second);

// Distributions of parameters.
// ---------------------------------------------------------------------- Throws InputError, opened
// by `where`, for what nothing can be drawn from.
void check_distribution(const Distribution& distribution, const std::string& where);

// The value below which this much of the distribution lies.
double value_at(const Distribution& distribution, const Probability& probability);
// The same for a probability that is that of a standard normal variable, its score.
double value_at_score(const Distribution& distribution, double score);

// A value in terms of the variable that a distribution is transformed to: 0 to 1 for a uniform one,
// the normal score for the others.
struct StandardValue {
  double value = 0.0;
  double slope = 0.0;  // of the parameter by that variable
};
StandardValue standard_value(const Distribution& distribution, double value);

// In closed form; nothing for truncated distributions.
std::optional<double> variance_of(const Distribution& distribution);

}  // namespace gradus
