// Acceleration projection of ALI3-P: M (z'' - z''_free) + Phi_z^T kappa = 0, d2Phi/dt2 = 0 at the
// projected velocity. docs/theory.md, section 9.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"

GRADUS_KERNELS_BEGIN

template <class Real, bool kInterleaved>
struct ProjectAcceleration {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    if (d.plan.constraint_rank > 0) {
      evaluate_motion(d, l.free_acceleration);
      set_zero(d.at(l.top), n);
      set_zero(d.at(l.bottom), d.plan.constraint_rank);
      add_pivot_rows(d, l.constraint_acceleration, 1, -1.0, l.bottom);
      SolveArrays arrays = motion_arrays(d);
      arrays.solution = l.acceleration_change;
      arrays.multiplier = l.acceleration_multiplier;
      constrained_solve(d, mass_leading(d), arrays, 1);
    }
    for (int c = 0; c < n; ++c)
      d.at(l.acceleration)[c] = d.at(l.free_acceleration)[c] + d.at(l.acceleration_change)[c];
    evaluate_motion(d, l.acceleration);
    record_violation(d, 2, l.constraint_acceleration);
  }
};

GRADUS_KERNELS_END
