// What every step looks at: whether all constraints hold, and whether the motion has passed through
// a singular configuration.
#pragma once

#include "kernels/math/small_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/row_groups.hpp"
#include "kernels/stages/tie_watch.hpp"

GRADUS_KERNELS_BEGIN

// What a failure is blamed on is kept as a number: an algebraic unknown, from 0 on; else a row of
// the constraints, coordinate or sampled state, from 1 on, or objective, from -1 down; 0: nothing.

// Size of what a row of the constraints is violated by, times its weight.
template <class D>
GRADUS_FUNCTION typename D::Value weighted_violation(const D& d, int row) {
  using Value = typename D::Value;
  return Value(row_weight(d.plan, row)) * absolute(value_of(d.at(d.layout.constraint)[row]));
}

// Blames the row of the constraints that is violated most, and returns by how much it is, weighted.
template <class D>
GRADUS_ROUTINE typename D::Value blame_row(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  Value largest(-1.0);
  Value row(0.0);
  for (int i = 0; i < d.plan.constraint_rows; ++i) {
    const Value size = weighted_violation(d, i);
    const auto larger = !(size <= largest);
    largest = select(larger, size, largest);
    row = select(larger, Value(i + 1), row);
  }
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(where, RealOf<D>(row), blamed);
  return largest;
}

// The same, but nothing if all rows hold: then something else is to blame.
template <class D>
GRADUS_ROUTINE void blame_open_row(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  if (!any(where)) return;
  const Value largest = blame_row(d, where);
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  const auto open = largest > Value(d.settings.violation_limit);
  blamed = select(where && !open, RealOf<D>(0), blamed);
}

// What drifts may do so by this many times what the equations drift by that are held, and so far.
constexpr double kSharedDrift = 100.0;
constexpr double kLargestDrift = 1e-3;  // m or 1

// Pivots beyond the rank, relative to the first, that penalties of 1e9 give the weight of masses.
constexpr double kLockingRank = 1e-6;

// Fails designs whose positions violate constraints: those that the pivots were to imply and do
// not, because they depended on them at the start only, or contradict them. After
// record_violation().
template <class D, class Time>
GRADUS_FUNCTION void watch_constraints(const D& d, const Time& time) {
  using Value = typename D::Value;
  const Value limit(d.settings.violation_limit);
  const Value most(d.plan.largest_weight);
  auto broken = d.alive() && !(most * value_of(d.at(d.layout.violation)[0]) <= limit);
  if (!any(broken)) return;
  const Value largest = blame_row(d, broken);
  broken = broken && !(largest <= limit);
  if (d.settings.drifts != 0) {
    Value held(0.0);
    for (int i = 0; i < d.plan.constraint_rank; ++i)
      for_each_number(value_of(d.at(d.layout.pivot)[i]), [&](int row, const auto& where) {
        const Value size = weighted_violation(d, row);
        held = select(where && size > held, size, held);
      });
    broken = broken && !(largest <= Value(kSharedDrift) * held && largest <= Value(kLargestDrift));
  }
  d.fail(broken, Status::constraint_violated, time);
}

// Projections by penalty hold all rows, whatever the rank: rows that become independent would stop
// the motion. After split_constraints(), at positions that satisfy the constraints.
template <class D>
GRADUS_FUNCTION void watch_rank(const D& d, double time) {
  using Value = typename D::Value;
  const int rank = d.plan.constraint_rank;
  if (rank >= d.plan.constraint_rows || is_open_tree(d.plan)) return;
  const auto risen = d.alive() && value_of(d.at(d.layout.risen)[0]) > Value(kLockingRank);
  if (!any(risen)) return;
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(risen, d.at(d.layout.pivot)[rank] + RealOf<D>(1), blamed);
  d.fail(risen, Status::constraint_violated, time);
}

// The last pivot of the constraints, as a row of them, from 1 on.
template <class D>
GRADUS_FUNCTION typename D::Value last_pivot(const D& d) {
  return value_of(d.at(d.layout.pivot)[d.plan.constraint_rank - 1]) + typename D::Value(1.0);
}

// Notes that designs went through a singular configuration of the constraint that a row, from 1 on,
// belongs to.
template <class D, class Time>
GRADUS_FUNCTION void pass_singularity(const D& d, const typename D::Mask& passed,
                                      const typename D::Value& row, const Time& time) {
  if (d.settings.watches_singularity == 0 || !any(passed)) return;
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(passed, RealOf<D>(row), blamed);
  RealOf<D>& passage = d.at(d.layout.passage)[0];
  const auto first = passed && is_zero(value_of(passage));
  passage = select(first, RealOf<D>(time), passage);
  if (d.settings.fails_singular != 0) d.fail(passed, Status::singular_passed, time);
}

// How large pivots are, relative to the first, that show a rank above that of the start. What
// penalties leave open makes such pivots too, of rows that depend on others wherever they hold.
constexpr double kRisenRank = 1e-2;

// The share of its largest value to which the last pivot may fall: below the root of what penalties
// leave open, some 1e-7, they let the mechanism through to any branch.
constexpr double kLeastRegular = 3e-4;

// Penalties also satisfy what stops depending on the other equations, whatever energy that takes: a
// mechanism leaves a singular configuration at random, where it starts in one or comes to one. With
// the report of measure_constraints() at the end of a step.
template <class D, class Time>
GRADUS_FUNCTION void watch_penalties(const D& d, const RankReport<typename D::Value>& report,
                                     const Time& time) {
  using Value = typename D::Value;
  const int rank = d.plan.constraint_rank;
  if (rank == 0) return;
  if (rank < d.plan.constraint_rows) {
    const auto risen = d.alive() && report.beyond > Value(kRisenRank) * report.first;
    RealOf<D>& blamed = d.at(d.layout.blamed)[0];
    blamed = select(risen, d.at(d.layout.pivot)[rank] + RealOf<D>(1), blamed);
    d.fail(risen, Status::constraint_violated, time);
  }
  const Value now = value_of(d.at(d.layout.regularity)[0]);
  RealOf<D>& most = d.at(d.layout.most_regular)[0];
  most = select(now > value_of(most), RealOf<D>(now), most);
  pass_singularity(d, d.alive() && now < Value(kLeastRegular) * value_of(most), last_pivot(d),
                   time);
}

// Steps of fixed length that turn the motions that are left by more than 18 degrees, where some row
// of the constraints has less than a tenth of its length left: they do not follow a motion that
// passes a singular configuration narrowly, and may as well have left it for another branch.
constexpr double kSharpTurn = 0.95;  // cosine
// Where no motion is left, as in a mechanism that is driven, by this share of what is left of the
// row, which is nearly the turn that would be.
constexpr double kCoarseApproach = 0.6;
constexpr double kNearSingular = 0.1;
constexpr double kCoarse = 1e-4;  // rows that short may be so by nature

template <class D>
GRADUS_INLINE bool watches_singularity(const D& d) {
  // Adaptive steps go across where nobody wants to know of it.
  return (d.settings.watches_singularity != 0 || d.tableau.error_order > 0) &&
         d.plan.constraint_rank > 0 && !is_open_tree(d.plan) &&
         (!goes_by_ties(d) || tie_rank(d.plan) > 0);
}

// Whether what is evaluated lies behind a singular configuration, from the end of the step before.
template <class D>
GRADUS_FUNCTION typename D::Mask lies_behind(const D& d) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const auto reversed = goes_by_ties(d) ? orientation_of_ties(d) < Value(0.0) ||
                                              reversed_group_of_ties(d) > Value(0.0)
                                        : has_reversed_rows(d) || reversed_group(d) > Value(0.0);
  return reversed && value_of(d.at(w.known)[0]) > Value(0.0);
}

// Whether the step at hand has come to the other side of a singular configuration, through which
// motions may go. At its end, evaluated.
template <class D>
GRADUS_FUNCTION bool leads_across(const D& d) {
  return d.settings.fails_singular == 0 && watches_singularity(d) && any(lies_behind(d));
}

// Where the end of the step before is so near to a singular configuration, no step is short enough
// for what comes behind.
constexpr double kAtSingular = 3e-4;

template <class D>
GRADUS_FUNCTION bool is_near_singular(const D& d) {
  const WatchLayout& w = d.layout.watch;
  return watches_singularity(d) && any(value_of(d.at(w.known)[0]) > typename D::Value(0.0) &&
                                       value_of(d.at(w.least)[0]) < typename D::Value(kAtSingular));
}

template <class D>
GRADUS_FUNCTION void fail_near_singular(const D& d, double time) {
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  const auto last = d.at(d.layout.watch.rows)[d.plan.constraint_rank - 1];
  blamed = select(d.alive(), last + RealOf<D>(1), blamed);
  d.fail(d.alive(), Status::singular_passed, time);
}

// The start is what the first step is compared with. After split_constraints().
template <class D>
GRADUS_FUNCTION void watch_start(const D& d) {
  if (!watches_singularity(d)) return;
  d.at(d.layout.watch.known)[0] = RealOf<D>(0);
  if (d.plan.start_rows > 0 || goes_by_ties(d)) return;
  keep_groups(d);
  keep_rows(d, span_rows(d), 0.0);
}

// The same where the joints are eliminated, whose ties the first evaluation shows.
template <class D>
GRADUS_FUNCTION void watch_first_ties(const D& d) {
  if (goes_by_ties(d) && watches_singularity(d)) keep_ties(d, 0.0);
}

// A step so long [rad, or arms] may pass more than one of them, an even number unseen.
constexpr double kLongStep = 1.0;

// Whether stages are looked at, too, in a step from the base at hand.
template <class D>
GRADUS_FUNCTION typename D::Mask watches_stages(const D& d, const ClockOf<D>& h) {
  using Value = typename D::Value;
  if (d.tableau.error_order == 0 || !watches_singularity(d)) return false;
  Value largest(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Value way = h / Value(coordinate_unit(d.plan, c)) *
                      absolute(value_of(d.at(d.layout.integrator.velocity)[c]));
    largest = select(way > largest, way, largest);
  }
  return largest > Value(kLongStep);
}

// Notes of some designs that a stage lies behind a singular configuration. After its evaluation.
template <class D>
GRADUS_FUNCTION void watch_stage(const D& d, const typename D::Mask& where) {
  RealOf<D>& reversed = d.at(d.layout.watch.reversed)[0];
  reversed = select(where && lies_behind(d), RealOf<D>(1), reversed);
}

// Whether the step at hand passes a singular configuration more narrowly than it can follow: it
// turns sharply, or comes so near that its error, which grows with the inverse square of what is
// left of the shortest row, is no longer small.
template <class D>
GRADUS_FUNCTION typename D::Mask passes_narrowly(const D& d, const typename D::Value& turn,
                                                 const typename D::Value& least) {
  using Value = typename D::Value;
  const Value before = value_of(d.at(d.layout.watch.least)[0]);
  if (d.tableau.error_order > 0)
    return least < before &&
           least * least < Value(d.settings.rtol < kCoarse ? d.settings.rtol : kCoarse);
  const Value nearest = select(before < least, before, least);
  const auto coarse = d.plan.independent_count > 0
                          ? turn < Value(kSharpTurn)
                          : absolute(least - before) > Value(kCoarseApproach) * nearest;
  return coarse && nearest < Value(kNearSingular);
}

// Looks back at the end of the step before, if there was one: `turn` since then, and a row of a
// group that has turned by itself.
template <class D, class Time>
GRADUS_FUNCTION void look_back(const D& d, const typename D::Value& turn,
                               const typename D::Value& row, const typename D::Value& last,
                               const typename D::Value& least, const Time& time) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const auto follows = d.alive() && value_of(d.at(w.known)[0]) > Value(0.0) &&
                       value_of(d.at(w.time)[0]) < Value(time);
  const auto passed = turn < Value(0.0) || value_of(d.at(w.reversed)[0]) > Value(0.0);
  pass_singularity(d, follows && (passed || row > Value(0.0) || passes_narrowly(d, turn, least)),
                   select(row > Value(0.0), row, last), time);
}

// A motion that goes straight on through a singular configuration comes out of it with the rows of
// its constraints oriented the other way, however long the step: the test for branch points of
// continued curves (Allgower, Georg, Introduction to Numerical Continuation Methods, section 8.1).
// After measure_constraints() at the end of a step.
template <class D, class Time>
GRADUS_FUNCTION void watch_singularity(const D& d, const Time& time) {
  using Value = typename D::Value;
  if (!watches_singularity(d)) return;
  const WatchLayout& w = d.layout.watch;
  // Where an adjoint takes steps once more, what was kept last may be of a later one.
  const bool follows = any(d.alive() && value_of(d.at(w.known)[0]) > Value(0.0) &&
                           value_of(d.at(w.time)[0]) < Value(time));
  if (goes_by_ties(d)) {
    if (follows)
      look_back(d, turn_of_ties(d), reversed_group_of_ties(d), last_tie(d),
                Value(value_of(d.at(d.layout.tie.least)[0])), time);
    return keep_ties(d, time);
  }
  const Value least = span_rows(d);
  if (follows) {
    const Value turn = turn_of_rows(d);
    look_back(d, turn, reversed_group(d), last_pivot(d), least, time);
  }
  keep_groups(d);
  keep_rows(d, least, time);
}

GRADUS_KERNELS_END
