// Small symmetric matrices that are positive semidefinite, of known rank: L D L^T by the rows that
// are least dependent on each other. Rows stay where they are, so that lanes may take different
// ones.
#pragma once

#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

// Rows that depend on others as little, but for round-off, are taken in their order.
constexpr double kClearlyFreer = 1.02;

// Where the factors lie: rows of L [rank, n], D [rank], and the numbers of the rows that were
// pivots.
template <class Array>
struct SemidefiniteFactors {
  Array lower, pivot, order;
};

// Step k of the factorisation of a [n, n], which it overwrites, by the row that is number k.
template <class Array>
GRADUS_ROUTINE void eliminate_semidefinite(const Array& a, int n, int k,
                                           const SemidefiniteFactors<Array>& f) {
  using Real = std::decay_t<decltype(a[0])>;
  const auto row = f.lower.from(k * n);
  for_each_number(value_of(f.order[k]), [&](int i, const auto& where) {
    for (int j = 0; j < n; ++j) row[j] = select(where, a[i * n + j], row[j]);
    f.pivot[k] = select(where, a[i * n + i], f.pivot[k]);
  });
  const Real inverse = Real(1) / f.pivot[k];
  for (int i = 0; i < n; ++i) {
    const Real factor = inverse * row[i];
    for (int j = 0; j < n; ++j) a[i * n + j] -= factor * row[j];
  }
  for (int j = 0; j < n; ++j) row[j] = inverse * row[j];
  for_each_number(value_of(f.order[k]), [&](int i, const auto& where) {
    a[i * n + i] = select(where, Real(0), a[i * n + i]);
  });
}

// Factorises a [n, n] by the rows that are given.
template <class Array>
GRADUS_ROUTINE void factorise_semidefinite(const Array& a, int n, int rank,
                                           const SemidefiniteFactors<Array>& f) {
  for (int k = 0; k < rank; ++k) eliminate_semidefinite(a, n, k, f);
}

// Chooses the rows, of which share(i) times an entry of the diagonal is what is left beside their
// length, squared. Returns the least of that, 1 at most, when they were chosen.
template <class Array, class Share>
GRADUS_ROUTINE auto choose_semidefinite(const Array& a, int n, int rank,
                                        const SemidefiniteFactors<Array>& f, const Share& share) {
  using Real = std::decay_t<decltype(a[0])>;
  using Value = ValueOf<Real>;
  Value least(1.0);
  for (int k = 0; k < rank; ++k) {
    Value best(0.0), most(0.0);
    for (int i = 0; i < n; ++i) {
      const Value part = Value(share(i)) * value_of(a[i * n + i]);
      const auto more = part > Value(kClearlyFreer) * most;
      most = select(more, part, most);
      best = select(more, Value(i), best);
    }
    least = select(most < least, most, least);
    f.order[k] = Real(best);
    eliminate_semidefinite(a, n, k, f);
  }
  return least;
}

// Solves for one right-hand side b [n], which it overwrites; x is zero in rows that are no pivots.
template <class Array>
GRADUS_ROUTINE void solve_semidefinite(const SemidefiniteFactors<Array>& f, int n, int rank,
                                       const Array& b, const Array& x) {
  using Real = std::decay_t<decltype(b[0])>;
  const auto entry = [&](const Array& from, int k) {
    Real found(0);
    for_each_number(value_of(f.order[k]),
                    [&](int i, const auto& where) { found = select(where, from[i], found); });
    return found;
  };
  for (int k = 0; k < rank; ++k) {
    const Real own = entry(b, k);
    const auto row = f.lower.from(k * n);
    for (int i = 0; i < n; ++i) b[i] -= own * row[i];
    for_each_number(value_of(f.order[k]), [&](int i, const auto& where) {
      b[i] = select(where, own / f.pivot[k], b[i]);
    });
  }
  for (int i = 0; i < n; ++i) x[i] = Real(0);
  for (int k = rank - 1; k >= 0; --k) {
    Real sum = entry(b, k);
    const auto row = f.lower.from(k * n);
    for (int i = 0; i < n; ++i) sum -= row[i] * x[i];
    for_each_number(value_of(f.order[k]),
                    [&](int i, const auto& where) { x[i] = select(where, sum, x[i]); });
  }
}

GRADUS_KERNELS_END
