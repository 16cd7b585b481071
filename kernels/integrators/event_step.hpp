// The passage of an event, with columns. It is taken at the end of the step that ends with the
// event, from where the motion goes on as from a start: everything moves along the motion to the
// instant at which the expression is zero, changes there, and moves back along the new motion. On
// the way forwards that instant is the end of the step but for round-off; parameters, and designs
// that take the steps of another, shift it. docs/theory.md, section 25.
#pragma once

#include "kernels/integrators/impact.hpp"

GRADUS_KERNELS_BEGIN

// So many instants of events within the shortest rebound lead to no end.
constexpr double kMostEvents = 30.0;

// Whether an event that is due still comes behind others at its instant: what these have moved
// through zero by a jump has not passed it, and bodies that part already do not collide.
template <class D>
GRADUS_FUNCTION bool is_still_due(const D& d, int k) {
  const EventMark mark = base_mark(d, k, 1.0);
  const EventEntry& event = d.plan.events[k];
  if (!mark.is_zero) return false;
  return event.rebounds != kRebounds || mark.is_flat || mark.rate * event.direction > 0.0;
}

// Behind an event.
template <class D>
GRADUS_FUNCTION void drop_events(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count && !d.failed(); ++k) {
    if (!is_due(d, k) || is_still_due(d, k)) continue;
    d.at(e.due)[k] = d.at(e.side)[k] = RealOf<D>(0);
    d.at(e.side)[k] = RealOf<D>(side_of(d, k, time));
  }
}

// A step of no length at the base, so that each has one event or sample at its end.
template <class D>
GRADUS_FUNCTION void stand_still(const D& d) {
  const double time = common(d.at(d.layout.integrator.time)[0]);
  d.at(d.layout.event.passed)[0] = RealOf<D>(0);
  keep_base(d, ClockOf<D>(0.0), time);
  d.at(d.layout.steps)[0] += RealOf<D>(1);
}

// Whether something more changes at the instant of the event that has just been passed.
template <class D>
GRADUS_FUNCTION bool is_followed(const D& d, double time) {
  if (d.given_steps != nullptr) return next_given_step(d)[0] == 0.0;
  for (int k = 0; k < d.plan.event_count; ++k)
    if (is_due(d, k)) return true;
  return samples_at(d, time);
}

// position += velocity * shift, velocity += acceleration * shift; columns likewise, by the shifts
// of the columns.
template <class D>
GRADUS_ROUTINE void move_along(const D& d, const RealOf<D>& shift, double sign) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const RealOf<D> way = RealOf<D>(sign) * shift;
  const int columns = columns_carried(d);
  for (int c = 0; c < n; ++c) {
    for (int p = 0; p < columns; ++p) {
      const RealOf<D> share = RealOf<D>(sign) * d.at(l.event.shift)[p];
      d.at(l.columns[kPosition])[c * columns + p] += share * d.at(l.velocity)[c];
      d.at(l.columns[kVelocity])[c * columns + p] += share * d.at(l.acceleration)[c];
    }
    d.at(l.position)[c] += way * d.at(l.velocity)[c];
    d.at(l.velocity)[c] += way * d.at(l.acceleration)[c];
  }
}

// Integrals change by what they count before, or with minus after, until the instant of the event.
template <class D>
GRADUS_ROUTINE void move_integrals(const D& d, double time, const RealOf<D>& shift, double sign) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  set_integrands(d, time, s.integral, s.integral_gradient);
  const int columns = columns_carried(d);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const RealOf<D> integrand = RealOf<D>(sign) * d.at(s.integral)[o];
    d.at(l.objective_value)[o] += shift * integrand;
    for (int p = 0; p < columns; ++p)
      d.at(l.objective_gradient)[o * columns + p] += d.at(l.event.shift)[p] * integrand;
  }
}

// How much later than the end of the step the event comes, and its columns.
template <class D>
GRADUS_ROUTINE RealOf<D> event_shift(const D& d, const EventEntry& event, double time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const RealOf<D> value = law_signal(d, event.when);
  const RealOf<D> by_time = set_law_row(d, event.when, e.row);
  const RealOf<D> rate = rate_along(d, e.row, by_time, l.velocity, l.acceleration);
  if (!(absolute(value_of(rate)) > 0.0)) {
    blame_event(d, Status::event_unclear, time);
    return RealOf<D>(0);
  }
  if (d.settings.with_columns != 0) {
    const int columns = d.plan.column_count;
    set_zero(d.at(e.shift), columns);
    set_zero(d.at(e.change), columns);
    add_law_columns(d, event.when, e.row, RealOf<D>(0), RealOf<D>(-1) / rate, e.change);
    copy_array(d, e.change, e.shift, columns);
  }
  return -(value / rate);
}

// What states become, by the motion before the event, and its columns.
template <class D>
GRADUS_ROUTINE void find_resets(const D& d, const EventEntry& event, double time) {
  const EventLayout& e = d.layout.event;
  const int columns = columns_carried(d);
  for (int k = event.reset_begin; k < event.reset_end; ++k) {
    const int law = d.plan.resets[k].law;
    const int place = k - event.reset_begin;
    d.at(e.next)[place] = law_signal(d, law);
    if (!is_finite(value_of(d.at(e.next)[place]))) blame_event(d, Status::event_undefined, time);
    if (columns == 0) continue;
    const int sum = e.next_columns + place * columns;
    set_zero(d.at(sum), columns);
    const RealOf<D> by_time = set_law_row(d, law, e.row);
    add_law_columns(d, law, e.row, by_time, RealOf<D>(1), sum);
  }
}

template <class D>
GRADUS_ROUTINE void reset_states(const D& d, const EventEntry& event) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int columns = columns_carried(d);
  for (int k = event.reset_begin; k < event.reset_end; ++k) {
    const int c = d.plan.resets[k].coordinate;
    const int place = k - event.reset_begin;
    d.at(l.velocity)[c] = d.at(e.next)[place];
    for (int p = 0; p < columns; ++p)
      d.at(l.columns[kVelocity])[c * columns + p] = d.at(e.next_columns)[place * columns + p];
  }
}

// The evaluation of a state that is closed, with columns along the motion: what would close these
// takes the time for fixed.
GRADUS_FUNCTION Evaluation without_closing(const Evaluation& evaluation) {
  Evaluation open = evaluation;
  open.operation_count = open.tangent_count = 0;
  for (int k = 0; k < evaluation.operation_count; ++k) {
    const EvaluationStep step = evaluation.operations[k];
    if (step == EvaluationStep::close_position || step == EvaluationStep::close_velocity) continue;
    open.operations[open.operation_count++] = step;
    open.tangents[open.tangent_count++] = evaluation.tangents[k];
  }
  return open;
}

// What changes at the instant of the event, from the motion before it, which has been evaluated
// there, to that after it, which is evaluated as well.
template <class D>
GRADUS_ROUTINE void change_at_event(const D& d, const Evaluation& evaluation,
                                    const EventEntry& event, const RealOf<D>& time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  const bool with_columns = d.settings.with_columns != 0;
  copy_array(d, l.velocity, e.velocity, n);
  copy_array(d, l.acceleration, e.acceleration, n);
  find_resets(d, event, plain_time(time));
  Impact<D> impact{};
  if (is_impact(event)) {
    if (with_columns) begin_impact_columns(d, evaluation, event);
    impact = find_impact(d, evaluation, event, time);
    if (d.failed()) return;
    if (with_columns) {
      // Once more with the force, which the columns are to see.
      push(d, evaluation, event, time, impact.push);
      find_response_columns(d, evaluation, impact.push);
    }
    strike(d, impact);
  }
  reset_states(d, event);
  evaluate_accelerations(d, evaluation, time, false);
  if (d.failed() || !is_impact(event)) return;
  if (with_columns) strike_columns(d, event, impact);
  if (event.rebounds == kRebounds) check_rebound(d, event, plain_time(time));
}

// Notes an event for people, as long as there is room.
template <class D>
GRADUS_FUNCTION void log_event(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const int count = static_cast<int>(common(d.at(e.log_count)[0]));
  if (count < e.log_size) {
    d.at(e.log)[2 * count] = RealOf<D>(time);
    d.at(e.log)[2 * count + 1] = d.at(e.pending)[0];
  }
  d.at(e.log_count)[0] += RealOf<D>(1);
}

// Instants of events that follow each other ever faster lead to no end.
template <class D>
GRADUS_FUNCTION void watch_chain(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const auto chain = d.at(e.chain), begun = d.at(e.chain_time), last = d.at(e.last_time);
  if (time - value_of(begun[0]) > kShortestRebound * d.settings.duration) {
    chain[0] = RealOf<D>(0);
    begun[0] = RealOf<D>(time);
  }
  if (time > value_of(last[0])) chain[0] += RealOf<D>(1);
  last[0] = RealOf<D>(time);
  if (value_of(chain[0]) > kMostEvents) blame_event(d, Status::events_chatter, time);
}

// Passes the event that the last step has ended with.
template <class D>
GRADUS_CALL void pass_event(const D& own, const Evaluation& evaluation) {
  const EventLayout& e = own.layout.event;
  const IntegratorLayout& s = own.layout.integrator;
  D d(own);
#if !defined(__CUDA_ARCH__)
  d.programs = nullptr;  // it comes seldom, with numbers that programs take for constant
#endif
  const double time = common(d.at(s.time)[0]);
  const EventEntry& event = d.plan.events[pending_number(d)];
  evaluate_base(d, evaluation, time);
  if (d.failed()) return;
  const RealOf<D> shift = event_shift(d, event, time);
  if (d.failed()) return;
  move_integrals(d, time, shift, 1.0);
  move_along(d, shift, 1.0);
  const RealOf<D> instant = RealOf<D>(time) + shift;
  const Evaluation open = without_closing(evaluation);
  evaluate_accelerations(d, open, instant, false);
  if (d.failed()) return;
  change_at_event(d, open, event, instant);
  if (d.failed()) return;
  move_integrals(d, time, shift, -1.0);
  move_along(d, shift, -1.0);
  evaluate_accelerations(d, evaluation, time, false);
  evaluate_columns(d, evaluation, false);
  if (d.failed()) return;
  const int passed = pending_number(d);
  d.at(e.due)[passed] = d.at(e.side)[passed] = RealOf<D>(0);
  look_at_events(d);
  if (d.given_steps == nullptr) {
    settle_events(d, time);
    drop_events(d, time);
  }
  if (d.failed()) return;
  begin_again(d, time, !is_followed(d, time));
  if (watches_stiffness(d)) {
    keep_stretch_state(d, 0, time);
    d.at(s.stretch_steps)[0] = RealOf<D>(0);
  }
  log_event(d, time);
  watch_chain(d, time);
  d.at(e.pending)[0] = RealOf<D>(0);
  d.at(e.passed)[0] = RealOf<D>(1);
}

// Whether more is to change where the design is, behind an event. Leads to it by a step of no
// length, if there is room to keep one.
template <class D>
GRADUS_FUNCTION bool stands_still(const D& d) {
  const EventLayout& e = d.layout.event;
  if (common(d.at(e.passed)[0]) == 0.0) return false;
  if (!is_followed(d, common(d.at(d.layout.integrator.time)[0]))) return false;
  if (record_is_full(d)) return true;
  if (d.given_steps != nullptr)
    d.at(e.pending)[0] = RealOf<D>(next_given_step(d)[2]);
  else
    await_event(d);
  stand_still(d);
  return true;
}

// What changes where the design is, by events and as states are sampled. Returns false where there
// is no room to keep what leads to it.
template <class D>
GRADUS_FUNCTION bool change_if_due(const D& d, const Evaluation& evaluation) {
  if constexpr (D::kLanes == 1) {
    while (has_events(d) && !d.failed()) {
      if (common(d.at(d.layout.event.pending)[0]) != 0.0) {
        pass_event(d, evaluation);
      } else if (!stands_still(d)) {
        break;
      } else if (common(d.at(d.layout.event.passed)[0]) != 0.0) {
        return false;
      }
    }
    if (d.failed()) return true;
  }
  const bool has_changed = sample_if_due(d, evaluation);
  if constexpr (D::kLanes == 1) {
    if (!has_changed || !has_events(d) || d.failed()) return true;
    const double time = common(d.at(d.layout.integrator.time)[0]);
    look_at_events(d);
    if (d.given_steps == nullptr) settle_events(d, time);
  }
  return true;
}

GRADUS_KERNELS_END
