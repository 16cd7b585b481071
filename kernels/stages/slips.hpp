// How well nonholonomic constraints hold at the end of a step. Nothing brings them back: what jumps
// in time, or what too long steps lose, stays lost. docs/theory.md, section 24.
#pragma once

#include "kernels/passes/law_signals.hpp"

GRADUS_KERNELS_BEGIN

// Of the velocities that a constraint is about, and in its own unit, what it may miss.
constexpr double kLargestSlip = 1e-2;
constexpr double kLeastSlip = 1e-6;

GRADUS_FUNCTION bool is_velocity(LawInputKind kind) {
  return kind == LawInputKind::feature_velocity || kind == LawInputKind::rate ||
         kind == LawInputKind::angular_velocity || kind == LawInputKind::length_rate;
}

// The sum of what velocities contribute to the law, without their signs.
template <class D, class Run>
GRADUS_ROUTINE typename D::Value size_of_rates(const D& d, const LawEntry& law, const Run& run) {
  typename D::Value sum(0.0);
  for (int k = 0; k < input_count(law); ++k) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + k];
    if (!is_velocity(in.kind)) continue;
    const RealOf<D> rate = input_value(d, d.layout.motion, in, d.at(d.layout.velocity));
    sum = sum + absolute(value_of(run.input[k]) * value_of(rate));
  }
  return sum;
}

template <class D>
GRADUS_ROUTINE void record_slips(const D& d, const ClockOf<D>& time) {
  using Value = typename D::Value;
  RealOf<D>& violation = d.at(d.layout.violation)[1];
  for (int i = 0; i < d.plan.lasting_rates; ++i) {
    const LawEntry& law = d.plan.laws[d.plan.rate_laws[i]];
    const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
    const Value slip =
        absolute(value_of(run.value[law.instruction_end - law.instruction_begin - 1]));
    violation = select(slip > value_of(violation), RealOf<D>(slip), violation);
    const auto lost = d.alive() && !(slip <= Value(kLargestSlip) * size_of_rates(d, law, run) +
                                                 Value(kLeastSlip));
    RealOf<D>& blamed = d.at(d.layout.blamed)[0];
    blamed = select(lost, RealOf<D>(Value(static_cast<double>(i))), blamed);
    d.fail(lost, Status::rate_lost, time);
  }
}

GRADUS_KERNELS_END
