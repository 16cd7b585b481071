// Log-normal distributions are normal in the logarithm; truncated ones are parts of these.
#include "src/study/sampling/distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "src/model/message.hpp"

namespace gradus {
namespace {

using Kind = Distribution::Kind;

// The standard score of the distribution before it was truncated.
double untruncated_score(const Distribution& distribution, double value) {
  return distribution.kind == Kind::log_normal
             ? std::log(value / distribution.median) / distribution.standard_deviation
             : (value - distribution.mean) / distribution.standard_deviation;
}

double from_untruncated_score(const Distribution& distribution, double score) {
  return distribution.kind == Kind::log_normal
             ? distribution.median * std::exp(distribution.standard_deviation * score)
             : distribution.mean + distribution.standard_deviation * score;
}

std::array<double, 2> truncated_scores(const Distribution& distribution) {
  const std::array<double, 2>& ends = *distribution.truncated;
  const double first = distribution.kind == Kind::log_normal && ends[0] <= 0.0
                           ? -std::numeric_limits<double>::infinity()
                           : untruncated_score(distribution, ends[0]);
  return {first, untruncated_score(distribution, ends[1])};
}

double truncated_value(const Distribution& distribution, const Probability& probability) {
  const auto [first, second] = truncated_scores(distribution);
  const double mass = normal_mass(first, second);
  const Probability whole = {
      normal_probability(first).below + probability.below * mass,
      normal_probability(second).above + probability.above * mass,
  };
  const double value = from_untruncated_score(distribution, normal_score(whole));
  return std::clamp(value, (*distribution.truncated)[0], (*distribution.truncated)[1]);
}

// The derivative of the parameter with respect to the untruncated score.
double slope_of(const Distribution& distribution, double value) {
  return distribution.standard_deviation * (distribution.kind == Kind::log_normal ? value : 1.0);
}

StandardValue truncated_standard_value(const Distribution& distribution, double value) {
  constexpr double least = 0x1p-60;  // at the very ends, where the score would be infinite
  const auto [first, second] = truncated_scores(distribution);
  const double mass = normal_mass(first, second);
  const double inner = std::clamp(untruncated_score(distribution, value), first, second);
  const Probability probability = {
      std::max(normal_mass(first, inner) / mass, least),
      std::max(normal_mass(inner, second) / mass, least),
  };
  const double score = normal_score(probability);
  // mass * density(score) / density(inner), as one exponential, which does not underflow in the far
  // tails.
  const double ratio = mass * std::exp(0.5 * (inner * inner - score * score));
  return {score, slope_of(distribution, value) * ratio};
}

void check_uniform(const Distribution& distribution, const std::string& where) {
  if (!std::isfinite(distribution.from) || !std::isfinite(distribution.to) ||
      !std::isfinite(distribution.to - distribution.from) || distribution.from >= distribution.to) {
    reject(where,
           "found the range from " + to_text(distribution.from) + " to " + to_text(distribution.to),
           "it is empty", "make \"from\" smaller than \"to\"");
  }
}

void check_truncation(const Distribution& distribution, const std::string& where) {
  const auto [first, second] = *distribution.truncated;
  const std::string found = "found truncated [" + to_text(first) + ", " + to_text(second) + "]";
  if (!std::isfinite(first) || !std::isfinite(second) || first >= second)
    reject(where, found, "the range is empty", "make its first number the smaller one");
  if (distribution.kind == Kind::log_normal && second <= 0.0)
    reject(where, found, "log-normal values are positive", "choose a positive range");
  const auto [first_score, second_score] = truncated_scores(distribution);
  if (normal_mass(first_score, second_score) < std::numeric_limits<double>::min()) {
    reject(where, found, "nothing of the distribution lies there",
           "truncate it within 37 standard deviations of its centre");
  }
}

void require_finite(double value, const std::string& name, const std::string& where) {
  if (!std::isfinite(value))
    reject(where, "found the " + name + " " + to_text(value), "it is not finite", "give a number");
}

void require_positive(double value, const std::string& name, const std::string& where) {
  if (!std::isfinite(value) || value <= 0.0)
    reject(where, "found the " + name + " " + to_text(value), "it must be positive",
           "give a number above 0");
}

}  // namespace

void check_distribution(const Distribution& distribution, const std::string& where) {
  if (distribution.kind == Kind::uniform) {
    check_uniform(distribution, where);
    if (distribution.truncated)
      reject(where, "found a uniform distribution that is truncated", "it has ends already",
             "move \"from\" and \"to\"");
    return;
  }
  if (distribution.kind == Kind::log_normal) {
    require_positive(distribution.median, "median", where);
    require_positive(distribution.standard_deviation, "standard deviation of the logarithm", where);
  } else {
    require_finite(distribution.mean, "mean", where);
    require_positive(distribution.standard_deviation, "standard deviation", where);
  }
  if (distribution.truncated) check_truncation(distribution, where);
}

double value_at(const Distribution& distribution, const Probability& probability) {
  if (distribution.kind == Kind::uniform) {
    const double value =
        distribution.from * probability.above + distribution.to * probability.below;
    return std::clamp(value, distribution.from, distribution.to);
  }
  if (distribution.truncated) return truncated_value(distribution, probability);
  return from_untruncated_score(distribution, normal_score(probability));
}

double value_at_score(const Distribution& distribution, double score) {
  if (distribution.kind == Kind::uniform || distribution.truncated)
    return value_at(distribution, normal_probability(score));
  return from_untruncated_score(distribution, score);
}

StandardValue standard_value(const Distribution& distribution, double value) {
  if (distribution.kind == Kind::uniform) {
    const double width = distribution.to - distribution.from;
    return {(value - distribution.from) / width, width};
  }
  if (distribution.truncated) return truncated_standard_value(distribution, value);
  return {untruncated_score(distribution, value), slope_of(distribution, value)};
}

std::optional<double> variance_of(const Distribution& distribution) {
  if (distribution.truncated) return std::nullopt;
  const double deviation = distribution.standard_deviation;
  switch (distribution.kind) {
    case Kind::uniform: {
      const double width = distribution.to - distribution.from;
      return width * width / 12.0;
    }
    case Kind::normal:
      return deviation * deviation;
    case Kind::log_normal: {
      const double square = deviation * deviation;
      const double mean = distribution.median * std::exp(0.5 * square);
      return mean * mean * std::expm1(square);
    }
  }
  return std::nullopt;
}

}  // namespace gradus
