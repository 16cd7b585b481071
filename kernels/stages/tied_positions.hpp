// Positions and velocities of a tree that is tied, closed at a cost that grows with the number of
// bodies: the same held rows are kept as elsewhere, but what is not held is found by the ties' own
// columns alone. Prescribed coordinates follow from what prescribes them, and of each group of
// Euler parameters one, the leader, from the others. docs/theory.md, section 14.
#pragma once

#include "kernels/stages/closure.hpp"
#include "kernels/stages/ties.hpp"

GRADUS_KERNELS_BEGIN

// Marks coordinates that are not held.
template <class D>
GRADUS_ROUTINE void mark_dependents(const D& d) {
  const auto mark = d.at(d.layout.tie.mark);
  for (int c = 0; c < d.plan.coordinate_count; ++c) mark[c] = RealOf<D>(1);
  for (int k = 0; k < d.plan.independent_count; ++k)
    for_each_number(value_of(d.at(d.layout.held)[k]), [&](int c, const auto& where) {
      if (c < d.plan.coordinate_count) mark[c] = select(where, RealOf<D>(0), mark[c]);
    });
}

// Calls visit(body, first of its Euler parameters).
template <class D, class Visit>
GRADUS_INLINE void for_each_turn(const D& d, const Visit& visit) {
  for (int i = 0; i < d.plan.body_count; ++i)
    if (d.plan.bodies[i].euler >= 0) visit(i, d.plan.bodies[i].euler);
}

// The leaders: the largest parameters of all, or of those that are marked.
template <class D>
GRADUS_ROUTINE void choose_leaders(const D& d, bool among_marked) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  for_each_turn(d, [&](int i, int first) {
    Value largest(-1.0), leader(first);
    for (int c = first; c < first + 4; ++c) {
      const Value size = absolute(value_of(d.at(d.layout.position)[c]));
      auto larger = size > largest;
      if (among_marked) larger = larger && value_of(d.at(s.mark)[c]) > Value(0.0);
      largest = select(larger, size, largest);
      leader = select(larger, Value(c), leader);
    }
    d.at(s.leader)[i] = RealOf<D>(leader);
  });
}

template <class D>
GRADUS_INLINE typename D::Mask is_leader(const D& d, int c) {
  using Value = typename D::Value;
  if (d.plan.coordinates[c].euler < 0) return typename D::Mask(false);
  return is_zero(value_of(d.at(d.layout.tie.leader)[d.plan.coordinates[c].body]) - Value(c));
}

// What the ties determine: the coordinates that are not held, but leaders and prescribed ones.
template <class D>
GRADUS_ROUTINE void list_dependents(const D& d) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const int rank = tie_rank(d.plan);
  const auto dependent = d.at(s.dependent);
  for (int k = 0; k < rank; ++k) dependent[k] = RealOf<D>(0);
  Value count(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    if (is_prescribed(d, c)) continue;
    const auto free = value_of(d.at(s.mark)[c]) > Value(0.0) && !is_leader(d, c);
    if (!any(free)) continue;
    for_each_number(count, [&](int k, const auto& where) {
      if (k < rank) dependent[k] = select(where && free, RealOf<D>(c), dependent[k]);
    });
    count = select(free, count + Value(1.0), count);
  }
}

template <class D>
GRADUS_FUNCTION void find_dependents(const D& d) {
  mark_dependents(d);
  choose_leaders(d, true);
  list_dependents(d);
}

// Calls visit(leader, lanes) for the leaders of a body in all lanes.
template <class D, class Visit>
GRADUS_INLINE void for_each_leader(const D& d, int body, const Visit& visit) {
  for_each_number(value_of(d.at(d.layout.tie.leader)[body]), visit);
}

// Replaces the leaders in the rows of the ties by what the others do to them: p . p' = 0.
template <class D>
GRADUS_ROUTINE void eliminate_leaders(const D& d) {
  const int n = d.plan.coordinate_count;
  const auto position = d.at(d.layout.position);
  for_each_turn(d, [&](int body, int first) {
    for_each_leader(d, body, [&](int leader, const auto& where) {
      const RealOf<D> inverse = RealOf<D>(1) / position[leader];
      for (int i = 0; i < d.plan.tie_rows; ++i) {
        const auto row = d.at(d.layout.tie.rows + i * n);
        const RealOf<D> share = inverse * row[leader];
        for (int c = first; c < first + 4; ++c)
          row[c] = select(where, row[c] - share * position[c], row[c]);
      }
    });
  });
}

// Leaders, so that Euler parameters have unit length.
template <class D>
GRADUS_ROUTINE void lead_positions(const D& d, const typename D::Mask& going) {
  const auto position = d.at(d.layout.position);
  for_each_turn(d, [&](int body, int first) {
    for_each_leader(d, body, [&](int leader, const auto& where) {
      RealOf<D> rest(1);
      for (int c = first; c < first + 4; ++c)
        if (c != leader) rest -= square(RealOf<D>(position[c]));
      const RealOf<D> size = sqrt(rest);
      const auto negative = value_of(position[leader]) < typename D::Value(0.0);
      position[leader] = select(where && going, select(negative, -size, size), position[leader]);
    });
  });
}

// The same of their rates.
template <class D>
GRADUS_ROUTINE void lead_velocities(const D& d) {
  const auto position = d.at(d.layout.position);
  const auto velocity = d.at(d.layout.velocity);
  for_each_turn(d, [&](int body, int first) {
    for_each_leader(d, body, [&](int leader, const auto& where) {
      RealOf<D> sum(0);
      for (int c = first; c < first + 4; ++c)
        if (c != leader) sum -= position[c] * velocity[c];
      velocity[leader] = select(where, sum / position[leader], velocity[leader]);
    });
  });
}

// The entry of x for row number k of the pivots, entries `stride` apart.
template <class D>
GRADUS_INLINE RealOf<D> pivot_entry(const D& d, int k, int x, int stride = 1) {
  RealOf<D> found(0);
  for_each_number(value_of(d.at(d.layout.tie.order)[k]), [&](int i, const auto& where) {
    found = select(where, d.at(x)[i * stride], found);
  });
  return found;
}

// The pivots' columns of what the ties determine, in the lanes given. Rows lose their leaders.
template <class D>
GRADUS_ROUTINE void renew_block(const D& d, const typename D::Mask& asked) {
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  const int rank = tie_rank(d.plan);
  eliminate_leaders(d);
  const auto block = d.at(s.block);
  for (int j = 0; j < rank; ++j)
    for_each_number(value_of(d.at(s.order)[j]), [&](int i, const auto& row) {
      for (int k = 0; k < rank; ++k)
        for_each_number(value_of(d.at(s.dependent)[k]), [&](int c, const auto& where) {
          block[j * rank + k] =
              select(row && where && asked, d.at(s.rows)[i * n + c], block[j * rank + k]);
        });
    });
}

template <class D>
GRADUS_FUNCTION typename D::Mask factorise_block(const D& d) {
  const TieLayout& s = d.layout.tie;
  const int rank = tie_rank(d.plan);
  const auto factor = d.at(s.block_factor);
  for (int i = 0; i < rank * rank; ++i) factor[i] = d.at(s.block)[i];
  return factorise(factor, d.at(s.block_pivot), rank);
}

// What the ties determine, from `right` [rank, columns].
template <class D>
GRADUS_FUNCTION void solve_block(const D& d, int right, int columns) {
  const TieLayout& s = d.layout.tie;
  solve_factorised(d.at(s.block_factor), d.at(s.block_pivot), tie_rank(d.plan), d.at(right),
                   columns);
}

// From what the rows of the constraints lack, to `solved`.
template <class D>
GRADUS_FUNCTION void solve_lacking(const D& d, int constraint) {
  const TieLayout& s = d.layout.tie;
  for_each_tie_row(d, [&](int i, int row) { d.at(s.right)[i] = -d.at(constraint)[row]; });
  for (int k = 0; k < tie_rank(d.plan); ++k) d.at(s.solved)[k] = pivot_entry(d, k, s.right);
  solve_block(d, s.solved, 1);
}

// A Newton step of coordinates that are prescribed. Returns its largest relative size.
template <class D>
GRADUS_ROUTINE typename D::Value follow_positions(const D& d, const typename D::Mask& going) {
  using Value = typename D::Value;
  Value largest(0.0);
  for_each_prescribed(d, [&](int c, const ConstraintEntry& e) {
    RealOf<D>& position = d.at(d.layout.position)[c];
    const RealOf<D> step = -constraint_value(d, e).x / slope_of_prescription(d, e);
    position = select(going, position + step, position);
    const Value size = relative_magnitude(step, RealOf<D>(position));
    largest = select(size > largest || !is_finite(size), size, largest);
  });
  return largest;
}

// The same of what the ties determine, with the block's factors.
template <class D>
GRADUS_ROUTINE typename D::Value correct_dependents(const D& d, const typename D::Mask& going) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  Value largest(0.0);
  if (tie_rank(d.plan) == 0) return largest;
  const auto regular = factorise_block(d);
  solve_lacking(d, d.layout.constraint);
  for (int k = 0; k < tie_rank(d.plan); ++k) {
    const RealOf<D> step = d.at(s.solved)[k];
    for_each_number(value_of(d.at(s.dependent)[k]), [&](int c, const auto& where) {
      RealOf<D>& position = d.at(d.layout.position)[c];
      position = select(where && going, position + step, position);
      const Value size = relative_magnitude(step, RealOf<D>(position));
      largest = select(where && (size > largest || !is_finite(size)), size, largest);
    });
  }
  return select(regular, largest, Value(2.0));
}

// Newton's method, as close_position() has it.
template <class D>
GRADUS_ROUTINE void close_tied_position(const D& d, double time) {
  using Value = typename D::Value;
  find_dependents(d);
  Value last(1.0);
  auto going = d.alive();
  for (int iteration = 0; iteration < kClosureIterations && any(going); ++iteration) {
    const Value followed = follow_positions(d, going);
    lead_positions(d, going);
    positions(d);
    constraint_values(d);
    const auto asked = iteration == 0 ? typename D::Mask(true) : going && last > Value(1e-4);
    if (tie_rank(d.plan) > 0 && any(asked)) {
      tie_rows(d);
      if (iteration == 0) choose_ties(d, time);
      renew_block(d, asked);
    }
    Value size = correct_dependents(d, going);
    size = select(followed > size || !is_finite(followed), followed, size);
    going = still_closing(d, going, iteration, size, last, time);
  }
  leave_open(d, going, time);
  lead_positions(d, d.alive());
  positions(d);
}

// Velocities with the held rows kept and the constraints' rates zero.
template <class D>
GRADUS_ROUTINE void close_tied_velocity(const D& d, double time) {
  const Layout& l = d.layout;
  const TieLayout& s = l.tie;
  const int rank = tie_rank(d.plan);
  const auto velocity = d.at(l.velocity);
  find_dependents(d);
  for_each_prescribed(d, [&](int c, const ConstraintEntry& e) {
    velocity[c] = RealOf<D>(0);
    const RealOf<D> rest = constraint_rate(d, l.motion, e, velocity).x;
    velocity[c] = -rest / slope_of_prescription(d, e);
    fail_to_prescribe(d, e, RealOf<D>(velocity[c]), time);
  });
  for (int k = 0; k < rank; ++k)
    for_each_number(value_of(d.at(s.dependent)[k]), [&](int c, const auto& where) {
      velocity[c] = select(where, RealOf<D>(0), velocity[c]);
    });
  lead_velocities(d);
  if (rank == 0) return;
  velocities(d, l.motion, velocity);
  constraint_rates(d, l.motion, velocity);
  tie_rows(d);
  choose_ties(d, time);
  renew_block(d, typename D::Mask(true));
  d.fail(!factorise_block(d), Status::independents_singular, time);
  solve_lacking(d, l.constraint_rate);
  for (int k = 0; k < rank; ++k)
    for_each_number(value_of(d.at(s.dependent)[k]), [&](int c, const auto& where) {
      velocity[c] = select(where, d.at(s.solved)[k], velocity[c]);
    });
  lead_velocities(d);
}

GRADUS_KERNELS_END
