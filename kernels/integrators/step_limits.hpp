// How long the next step may be by what time alone says. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/sample_step.hpp"
#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// The first of the spans of time that ends at a time or later, or behind it. Begins and ends
// ascend.
template <class D>
GRADUS_FUNCTION std::ptrdiff_t first_limit(const D& d, double time, bool is_behind) {
  std::ptrdiff_t low = 0;
  std::ptrdiff_t high = d.limit_count;
  while (low < high) {
    const std::ptrdiff_t middle = (low + high) / 2;
    const double end = d.step_limits[kStepLimitNumbers * middle + 1];
    if (end < time || (is_behind && end == time))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Where a step ends at the latest that would end at `limit`, by what time alone says: laws of it
// are known ahead, and a step that passes over a pulse may not see it.
template <class D>
GRADUS_FUNCTION double law_limit(const D& d, double time, double limit) {
  for (std::ptrdiff_t k = first_limit(d, time, true); k < d.limit_count; ++k) {
    const double* const span = d.step_limits + kStepLimitNumbers * k;
    if (span[0] >= limit) break;
    const double at = span[0] > time + span[2] ? span[0] : time + span[2];
    if (at < limit) limit = at;
  }
  return limit;
}

// Whether a step ends at an instant of a jump that parameters have no part in.
template <class D>
GRADUS_FUNCTION bool ends_at_fixed_instant(const D& d, double end) {
  for (std::ptrdiff_t k = first_limit(d, end, false); k < d.limit_count; ++k) {
    const double* const span = d.step_limits + kStepLimitNumbers * k;
    if (span[0] > end) return false;
    if (span[0] == end && span[2] == kFixedInstant) return true;
  }
  return false;
}

// Whether a step ends just before a kink of time.
template <class D>
GRADUS_FUNCTION bool ends_before_kink(const D& d, double end) {
  const std::ptrdiff_t k = first_limit(d, end, true);
  return k < d.limit_count &&
         d.step_limits[kStepLimitNumbers * k] - end < kLeastSpacing * d.settings.duration;
}

// Where the next step ends at the latest: at the next value, or with the motion.
template <class D>
GRADUS_FUNCTION double step_limit(const D& d, double time) {
  double limit = d.settings.duration;
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    const auto end_at = [&](double instant) {
      if (instant > time && instant < limit) limit = instant;
    };
    if (objective.kind == ObjectiveKind::value) end_at(objective.time);
    if (!is_searched(objective.kind)) continue;
    end_at(objective.from);
    end_at(objective.to);
  }
  limit = sample_limit(d, time, limit);
  if (d.plan.search_count > 0) limit = fine_limit(d, time, limit);
  return law_limit(d, time, limit);
}

// Length of the next step, ending at `limit` if that is near.
template <class D>
GRADUS_FUNCTION double next_step(const D& d, double time, double limit) {
  const double h = value_of(d.at(d.layout.integrator.step)[0]);
  return time + 1.01 * h >= limit ? limit - time : h;
}

GRADUS_KERNELS_END
