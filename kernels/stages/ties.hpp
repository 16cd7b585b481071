// What ties a tree whose joints are eliminated one after another: constraints that neither
// normalise Euler parameters nor prescribe a coordinate. With X = M^-1 Phi_z^T by walks over the
// bodies, and the accelerations z0 of the tree alone, multipliers solve the Schur complement
//   (Phi_z X) multiplier = d2Phi/dt2 at z0,   z'' = z0 - X multiplier,
// whose size is the number of these rows alone. docs/theory.md, section 14.
#pragma once

#include "kernels/math/semidefinite.hpp"
#include "kernels/passes/articulated.hpp"
#include "kernels/passes/jacobians.hpp"
#include "kernels/stages/evaluate_motion.hpp"

GRADUS_KERNELS_BEGIN

// What is left of the shortest row [1] below which the ties have lost rank: squares of it are all
// that is seen.
constexpr double kLostTie = 3e-7;

// How often they are solved: twice, and where less is left of a row, so often.
constexpr double kShortTie = 1e-2;
constexpr int kTieSolutions = 4;

// Whether joints are eliminated although something ties the tree.
template <class D>
GRADUS_INLINE bool goes_by_ties(const D& d) {
  return d.layout.tie.closes != 0;
}

// Calls visit(constraint) for those that tie the tree, or prescribe a coordinate.
template <class D, class Visit>
GRADUS_INLINE void for_each_tie(const D& d, const Visit& visit) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    if (d.plan.constraints[k].tie >= 0) visit(d.plan.constraints[k]);
}
template <class D, class Visit>
GRADUS_INLINE void for_each_prescribed(const D& d, const Visit& visit) {
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    if (is_prescribed(d, c)) visit(c, d.plan.constraints[d.plan.coordinates[c].prescribed_by]);
}

// Calls visit(row of the ties, row of the constraints).
template <class D, class Visit>
GRADUS_INLINE void for_each_tie_row(const D& d, const Visit& visit) {
  for_each_tie(d, [&](const ConstraintEntry& e) {
    for (int i = 0; i < e.rows; ++i) visit(e.tie + i, e.row + i);
  });
}

// Their rows of Phi_z.
template <class D>
GRADUS_FUNCTION void tie_rows(const D& d) {
  const int n = d.plan.coordinate_count;
  const int rows = d.layout.tie.rows;
  set_zero(d.at(rows), d.plan.tie_rows * n);
  for_each_tie(d, [&](const ConstraintEntry& e) {
    constraint_rows(d, d.layout.motion, e, rows + (e.tie - e.row) * n);
  });
}

// Row i of the ties times x [n].
template <class D, class Array>
GRADUS_ROUTINE RealOf<D> times_tie(const D& d, int i, const Array& x) {
  const int n = d.plan.coordinate_count;
  const auto row = d.at(d.layout.tie.rows + i * n);
  RealOf<D> sum(0);
  for (int c = 0; c < n; ++c) sum += row[c] * x[c];
  return sum;
}

// Derivative of a prescribing law by its coordinate.
template <class D>
GRADUS_ROUTINE RealOf<D> slope_of_prescription(const D& d, const ConstraintEntry& e) {
  const LawEntry& law = d.plan.laws[e.feature[0]];
  RealOf<D> slope(0);
  for_each_slope(d, d.layout.motion, law,
                 law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity)),
                 [&](int, const RealOf<D>& found) { slope = found; });
  return slope;
}

// Fails designs in which a law says nothing about the coordinate that it is to prescribe.
template <class D>
GRADUS_FUNCTION void fail_to_prescribe(const D& d, const ConstraintEntry& e, const RealOf<D>& found,
                                       double time) {
  const auto lost = d.alive() && !is_finite(value_of(found));
  if (!any(lost)) return;
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(lost, RealOf<D>(e.row + 1), blamed);
  d.fail(lost, Status::rank_too_low, time);
}

// Accelerations that are prescribed, with the slopes of what prescribes them.
template <class D>
GRADUS_ROUTINE void prescribe_accelerations(const D& d, double time) {
  const Layout& l = d.layout;
  const auto acceleration = d.at(l.acceleration);
  for_each_prescribed(d, [&](int c, const ConstraintEntry& e) {
    acceleration[c] = RealOf<D>(0);
    const RealOf<D> rest =
        law_acceleration(d, l.motion, d.plan.laws[e.feature[0]], d.at(l.velocity), acceleration);
    const RealOf<D> slope = slope_of_prescription(d, e);
    d.at(l.articulated.pivot)[c] = slope;
    acceleration[c] = -rest / slope;
    fail_to_prescribe(d, e, RealOf<D>(acceleration[c]), time);
  });
}

template <class D>
GRADUS_INLINE auto tie_factors(const D& d) {
  const TieLayout& s = d.layout.tie;
  return SemidefiniteFactors<typename D::Array>{d.at(s.lower), d.at(s.pivot), d.at(s.order)};
}

// The rows in units of the coordinates, as far as prescribed coordinates and the lengths of Euler
// parameters leave motions to them, and their products.
template <class D>
GRADUS_ROUTINE void scale_rows_of_ties(const D& d) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.tie_rows;
  for (int i = 0; i < count; ++i) {
    const auto from = d.at(s.rows + i * n);
    const auto to = d.at(s.scaled + i * n);
    for (int c = 0; c < n; ++c) {
      const Value entry = value_of(from[c]) * Value(coordinate_unit(d.plan, c));
      to[c] = is_prescribed(d, c) ? RealOf<D>(0) : RealOf<D>(entry);
    }
    for (int b = 0; b < d.plan.body_count; ++b) {
      const int first = d.plan.bodies[b].euler;
      if (first < 0) continue;
      const auto p = load_euler(d.at(d.layout.position + first));
      const RealOf<D> along = dot(p, load_euler(to.from(first))) / dot(p, p);
      for (int k = 0; k < 4; ++k)
        to[first + k] = RealOf<D>(value_of(to[first + k]) - value_of(along * p[k]));
    }
    for (int j = 0; j <= i; ++j) {
      const auto other = d.at(s.scaled + j * n);
      Value sum(0.0);
      for (int c = 0; c < n; ++c) sum += value_of(to[c]) * value_of(other[c]);
      d.at(s.gram)[i * count + j] = d.at(s.gram)[j * count + i] = RealOf<D>(sum);
    }
  }
}

// Which of the rows at hand are pivots: those that are least dependent on each other.
template <class D>
GRADUS_ROUTINE void choose_ties(const D& d, double time) {
  const TieLayout& s = d.layout.tie;
  const int count = d.plan.tie_rows;
  scale_rows_of_ties(d);
  for (int i = 0; i < count * count; ++i) d.at(s.schur)[i] = d.at(s.gram)[i];
  for_each_tie_row(d, [&](int i, int row) {
    const double length = row_length(d.plan, row);
    d.at(s.right)[i] = RealOf<D>(1.0 / (length * length));
  });
  const auto least = choose_semidefinite(d.at(s.schur), count, tie_rank(d.plan), tie_factors(d),
                                         [&](int i) { return value_of(d.at(s.right)[i]); });
  d.at(s.least)[0] = RealOf<D>(sqrt(least));
  d.fail(!(least > typename D::Value(kLostTie * kLostTie)), Status::rank_too_low, time);
}

// The Schur complement of the rows at hand, and its factors. After articulate(), whose loads are
// spent.
template <class D>
GRADUS_ROUTINE void factorise_ties(const D& d) {
  const TieLayout& s = d.layout.tie;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.tie_rows;
  const auto direct = d.at(d.layout.acceleration_load.direct);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < n; ++c) direct[c] = -d.at(s.rows)[i * n + c];
    articulated_answer(d, d.layout.acceleration_load, d.layout.solution);
    for (int j = 0; j <= i; ++j) {
      const RealOf<D> entry = times_tie(d, j, d.at(d.layout.solution));
      d.at(s.schur)[i * count + j] = d.at(s.schur)[j * count + i] = entry;
    }
  }
  factorise_semidefinite(d.at(s.schur), count, tie_rank(d.plan), tie_factors(d));
}

// Clears the rows of the Jacobian that depend on the pivots, so that columns are those of the same
// equations: between the ends of steps, where positions are not closed, others would differ.
template <class D>
GRADUS_ROUTINE void clear_idle_ties(const D& d) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const int rank = tie_rank(d.plan);
  if (rank == d.plan.tie_rows) return;
  for_each_tie_row(d, [&](int i, int row) {
    typename D::Mask idle(true);
    for (int k = 0; k < rank; ++k)
      idle = idle && !is_zero(value_of(d.at(d.layout.tie.order)[k]) - Value(i));
    const auto entries = d.at(d.layout.jacobian + row * n);
    for (int c = 0; c < n; ++c) entries[c] = select(idle, RealOf<D>(0), entries[c]);
  });
}

// Adds to accelerations [n], and multipliers [m], what the ties make of them, whose rows leave
// `right` of them.
template <class D>
GRADUS_ROUTINE void tie_answer(const D& d, int acceleration, int multiplier) {
  const Layout& l = d.layout;
  const TieLayout& s = l.tie;
  const int n = d.plan.coordinate_count;
  const auto direct = d.at(l.acceleration_load.direct);
  solve_semidefinite(tie_factors(d), d.plan.tie_rows, tie_rank(d.plan), d.at(s.right),
                     d.at(s.multiplier));
  set_zero(direct, n);
  for (int i = 0; i < d.plan.tie_rows; ++i) {
    const RealOf<D> force = d.at(s.multiplier)[i];
    for (int c = 0; c < n; ++c) direct[c] += force * d.at(s.rows)[i * n + c];
  }
  articulated_answer(d, l.acceleration_load, l.solution, l.multiplier_change);
  for (int c = 0; c < n; ++c) d.at(acceleration)[c] += d.at(l.solution)[c];
  for_each_prescribed(d, [&](int, const ConstraintEntry& e) {
    d.at(multiplier)[e.row] += d.at(l.multiplier_change)[e.row];
  });
  for_each_tie_row(d, [&](int i, int row) { d.at(multiplier)[row] += d.at(s.multiplier)[i]; });
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind != ConstraintKind::normalisation) continue;
    const auto p = load_euler(d.at(l.position + e.feature[0]));
    d.at(multiplier)[e.row] -=
        dot(p, load_euler(direct.from(e.feature[0]))) / (RealOf<D>(2) * dot(p, p));
  }
}

// Does so until the rows leave nothing: `left(i, row)` is what they leave, after `update()`. The
// Schur complement has the squares of the ties' own numbers, whose digits one solution alone loses.
template <class D, class Left, class Update>
GRADUS_FUNCTION void settle_ties(const D& d, int acceleration, int multiplier, const Left& left,
                                 const Update& update) {
  using Value = typename D::Value;
  const TieLayout& s = d.layout.tie;
  const auto is_short = value_of(d.at(s.least)[0]) < Value(kShortTie);
  typename D::Mask asked(true);
  for (int k = 0; k < kTieSolutions && any(asked); ++k) {
    for_each_tie_row(
        d, [&](int i, int row) { d.at(s.right)[i] = select(asked, left(i, row), RealOf<D>(0)); });
    tie_answer(d, acceleration, multiplier);
    update();
    if (k > 0) asked = is_short;
  }
}

// The same for accelerations of the tree alone. Leaves their motion.
template <class D>
GRADUS_ROUTINE void tie_accelerations(const D& d, double time) {
  const Layout& l = d.layout;
  tie_rows(d);
  choose_ties(d, time);
  if (d.failed()) return;
  factorise_ties(d);
  settle_ties(
      d, l.acceleration, l.multiplier,
      [&](int, int row) { return RealOf<D>(d.at(l.constraint_acceleration)[row]); },
      [&] { evaluate_motion(d, l.acceleration); });
}

// The same for what unknowns of size 1 make.
template <class D>
GRADUS_FUNCTION void tie_response(const D& d, int acceleration, int multiplier) {
  settle_ties(
      d, acceleration, multiplier, [&](int i, int) { return times_tie(d, i, d.at(acceleration)); },
      [] {});
}

GRADUS_KERNELS_END
