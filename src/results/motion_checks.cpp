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

void add_spline_exits(const Result& result, Json& document) {
  const std::size_t splines = result.open_splines.size();
  for (std::size_t s = 0; s < splines; ++s) {
    std::size_t count = 0, first = 0;
    for (std::size_t d = result.n_design; d-- > 0;)
      if (result.status[d].ok && result.spline_excess[d * splines + s] > 0.0) ++count, first = d;
    if (count == 0) continue;
    document["beyond_knots"].push_back({{"spline", result.open_splines[s]},
                                        {"count", count},
                                        {"first",
                                         {{"design", first},
                                          {"time", result.spline_exit[first * splines + s]},
                                          {"by", result.spline_excess[first * splines + s]}}}});
  }
}

void add_spline_exits(std::span<const double> left, Json& document) {
  std::size_t count = 0, first = 0;
  for (std::size_t d = left.size(); d-- > 0;)
    if (left[d] > 0.0) ++count, first = d;
  if (count > 0) document["beyond_knots"] = {{"count", count}, {"first", {{"design", first}}}};
}

}  // namespace gradus::results
