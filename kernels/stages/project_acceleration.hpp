// Acceleration projection of ALI3-P: M (z'' - z''_free) + Phi_z^T kappa = 0, d2Phi/dt2 = 0 at the
// projected velocity, or with penalty d2Phi/dt2 = kappa / penalty. docs/theory.md, section 9.
#pragma once

#include "kernels/stages/project_velocity.hpp"

GRADUS_KERNELS_BEGIN

// The algorithmic acceleration at the end of the step.
template <class D>
GRADUS_FUNCTION void update_algorithmic(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const double* share = d.settings.algorithmic;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.algorithmic)[c] = Real(share[0]) * d.at(l.algorithmic)[c] +
                             Real(share[1]) * d.at(l.predicted_acceleration)[c] +
                             Real(share[2]) * d.at(l.acceleration)[c];
}

template <class Real, bool kInterleaved>
struct ProjectAcceleration {
  HeldArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    set_zero(d.at(l.acceleration_change), n);
    set_zero(d.at(l.acceleration_multiplier), d.plan.constraint_rows);
    if (d.plan.constraint_rank > 0) {
      evaluate_motion(d, l.free_acceleration);
      project(d, l.constraint_acceleration, l.acceleration_change, l.acceleration_multiplier, 1);
    }
    for (int c = 0; c < n; ++c)
      d.at(l.acceleration)[c] = d.at(l.free_acceleration)[c] + d.at(l.acceleration_change)[c];
    update_algorithmic(d);
    evaluate_motion(d, l.acceleration);
    record_violation(d, 2, l.constraint_acceleration);
  }
};

GRADUS_KERNELS_END
