// What is held while the constraints determine the rest: the rows B of B z' = given. A row is a
// number: c for coordinate c alone, or coordinate_count + 3 c + k for the turn about axis k of the
// Euler parameters that begin at coordinate c, whose entries half_axis gives. docs/theory.md,
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

GRADUS_FUNCTION HeldRow decode_held(const PlanView& plan, int code) {
  const int beyond = code - plan.coordinate_count;
  if (beyond < 0) return {code, -1};
  return {beyond / 3, beyond % 3};
}

// Row i at the start, the same for all designs.
template <class D>
GRADUS_FUNCTION HeldRow held_row(const D& d, int i) {
  return decode_held(d.plan, static_cast<int>(common(d.at(d.layout.held)[i])));
}

// Calls visit(row, lanes) for every row that some lane holds as number i.
template <class D, class Visit>
GRADUS_INLINE void for_each_held_row(const D& d, int i, const Visit& visit) {
  for_each_number(value_of(d.at(d.layout.held)[i]),
                  [&](int code, const auto& where) { visit(decode_held(d.plan, code), where); });
}

// Entry of a held row for Euler parameter k of its group.
template <class D>
GRADUS_FUNCTION RealOf<D> turn_entry(const D& d, const HeldRow& row, int k) {
  return component(half_axis(load_euler(d.at(d.layout.position + row.coordinate)), k), row.turn);
}

// out [columns] = (row i of B) * x [n, columns]
template <class D, class Array>
GRADUS_ROUTINE void times_held_row(const D& d, int i, const Array& x, int columns,
                                   const Array& out) {
  for_each_held_row(d, i, [&](const HeldRow& row, const auto& where) {
    const auto from = x.from(row.coordinate * columns);
    if (row.turn < 0) {
      for (int c = 0; c < columns; ++c) out[c] = select(where, from[c], out[c]);
      return;
    }
    RealOf<D> entry[4];
    for (int k = 0; k < 4; ++k) entry[k] = turn_entry(d, row, k);
    for (int c = 0; c < columns; ++c) {
      RealOf<D> sum(0);
      for (int k = 0; k < 4; ++k) sum += entry[k] * from[k * columns + c];
      out[c] = select(where, sum, out[c]);
    }
  });
}

// Holds what the plan holds at the start.
template <class D>
GRADUS_FUNCTION void hold_start_rows(const D& d) {
  using Real = typename D::Real;
  for (int i = 0; i < d.plan.independent_count; ++i) d.at(d.layout.held)[i] = Real(d.plan.held[i]);
}

// Length of the Euler parameters that the model states for the group that begins at coordinate c.
template <class D>
GRADUS_FUNCTION RealOf<D> stated_length(const D& d, int c) {
  RealOf<D> norm2(0);
  for (int k = c; k < c + 4; ++k)
    norm2 += square(d.at(d.layout.slot)[d.plan.coordinates[k].position_slot]);
  return sqrt(norm2);
}

// Whether coordinate c begins where the model states it: guesses begin where the nominal design was
// assembled, whatever the parameters.
template <class D>
GRADUS_FUNCTION bool begins_as_stated(const D& d, int c) {
  return !is_finite(d.plan.guess[c]);
}

// Derivative of what a held row states when coordinate c is stated otherwise, its positions
// (level 0) or velocities (1).
template <class D>
GRADUS_FUNCTION RealOf<D> stated_slope(const D& d, const HeldRow& row, int c, int level) {
  if (row.turn < 0) return RealOf<D>(c == row.coordinate ? 1.0 : 0.0);
  const int k = c - row.coordinate;
  if (level == 1) return RealOf<D>(k == row.turn + 1 ? 0.5 : 0.0);
  return k >= 0 && k < 4 ? turn_entry(d, row, k) / stated_length(d, row.coordinate) : RealOf<D>(0);
}

GRADUS_KERNELS_END
