// Solutions in double precision with factors in single precision: the residual is found in double
// precision and the correction in single, as often as it helps (Wilkinson; LAPACK's dsgesv).
#pragma once

#include "kernels/linear/substitution.hpp"

GRADUS_KERNELS_BEGIN

inline constexpr int kRefinementLimit = 30;

// What refinement of one column works with: all of one design, entries in columns.
template <class Column, class Single>
struct Refinement {
  Column right_side, iterate, residual;
  Single correction;
};

// residual = b - A x. Returns whether x solves the system as well as a factorisation in double
// precision would: |r| <= sqrt(n) eps |A| |x| in the largest norm, where r and x are rounded as
// well. `largest`: |r|.
template <class Matrix, class Columns>
GRADUS_FUNCTION bool find_residual(Factors kind, const Matrix& a, int n, const Columns& s,
                                   double& largest) {
  double norm = 0.0;
  double size = 0.0;
  bool finite = true;
  largest = 0.0;
  for (int i = 0; i < n; ++i) {
    double sum = s.right_side[i];
    double row = 0.0;
    for (int k = 0; k < n; ++k) {
      const double entry = kind == Factors::lu_transposed ? a(k, i) : a(i, k);
      sum -= entry * s.iterate[k];
      row += absolute(entry);
    }
    s.residual[i] = sum;
    norm = row > norm ? row : norm;
    size = absolute(s.iterate[i]) > size ? absolute(s.iterate[i]) : size;
    largest = absolute(sum) > largest ? absolute(sum) : largest;
    finite = finite && is_finite(sum);
  }
  if (!finite) largest = HUGE_VAL;
  return finite && largest <= sqrt(static_cast<double>(n)) * 2.220446049250313e-16 * norm * size;
}

// Solves for one column; the solution replaces the right-hand side. Returns false where the
// residual does not come down to round-off: such a system is not for single precision.
template <class Matrix, class Factor, class Pivot, class Columns>
GRADUS_FUNCTION bool refine_column(Factors kind, const Matrix& a, const Factor& factors,
                                   const Pivot& pivot, int n, const Columns& s) {
  for (int i = 0; i < n; ++i) s.iterate[i] = 0.0;
  double before = HUGE_VAL;
  for (int step = 0; step <= kRefinementLimit; ++step) {
    double largest = 0.0;
    if (find_residual(kind, a, n, s, largest)) {
      for (int i = 0; i < n; ++i) s.right_side[i] = s.iterate[i];
      return true;
    }
    if (!(largest < before)) return false;
    before = largest;
    // scaled, so that small residuals do not fall below what single precision knows
    for (int i = 0; i < n; ++i) s.correction[i] = static_cast<float>(s.residual[i] / largest);
    solve_column(kind, factors, pivot, n, s.correction);
    for (int i = 0; i < n; ++i) s.iterate[i] += largest * static_cast<double>(s.correction[i]);
  }
  return false;
}

GRADUS_KERNELS_END
