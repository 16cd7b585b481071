// Start of a step: Newmark's prediction z + h z' + h^2/2 z'', z' + h z'', z'', or what
// generalised-alpha makes of it with its algorithmic acceleration. The unknown of the step is the
// correction of the predicted position, from which rates follow without cancellation: z' =
// predicted + gamma/(beta h) correction, z'' = predicted + correction/(beta h^2). docs/theory.md,
// section 8. The iteration starts from corrections and multipliers carried on in a straight line
// from the last two steps.
#pragma once

#include "kernels/stages/constrained_solve.hpp"

GRADUS_KERNELS_BEGIN

// Restates the multipliers by the pivot rows of the last Jacobian alone; the force they exert stays
// the same. Redundant rows would otherwise keep whatever has come to them, which exerts no force
// and is never corrected: carried on in a straight line, it grows without bound.
template <class D>
GRADUS_FUNCTION void restate_multipliers(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const SolveArrays arrays = motion_arrays(d, l.solution, l.multiplier);
  set_zero(d.at(arrays.top), n);
  add_transposed_product(d.at(l.jacobian), n, d.plan.constraint_rows, d.at(l.multiplier), 1, 1.0,
                         d.at(arrays.top));
  solve_multipliers(d, arrays, 1);
}

constexpr double kNoCorrection = 1e-24;  // sum of squares of corrections that count as none

// The correction that undoes the prediction of coordinate c. Where a step changes much, a
// prediction may lie beyond another solution of the step; the position before it does not.
template <class D>
GRADUS_FUNCTION RealOf<D> back_to_start(const D& d, int c) {
  const Layout& l = d.layout;
  const double h = d.settings.step;
  return RealOf<D>(0.5 * h * h) * d.at(l.predicted_acceleration)[c] -
         RealOf<D>(h) * d.at(l.predicted_velocity)[c];
}

// Whether the last two corrections differ by less than half of the last, or are nothing: only then
// does a straight line through them say anything about the next.
template <class D>
GRADUS_FUNCTION typename D::Mask is_smooth(const D& d) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  Value change2(0.0);
  Value last2(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Value last = value_of(d.at(l.correction)[c]);
    const Value change = last - value_of(d.at(l.earlier_correction)[c]);
    change2 += change * change;
    last2 += last * last;
  }
  return change2 < Value(0.25) * last2 || change2 + last2 < Value(kNoCorrection);
}

// The guess from which the iteration starts: corrections and multipliers carried on, or else the
// position before the step.
template <class D>
GRADUS_ROUTINE void guess_corrections(const D& d) {
  const Layout& l = d.layout;
  const auto smooth = is_smooth(d);
  if (d.plan.constraint_rank > 0) restate_multipliers(d);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const RealOf<D> last = d.at(l.correction)[c];
    d.at(l.correction)[c] =
        select(smooth, last + (last - d.at(l.earlier_correction)[c]), back_to_start(d, c));
    d.at(l.earlier_correction)[c] = last;
  }
  for (int i = 0; i < d.plan.constraint_rows; ++i) {
    const RealOf<D> last = d.at(l.multiplier)[i];
    d.at(l.multiplier)[i] = select(smooth, last + (last - d.at(l.earlier_multiplier)[i]), last);
    d.at(l.earlier_multiplier)[i] = last;
  }
}

template <class D>
GRADUS_FUNCTION void predict(const D& d, const LaunchArguments& arguments) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  d.at(l.time)[0] = Real(time_of(arguments));
  const Prediction share = prediction(d.settings);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Real v = d.at(l.velocity)[c];
    const Real a = d.at(l.acceleration)[c];
    const Real algorithmic = d.at(l.algorithmic)[c];
    const Real z =
        d.at(l.position)[c] + (Real(d.settings.step) * v + Real(share.position[0]) * algorithmic +
                               Real(share.position[1]) * a);
    d.at(l.position)[c] = z;
    d.at(l.predicted_position)[c] = z;
    d.at(l.predicted_velocity)[c] =
        v + (Real(share.velocity[0]) * algorithmic + Real(share.velocity[1]) * a);
    d.at(l.predicted_acceleration)[c] = a;
  }
  guess_corrections(d);
}

GRADUS_KERNELS_END
