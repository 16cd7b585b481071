// Splines as plans and kernels name them.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

enum class SplineKind : int { natural, clamped, not_a_knot, linear, monotone, periodic };

// Whether values matter to the segments nearby only.
GRADUS_ALWAYS_INLINE bool is_local(SplineKind kind) {
  return kind == SplineKind::linear || kind == SplineKind::monotone;
}

// What a spline does outside its knots.
enum class SplineEnds : int {
  straight,  // goes on with its slope
  hold,      // keeps its value
  extend,    // goes on with its last polynomial
  repeat,    // begins anew
  window,    // goes on, and is moved along a longer spline before its end
};

// Whether values outside the knots are a guess.
GRADUS_ALWAYS_INLINE bool extrapolates(SplineEnds ends) {
  return ends == SplineEnds::straight || ends == SplineEnds::extend;
}

// For each knot, the numbers that depend on the knots alone of the system that its slopes, or of a
// natural spline its curvatures, solve: eliminated, with two shares of secants as right-hand side.
enum class SplineRow : int { first, second, below, above, last_column, last_row, pivot };
constexpr int kSplineRowNumbers = 7;

// The segments whose secants are the right-hand side of row k; the last is that of `last`.
struct SplineSecants {
  int first, second;
};
GRADUS_ALWAYS_INLINE SplineSecants secants_of(SplineKind kind, int k, int last) {
  if (kind == SplineKind::not_a_knot && k == 0) return {0, 1};
  if (kind == SplineKind::not_a_knot && k == last) return {last - 2, last - 1};
  if (kind == SplineKind::periodic && k == 0) return {last, 0};
  return {k - 1, k};
}

// What the polynomials of a spline follow from beside its values.
struct SplineView {
  SplineKind kind;
  SplineEnds ends;
  int knots;
  int given_slopes;    // 1: slopes at both ends follow the values
  const double* knot;  // [knot]
  const double* rows;  // [knot, kSplineRowNumbers]
};

// A spline of a plan, whose values are numbers of a design.
struct SplineEntry {
  SplineKind kind;
  SplineEnds ends;
  int knots;
  int given_slopes;
  int number;      // the first of its numbers: knots, then rows
  int slot;        // the first of its values
  int polynomial;  // the first of its numbers among those of all polynomials
  int element;     // -1: no parameter changes it
  // Of a window on a longer spline: the slots of the period that it lies in, of where it begins in
  // that, and of 1 by its unit, a power of two, in which its knots are counted; -1: it is none.
  int window = -1;
};

// Of a spline among the numbers of all splines of its plan.
GRADUS_ALWAYS_INLINE SplineView spline_view(const SplineEntry& spline, const double* all_numbers) {
  const double* const numbers = all_numbers + spline.number;
  return {spline.kind,         spline.ends, spline.knots,
          spline.given_slopes, numbers,     numbers + spline.knots};
}

// An instruction of a law, counted from its first, or of the program of the objectives.
struct SplineCallEntry {
  int instruction;
  int spline;
};

}  // namespace gradus::kernels
