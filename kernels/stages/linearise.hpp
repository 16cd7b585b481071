// Everything the columns of a step need that does not depend on the parameter, and the parameter
// partials: derivatives of the stages at the converged step. docs/theory.md, section 10.
#pragma once

#include "kernels/passes/partials.hpp"
#include "kernels/passes/reactions.hpp"
#include "kernels/stages/algebraic_rows.hpp"

GRADUS_KERNELS_BEGIN

// Derivative of one projection by the coordinates, from the change it made and its multipliers.
template <class D>
GRADUS_FUNCTION void linearise_projection(const D& d, int change, int multiplier, int motions,
                                          int axes, const LoadLayout& load, int matrix) {
  projection_forces(d, change, multiplier, motions, axes, load);
  projection_tangent(d, axes, load, matrix, d.at(multiplier));
}

// What does not depend on the parameter.
template <class D>
GRADUS_ROUTINE void linearise_stages(const D& d) {
  const Layout& l = d.layout;
  if (d.plan.constraint_rank > 0) {
    constraint_jacobian_rates(d, l.motion, d.at(l.velocity), d.at(l.acceleration));
    linearise_projection(d, l.velocity_change, l.velocity_multiplier, l.velocity_change_rate,
                         l.velocity_change_axis, l.velocity_load, l.velocity_stiffness);
    linearise_projection(d, l.acceleration_change, l.acceleration_multiplier,
                         l.acceleration_change_rate, l.acceleration_change_axis,
                         l.acceleration_load, l.acceleration_stiffness);
  } else {
    set_zero(d.at(l.velocity_stiffness), d.plan.coordinate_count * d.plan.coordinate_count);
    set_zero(d.at(l.acceleration_stiffness), d.plan.coordinate_count * d.plan.coordinate_count);
  }
}

template <class D>
GRADUS_FUNCTION void linearise_parameters(const D& d) {
  parameter_partials(d);
  if (!settles_algebraic(d)) return;
  if (has_step_unknowns(d)) return add_step_unknown_partials(d);
  prepare_algebraic(d, d.settings.with_adjoint == 0);
}

template <class D>
GRADUS_FUNCTION void linearise(const D& d) {
  linearise_stages(d);
  linearise_parameters(d);
}

template <class D>
GRADUS_FUNCTION void linearise(const D& d, const LaunchArguments&) {
  if (d.kHasSlices)
    linearise_stages(d);  // linearise_columns() does the rest
  else
    linearise(d);
}

template <class D>
GRADUS_FUNCTION void linearise_columns(const D& d, const LaunchArguments&) {
  linearise_parameters(d);
}

GRADUS_KERNELS_END
