// Factorises and solves one system of a batch, by a team.
#pragma once

#include "kernels/base/view.hpp"
#include "kernels/linear/arguments.hpp"
#include "kernels/linear/ldlt.hpp"
#include "kernels/linear/lu.hpp"
#include "kernels/linear/refinement.hpp"
#include "kernels/linear/substitution.hpp"

GRADUS_KERNELS_BEGIN

// The `entries` numbers that system `s` has of an array.
template <bool kInterleaved, class Real>
GRADUS_INLINE View<Real, kInterleaved> entries_of(Real* array, std::ptrdiff_t s,
                                                  std::ptrdiff_t count, std::ptrdiff_t entries) {
  return {array + (kInterleaved ? s : s * entries), count};
}

GRADUS_INLINE Factors factors_of(const LinearArguments& c) {
  if (c.definite) return Factors::ldlt;
  return c.transposed ? Factors::lu_transposed : Factors::lu;
}

// Factorises `a` in place and says on all lanes how it went.
template <class Team, class Matrix, class Pivot>
GRADUS_FUNCTION SystemStatus factorise_system(const Team& team, const LinearArguments& c,
                                              const Matrix& a, const Pivot& pivot) {
  const bool regular =
      c.definite ? factorise_ldlt(team, a, c.size) : factorise_lu(team, a, pivot, c.size);
  if (regular) return SystemStatus::solved;
  if (c.refined) return SystemStatus::refused;
  return c.definite ? SystemStatus::not_definite : SystemStatus::singular;
}

template <class Team, class Array>
GRADUS_FUNCTION void poison(const Team& team, const Array& x, int count) {
  for (int k = team.rank(); k < count; k += team.size()) x[k] = NAN;
}

// One system with everything in the memory of the batch.
template <class Team, bool kInterleaved>
struct LinearSystems {
  LinearArguments c;

  GRADUS_FUNCTION void operator()(const Team& team, std::ptrdiff_t system) const {
    if (c.work != LinearWork::solve) {
      if (c.refined)
        factorise(team, system, of(c.single_factors, system, c.size * c.size));
      else
        factorise(team, system, of(c.factors, system, c.size * c.size));
    }
    if (c.work != LinearWork::factorise) solve(team, system);
  }

 private:
  template <class Real>
  GRADUS_INLINE View<Real, kInterleaved> of(Real* array, std::ptrdiff_t s, int entries) const {
    return entries_of<kInterleaved>(array, s, c.count, entries);
  }

  template <class Real>
  GRADUS_INLINE Square<View<Real, kInterleaved>> square_of(Real* array, std::ptrdiff_t s) const {
    return {of(array, s, c.size * c.size), c.size};
  }

  template <class Factor>
  GRADUS_FUNCTION void factorise(const Team& team, std::ptrdiff_t s, const Factor& factors) const {
    using Real = std::decay_t<decltype(factors[0])>;
    const auto matrix = of(c.matrices, s, c.size * c.size);
    for (int k = team.rank(); k < c.size * c.size; k += team.size())
      factors[k] = static_cast<Real>(matrix[k]);
    team.barrier();
    const SystemStatus status =
        factorise_system(team, c, Square<Factor>{factors, c.size}, of(c.pivots, s, c.size));
    if (team.rank() == 0) c.status[s] = static_cast<int>(status);
    team.barrier();
  }

  GRADUS_FUNCTION void solve(const Team& team, std::ptrdiff_t s) const {
    const int entries = c.size * c.columns;
    const auto x = of(c.right_sides, s, entries);
    const auto solved = static_cast<int>(SystemStatus::solved);
    if (c.status[s] != solved) return poison(team, x, entries);
    const auto pivot = of(c.pivots, s, c.size);
    if (!c.refined)
      return solve_in_place(team, factors_of(c), of(c.factors, s, c.size * c.size), pivot, c.size,
                            x, c.columns);
    const bool refused = team.any(!refine(team, s, x));
    team.barrier();
    if (!refused) return;
    if (team.rank() == 0) c.status[s] = static_cast<int>(SystemStatus::refused);
    poison(team, x, entries);
  }

  // Whether all columns of this lane are solved.
  template <class Array>
  GRADUS_FUNCTION bool refine(const Team& team, std::ptrdiff_t s, const Array& x) const {
    const int entries = c.size * c.columns;
    const auto scratch = of(c.refinement, s, 2 * entries);
    const auto correction = of(c.correction, s, entries);
    const auto matrix = square_of(c.matrices, s);
    const auto factors = square_of(c.single_factors, s);
    const auto pivot = of(c.pivots, s, c.size);
    using Single = std::decay_t<decltype(correction)>;
    bool solved = true;
    for (int k = team.rank(); k < c.columns; k += team.size()) {
      const Refinement<ColumnOf<Array>, ColumnOf<Single>> columns{
          {x.from(k), c.columns},
          {scratch.from(k), c.columns},
          {scratch.from(entries + k), c.columns},
          {correction.from(k), c.columns}};
      solved = refine_column(factors_of(c), matrix, factors, pivot, c.size, columns) && solved;
    }
    return solved;
  }
};

GRADUS_KERNELS_END
