// Sensors that are laws, such as the forces that springs exert: their derivatives by coordinates,
// rates and parameters, at the motion that sensors show.
#pragma once

#include "kernels/passes/load_adjoint.hpp"

GRADUS_KERNELS_BEGIN

// Law number `law` at the motion that sensors show.
template <class D>
GRADUS_FUNCTION RealOf<D> law_signal(const D& d, int law) {
  return law_value(d, d.layout.motion, d.plan.laws[law], d.at(d.layout.velocity));
}

// Adds y times its derivatives by position and rate to rows [2 n], and by algebraic unknowns to
// their row.
template <class D, class Row>
GRADUS_ROUTINE void add_law_signal_rows(const D& d, int number, const RealOf<D>& y,
                                        const Row& row) {
  const MotionLayout& m = d.layout.motion;
  const int n = d.plan.coordinate_count;
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient(d, m, law, d.at(d.layout.velocity));
  for (int t = law.touch_begin; t < law.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    const auto s = axis_motion(d, m, c);
    row[c] += y * law_by_position(d, m, law, c, s, run);
    row[n + c] += y * law_by_rate(d, law, c, s, run);
  }
  if (d.plan.algebraic_count == 0) return;
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    if (in.kind == LawInputKind::algebraic)
      d.at(d.layout.algebraic.adjoint)[in.index] += y * run.input[i];
  }
}

// Its derivative by an entry of a parameter at fixed coordinates and rates; `s` is the locked axis,
// if it is one.
template <class D>
GRADUS_ROUTINE RealOf<D> law_signal_partial(const D& d, int number, const PartialEntry& entry,
                                            const AxisOf<D>& s) {
  const MotionLayout& m = d.layout.motion;
  if (!law_answers(d, number, entry)) return RealOf<D>(0);
  return law_partial(d, m, number, entry, s, d.at(d.layout.velocity));
}

// What the features, angular velocities and slots of the law are worth where it is worth y.
template <class D>
GRADUS_ROUTINE void add_law_signal_features(const D& d, const FeatureLayout& worth, int number,
                                            const RealOf<D>& y) {
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const LawInputEntry& in = d.plan.law_inputs[i];
    const RealOf<D> share = y * run.input[i - law.input_begin];
    if (in.kind == LawInputKind::feature_velocity) {
      add3(d.at(worth.feature[1]), in.index, along(in.component, share));
    } else if (in.kind == LawInputKind::angular_velocity) {
      add3(d.at(worth.turn), in.index, along(in.component, share));
    } else {
      const RealOf<D> levels[3] = {share, RealOf<D>(0), RealOf<D>(0)};
      add_input_adjoint(d, worth, i, false, levels);
    }
  }
  for_each_spline(d, law, run, [&](int spline, const RealOf<D>& adjoint, const RealOf<D>& x) {
    add_spline_worth(d, worth.gradient, spline, x,
                     [&](const RealOf<D>& power) { return y * adjoint * power; });
  });
}

GRADUS_KERNELS_END
