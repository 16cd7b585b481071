// Velocity projection of ALI3-P: the smallest change of the free velocity, measured by M, that
// satisfies the velocity constraints: M (z' - z'_free) + Phi_z^T sigma = 0, dPhi/dt = 0.
// docs/theory.md, section 9.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"

GRADUS_KERNELS_BEGIN

template <class Real, bool kInterleaved>
struct ProjectVelocity {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    const double time = arguments.time;
    if (d.failed()) return;
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    if (d.plan.constraint_rank > 0) {
      set_zero(d.at(l.top), n);
      set_zero(d.at(l.bottom), d.plan.constraint_rank);
      add_pivot_rows_product(d, l.jacobian, l.free_velocity, 1, -1.0, l.bottom);
      factorise_reduced(d, l.mass_matrix, l.mass_factor, l.mass_pivot, time);
      SolveArrays arrays = motion_arrays(d);
      arrays.solution = l.velocity_change;
      arrays.multiplier = l.velocity_multiplier;
      constrained_solve(d, mass_leading(d), arrays, 1);
    }
    for (int c = 0; c < n; ++c)
      d.at(l.velocity)[c] = d.at(l.free_velocity)[c] + d.at(l.velocity_change)[c];
    velocities(d, l.motion, d.at(l.velocity));
    constraint_rates(d, l.motion);
    record_violation(d, 1, l.constraint_rate);
  }
};

GRADUS_KERNELS_END
