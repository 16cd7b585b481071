// The continuous adjoint of ALI3-P, an index-3 system backwards in time, (5.86)-(5.88): with
// w = M mu_2 - x_a,
//   w' = C^T mu_2 - x_v - mu_1     mu_1' = K^T mu_2 + Phi_z^T mu_Phi - x_z     Phi_z mu_2 = 0
// where x_z, x_v, x_a is what the integrands are worth to position and free rates, the adjoints of
// the projections included. In terms of w no derivative of M or of the integrands is wanted. By
// the trapezoidal rule over the steps of the motion, so that the leading matrix is that of the
// position stage, transposed. docs/theory.md, section 16.
#pragma once

#include "kernels/stages/objective_elements.hpp"
#include "kernels/stages/solve_adjoint.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
struct CostateRows {
  typename D::Array position, velocity;  // mu_1 and w, each [n, objective]
};

template <class D>
GRADUS_FUNCTION CostateRows<D> costates(const D& d) {
  return {d.at(d.layout.costate.rows), d.at(d.layout.costate.rows + row_size(d))};
}

template <class D>
GRADUS_FUNCTION void clear_all_rows(const D& d) {
  for (const int set : d.layout.columns) set_zero(d.at(set), row_size(d));
}

// What parameters make of the equations of motion and the constraints, the rows of which are
// `factor` times column_top and `constraint_factor` times column_bottom, the latter for the
// constraints (level 0) or their rates (1).
template <class D>
GRADUS_ROUTINE void add_costate_elements(const D& d, double factor, double constraint_factor,
                                         int level) {
  const Layout& l = d.layout;
  const int objectives = d.plan.objective_count;
  for (int o = 0; o < objectives; ++o) {
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.element.row)[c] = RealOf<D>(factor) * d.at(l.column_top)[c * objectives + o];
    for (const int rows : l.element.constraint_row) set_zero(d.at(rows), d.plan.constraint_rows);
    for (int i = 0; i < d.plan.constraint_rank; ++i)
      put_pivot_row(d, i, RealOf<D>(constraint_factor) * d.at(l.column_bottom)[i * objectives + o],
                    d.at(l.element.constraint_row[level]), 1);
    add_element_adjoint(d, factor == 0.0 ? -1 : 0, o);
  }
}

// out [n, objective] += factor * Phi_z^T (or its rate) * column_bottom, in the order of the pivots.
template <class D, class Array>
GRADUS_FUNCTION void add_constraint_rows(const D& d, int jacobian, double factor,
                                         const Array& out) {
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    add_transposed_product(gathered_row(d, {d.plan.constraint_rank, false}, i, jacobian), n, 1,
                           d.at(d.layout.column_bottom).from(i * objectives), objectives, factor,
                           out);
}

// out += factor * matrix^T * column_top
template <class D, class Array>
GRADUS_FUNCTION void add_top_product(const D& d, int matrix, double factor, const Array& out) {
  const int n = d.plan.coordinate_count;
  add_transposed_product(d.at(matrix), n, n, d.at(d.layout.column_top), d.plan.objective_count,
                         factor, out);
}

template <class D, class Array>
GRADUS_FUNCTION void add_set(const D& d, ColumnSet set, double factor, const Array& out) {
  const auto rows = d.at(d.layout.columns[set]);
  for (int i = 0; i < row_size(d); ++i) out[i] += RealOf<D>(factor) * rows[i];
}

// mu_1 `dt` further back, by its rate with mu_2 = column_top, mu_Phi = multiplier_factor *
// column_bottom and the rows of the integrands, which stand for `weight` instants.
template <class D>
GRADUS_FUNCTION void step_position_costate(const D& d, double dt, double weight,
                                           double multiplier_factor) {
  const auto mu = costates(d).position;
  add_top_product(d, d.layout.stiffness, -dt, mu);
  add_constraint_rows(d, d.layout.jacobian, -dt * multiplier_factor, mu);
  add_set(d, kPosition, dt / weight, mu);
}

// w likewise.
template <class D>
GRADUS_FUNCTION void step_velocity_costate(const D& d, double dt, double weight) {
  const auto mu = costates(d);
  add_top_product(d, d.layout.damping, -dt, mu.velocity);
  add_set(d, kFreeVelocity, dt / weight, mu.velocity);
  for (int i = 0; i < row_size(d); ++i) mu.velocity[i] += RealOf<D>(dt) * mu.position[i];
}

// Rows of the integrands begin at zero, and the mass matrix is factorised for the final time.
template <class D>
GRADUS_FUNCTION void continuous_clear(const D& d, const LaunchArguments& arguments) {
  clear_all_rows(d);
  if (arguments.last != 0) factorise_reduced(d, mass_leading(d.layout), arguments.time);
}

// What values at the end are worth to position and velocity there becomes the start of the
// costates.
template <class D>
GRADUS_FUNCTION void continuous_keep(const D& d, const LaunchArguments&) {
  const auto mu = costates(d);
  set_zero(mu.position, 2 * row_size(d));
  add_set(d, kPosition, 1.0, mu.position);
  add_set(d, kVelocity, 1.0, mu.velocity);
  clear_all_rows(d);
}

// The final time, `weight` being that of the instant: [M Phi_z^T; Phi_z 0] [mu_2; -eta] = [x_a +
// g_v; 0], w = g_v + Phi_z^T eta, mu_1 = g_z + dPhi_z^T eta.
template <class D>
GRADUS_FUNCTION void continuous_final(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const double h = d.settings.step;
  const double weight = arguments.weight;
  const auto mu = costates(d);
  const int y = l.columns[kUnknown];
  for (int i = 0; i < row_size(d); ++i) d.at(y)[i] = mu.velocity[i];
  add_set(d, kFreeAcceleration, 1.0 / weight, d.at(y));
  transposed_solve(d, mass_leading(l), y, d.plan.objective_count);
  add_constraint_rows(d, l.jacobian, -1.0, mu.velocity);
  add_constraint_rows(d, l.jacobian_rate, -1.0, mu.position);
  add_costate_elements(d, 0.0, -1.0, 1);
  add_costate_elements(d, -weight, 0.0, 0);
  step_velocity_costate(d, 0.5 * h, weight);
  step_position_costate(d, 0.5 * h, weight, 0.0);
}

template <class D>
GRADUS_FUNCTION void keep_gap(const D& d, double factor) {
  const int objectives = d.plan.objective_count;
  const auto gap = d.at(d.layout.costate.gap);
  set_zero(gap, d.plan.constraint_rows * objectives);
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    for (int o = 0; o < objectives; ++o)
      put_pivot_row(d, i, RealOf<D>(factor) * d.at(d.layout.column_bottom)[i * objectives + o],
                    gap.from(o), objectives);
}

// An earlier instant: both rates at it, by the trapezoidal rule, with Phi_z mu_2 = 0. The second
// step of a trial finds how far mu_1 is from what the constraints ask of its rate: Phi_z^T nu, over
// which the index-3 system says nothing at the final time. In the trapezoidal rule an error of mu_1
// along the constraints alternates, and with it mu_Phi, ever stronger: -8/h nu beyond its own slow
// change after two steps. So the rule begins anew from time to time, as at the final time: mu_Phi
// counts for the step that is done only.
template <class D>
GRADUS_FUNCTION void continuous_instant(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const double h = d.settings.step;
  const double weight = arguments.weight;
  const auto mu = costates(d);
  const auto y = d.at(l.columns[kUnknown]);
  for (int i = 0; i < row_size(d); ++i) y[i] = mu.velocity[i] + RealOf<D>(0.5 * h) * mu.position[i];
  add_set(d, kFreeAcceleration, 1.0 / weight, y);
  add_set(d, kFreeVelocity, 0.5 * h / weight, y);
  add_set(d, kPosition, 0.25 * h * h / weight, y);
  transposed_solve(d, position_leading(l), l.columns[kUnknown], d.plan.objective_count);
  if (arguments.last == kTrial) return keep_gap(d, -0.5 / h);
  const double multiplier = 4.0 / (h * h);
  const bool begins_anew = arguments.last == kRestart;
  const double share = begins_anew ? 0.5 * weight : weight;
  add_costate_elements(d, -weight, -share * multiplier, 0);
  step_position_costate(d, 0.5 * h, weight, multiplier);
  if (arguments.last == kMotionStart) {
    step_velocity_costate(d, 0.5 * h, weight);
    clear_all_rows(d);
    for (int i = 0; i < row_size(d); ++i) {
      d.at(l.columns[kPosition])[i] = mu.position[i];
      d.at(l.columns[kVelocity])[i] = mu.velocity[i];
    }
    return;
  }
  step_velocity_costate(d, h, weight);
  step_position_costate(d, 0.5 * h, weight, begins_anew ? 0.0 : multiplier);
}

// Where the rule began, once more: mu_1 -= Phi_z^T nu.
template <class D>
GRADUS_FUNCTION void continuous_correct(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const int objectives = d.plan.objective_count;
  const auto mu = costates(d);
  const auto gap = d.at(l.costate.gap);
  add_transposed_product(d.at(l.jacobian), n, m, gap, objectives, -1.0, mu.position);
  add_transposed_product(d.at(l.jacobian), n, m, gap, objectives, -0.5 * d.settings.step,
                         mu.velocity);
  for (int o = 0; o < objectives; ++o) {
    for (const int rows : l.element.constraint_row) set_zero(d.at(rows), m);
    for (int i = 0; i < m; ++i) d.at(l.element.constraint_row[0])[i] = -gap[i * objectives + o];
    add_element_adjoint(d, -1, o);
  }
}

GRADUS_KERNELS_END
