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
                                                  std::ptrdiff_t entries,
                                                  std::ptrdiff_t pitch = 0) {
  return View<Real, kInterleaved>(array + offset_of({kInterleaved, pitch}, s, entries));
}

// Calls action(matrix of system `s`), which may be arranged either way.
template <class Action>
GRADUS_INLINE void with_matrix(const LinearArguments& c, std::ptrdiff_t s, const Action& action) {
  const std::ptrdiff_t entries = std::ptrdiff_t{c.size} * c.size;
  if (c.matrix_arrangement.interleaved)
    action(entries_of<true>(c.matrices, s, entries, c.matrix_arrangement.pitch));
  else
    action(entries_of<false>(c.matrices, s, entries));
}

// The right-hand sides of system `s`.
template <bool kInterleaved>
GRADUS_INLINE View<double, kInterleaved> right_sides_of(const LinearArguments& c,
                                                        std::ptrdiff_t s) {
  return entries_of<kInterleaved>(c.right_sides, s, std::ptrdiff_t{c.size} * c.columns,
                                  c.right_side_arrangement.pitch);
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

// One system with everything in the memory of the batch, of which all but the matrices is
// interleaved or not.
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
    return entries_of<kInterleaved>(array, s, entries);
  }

  template <class Factor>
  GRADUS_FUNCTION void factorise(const Team& team, std::ptrdiff_t s, const Factor& factors) const {
    using Real = std::decay_t<decltype(factors[0])>;
    with_matrix(c, s, [&](const auto& matrix) {
      for (int k = team.rank(); k < c.size * c.size; k += team.size())
        factors[k] = static_cast<Real>(matrix[k]);
    });
    team.barrier();
    const SystemStatus status =
        factorise_system(team, c, Square<Factor>{factors, c.size}, of(c.pivots, s, c.size));
    if (team.rank() == 0) c.status[s] = static_cast<int>(status);
    team.barrier();
  }

  GRADUS_FUNCTION void solve(const Team& team, std::ptrdiff_t s) const {
    const int entries = c.size * c.columns;
    const auto x = right_sides_of<kInterleaved>(c, s);
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
    const auto single = of(c.single_factors, s, c.size * c.size);
    const Square<std::decay_t<decltype(single)>> factors{single, c.size};
    const auto pivot = of(c.pivots, s, c.size);
    using Single = std::decay_t<decltype(correction)>;
    bool solved = true;
    with_matrix(c, s, [&](const auto& entries_of_matrix) {
      const Square<std::decay_t<decltype(entries_of_matrix)>> matrix{entries_of_matrix, c.size};
      for (int k = team.rank(); k < c.columns; k += team.size()) {
        const Refinement<ColumnOf<Array>, ColumnOf<Single>> columns{
            {x.from(k), c.columns},
            {scratch.from(k), c.columns},
            {scratch.from(entries + k), c.columns},
            {correction.from(k), c.columns}};
        solved = refine_column(factors_of(c), matrix, factors, pivot, c.size, columns) && solved;
      }
    });
    return solved;
  }
};

GRADUS_KERNELS_END
