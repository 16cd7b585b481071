// Splines backwards: what the slopes at all knots are worth, to the values that they follow from.
// The transpose of SplinePolynomials, of splines whose slopes are linear in all values.
// docs/theory.md, section 6.
#pragma once

#include "kernels/expressions/spline_entry.hpp"
#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// Numbers of `secant` and `curvature` have room for the knots.
template <class Real, class Array>
struct SlopeWorth {
  const SplineView& s;
  const Array& value;      // [knot], added to
  const Array& slope;      // [knot], used up but for slopes that are given at the ends
  const Array& secant;     // scratch
  const Array& curvature;  // scratch

  GRADUS_FUNCTION void to_values() const {
    const int n = segments();
    for (int k = 0; k < n; ++k) secant[k] = Real(0);
    if (s.kind == SplineKind::natural)
      natural_to_secants();
    else
      smooth_to_secants();
    for (int k = 0; k < n; ++k) {
      const Real share = secant[k] / Real(width(k));
      value[k + 1] += share;
      value[k] -= share;
    }
    const bool keeps_ends = s.kind == SplineKind::clamped && s.given_slopes != 0;
    for (int k = 0; k <= n; ++k)
      if (!keeps_ends || (k > 0 && k < n)) slope[k] = Real(0);
  }

 private:
  GRADUS_FUNCTION int segments() const { return s.knots - 1; }
  GRADUS_FUNCTION double width(int k) const { return s.knot[k + 1] - s.knot[k]; }
  GRADUS_FUNCTION Real row(int k, SplineRow what) const {
    return Real(s.rows[kSplineRowNumbers * k + static_cast<int>(what)]);
  }

  // By halves of the second derivatives, none at the ends.
  GRADUS_FUNCTION void natural_to_secants() const {
    const int n = segments();
    for (int k = 0; k <= n; ++k) curvature[k] = Real(0);
    for (int k = 0; k < n; ++k) {
      const Real bend = Real(width(k) / 3.0) * slope[k];
      secant[k] += slope[k];
      curvature[k] -= Real(2) * bend;
      curvature[k + 1] -= bend;
    }
    secant[n - 1] += slope[n];
    curvature[n - 1] += Real(width(n - 1) / 3.0) * slope[n];
    for (int k = 1; k < n; ++k) {
      curvature[k] = curvature[k] / row(k, SplineRow::pivot);
      curvature[k + 1] -= Real(width(k)) * curvature[k];
    }
    for (int k = n - 1; k >= 1; --k) {
      curvature[k - 1] -= row(k, SplineRow::below) * curvature[k];
      const Real bend = Real(3) * curvature[k];
      secant[k] += bend;
      secant[k - 1] -= bend;
    }
  }

  GRADUS_FUNCTION void smooth_to_secants() const {
    const bool turns = s.kind == SplineKind::periodic;
    const int last = turns ? segments() - 1 : segments();
    if (turns) slope[0] += slope[segments()];
    for (int k = 0; k < last; ++k) {
      slope[k] = slope[k] / row(k, SplineRow::pivot);
      slope[k + 1] -= row(k, SplineRow::above) * slope[k];
      if (turns) slope[last] -= row(k, SplineRow::last_column) * slope[k];
    }
    slope[last] = slope[last] / row(last, SplineRow::pivot);
    for (int k = 0; turns && k + 1 < last; ++k)
      slope[k] -= row(k, SplineRow::last_row) * slope[last];
    for (int k = last; k >= 1; --k) slope[k - 1] -= row(k, SplineRow::below) * slope[k];
    for (int k = 0; k <= last; ++k) right_hand_side(k, last);
  }
  GRADUS_FUNCTION void right_hand_side(int k, int last) const {
    if (s.kind == SplineKind::clamped && (k == 0 || k == last)) return;
    const SplineSecants sides = secants_of(s.kind, k, last);
    secant[sides.first] += row(k, SplineRow::first) * slope[k];
    secant[sides.second] += row(k, SplineRow::second) * slope[k];
  }
};

GRADUS_KERNELS_END
