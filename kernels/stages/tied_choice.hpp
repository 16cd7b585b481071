// Which coordinates of a tree that is tied are held, chosen by the ties' own columns alone.
// docs/theory.md, section 14.
#pragma once

#include "kernels/stages/independents.hpp"
#include "kernels/stages/tied_positions.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kNoTie = 1e-10;  // of the length that a row has where no terms cancel in it

// Where some leader is small, or some coordinate that is not held answers to a held one so many
// times as fast.
template <class D>
GRADUS_ROUTINE typename D::Mask holds_poorly(const D& d) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  const int rank = tie_rank(d.plan);
  typename D::Mask poor(false);
  find_dependents(d);
  for_each_turn(d, [&](int body, int) {
    for_each_leader(d, body, [&](int leader, const auto& where) {
      const Value size = absolute(value_of(d.at(d.layout.position)[leader]));
      poor = poor || (where && size < Value(kPoorParameter));
    });
  });
  if (rank == 0) return poor;
  tie_rows(d);
  renew_block(d, typename D::Mask(true));
  const auto answers = d.at(s.free);
  for (int k = 0; k < rank; ++k)
    for (int c = 0; c < n; ++c) answers[k * n + c] = pivot_entry(d, k, s.rows + c, n);
  poor = poor || !factorise_block(d);
  solve_block(d, s.free, n);
  Value fastest(0.0);
  for (int k = 0; k < rank; ++k) {
    Value unit(1.0);
    for_each_number(value_of(d.at(s.dependent)[k]), [&](int c, const auto& where) {
      unit = select(where, Value(coordinate_unit(d.plan, c)), unit);
    });
    for (int c = 0; c < n; ++c) {
      if (is_prescribed(d, c)) continue;
      const Value size =
          absolute(value_of(answers[k * n + c])) * Value(coordinate_unit(d.plan, c)) / unit;
      fastest = select(size > fastest || !is_finite(size), size, fastest);
    }
  }
  return poor || !(fastest * fastest <= Value(kPoorChoice));
}

// The rows of the ties, without leaders, each of length 1 in units of the coordinates, to `free`.
template <class D>
GRADUS_ROUTINE void scale_ties(const D& d) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  tie_rows(d);
  eliminate_leaders(d);
  for_each_tie_row(d, [&](int i, int row) {
    const auto from = d.at(d.layout.tie.rows + i * n);
    const auto to = d.at(d.layout.tie.free + i * n);
    Value length2(0.0);
    for (int c = 0; c < n; ++c) {
      const Value entry =
          is_prescribed(d, c) ? Value(0.0) : value_of(from[c]) * Value(coordinate_unit(d.plan, c));
      to[c] = RealOf<D>(entry);
      length2 += square(entry);
    }
    const Value length = sqrt(length2);
    const auto counts = length > Value(kNoTie * row_length(d.plan, row));
    const Value inverse =
        select(counts, Value(1.0) / select(counts, length, Value(1.0)), Value(0.0));
    for (int c = 0; c < n; ++c) to[c] = RealOf<D>(inverse * value_of(to[c]));
  });
}

// Marks the coordinate that the ties determine best, of those that are left in the rows that are
// left, and takes it out of them.
template <class D>
GRADUS_ROUTINE void mark_best(const D& d) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  const auto a = d.at(s.free);
  Value largest(0.0), best_row(0.0), best(0.0);
  for (int i = 0; i < d.plan.tie_rows; ++i)
    for (int c = 0; c < n; ++c) {
      const Value size = absolute(value_of(a[i * n + c]));
      const auto larger = size > Value(kClearlyLonger) * largest;
      largest = select(larger, size, largest);
      best_row = select(larger, Value(i), best_row);
      best = select(larger, Value(c), best);
    }
  const auto line = d.at(s.line);
  for_each_number(best_row, [&](int i, const auto& where) {
    for (int c = 0; c < n; ++c) line[c] = select(where, a[i * n + c], line[c]);
  });
  for_each_number(best, [&](int column, const auto& where) {
    d.at(s.mark)[column] = select(where, RealOf<D>(1), d.at(s.mark)[column]);
    const RealOf<D> inverse = RealOf<D>(1) / line[column];
    for (int i = 0; i < d.plan.tie_rows; ++i) {
      const RealOf<D> share = inverse * a[i * n + column];
      for (int c = 0; c < n; ++c)
        a[i * n + c] = select(where, a[i * n + c] - share * line[c], a[i * n + c]);
      a[i * n + column] = select(where, RealOf<D>(0), a[i * n + column]);
    }
  });
  for_each_number(best_row, [&](int i, const auto& where) {
    for (int c = 0; c < n; ++c) a[i * n + c] = select(where, RealOf<D>(0), a[i * n + c]);
  });
}

// Holds the coordinates that are not marked, in the lanes given.
template <class D>
GRADUS_ROUTINE void hold_unmarked(const D& d, const typename D::Mask& asked) {
  using Value = typename D::Value;
  const auto held = d.at(d.layout.held);
  Value count(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto free = is_zero(value_of(d.at(d.layout.tie.mark)[c]));
    if (!any(free)) continue;
    for_each_number(count, [&](int k, const auto& where) {
      if (k < d.plan.independent_count)
        held[k] = select(where && free && asked, RealOf<D>(c), held[k]);
    });
    count = select(free, count + Value(1.0), count);
  }
}

// Chooses which coordinates are held: not the largest Euler parameters, nor those that the ties
// determine best.
template <class D>
GRADUS_ROUTINE void choose_held(const D& d, const typename D::Mask& asked) {
  const TieLayout& s = d.layout.tie;
  const auto mark = d.at(s.mark);
  choose_leaders(d, false);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto known = is_prescribed(d, c) ? typename D::Mask(true) : is_leader(d, c);
    mark[c] = select(known, RealOf<D>(1), RealOf<D>(0));
  }
  if (tie_rank(d.plan) > 0) scale_ties(d);
  for (int k = 0; k < tie_rank(d.plan); ++k) mark_best(d);
  hold_unmarked(d, asked);
}

// Chooses anew if the present choice has become poor, at a position that the constraints leave.
template <class D>
GRADUS_FUNCTION void renew_held(const D& d) {
  const auto poor = d.alive() && holds_poorly(d);
  if (any(poor)) choose_held(d, poor);
}

// The first choice.
template <class D>
GRADUS_FUNCTION void begin_held(const D& d) {
  positions(d);
  choose_held(d, typename D::Mask(true));
}

GRADUS_KERNELS_END
