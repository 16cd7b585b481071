// LU factorisation with row exchanges by a team. Every entry meets the operations of factorise() in
// kernels/math/small_solve.hpp in the same order, so the factors have the same bits whatever the
// size of the team.
#pragma once

#include "kernels/linear/team.hpp"

GRADUS_KERNELS_BEGIN

// The best pivot among this lane's rows from k on. An undefined number on the diagonal stays there
// and makes the matrix singular; elsewhere it is never chosen.
template <class Team, class Matrix>
GRADUS_FUNCTION auto own_candidate(const Team& team, const Matrix& a, int n, int k) {
  using Real = std::decay_t<decltype(a(0, 0))>;
  PivotCandidate<Real> best{-1.0, n, Real(0)};
  for (int i = own_row(team, k); i < n; i += team.size()) {
    const Real value = a(i, k);
    const double size = absolute(value_of(value));
    const double rank = size == size ? size : (i == k ? HUGE_VAL : -1.0);
    const PivotCandidate<Real> other{rank, i, value};
    if (other.beats(best)) best = other;
  }
  return best;
}

// Exchanges rows k and `row`, and puts the inverse of the pivot on the diagonal. Lanes share out
// the columns.
template <class Team, class Matrix, class Real>
GRADUS_FUNCTION void exchange_pivot_row(const Team& team, const Matrix& a, int n, int k, int row,
                                        const Real& inverse) {
  for (int j = team.rank(); j < n; j += team.size()) {
    const Real upper = a(k, j);
    if (row != k) {
      a(k, j) = a(row, j);
      a(row, j) = upper;
    }
    if (j == k) a(k, k) = inverse;
  }
}

// Factorises a [n, n] in place, P a = L U; pivot[k] is the row exchanged with row k at step k. The
// diagonal holds the inverses of the pivots. Returns, on all lanes, false if the matrix is singular
// to working precision.
template <class Team, class Matrix, class Pivot>
GRADUS_FUNCTION bool factorise_lu(const Team& team, const Matrix& a, const Pivot& pivot, int n) {
  using Real = std::decay_t<decltype(a(0, 0))>;
  using Row = std::decay_t<decltype(pivot[0])>;
  bool regular = true;
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    const auto best = team.best(own_candidate(team, a, n, k));
    const double size = absolute(value_of(best.value));
    largest = size > largest ? size : largest;
    regular = regular && size > PivotThreshold<Real>::kValue * largest;
    const Real inverse = Real(1) / best.value;
    if (team.rank() == 0) pivot[k] = Row(best.row);
    team.barrier();  // rows of other lanes are exchanged only when those are done with them
    exchange_pivot_row(team, a, n, k, best.row, inverse);
    team.barrier();
    for (int i = own_row(team, k + 1); i < n; i += team.size()) {
      const Real factor = a(i, k) * inverse;
      a(i, k) = factor;
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  team.barrier();
  return regular;
}

GRADUS_KERNELS_END
