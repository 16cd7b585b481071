// Start of a step: Newmark's prediction z + h z' + h^2/2 z'', z' + h z'', z''. The unknown of the
// step is the correction of the predicted position, from which rates follow without cancellation:
// z' = predicted + gamma/(beta h) correction, z'' = predicted + correction/(beta h^2).
// docs/theory.md, section 8. The iteration starts from corrections and multipliers carried on in a
// straight line from the last two steps.
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
  SolveArrays arrays = motion_arrays(d);
  arrays.multiplier = l.multiplier;
  set_zero(d.at(arrays.top), n);
  add_transposed_product(d.at(l.jacobian), n, d.plan.constraint_rows, d.at(l.multiplier), 1, 1.0,
                         d.at(arrays.top));
  solve_multipliers(d, arrays, 1);
}

template <class Real, bool kInterleaved>
struct Predict {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const Real h(d.settings.step);
    const Real half(0.5 * d.settings.step * d.settings.step);
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      const Real v = d.at(l.velocity)[c];
      const Real a = d.at(l.acceleration)[c];
      const Real z = d.at(l.position)[c] + (h * v + half * a);
      d.at(l.position)[c] = z;
      d.at(l.predicted_position)[c] = z;
      d.at(l.predicted_velocity)[c] = v + h * a;
      d.at(l.predicted_acceleration)[c] = a;
      const Real last = d.at(l.correction)[c];
      d.at(l.correction)[c] = last + (last - d.at(l.earlier_correction)[c]);
      d.at(l.earlier_correction)[c] = last;
    }
    if (d.plan.constraint_rank > 0) restate_multipliers(d);
    for (int i = 0; i < d.plan.constraint_rows; ++i) {
      const Real last = d.at(l.multiplier)[i];
      d.at(l.multiplier)[i] = last + (last - d.at(l.earlier_multiplier)[i]);
      d.at(l.earlier_multiplier)[i] = last;
    }
  }
};

GRADUS_KERNELS_END
