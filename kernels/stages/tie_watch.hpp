// Whether the rows that tie a tree have changed their orientation since the end of the step before,
// as row_space.hpp tells of all rows: here in the space of the motions that prescribed coordinates
// and the lengths of Euler parameters leave. docs/theory.md, section 14.
#pragma once

#include "kernels/stages/row_space.hpp"
#include "kernels/stages/ties.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE typename D::Mask was_pivot(const D& d, int i) {
  return value_of(d.at(d.layout.tie.kept_pivots)[i]) > typename D::Value(0.0);
}

// Determinant of entry(i, j) over the rows i, j among `count` that were pivots at the end of the
// step before; number k is row(k).
template <class D, class Row, class Entry>
GRADUS_ROUTINE typename D::Value pivots_determinant(const D& d, int count, const Row& row,
                                                    const Entry& entry) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const auto both = was_pivot(d, row(a)) && was_pivot(d, row(b));
      d.at(s.product)[a * count + b] =
          RealOf<D>(select(both, entry(row(a), row(b)), Value(a == b ? 1.0 : 0.0)));
    }
  return determinant(d.at(s.product), d.at(s.product_pivot), count);
}

// Length of row i.
template <class D>
GRADUS_FUNCTION typename D::Value tie_length(const D& d, int i) {
  using Value = typename D::Value;
  const Value square = value_of(d.at(d.layout.tie.gram)[i * d.plan.tie_rows + i]);
  return select(square > Value(0.0), sqrt(square), Value(1.0));
}

// Cosine of the angle between row i as it was and row j as it is.
template <class D>
GRADUS_ROUTINE typename D::Value kept_times_now(const D& d, int i, int j) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  Value sum(0.0);
  for (int c = 0; c < n; ++c)
    sum += value_of(d.at(s.kept_rows)[i * n + c]) * value_of(d.at(s.scaled)[j * n + c]);
  return sum / tie_length(d, j);
}

// The same of both as they are.
template <class D>
GRADUS_INLINE typename D::Value now_times_now(const D& d, int i, int j) {
  return value_of(d.at(d.layout.tie.gram)[i * d.plan.tie_rows + j]) /
         (tie_length(d, i) * tie_length(d, j));
}

// How the rows are oriented to those that were kept: a number above zero if as they were.
template <class D>
GRADUS_FUNCTION typename D::Value orientation_of_ties(const D& d) {
  return pivots_determinant(
      d, d.plan.tie_rows, [](int k) { return k; },
      [&](int i, int j) { return kept_times_now(d, i, j); });
}

// The product of the cosines of the angles between the two, with the sign of the orientation.
template <class D>
GRADUS_ROUTINE typename D::Value turn_of_ties(const D& d) {
  using Value = typename D::Value;
  const Value both = orientation_of_ties(d);
  const Value now = pivots_determinant(
      d, d.plan.tie_rows, [](int k) { return k; },
      [&](int i, int j) { return now_times_now(d, i, j); });
  const Value size = now * value_of(d.at(d.layout.tie.kept_size)[0]);
  const auto counts = size > Value(0.0);
  return select(counts, both / sqrt(select(counts, size, Value(1.0))), Value(0.0));
}

// How many rows of a group prescribe coordinates, or normalise Euler parameters.
template <class D>
GRADUS_FUNCTION int plain_members(const D& d, const int* members) {
  int count = 0;
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    for (int i = 0; e.tie < 0 && i < e.rows; ++i) count += members[e.row + i];
  }
  return count;
}

// A row, from 1 on, of a group that lies behind a singular configuration of its own; 0: none does.
// Groups whose pivots are more or fewer than their independent rows are not judged.
template <class D>
GRADUS_ROUTINE typename D::Value reversed_group_of_ties(const D& d) {
  using Value = typename D::Value;
  Value found(0.0);
  if (d.plan.row_group_count == 0) return found;
  const int width = d.plan.group_member_count / d.plan.row_group_count;
  const auto listed = d.at(d.layout.tie.right);
  for (int g = 0; g < d.plan.row_group_count; ++g) {
    const int* const members = d.plan.group_members + g * width;
    int count = 0, last = 0;
    Value pivots(0.0);
    for_each_tie_row(d, [&](int i, int row) {
      if (members[row] == 0) return;
      listed[count++] = RealOf<D>(i);
      last = row;
      pivots = select(was_pivot(d, i), pivots + Value(1.0), pivots);
    });
    if (count == 0) continue;
    const auto row = [&](int k) { return static_cast<int>(common(listed[k])); };
    const Value orientation =
        pivots_determinant(d, count, row, [&](int i, int j) { return kept_times_now(d, i, j); });
    const auto judged = pivots == Value(d.plan.row_groups[g].rows - plain_members(d, members));
    found = select(judged && orientation < Value(0.0), Value(last + 1), found);
  }
  return found;
}

// The last of the pivots, from 1 on, as a row of the constraints.
template <class D>
GRADUS_ROUTINE typename D::Value last_tie(const D& d) {
  using Value = typename D::Value;
  Value found(0.0);
  const Value last = value_of(d.at(d.layout.tie.order)[tie_rank(d.plan) - 1]);
  for_each_tie_row(
      d, [&](int i, int row) { found = select(last == Value(i), Value(row + 1), found); });
  return found;
}

// The rows at hand become those that the next are compared with.
template <class D, class Time>
GRADUS_ROUTINE void keep_ties(const D& d, const Time& time) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const WatchLayout& w = d.layout.watch;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.tie_rows;
  const auto pivots = d.at(s.kept_pivots);
  for (int i = 0; i < count; ++i) {
    pivots[i] = RealOf<D>(0);
    const Value inverse = Value(1.0) / tie_length(d, i);
    for (int c = 0; c < n; ++c)
      d.at(s.kept_rows)[i * n + c] = RealOf<D>(inverse * value_of(d.at(s.scaled)[i * n + c]));
  }
  for (int k = 0; k < tie_rank(d.plan); ++k)
    for_each_number(value_of(d.at(s.order)[k]), [&](int i, const auto& where) {
      pivots[i] = select(where, RealOf<D>(1), pivots[i]);
    });
  d.at(s.kept_size)[0] = RealOf<D>(pivots_determinant(
      d, count, [](int k) { return k; }, [&](int i, int j) { return now_times_now(d, i, j); }));
  d.at(w.rows)[d.plan.constraint_rank - 1] = RealOf<D>(last_tie(d) - Value(1.0));
  d.at(w.least)[0] = RealOf<D>(value_of(d.at(s.least)[0]));
  d.at(w.time)[0] = RealOf<D>(time);
  d.at(w.known)[0] = RealOf<D>(1);
  d.at(w.reversed)[0] = RealOf<D>(0);
}

GRADUS_KERNELS_END
