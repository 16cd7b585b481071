// What an objective owes to multipliers, without columns of these. Its row w over the multipliers
// is what a virtual axis does to the constraints; a motion v of the mechanism that undoes it,
// Phi_z v = -w, turns it into the equations of motion themselves,
//   w . multiplier' = v . (D_z z' + D_z' z_free'' + ... + D_rho),
// which have columns. With a penalty the constraints give way, and the saddle point transposed says
// by how much. docs/theory.md, section 12.
#pragma once

#include "kernels/passes/reaction_rows.hpp"
#include "kernels/stages/transposed_solve.hpp"

GRADUS_KERNELS_BEGIN

// Whether there are multipliers that anything can ask for, and whether the rows of objectives do.
template <class D>
GRADUS_FUNCTION bool has_multipliers(const D& d) {
  return d.plan.constraint_rank > 0 && !is_open_tree(d.plan);
}
template <class D>
GRADUS_FUNCTION bool has_multiplier_rows(const D& d) {
  return d.plan.uses_reactions != 0 && has_multipliers(d);
}

// Whether the multipliers of the last equations of motion, or of the projection of accelerations,
// come from the saddle point.
template <class D>
GRADUS_FUNCTION bool last_by_penalty(const D& d) {
  if (!is_projected(d)) return multiplier_source(d) == MultiplierSource::penalty;
  // Penalties that only some lanes of a pack skip are not asked of them.
  const bool skipped = common(d.at(d.layout.skipped + 1)[0]) != 0.0;
  return !skipped && d.settings.projection_kind == static_cast<int>(ProjectionKind::penalty);
}

// Phi_z v = -w on the pivots, which alone carry multipliers.
template <class D>
GRADUS_FUNCTION void undo_by_motion(const D& d) {
  const Layout& l = d.layout;
  const SolveArrays arrays{-1, l.bottom, l.virtual_motion, -1, l.scratch};
  set_zero(d.at(arrays.solution), d.plan.coordinate_count);
  set_zero(d.at(arrays.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.reaction_multiplier, 1, -1.0, arrays.bottom);
  solve_range(d, arrays, 1);
}

// [A Phi_z^T; Phi_z -1/penalty]^T [motion; rows] = [0; -w]
template <class D>
GRADUS_FUNCTION void undo_by_penalty(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const auto x = d.at(l.penalty_motion);
  set_zero(x, n);
  for (int i = 0; i < m; ++i) x[n + i] = RealOf<D>(-1) * d.at(l.reaction_multiplier)[i];
  solve_factorised_transposed(d.at(l.saddle), d.at(l.saddle_pivot), n + m, x, 1);
}

// row += factor * matrix^T x, matrix [rows, n].
template <class D>
GRADUS_FUNCTION void add_to_row(const D& d, int matrix, int rows, int x, double factor, int row) {
  const int n = d.plan.coordinate_count;
  add_transposed_product(d.at(matrix), n, rows, d.at(x), 1, factor, d.at(row));
}

// Rows of what the saddle point's constraints ask for, with x [m] their worth: the second rate, and
// what stabilisation adds.
template <class D>
GRADUS_FUNCTION void add_penalty_rows(const D& d, int x, int row) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const double omega = d.settings.frequency;
  const double drag = 2.0 * d.settings.damping_ratio * omega;
  add_to_row(d, l.jacobian_acceleration, m, x, 1.0, row);
  add_to_row(d, l.jacobian_rate, m, x, 2.0, row + n);
  if (omega == 0.0) return;
  add_to_row(d, l.jacobian_rate, m, x, drag, row);
  add_to_row(d, l.jacobian, m, x, omega * omega, row);
  add_to_row(d, l.jacobian, m, x, drag, row + n);
}

// The motions that undo the row: of the equations of motion, and of the last equations, which are
// those of the projection of accelerations where there is one.
struct UndoingMotions {
  bool projected;
  bool by_penalty;  // the last
  int motion, last;
};

template <class D>
GRADUS_FUNCTION UndoingMotions undoing_motions(const D& d) {
  const Layout& l = d.layout;
  const bool projected = is_projected(d);
  const bool by_penalty = last_by_penalty(d);
  const int last = by_penalty ? l.penalty_motion : l.virtual_motion;
  return {projected, by_penalty, projected ? l.virtual_motion : last, last};
}

// Adds what the row of the multipliers is worth to `row`: by position, rate and acceleration after
// projection, then by rate and acceleration before it, [n] each. Leaves the motions that undo it.
// What algebraic unknowns answer is left to their own rows; K and C hold what those of a step do.
template <class D>
GRADUS_ROUTINE void add_multiplier_rows(const D& d, int row) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const UndoingMotions undoing = undoing_motions(d);
  if (undoing.by_penalty) undo_by_penalty(d);
  if (undoing.projected || !undoing.by_penalty) undo_by_motion(d);
  add_to_row(d, l.stiffness, n, undoing.motion, 1.0, row);
  add_to_row(d, l.damping, n, undoing.motion, 1.0, row + force_rate_row(d));
  if (undoing.projected) add_to_row(d, l.acceleration_stiffness, n, undoing.last, 1.0, row);
  const int unknowns = has_step_unknowns(d) ? 0 : d.plan.algebraic_count;
  for (int i = 0; i < unknowns * n; ++i)
    d.at(l.algebraic.adjoint)[i / n] -= d.at(l.algebraic.load)[i] * d.at(undoing.motion)[i % n];
  if (!undoing.by_penalty) return add_to_row(d, l.mass_matrix, n, undoing.motion, 1.0, row + 2 * n);
  add_penalty_rows(d, l.penalty_motion + n, row);
  if (!undoing.projected) return;
  add_to_row(d, l.mass_matrix, n, undoing.motion, 1.0, row + 4 * n);
  add_to_row(d, l.jacobian, d.plan.constraint_rows, l.penalty_motion + n, 1.0, row + 4 * n);
}

// gradient [column] += weight * x . partial, partial [rows, column].
template <class D, class Weight>
GRADUS_FUNCTION void add_partial_row(const D& d, int partial, int rows, int x, const Weight& weight,
                                     int gradient) {
  add_product(d.at(x), 1, rows, d.at(partial), d.plan.column_count, weight, d.at(gradient));
}

// The same by the parameters, to `gradient` [column], times `weight`.
template <class D, class Weight>
GRADUS_ROUTINE void add_multiplier_partials(const D& d, const Weight& weight, int gradient) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const UndoingMotions undoing = undoing_motions(d);
  add_partial_row(d, l.residual_partial[kDynamics], n, undoing.motion, weight, gradient);
  if (undoing.projected)
    add_partial_row(d, l.residual_partial[kAccelerationProjection], n, undoing.last, weight,
                    gradient);
  if (!undoing.by_penalty) return;
  const int rows = l.penalty_motion + n;
  const double omega = d.settings.frequency;
  const double shares[3] = {omega * omega, 2.0 * d.settings.damping_ratio * omega, 1.0};
  for (int level = 0; level < 3; ++level)
    if (shares[level] != 0.0)
      add_partial_row(d, l.constraint_partial[level], m, rows, weight * shares[level], gradient);
}

GRADUS_KERNELS_END
