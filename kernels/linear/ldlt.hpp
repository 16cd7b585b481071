// L D L^T factorisation of symmetric positive definite matrices by a team: Cholesky's without
// square roots. It serves the projections; indefinite systems are the business of lu.hpp.
#pragma once

#include "kernels/linear/team.hpp"

GRADUS_KERNELS_BEGIN

// Factorises a [n, n] in place, of which it reads the upper triangle, row by row; same bits for
// every size of the team. L^T comes to lie above the diagonal and the inverse of D on it. Returns,
// on all lanes, false if the matrix is not positive definite to working precision.
template <class Team, class Matrix>
GRADUS_FUNCTION bool factorise_ldlt(const Team& team, const Matrix& a, int n) {
  using Real = std::decay_t<decltype(a(0, 0))>;
  bool definite = true;
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    team.barrier();  // row k is read by all lanes
    const Real pivot = a(k, k);
    largest = value_of(pivot) > largest ? value_of(pivot) : largest;
    definite = definite && value_of(pivot) > PivotThreshold<Real>::kValue * largest &&
               is_finite(value_of(pivot));
    const Real inverse = Real(1) / pivot;
    for (int i = own_row(team, k + 1); i < n; i += team.size()) {
      const Real factor = a(k, i) * inverse;
      for (int j = i; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  team.barrier();
  for (int k = team.rank(); k < n; k += team.size()) {
    const Real inverse = Real(1) / a(k, k);
    for (int j = k + 1; j < n; ++j) a(k, j) *= inverse;
    a(k, k) = inverse;
  }
  team.barrier();
  return definite;
}

GRADUS_KERNELS_END
