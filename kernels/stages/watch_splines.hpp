// Whether the motion extrapolates splines: how far outside their knots, and since when.
// Looked at where steps end, for those of laws, and where objectives are evaluated.
#pragma once

#include "kernels/laws/law.hpp"

GRADUS_KERNELS_BEGIN

// Times are sums of steps: so much of the distance of all knots is no leaving of them.
constexpr double kKnotTolerance = 1e-9;

template <class D, class Time>
GRADUS_FUNCTION void watch_spline(const D& d, int number, const RealOf<D>& x, const Time& time) {
  using Real = typename D::Real;
  const SplineEntry& spline = d.plan.splines[number];
  if (!extrapolates(spline.ends)) return;
  const double* const knot = d.plan.spline_numbers + spline.number;
  const double first = knot[0];
  const double last = knot[spline.knots - 1];
  const auto at = value_of(x);
  using Value = std::decay_t<decltype(at)>;
  const Value before = Value(first) - at;
  const Value behind = at - Value(last);
  const Value beyond = select(before > behind, before, behind);
  const auto extrapolation = d.at(d.layout.extrapolation + 2 * number);
  const auto further = d.alive() && beyond > Value(kKnotTolerance * (last - first)) &&
                       beyond > value_of(extrapolation[0]);
  extrapolation[1] =
      select(further && is_zero(value_of(extrapolation[0])), Real(time), extrapolation[1]);
  extrapolation[0] = select(further, Real(beyond), extrapolation[0]);
}

// Those of laws, at the end of a step.
template <class D, class Time>
GRADUS_ROUTINE void watch_law_splines(const D& d, const Time& time) {
  const Layout& l = d.layout;
  for (int k = 0; k < d.plan.law_count; ++k) {
    const LawEntry& law = d.plan.laws[k];
    bool open = false;
    for (int i = law.call_begin; i < law.call_end; ++i)
      open = open || extrapolates(d.plan.splines[d.plan.spline_calls[i].spline].ends);
    if (!open) continue;
    law_value(d, l.motion, law, d.at(l.velocity));
    const auto run = law_run<RealOf<D>>(d);
    for (int i = law.call_begin; i < law.call_end; ++i) {
      const SplineCallEntry& call = d.plan.spline_calls[i];
      const Instruction& at = d.plan.law_instructions[law.instruction_begin + call.instruction];
      watch_spline(d, call.spline, RealOf<D>(run.value[at.a]), time);
    }
  }
}

template <class D, class Time>
GRADUS_FUNCTION void watch_splines(const D& d, const Time& time) {
  if (d.plan.extrapolating_splines != 0) watch_law_splines(d, time);
}

GRADUS_KERNELS_END
