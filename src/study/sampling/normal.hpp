// The standard normal distribution, with both tails.
#pragma once

namespace gradus {

// A probability and what it leaves to 1: the smaller of the two keeps the digits.
struct Probability {
  double below = 0.5;
  double above = 0.5;
};

Probability normal_probability(double score);
double normal_score(const Probability& probability);

// P(first < score < second), first < second, from the nearer tail.
double normal_mass(double first, double second);

}  // namespace gradus
