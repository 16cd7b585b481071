// The error that a step of an adaptive method makes in the integrals of objectives, by the same
// embedded methods as that of the state: an integrand may want shorter steps than the motion does.
// So do expressions whose extrema and passages are looked for between the ends of steps.
// docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE bool follows_courses(const D& d) {
  return d.tableau.error_order > 0 && d.given_steps == nullptr && d.plan.objective_count > 0;
}

GRADUS_INLINE bool has_course(const ObjectiveEntry& objective) {
  return objective.kind == ObjectiveKind::integral || is_searched(objective.kind);
}

// Of the integrals, without the matrices of sums of squares.
template <class D>
GRADUS_INLINE int course_gradient_size(const D& d) {
  return d.settings.with_columns != 0 ? d.plan.objective_count * d.plan.column_count : 0;
}

// The value of an objective's expression where the objectives were evaluated last.
template <class D>
GRADUS_INLINE RealOf<D> course_of(const D& d, int o) {
  return d.at(
      d.layout.program_value)[d.plan.objective_program.outputs[d.plan.objectives[o].output]];
}

// At the base of the next step, where the integrands were evaluated. What an expression has been
// before it is looked at is nothing to it.
template <class D>
GRADUS_FUNCTION void keep_courses(const D& d) {
  if (!follows_courses(d) || d.failed()) return;
  const IntegratorLayout& s = d.layout.integrator;
  const auto time = value_of(d.at(s.time)[0]);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const RealOf<D> value = course_of(d, o), size = absolute(value);
    RealOf<D>& reach = d.at(s.course_reach)[o];
    d.at(s.course)[o] = value;
    reach = select(size > reach || time == d.plan.objectives[o].from, size, reach);
  }
}

// Weight of stage `stage` in an estimate, of Rosenbrock methods of a node.
template <class D>
GRADUS_FUNCTION double course_weight(const D& d, int error, int stage) {
  if (d.tableau.linear == 0) return tableau(d, error, stage);
  return error == d.tableau.error() ? tableau(d, d.tableau.node_error(), stage) : 0.0;
}

// What stage `stage` counts in the integrals of the step, and in both estimates of their error, if
// there are any: numbers of the design, so that a program serves every stage.
template <class D>
GRADUS_FUNCTION void weigh_stage(const D& d, int stage, const ClockOf<D>& weight) {
  const auto weights = d.at(d.layout.integrator.stage_weights);
  const bool follows = follows_courses(d);
  const auto in_error = [&](int error) { return follows ? course_weight(d, error, stage) : 0.0; };
  weights[0] = RealOf<D>(weight);
  weights[1] = RealOf<D>(in_error(d.tableau.error()));
  weights[2] = RealOf<D>(in_error(d.tableau.second_error()));
  weights[3] = RealOf<D>(follows ? 1.0 : 0.0);
}

// Counts values and gradients by the weights at hand in both estimates.
template <class D, class Value, class Gradient>
GRADUS_FUNCTION void add_course_error(const D& d, const Value& value, const Gradient& gradient) {
  const IntegratorLayout& s = d.layout.integrator;
  const RealOf<D> weights[2] = {d.at(s.stage_weights)[1], d.at(s.stage_weights)[2]};
  const int objectives = d.plan.objective_count;
  for (int o = 0; o < objectives; ++o) {
    const RealOf<D> g = value(o);
    RealOf<D>& size = d.at(s.course_size)[o];
    size = select(absolute(g) > size, absolute(g), size);
    for (int k = 0; k < 2; ++k) d.at(s.course_error)[k * objectives + o] += weights[k] * g;
  }
  const int count = course_gradient_size(d);
  for (int i = 0; i < count; ++i) {
    const RealOf<D> g = gradient(i);
    for (int k = 0; k < 2; ++k) d.at(s.gradient_error)[k * count + i] += weights[k] * g;
  }
}

// What the base of the step contributes: the first stage, or of implicit methods the number after
// the last.
template <class D>
GRADUS_FUNCTION void begin_course_error(const D& d) {
  if (!follows_courses(d)) return;
  const IntegratorLayout& s = d.layout.integrator;
  set_zero(d.at(s.course_size), d.plan.objective_count);
  set_zero(d.at(s.course_error), 2 * d.plan.objective_count);
  set_zero(d.at(s.gradient_error), 2 * course_gradient_size(d));
  const int after_last = d.tableau.linear != 0 ? kNodes : d.tableau.stages;
  weigh_stage(d, d.tableau.implicit != 0 ? after_last : 0, ClockOf<D>(0.0));
  add_course_error(
      d, [&](int o) { return d.at(s.course)[o]; },
      [&](int i) { return d.at(s.integrand_gradient)[i]; });
}

// The integrands of a stage, by the weights at hand.
template <class D>
GRADUS_FUNCTION void add_stage_integrands(const D& d, const ClockOf<D>& time) {
  const IntegratorLayout& s = d.layout.integrator;
  const ClockOf<D> weight = value_of(d.at(s.stage_weights)[0]);
  const bool follows = any(!is_zero(d.at(s.stage_weights)[3])) && !is_nothing(weight);
  const int count = follows ? course_gradient_size(d) : 0;
  copy_array(d, s.integral_gradient, s.gradient_before, count);
  add_integrands(d, time, weight, s.integral, s.integral_gradient);
  if (!follows || d.failed()) return;
  const RealOf<D> per_weight(ClockOf<D>(1.0) / weight);
  add_course_error(
      d, [&](int o) { return course_of(d, o); },
      [&](int i) {
        return per_weight * (d.at(s.integral_gradient)[i] - d.at(s.gradient_before)[i]);
      });
}

// The end of the step, where an estimate counts it.
template <class D>
GRADUS_FUNCTION void end_course_error(const D& d, const ClockOf<D>& end) {
  if (!follows_courses(d) || d.tableau.implicit != 0 || d.failed()) return;
  const int stage = d.tableau.stages;
  if (tableau(d, d.tableau.error(), stage) == 0.0 &&
      tableau(d, d.tableau.second_error(), stage) == 0.0)
    return;
  const IntegratorLayout& s = d.layout.integrator;
  const int count = course_gradient_size(d);
  signals(d, d.plan.uses_energy != 0);
  if (d.plan.uses_energy != 0 && count > 0) energy_rows(d);
  evaluate_objectives(d, end);
  for (int o = 0; o < d.plan.objective_count && count > 0; ++o) {
    set_zero(d.at(s.gradient_before + o * d.plan.column_count), d.plan.column_count);
    if (d.plan.objectives[o].kind != ObjectiveKind::integral) continue;
    signal_adjoints(d, d.plan.objectives[o].output, o);
    objective_row(d, o);
    add_gradient(d, o, 1.0, s.gradient_before + o * d.plan.column_count);
  }
  weigh_stage(d, stage, ClockOf<D>(0.0));
  add_course_error(
      d, [&](int o) { return course_of(d, o); }, [&](int i) { return d.at(s.gradient_before)[i]; });
}

GRADUS_KERNELS_END
