// Arrays over designs -> members of documents.
#include "src/results/motion_checks.hpp"

#include <cmath>
#include <optional>

namespace gradus::results {
namespace {

// The worst design of the batch: comparisons with NaN are false, so failed designs do not count.
Json largest_violation(std::span<const double> violation) {
  const char* const levels[] = {"position", "velocity", "acceleration"};
  Json largest_of = Json::object();
  for (std::size_t level = 0; level < 3; ++level) {
    std::optional<double> largest;
    for (std::size_t i = level; i < violation.size(); i += 3)
      if (violation[i] >= largest.value_or(0.0)) largest = violation[i];
    largest_of[levels[level]] = largest ? Json(*largest) : Json(nullptr);
  }
  return largest_of;
}

}  // namespace

void add_motion_checks(std::span<const double> violation, std::span<const double> passage,
                       Json& document) {
  document["constraint_violation"] = largest_violation(violation);
  std::size_t count = 0, first = 0;
  for (std::size_t d = passage.size(); d-- > 0;)
    if (passage[d] > 0.0 && !std::isnan(number_at(violation, 3 * d))) ++count, first = d;
  if (count > 0)
    document["singular_passages"] = {{"count", count},
                                     {"first", {{"design", first}, {"time", passage[first]}}}};
}

void add_extrapolations(const Result& result, Json& document) {
  const std::size_t splines = result.extrapolating_splines.size();
  for (std::size_t s = 0; s < splines; ++s) {
    std::size_t count = 0, first = 0;
    for (std::size_t d = result.n_design; d-- > 0;)
      if (result.status[d].ok && result.extrapolation[d * splines + s] > 0.0) ++count, first = d;
    if (count == 0) continue;
    document["extrapolations"].push_back(
        {{"spline", result.extrapolating_splines[s]},
         {"count", count},
         {"first",
          {{"design", first},
           {"time", result.extrapolation_start[first * splines + s]},
           {"by", result.extrapolation[first * splines + s]}}}});
  }
}

void add_extrapolations(std::span<const double> splines, Json& document) {
  std::size_t count = 0, first = 0;
  for (std::size_t d = splines.size(); d-- > 0;)
    if (splines[d] > 0.0) ++count, first = d;
  if (count > 0) document["extrapolations"] = {{"count", count}, {"first", {{"design", first}}}};
}

}  // namespace gradus::results
