// Which coordinates are held, chosen anew where the choice has become poor, or as the model gives
// them. docs/theory.md, section 13.
#pragma once

#include "kernels/stages/factors.hpp"

GRADUS_KERNELS_BEGIN

// What calls for another choice of held coordinates: errors of theirs that come back so many times
// as large (mean square), and Euler parameters that are so small and follow from the others.
constexpr double kPoorChoice = 25.0;
constexpr double kPoorParameter = 0.4;

// Rows as long as each other by symmetry differ by round-off, and by every change of a parameter:
// the first of them is taken, so that the choice, and with it the error of a step, does not jump.
constexpr double kClearlyLonger = 1.02;  // squared

// The null space in coordinates times the roots of their inertias, an orthonormal basis of it, to
// `product`. So coordinates are compared by the energy they carry: units do not matter, and angles
// that run away near a singular position of theirs, as those of a cardan joint in line, do not
// count more for being fast.
template <class D>
GRADUS_ROUTINE void weighted_motions(const D& d) {
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto a = d.at(d.layout.product);
  for (int i = 0; i < n; ++i) {
    const RealOf<D> inertia = d.at(d.layout.mass_matrix)[i * n + i];
    const RealOf<D> weight = sqrt(select(inertia > RealOf<D>(0), inertia, RealOf<D>(0)));
    for (int j = 0; j < free; ++j)
      a[i * free + j] = weight * d.at(d.layout.null_space)[i * free + j];
  }
  const auto dot_columns = [&](int j, int k) {
    RealOf<D> sum(0);
    for (int i = 0; i < n; ++i) sum += a[i * free + j] * a[i * free + k];
    return sum;
  };
  for (int j = 0; j < free; ++j) {
    for (int k = 0; k < j; ++k) {
      const RealOf<D> share = dot_columns(j, k);
      for (int i = 0; i < n; ++i) a[i * free + j] -= share * a[i * free + k];
    }
    const RealOf<D> scale = RealOf<D>(1) / sqrt(dot_columns(j, j));
    for (int i = 0; i < n; ++i) a[i * free + j] = scale * a[i * free + j];
  }
}

// Takes the direction of row `row` out of all rows that `product` holds.
template <class D>
GRADUS_ROUTINE void take_out_row(const D& d, int row, const typename D::Mask& where) {
  const int free = d.plan.independent_count;
  const auto a = d.at(d.layout.product);
  const auto taken = a.from(row * free);
  const auto times_taken = [&](int i) {
    RealOf<D> sum(0);
    for (int j = 0; j < free; ++j) sum += a[i * free + j] * taken[j];
    return sum;
  };
  const RealOf<D> length2 = times_taken(row);
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    if (i == row) continue;
    const RealOf<D> share = times_taken(i) / length2;
    for (int j = 0; j < free; ++j)
      a[i * free + j] = select(where, a[i * free + j] - share * taken[j], a[i * free + j]);
  }
  for (int j = 0; j < free; ++j) taken[j] = select(where, RealOf<D>(0), taken[j]);
}

// Chooses which coordinates are held where the choice has become poor: those least dependent on
// each other among the motions that the constraints leave, one after another the longest row with
// those before taken out. Lengths do not depend on the basis, which jumps where the constraints
// exchange their pivots.
template <class D>
GRADUS_ROUTINE void choose_independents(const D& d, const typename D::Mask& poor) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto a = d.at(d.layout.product);
  weighted_motions(d);
  for (int k = 0; k < free; ++k) {
    Value best(0.0);
    Value longest(-1.0);
    for (int i = 0; i < n; ++i) {
      Value length2(0.0);
      for (int j = 0; j < free; ++j) length2 += square(value_of(a[i * free + j]));
      const auto longer = !(length2 <= Value(kClearlyLonger) * longest);
      longest = select(longer, length2, longest);
      best = select(longer, Value(i), best);
    }
    d.at(d.layout.held)[k] = select(poor, RealOf<D>(best), d.at(d.layout.held)[k]);
    for_each_number(best, [&](int row, const auto& where) { take_out_row(d, row, where); });
  }
}

// Where all those of some group of Euler parameters that are not held are small: an error of the
// held ones comes back in them times the inverse of their size. Pivots tell too late, which may all
// be far larger than their product.
template <class D>
GRADUS_ROUTINE typename D::Mask holds_large_parameters(const D& d) {
  using Value = typename D::Value;
  typename D::Mask poor(false);
  for (int b = 0; b < d.plan.body_count; ++b) {
    const int first = d.plan.bodies[b].euler;
    if (first < 0) continue;
    Value largest(0.0);
    for (int c = first; c < first + 4; ++c) {
      typename D::Mask held(false);
      for (int i = 0; i < d.plan.independent_count; ++i)
        held = held || is_zero(value_of(d.at(d.layout.held)[i]) - Value(c));
      const Value size = absolute(value_of(d.at(d.layout.position)[c]));
      largest = select(!held && size > largest, size, largest);
    }
    poor = poor || largest < Value(kPoorParameter);
  }
  return poor;
}

// How many times as large errors of the held coordinates come back in all, (B N)^-1 in mean square:
// single pivots may all be far larger than its smallest singular value.
template <class D>
GRADUS_ROUTINE typename D::Value amplification(const D& d) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const int free = d.plan.independent_count;
  const auto column = d.at(l.solution);
  Value sum(0.0);
  for (int j = 0; j < free; ++j) {
    for (int i = 0; i < free; ++i) column[i] = RealOf<D>(i == j ? 1.0 : 0.0);
    solve_factorised(d.at(l.kinematic_factor), d.at(l.kinematic_pivot), free, column, 1);
    for (int i = 0; i < free; ++i) sum += square(value_of(column[i]));
  }
  return sum / Value(static_cast<double>(free));
}

// Errors of coordinates that the model gives, and that are not chosen anew, may come back so many
// times as large (mean square): beyond that they do not determine the position any more.
constexpr double kSingularChoice = 1e6;

// Holds the coordinates that the model gives.
template <class D>
GRADUS_ROUTINE void hold_given_independents(const D& d, double time) {
  using Value = typename D::Value;
  for (int k = 0; k < d.plan.given_independent_count; ++k)
    d.at(d.layout.held)[k] = RealOf<D>(d.plan.independents[k]);
  const auto asked = d.alive();
  factorise_held(d, time);
  d.fail(asked && !(amplification(d) < Value(kSingularChoice)), Status::independents_singular,
         time);
}

// Chooses anew if the present choice has become poor, at a position whose constraints are
// factorised and whose mass matrix is known. Held rows that are turns of Euler parameters serve the
// start only.
template <class D>
GRADUS_ROUTINE void renew_independents(const D& d, double time) {
  using Value = typename D::Value;
  const int free = d.plan.independent_count;
  if (d.plan.constraint_rank == 0) {
    if (d.plan.dropped_rows == 0) return;
    // Constraints of the start left fewer rows to hold; now all are free.
    for (int k = 0; k < free; ++k) d.at(d.layout.held)[k] = RealOf<D>(k);
    factorise_held(d, time);
    return;
  }
  if (free == 0) return;
  if (d.plan.given_independent_count > 0) return hold_given_independents(d, time);
  const auto asked = d.alive();
  factorise_held(d, time);
  auto poor = holds_large_parameters(d) || !(amplification(d) < Value(kPoorChoice));
  for (int i = 0; i < free; ++i)
    poor = poor || value_of(d.at(d.layout.held)[i]) >= Value(d.plan.coordinate_count);
  if (!any(poor && asked)) return;
  d.forgive(poor && asked);
  choose_independents(d, poor);
  factorise_held(d, time);
}

GRADUS_KERNELS_END
