// What is held while the constraints determine the rest: the rows B of B z' = given. A row is a
// number: c for coordinate c alone, or coordinate_count + 3 c + k for the turn about axis k of the
// Euler parameters that begin at coordinate c, of which half_turn is the row. docs/theory.md,
// section 9.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

struct HeldRow {
  int coordinate;
  int turn;  // axis of the turn, -1 for a coordinate alone
};

template <class D>
GRADUS_FUNCTION HeldRow held_row(const D& d, int i) {
  const int code = as_index(d.at(d.layout.held)[i]);
  const int beyond = code - d.plan.coordinate_count;
  if (beyond < 0) return {code, -1};
  return {beyond / 3, beyond % 3};
}

// Entry of a held row for Euler parameter k of its group.
template <class D>
GRADUS_FUNCTION typename D::Real turn_entry(const D& d, const HeldRow& row, int k) {
  return component(half_axis(load_euler(d.at(d.layout.position + row.coordinate)), k), row.turn);
}

// out [columns] = (row of B) * x [n, columns]
template <class D, class Array>
GRADUS_FUNCTION void times_held_row(const D& d, const HeldRow& row, const Array& x, int columns,
                                    const Array& out) {
  using Real = typename D::Real;
  for (int c = 0; c < columns; ++c) out[c] = Real(0);
  if (row.turn < 0) {
    for (int c = 0; c < columns; ++c) out[c] = x[row.coordinate * columns + c];
    return;
  }
  for (int k = 0; k < 4; ++k) {
    const Real entry = turn_entry(d, row, k);
    for (int c = 0; c < columns; ++c) out[c] += entry * x[(row.coordinate + k) * columns + c];
  }
}

// Holds what the plan holds at the start.
template <class D>
GRADUS_FUNCTION void hold_start_rows(const D& d) {
  using Real = typename D::Real;
  for (int i = 0; i < d.plan.independent_count; ++i) d.at(d.layout.held)[i] = Real(d.plan.held[i]);
}

// Length of the Euler parameters that the model states for the group that begins at coordinate c.
template <class D>
GRADUS_FUNCTION typename D::Real stated_length(const D& d, int c) {
  using Real = typename D::Real;
  Real norm2(0);
  for (int k = c; k < c + 4; ++k)
    norm2 += square(d.at(d.layout.slot)[d.plan.coordinates[k].position_slot]);
  return sqrt(norm2);
}

// Derivative of what a held row states when coordinate c is stated otherwise, its positions
// (level 0) or velocities (1).
template <class D>
GRADUS_FUNCTION typename D::Real stated_slope(const D& d, const HeldRow& row, int c, int level) {
  using Real = typename D::Real;
  if (row.turn < 0) return Real(c == row.coordinate ? 1.0 : 0.0);
  const int k = c - row.coordinate;
  if (level == 1) return Real(k == row.turn + 1 ? 0.5 : 0.0);
  return k >= 0 && k < 4 ? turn_entry(d, row, k) / stated_length(d, row.coordinate) : Real(0);
}

GRADUS_KERNELS_END
