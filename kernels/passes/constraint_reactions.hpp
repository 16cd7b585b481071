// What constraints of users exert: the multipliers, and the power that these bring to the
// mechanism, -multiplier . Phi_z z'. Multipliers answer by the motions that undo them; what is left
// is how the rate of the constraint answers to positions, rates and parameters. docs/theory.md,
// section 12.
#pragma once

#include "kernels/passes/load_adjoint.hpp"
#include "kernels/passes/virtual_axis.hpp"

GRADUS_KERNELS_BEGIN

// Whether a coordinate is a state, which leads the mechanism from outside as the time does.
template <class D>
GRADUS_INLINE bool leads_from_outside(const D& d, int coordinate) {
  return d.plan.coordinates[coordinate].start_rate >= 0;
}

// Rate of an input of the law of a constraint by the motion of the mechanism alone: the time stands
// still, and so do states.
template <class D>
GRADUS_FUNCTION RealOf<D> moved_input(const D& d, const LawInputEntry& in) {
  if (in.kind == LawInputKind::time) return RealOf<D>(0);
  if (in.kind == LawInputKind::coordinate && leads_from_outside(d, in.index)) return RealOf<D>(0);
  return input_rate(d, d.layout.motion, in, d.at(d.layout.velocity));
}

// The law of a constraint with its derivatives by the inputs and their change along the motion.
template <class D>
GRADUS_FUNCTION LawRun<D, Slope<RealOf<D>>> moved_law(const D& d, const LawEntry& law) {
  return law_gradient_change(d, d.layout.motion, law,
                             [&](const LawInputEntry& in) { return moved_input(d, in); });
}

// Phi_z z', what the motion does to the constraint.
template <class D>
GRADUS_ROUTINE VectorOf<D> moved_constraint(const D& d, const ConstraintEntry& e) {
  const MotionLayout& m = d.layout.motion;
  if (e.kind != ConstraintKind::law) return constraint_rate(d, m, e, d.at(d.layout.velocity));
  const LawEntry& law = d.plan.laws[e.feature[0]];
  const auto run = law_gradient(d, m, law, d.at(d.layout.velocity));
  RealOf<D> sum(0);
  for (int i = 0; i < input_count(law); ++i)
    sum += run.input[i] * moved_input(d, d.plan.law_inputs[law.input_begin + i]);
  return {sum, RealOf<D>(0), RealOf<D>(0)};
}

template <class D>
GRADUS_FUNCTION RealOf<D> constraint_power(const D& d, const ConstraintEntry& e) {
  return -dot(both_multipliers(d, e), moved_constraint(d, e));
}

// `factor` times the multipliers.
template <class D>
GRADUS_FUNCTION VectorOf<D> constraint_force(const D& d, const SensorEntry& sensor) {
  return RealOf<D>(static_cast<double>(sensor.factor)) *
         both_multipliers(d, d.plan.constraints[sensor.index]);
}

// Of a law, what its rate by the motion is worth: that of a change `column` of its inputs.
template <class D, class Column>
GRADUS_FUNCTION RealOf<D> moved_law_change(const D& d, const LawEntry& law,
                                           const LawRun<D, Slope<RealOf<D>>>& run,
                                           const Column& column) {
  RealOf<D> sum(0);
  for (int i = 0; i < input_count(law); ++i) {
    const InputColumn<RealOf<D>> x = column(d.plan.law_inputs[law.input_begin + i]);
    sum += run.input[i].derivative[0] * x.value + run.input[i].value * x.rate;
  }
  return sum;
}

// Adds y . (d (Phi_z z') / d position, rate) to rows [2 n].
template <class D, class Row>
GRADUS_ROUTINE void add_moved_constraint_rows(const D& d, const ConstraintEntry& e,
                                              const VectorOf<D>& y, const Row& row) {
  const MotionLayout& m = d.layout.motion;
  const int n = d.plan.coordinate_count;
  if (e.kind == ConstraintKind::law) {
    const LawEntry& law = d.plan.laws[e.feature[0]];
    const auto run = moved_law(d, law);
    for (int t = law.touch_begin; t < law.touch_end; ++t) {
      const int c = d.plan.touches[t].coordinate;
      const auto s = axis_motion(d, m, c);
      row[c] += y.x * moved_law_change(d, law, run, [&](const LawInputEntry& in) {
                  return input_column(d, m, in, c, s);
                });
      for (int i = 0; i < input_count(law) && !leads_from_outside(d, c); ++i)
        row[n + c] += y.x * (run.input[i].value *
                             input_by_position(d, m, d.plan.law_inputs[law.input_begin + i], c, s));
    }
    return;
  }
  for (int t = e.touch_begin; t < e.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    const auto s = axis_motion(d, m, c);
    const auto column = features_moved(e, [&](int f) {
      return moves_body(d, c, d.plan.features[f].body) ? position_column(d, f, s)
                                                       : zero3<RealOf<D>>();
    });
    const auto rate = features_moved(e, [&](int f) {
      return moves_body(d, c, d.plan.features[f].body) ? velocity_column(d, m, f, s)
                                                       : zero3<RealOf<D>>();
    });
    row[c] += dot(y, rate.first + rate.second);
    row[n + c] += dot(y, column.first + column.second);
  }
}

// y . (d (Phi_z z') / d entry) at fixed coordinates and rates; `s` is the locked axis, if it is
// one.
template <class D>
GRADUS_ROUTINE RealOf<D> moved_constraint_partial(const D& d, const ConstraintEntry& e,
                                                  const PartialEntry& entry, const AxisOf<D>& s,
                                                  const VectorOf<D>& y) {
  const MotionLayout& m = d.layout.motion;
  if (e.kind == ConstraintKind::law) {
    const int number = e.feature[0];
    if (!law_answers(d, number, entry)) return RealOf<D>(0);
    const LawEntry& law = d.plan.laws[number];
    const auto run = moved_law(d, law);
    const RealOf<D> change = moved_law_change(d, law, run, [&](const LawInputEntry& in) {
      return input_partial(d, m, number, in, entry, s);
    });
    return y.x * (change + law_change(d, law, run, entry).derivative[0]);
  }
  const auto rate = features_moved(e, [&](int f) {
    FeatureColumn<RealOf<D>> column;
    return feature_partial(d, m, entry, s, f, column) ? column.q_rate : zero3<RealOf<D>>();
  });
  return dot(y, rate.first + rate.second);
}

// Adds what the features and slots of the constraint are worth where Phi_z z' is worth y.
template <class D>
GRADUS_ROUTINE void add_moved_constraint_features(const D& d, const FeatureLayout& worth,
                                                  const ConstraintEntry& e, const VectorOf<D>& y) {
  if (e.kind != ConstraintKind::law) return add_factors(d, e, worth.feature[1], y, y);
  const LawEntry& law = d.plan.laws[e.feature[0]];
  const auto run = moved_law(d, law);
  for (int i = 0; i < input_count(law); ++i) {
    const RealOf<D> levels[3] = {y.x * run.input[i].derivative[0], y.x * run.input[i].value,
                                 RealOf<D>(0)};
    add_input_adjoint(d, worth, law.input_begin + i, false, levels);
  }
  for_each_spline(d, law, run, [&](int spline, const auto& adjoint, const auto& x) {
    add_spline_worth(d, worth.gradient, spline, x,
                     [&](const auto& power) { return y.x * (adjoint * power).derivative[0]; });
  });
}

GRADUS_KERNELS_END
