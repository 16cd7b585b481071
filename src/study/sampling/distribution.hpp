// Distributions of single parameters: from probabilities to values and back.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "gradus/sweep.hpp"

namespace gradus {

inline constexpr double kNaN =
    std::numeric_limits<double>::quiet_NaN();  // of what data do not tell

// The standard normal distribution, with both tails. ----------------------------------------------

// A probability and its complement: the smaller of the two keeps its digits.
struct Probability {
  double below = 0.5;
  double above = 0.5;
};

Probability normal_probability(double score);
double normal_score(const Probability& probability);

// What Student's distribution exceeds with this probability, at most 1/2.
double student_score(double above, double degrees_of_freedom);

// P(first < score < second), first < second, from the nearer tail.
double normal_mass(double first, double second);

// Distributions of parameters. --------------------------------------------------------------------

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
