// The transposed counterpart of constrained_solve.hpp: with the linear system of a stage
//   [A Phi_z^T; Phi_z 0] [x; multiplier] = [top; bottom]
// and y . x to be differentiated by the right-hand sides, the adjoints of top and bottom, from the
// same factors. docs/theory.md, section 15.
#pragma once

#include "kernels/stages/constrained_solve.hpp"

GRADUS_KERNELS_BEGIN

// out [n, columns] += factor * B^T x, x [n - rank, columns], B the held rows.
template <class D, class Array>
GRADUS_ROUTINE void add_held_transposed(const D& d, const Array& x, int columns, double factor,
                                        const Array& out) {
  for (int i = 0; i < d.plan.independent_count; ++i)
    for_each_held_row(d, i, [&](const HeldRow& row, const auto& where) {
      const int count = row.turn >= 0 ? 4 : 1;
      for (int k = 0; k < count; ++k) {
        const RealOf<D> entry = row.turn >= 0 ? turn_entry(d, row, k) : RealOf<D>(1);
        const auto to = out.from((row.coordinate + k) * columns);
        for (int c = 0; c < columns; ++c)
          to[c] = select(where, to[c] + RealOf<D>(factor) * entry * x[i * columns + c], to[c]);
      }
    });
}

// Adjoints of the saddle point's right-hand sides: its matrix transposed on [y; 0].
template <class D>
GRADUS_FUNCTION void solve_saddle_transposed(const D& d, int adjoint, int columns) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count * columns;
  const int m = d.plan.constraint_rows * columns;
  const auto x = d.at(l.column_scratch);
  for (int i = 0; i < n; ++i) x[i] = d.at(adjoint)[i];
  for (int i = 0; i < m; ++i) x[n + i] = RealOf<D>(0);
  solve_factorised_transposed(d.at(l.saddle), d.at(l.saddle_pivot),
                              d.plan.coordinate_count + d.plan.constraint_rows, x, columns);
  for (int i = 0; i < n; ++i) d.at(l.column_top)[i] = x[i];
  for (int i = 0; i < m; ++i) d.at(l.column_bottom)[i] = x[n + i];
}

// Adjoints of the right-hand sides, into column_top (of the kinematic problem [n - rank, columns])
// and column_bottom (in the order of row_order()), from those of the solution at `adjoint`.
template <class D>
GRADUS_ROUTINE void transposed_solve(const D& d, const LeadingMatrix& leading, int adjoint,
                                     int columns) {
  if (leading.kind == LeadingKind::saddle) return solve_saddle_transposed(d, adjoint, columns);
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const bool kinematic = leading.kind == LeadingKind::held_rows;
  const auto x = d.at(adjoint);
  const auto top = d.at(l.column_top);
  const auto y = d.at(l.column_scratch);
  if (d.plan.constraint_rank == 0) {
    for (int i = 0; i < n * columns; ++i) top[i] = x[i];
    solve_factorised_transposed(d.at(leading.factor), d.at(leading.pivot), n, top, columns);
    return;
  }
  set_zero(y, free * columns);
  add_transposed_product(d.at(l.null_space), free, n, x, columns, 1.0, y);
  solve_factorised_transposed(d.at(leading.factor), d.at(leading.pivot), free, y, columns);
  const auto rest = d.at(l.column_scratch).from(free * columns);
  for (int i = 0; i < n * columns; ++i) rest[i] = x[i];
  if (kinematic) {
    for (int i = 0; i < free * columns; ++i) top[i] = y[i];
    add_held_transposed(d, y, columns, -1.0, rest);
  } else {
    set_zero(top, n * columns);
    add_product(d.at(l.null_space), n, free, y, columns, 1.0, top);
    add_transposed_product(d.at(leading.matrix), n, n, top, columns, -1.0, rest);
  }
  // What the range part of the solution owes to `bottom`.
  solve_rows(d, rest, columns, d.at(l.column_bottom));
}

GRADUS_KERNELS_END
