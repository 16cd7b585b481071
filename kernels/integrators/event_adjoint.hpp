// Events backwards: event_step.hpp transposed, from the rows of the motion behind an event to those
// of the motion before it. Rows wait in position_rows and velocity_rows, and what the instant of
// the event is worth in shift. docs/theory.md, section 25.
#pragma once

#include "kernels/integrators/evaluation_adjoint.hpp"
#include "kernels/integrators/event_step.hpp"

GRADUS_KERNELS_BEGIN

// rows [n, objective] . vector [n], times the sign, to the worth of the instant.
template <class D>
GRADUS_FUNCTION void add_shift_worth(const D& d, int rows, int vector, double sign) {
  const int objectives = d.plan.objective_count;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    for (int o = 0; o < objectives; ++o)
      d.at(d.layout.event.shift)[o] +=
          RealOf<D>(sign) * d.at(rows)[c * objectives + o] * d.at(vector)[c];
}

// What the rows at hand are worth along the motion, and what integrals count there; `sign`: 1
// before the event, -1 after it.
template <class D>
GRADUS_ROUTINE void move_back(const D& d, int velocity, int acceleration, int integrands,
                              double sign) {
  const EventLayout& e = d.layout.event;
  add_shift_worth(d, e.position_rows, velocity, sign);
  add_shift_worth(d, e.velocity_rows, acceleration, sign);
  for (int o = 0; o < d.plan.objective_count; ++o)
    d.at(e.shift)[o] += RealOf<D>(sign) * d.at(integrands)[o];
}

// Rows of states that the event sets: what these become is worth to next_columns.
template <class D>
GRADUS_ROUTINE void take_reset_rows(const D& d, const EventEntry& event) {
  const EventLayout& e = d.layout.event;
  const int objectives = d.plan.objective_count;
  for (int k = event.reset_begin; k < event.reset_end; ++k)
    for (int o = 0; o < objectives; ++o) {
      RealOf<D>& row = d.at(e.velocity_rows)[d.plan.resets[k].coordinate * objectives + o];
      d.at(e.next_columns)[(k - event.reset_begin) * objectives + o] = row;
      row = RealOf<D>(0);
    }
}

template <class D>
GRADUS_ROUTINE void find_resets_adjoint(const D& d, const EventEntry& event) {
  const EventLayout& e = d.layout.event;
  for (int k = event.reset_begin; k < event.reset_end; ++k) {
    const int law = d.plan.resets[k].law;
    const RealOf<D> by_time = set_law_row(d, law, e.row);
    add_law_worth(d, law, e.row, by_time, RealOf<D>(1),
                  e.next_columns + (k - event.reset_begin) * d.plan.objective_count);
  }
}

// strike_columns() backwards, at the motion after the impact: leaves what the response is worth in
// response_rows, and what the impulse is in size, over what an impulse of 1 makes of the rate.
template <class D>
GRADUS_ROUTINE void strike_adjoint(const D& d, const EventEntry& event, const Impact<D>& impact) {
  const EventLayout& e = d.layout.event;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  const auto velocity = d.at(e.velocity_rows);
  set_zero(d.at(e.size), objectives);
  for (int c = 0; c < n; ++c)
    for (int o = 0; o < objectives; ++o) {
      d.at(e.size)[o] += d.at(e.response)[c] / impact.response * velocity[c * objectives + o];
      d.at(e.response_rows)[c * objectives + o] = impact.impulse * velocity[c * objectives + o];
    }
  if (!sets_rate(event)) return;
  const RealOf<D> by_time = set_law_row(d, event.closing, e.closing_row);
  add_law_worth(d, event.closing, e.closing_row, by_time, RealOf<D>(-1), e.size);
  for (int c = 0; c < n; ++c)
    for (int o = 0; o < objectives; ++o)
      d.at(e.response_rows)[c * objectives + o] -=
          impact.impulse * d.at(e.closing_row)[n + c] * d.at(e.size)[o];
  features_to_elements(d);
}

// begin_impact_columns() backwards, at the motion before the impact.
template <class D>
GRADUS_ROUTINE void amount_adjoint(const D& d, const EventEntry& event, const Impact<D>& impact) {
  const EventLayout& e = d.layout.event;
  const RealOf<D> by_time = set_law_row(d, event.amount, e.row);
  add_law_worth(d, event.amount, e.row, by_time,
                sets_rate(event) ? RealOf<D>(-impact.closing) : RealOf<D>(1), e.size);
  if (!sets_rate(event)) return;
  const RealOf<D> closing_by_time = set_law_row(d, event.closing, e.row);
  add_law_worth(d, event.closing, e.row, closing_by_time, RealOf<D>(-impact.amount), e.size);
}

// The motion before the event at its base, and what the event makes of velocities there.
template <class D>
GRADUS_FUNCTION void put_before(const D& d, const Evaluation& evaluation, const EventEntry& event,
                                double time, double push) {
  copy_array(d, d.layout.event.velocity, d.layout.velocity, d.plan.coordinate_count);
  if (is_impact(event)) d.at(d.layout.velocity)[event.impulse] = RealOf<D>(push);
  evaluate_accelerations(d, evaluation, time, false);
}

// The accelerations of an evaluation before the event, with a force of that size, are worth
// `factor` times response_rows.
template <class D>
GRADUS_ROUTINE void add_response_worth(const D& d, const Evaluation& evaluation,
                                       const EventEntry& event, double time, double push,
                                       double factor) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int objectives = d.plan.objective_count;
  put_before(d, evaluation, event, time, push);
  prepare_rows(d, evaluation);
  add_rows_to(d, l.columns[kAcceleration], factor, e.response_rows);
  evaluation_adjoint(d, evaluation, false);
  for (int o = 0; o < objectives; ++o)  // the force is what it is
    d.at(l.columns[kVelocity])[event.impulse * objectives + o] = RealOf<D>(0);
  add_rows_to(d, e.position_rows, 1.0, l.columns[kPosition]);
  add_rows_to(d, e.velocity_rows, 1.0, l.columns[kVelocity]);
}

// What integrals count at the state at hand.
template <class D>
GRADUS_FUNCTION void set_event_integrands(const D& d, double time, int to) {
  set_integrands(d, time, to, d.layout.integrator.integral_gradient);
}

// The base of a step behind an event, from its rows to those of the motion before it, which
// evaluate() puts back.
template <class D, class Evaluate>
GRADUS_ROUTINE void event_adjoint(const D& own, const Evaluation& evaluation,
                                  const EventEntry& event, double time, Moment moment,
                                  const Evaluate& evaluate) {
  D d(own);
#if !defined(__CUDA_ARCH__)
  d.programs = nullptr;
#endif
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  evaluate();
  set_event_integrands(d, time, s.integral);
  copy_array(d, l.velocity, e.velocity, n);
  copy_array(d, l.acceleration, e.acceleration, n);
  const Evaluation open = without_closing(evaluation);
  evaluate_accelerations(d, open, time, false);
  find_resets(d, event, time);
  Impact<D> impact{};
  if (is_impact(event)) {
    impact = find_impact(d, open, event, time);
    if (d.failed()) return;
    strike(d, impact);
  }
  reset_states(d, event);
  evaluate_accelerations(d, evaluation, time, false);
  if (d.failed()) return;
  copy_array(d, l.velocity, e.new_velocity, n);
  copy_array(d, l.acceleration, e.new_acceleration, n);
  set_event_integrands(d, time, s.integrand);
  prepare_rows(d, evaluation);
  take_base_rows(d);
  add_objective_rows(d, time, common(d.at(s.pending)[0]), moment);
  evaluation_adjoint(d, evaluation, false);
  copy_array(d, l.columns[kPosition], e.position_rows, n * objectives);
  copy_array(d, l.columns[kVelocity], e.velocity_rows, n * objectives);
  set_zero(d.at(e.shift), objectives);
  move_back(d, e.new_velocity, e.new_acceleration, s.integrand, -1.0);
  take_reset_rows(d, event);
  if (is_impact(event)) {
    strike_adjoint(d, event, impact);
    add_response_worth(d, open, event, time, impact.push, 1.0 / impact.push);
    add_response_worth(d, open, event, time, 0.0, -1.0 / impact.push);
  } else {
    put_before(d, open, event, time, 0.0);
  }
  find_resets_adjoint(d, event);
  if (is_impact(event)) amount_adjoint(d, event, impact);
  move_back(d, e.velocity, e.acceleration, s.integral, 1.0);
  const RealOf<D> by_time = set_law_row(d, event.when, e.row);
  const RealOf<D> rate = rate_along(d, e.row, by_time, e.velocity, e.acceleration);
  copy_array(d, e.shift, e.change, objectives);
  add_law_worth(d, event.when, e.row, RealOf<D>(0), RealOf<D>(-1) / rate, e.change);
  features_to_elements(d);
  copy_array(d, e.position_rows, s.position_columns, n * objectives);
  copy_array(d, e.velocity_rows, s.velocity_columns, n * objectives);
  evaluate();
}

// Designs with events do not travel in packs.
template <class D, class Evaluate>
GRADUS_FUNCTION void event_adjoint_alone(const D& d, const Evaluation& evaluation,
                                         const EventEntry& event, double time, Moment moment,
                                         const Evaluate& evaluate) {
  if constexpr (D::kLanes == 1) event_adjoint(d, evaluation, event, time, moment, evaluate);
}

GRADUS_KERNELS_END
