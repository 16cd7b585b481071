// Probabilities of the normal, Student's and the binomial distribution.
#pragma once

#include <cstddef>
#include <limits>

namespace gradus {

inline constexpr double kNaN =
    std::numeric_limits<double>::quiet_NaN();  // of what data do not tell

// A probability and its complement: the smaller of the two keeps its digits.
struct Probability {
  double below = 0.5;
  double above = 0.5;
};

// Of the standard normal distribution.
Probability normal_probability(double score);
double normal_score(const Probability& probability);

// What Student's distribution exceeds with this probability, at most 1/2.
double student_score(double above, double degrees_of_freedom);

// P(first < score < second), first < second, from the nearer tail.
double normal_mass(double first, double second);

// That at most `most` of `count` independent events happen, each of which has this probability.
double binomial_probability(std::size_t most, std::size_t count, double probability);

}  // namespace gradus
