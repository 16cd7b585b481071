// L D L^T factorisation of symmetric positive definite matrices by a team: Cholesky's without
// square roots. It serves the projections; indefinite systems are the business of lu.hpp.
#pragma once

#include "kernels/linear/team.hpp"

GRADUS_KERNELS_BEGIN

// Factorises a [n, n] in place, of which it reads the lower triangle; same bits for every size of
// the team. L^T comes to lie above the diagonal and the inverse of D on it; what is left below is
// of no use. Returns, on all lanes, false if the matrix is not positive definite to working
// precision.
template <class Team, class Matrix>
GRADUS_FUNCTION bool factorise_ldlt(const Team& team, const Matrix& a, int n) {
  using Real = std::decay_t<decltype(a[0])>;
  bool definite = true;
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    team.barrier();  // column k is read by all lanes
    const Real pivot = a[k * n + k];
    largest = value_of(pivot) > largest ? value_of(pivot) : largest;
    definite = definite && value_of(pivot) > PivotThreshold<Real>::kValue * largest &&
               is_finite(value_of(pivot));
    const Real inverse = Real(1) / pivot;
    for (int i = own_row(team, k + 1); i < n; i += team.size()) {
      const Real factor = a[i * n + k] * inverse;
      a[k * n + i] = factor;
      for (int j = k + 1; j <= i; ++j) a[i * n + j] -= factor * a[j * n + k];
    }
  }
  team.barrier();
  for (int k = team.rank(); k < n; k += team.size()) a[k * n + k] = Real(1) / a[k * n + k];
  team.barrier();
  return definite;
}

GRADUS_KERNELS_END
