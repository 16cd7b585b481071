// What a one-step method keeps from step to step, sums of its stages, and what a step leaves for
// its adjoint. Every quantity exists as a number per coordinate and as a column per parameter,
// which the same sums serve. docs/theory.md, sections 13 and 15.
#pragma once

#include "kernels/integrators/evaluation.hpp"
#include "kernels/math/quad.hpp"
#include "kernels/stages/events.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/sample.hpp"
#include "kernels/stages/slips.hpp"
#include "kernels/stages/watch.hpp"
#include "kernels/stages/watch_rates.hpp"
#include "kernels/stages/watch_splines.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE double tableau(const D& d, int offset, int i) {
  return d.tableau.numbers[offset + i];
}

// Columns of each coordinate that a step carries.
template <class D>
GRADUS_INLINE int columns_carried(const D& d) {
  return d.settings.with_columns != 0 ? d.plan.column_count : 0;
}

template <class D>
GRADUS_INLINE int column_size(const D& d) {
  return d.plan.coordinate_count * columns_carried(d);
}

// The largest number of a pack: steps, which count until a design fails.
template <class D>
GRADUS_FUNCTION double largest_lane(const D& d, int offset) {
  const auto number = value_of(d.at(offset)[0]);
  double largest = lane(number, 0);
  for (int i = 1; i < D::kLanes; ++i)
    largest = lane(number, i) > largest ? lane(number, i) : largest;
  return largest;
}

// What makes a state of the base of a step and its stages: its time as a part of the step, and the
// weights of the accelerations of `count` stages in position and velocity.
struct StageSum {
  double c;
  int bar, plain, count;
};
template <class D>
GRADUS_FUNCTION StageSum sum_at_stage(const D& d, int i, int count) {
  const TableauView& t = d.tableau;
  return {tableau(d, t.c(), i), t.abar() + i * t.stages, t.a() + i * t.stages, count};
}
template <class D>
GRADUS_FUNCTION StageSum sum_at_end(const D& d) {
  return {1.0, d.tableau.bbar(), d.tableau.b(), d.tableau.stages};
}

// Positions and velocities, or columns of them, at the base of a step, and the stages [stage,
// size]; and what is made of these.
struct SummedArrays {
  int new_position, new_velocity;
  int position, velocity, stages, size;
};

// new position = position + c h velocity + h^2 sum abar stage, new velocity = velocity + h sum a
// stage, of the entries from i on that a `Sum` holds: they stay in
// registers.
template <class Sum, class D>
GRADUS_INLINE void combine_entries(const D& d, const ClockOf<D>& h, const StageSum& sum,
                                   const SummedArrays& a, int i) {
  Sum position, velocity, stage;
  position.load(d.at(a.position), i);
  velocity.load(d.at(a.velocity), i);
  position.add(RealOf<D>(sum.c * h), velocity);
  const ClockOf<D> square = h * h;
  for (int j = 0; j < sum.count; ++j) {
    const double in_position = tableau(d, sum.bar, j);
    const double in_velocity = tableau(d, sum.plain, j);
    if (in_position == 0.0 && in_velocity == 0.0) continue;
    stage.load(d.at(a.stages + j * a.size), i);
    if (in_position != 0.0) position.add(RealOf<D>(square * in_position), stage);
    if (in_velocity != 0.0) velocity.add(RealOf<D>(h * in_velocity), stage);
  }
  position.store(d.at(a.new_position), i);
  velocity.store(d.at(a.new_velocity), i);
}

// One entry, as Quad is four.
template <class Array>
struct Single {
  std::decay_t<decltype(std::declval<Array>()[0])> entry;

  GRADUS_INLINE void load(const Array& a, int i) { entry = a[i]; }
  GRADUS_INLINE void store(const Array& a, int i) const { a[i] = entry; }
  template <class Factor>
  GRADUS_INLINE void add(const Factor& factor, const Single& x) {
    entry += factor * x.entry;
  }
};

template <class D>
GRADUS_ROUTINE void combine_arrays(const D& d, const ClockOf<D>& h, const StageSum& sum,
                                   const SummedArrays& a) {
  using Array = typename D::Array;
  int i = 0;
  for (; i + 4 <= a.size; i += 4) combine_entries<Quad<Array>>(d, h, sum, a, i);
  for (; i < a.size; ++i) combine_entries<Single<Array>>(d, h, sum, a, i);
}

// Columns of position and velocity, see combine_stages().
template <class D>
GRADUS_FUNCTION void combine_columns(const D& d, const ClockOf<D>& h, const StageSum& sum) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  combine_arrays(d, h, sum,
                 {l.columns[kPosition], l.columns[kVelocity], s.position_columns,
                  s.velocity_columns, s.stage_columns, column_size(d)});
}

// Position and velocity, and their columns: z + c h z' + h^2 sum abar A and z' + h sum a A.
template <class D>
GRADUS_FUNCTION void combine_stages(const D& d, const ClockOf<D>& h, const StageSum& sum) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  combine_arrays(
      d, h, sum,
      {l.position, l.velocity, s.position, s.velocity, s.stages, d.plan.coordinate_count});
  combine_columns(d, h, sum);
}

// The end of the step, evaluated.
template <class D>
GRADUS_FUNCTION void evaluate_end(const D& d, const Evaluation& evaluation, const ClockOf<D>& h,
                                  const ClockOf<D>& end) {
  combine_stages(d, h, sum_at_end(d));
  evaluate_accelerations(d, evaluation, end, true);
}

// Keeps the accelerations of the current evaluation as stage i.
template <class D>
GRADUS_FUNCTION void keep_stage(const D& d, int i) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const int size = column_size(d);
  copy_array(d, l.acceleration, s.stages + i * n, n);
  copy_array(d, l.columns[kAcceleration], s.stage_columns + i * size, size);
}

// At the end of a step: violations of the constraints, all three levels; what it missed of rates.
template <class D>
GRADUS_FUNCTION void record_violations(const D& d, const ClockOf<D>& time) {
  const Layout& l = d.layout;
  constraint_values(d);
  constraint_rates(d, l.motion, d.at(l.velocity));
  record_violation(d, 0, l.constraint);
  record_violation(d, 1, l.constraint_rate);
  record_violation(d, 2, l.constraint_acceleration);
  record_slips(d, time);
  watch_constraints(d, time);
  watch_singularity(d, time);
  watch_splines(d, time);
  watch_rates(d, time);
}

// Objectives of a step: the integrands at its start, which wait for its length, and its integrals.
template <class D>
GRADUS_FUNCTION int gradient_size(const D& d) {
  return d.settings.with_columns != 0 ? gradient_entries(d.plan, d.settings) : 0;
}

template <class D>
GRADUS_FUNCTION void add_integrands(const D& d, const ClockOf<D>& time, const ClockOf<D>& weight,
                                    int values, int gradients) {
  if (d.plan.objective_count == 0 || is_nothing(weight) || d.failed()) return;
  add_objectives(d, time, weight, Moment::stage, values, gradients);
}

// Values that are due at the instant which the state has just reached. Lanes that choose their
// steps reach it one by one.
template <class D>
GRADUS_FUNCTION void add_values(const D& d, const ClockOf<D>& time) {
  const Layout& l = d.layout;
  if constexpr (D::kLanes > 1) {
    if (d.tableau.error_order > 0) {
      for (int i = 0; i < D::kLanes; ++i) add_values(LaneOf<D>(d, i), lane(time, i));
      return;
    }
  }
  const double instant = common(time);
  if (!counts(d, instant, 0.0, Moment::instant) || d.failed()) return;
  add_objectives(d, instant, 0.0, Moment::instant, l.objective_value, l.objective_gradient);
}

template <class D>
GRADUS_FUNCTION void set_integrands(const D& d, const ClockOf<D>& time, int values, int gradients) {
  set_zero(d.at(values), d.plan.objective_count);
  set_zero(d.at(gradients), gradient_size(d));
  add_integrands(d, time, 1.0, values, gradients);
}

// Whether columns of the sensors are recorded, for which those between steps are needed.
template <class D>
GRADUS_FUNCTION bool records_columns(const D& d) {
  return d.settings.records_columns != 0 && column_size(d) > 0;
}

// The columns of the base become those of the step before.
template <class D>
GRADUS_FUNCTION void keep_last_columns(const D& d) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int size = column_size(d);
  copy_array(d, s.position_columns, s.last_position_columns, size);
  copy_array(d, s.velocity_columns, s.last_velocity_columns, size);
  copy_array(d, s.acceleration_columns, s.last_acceleration_columns, size);
  copy_array(d, l.columns[kAcceleration], s.acceleration_columns, size);
}

// The current state becomes the base of the next step, the base that before it.
template <class D>
GRADUS_ROUTINE void accept_state(const D& d, const ClockOf<D>& time) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  copy_array(d, s.position, s.last_position, n);
  copy_array(d, s.velocity, s.last_velocity, n);
  copy_array(d, s.acceleration, s.last_acceleration, n);
  d.at(s.last_time)[0] = d.at(s.time)[0];
  copy_array(d, l.position, s.position, n);
  copy_array(d, l.velocity, s.velocity, n);
  copy_array(d, l.acceleration, s.acceleration, n);
  if (records_columns(d))
    keep_last_columns(d);
  else if (d.tableau.controls_implicit())
    copy_array(d, l.columns[kAcceleration], s.acceleration_columns, column_size(d));
  copy_array(d, l.columns[kPosition], s.position_columns, column_size(d));
  copy_array(d, l.columns[kVelocity], s.velocity_columns, column_size(d));
  if (d.tableau.known > 0) keep_stage(d, d.tableau.known - 1);
  d.at(s.time)[0] = RealOf<D>(time);
  d.at(s.sampled)[0] = RealOf<D>(0);
}

// Whether the end of a step is its only unknown stage, and nothing is projected there: then one
// evaluation serves both, and the integrand at the end is that of the stage.
template <class D>
GRADUS_FUNCTION bool ends_at_stage(const D& d, const Evaluation& evaluation) {
  return d.tableau.ends_at_stage != 0 && evaluation.projection_count == 0;
}

// Generalised-alpha: the algorithmic acceleration at the end of the step, before its last stage
// becomes the first of the next.
template <class D>
GRADUS_FUNCTION void update_algorithmic(const D& d, int stages, int size) {
  using Real = typename D::Real;
  const double* share = d.tableau.algorithmic;
  const auto first = d.at(stages);
  const auto start = d.at(stages + size);
  const auto end = d.at(stages + 2 * size);
  for (int i = 0; i < size; ++i)
    first[i] = Real(share[0]) * first[i] + Real(share[1]) * start[i] + Real(share[2]) * end[i];
}

// Whether the step at hand ends with an event.
template <class D>
GRADUS_FUNCTION bool ends_with_event(const D& d) {
  return has_events(d) && any(!is_zero(value_of(d.at(d.layout.event.pending)[0])));
}

// Calls visit(offset, count) for every array that is kept, after the numbers of the step.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_kept_of_base(const D& d, const Visit& visit) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  visit(s.time, 1);
  visit(s.position, n);
  visit(s.velocity, n);
  visit(s.stages, n * d.tableau.stages);
  visit(d.layout.held, d.plan.independent_count);
}

template <class D>
GRADUS_FUNCTION bool record_is_full(const D& d) {
  return d.record_capacity > 0 &&
         common(d.at(d.layout.integrator.recorded)[0]) >= static_cast<double>(d.record_capacity);
}

// Keeps the step before it is accepted.
template <class D>
GRADUS_FUNCTION void keep_base(const D& d, const ClockOf<D>& h, const ClockOf<D>& end) {
  if (d.record_capacity == 0) return;
  const auto count = d.at(d.layout.integrator.recorded);
  const auto record = d.record(static_cast<int>(common(count[0])));
  record[0] = RealOf<D>(h);
  record[1] = RealOf<D>(end);
  record[2] = has_events(d) ? d.at(d.layout.event.pending)[0] : RealOf<D>(0);
  int place = kGivenStepNumbers;
  for_each_kept_of_base(d, [&](int offset, int size) {
    for (int i = 0; i < size; ++i) record[place++] = d.at(offset)[i];
  });
  count[0] += RealOf<D>(1);
}

struct StepSpan {
  double length, end;
  int event;  // that it ends with, from 1 on; 0: none
};

template <class D>
GRADUS_FUNCTION StepSpan restore_base(const D& d) {
  const auto record = d.record(0);
  int place = kGivenStepNumbers;
  for_each_kept_of_base(d, [&](int offset, int size) {
    for (int i = 0; i < size; ++i) d.at(offset)[i] = record[place++];
  });
  return {common(record[0]), common(record[1]), static_cast<int>(common(record[2]))};
}

GRADUS_KERNELS_END
