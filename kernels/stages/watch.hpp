// What every step looks at: whether all constraints hold, and whether the motion has passed through
// a singular configuration.
#pragma once

#include "kernels/math/small_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/tree_null_space.hpp"

GRADUS_KERNELS_BEGIN

// What a failure is blamed on is kept as the number of a row of the constraints, from 1 on, or as
// that of an objective, from -1 down; 0 is nothing.

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
template <class D>
GRADUS_FUNCTION void watch_constraints(const D& d, double time) {
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

// Notes that designs went through a singular configuration, near the constraint of the last pivot.
template <class D>
GRADUS_FUNCTION void pass_singularity(const D& d, const typename D::Mask& passed, double time) {
  if (d.settings.watches_singularity == 0 || !any(passed)) return;
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(passed, d.at(d.layout.pivot)[d.plan.constraint_rank - 1] + RealOf<D>(1), blamed);
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
template <class D>
GRADUS_FUNCTION void watch_penalties(const D& d, const RankReport<typename D::Value>& report,
                                     double time) {
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
  pass_singularity(d, d.alive() && now < Value(kLeastRegular) * value_of(most), time);
}

// Of a passage: how far the last pivot may be from where the line through its last two values comes
// out below zero, relative to both (0.5: it rises three times as steeply as it fell, or a third, on
// another branch); and by how much its slope may have changed before.
constexpr double kReflection = 0.5;
constexpr double kBend = 0.5;

// How near to a singular configuration motions may pass: the last pivot is
// small and no larger than so many times what it falls by within a step; by how much it may fall
// faster from one step to the next, and how much slower it falls where it passes.
constexpr double kSmallPivot = 0.1;
constexpr double kNearMiss = 3.5;
constexpr double kAdaptiveMiss = 1.0;  // of steps whose error is controlled
constexpr double kSteepest = 5.0;
constexpr double kSlower = 0.5;

// Whether the last pivot was about to fall to zero and does not, or no longer as fast, nearer to it
// than steps can follow: rates change there by their own size within a step or two, and what comes
// behind is a matter of chance.
template <class D>
GRADUS_FUNCTION typename D::Mask misses_narrowly(const D& d) {
  using Value = typename D::Value;
  const auto pivot = d.at(d.layout.regularity);
  const auto instant = d.at(d.layout.regularity + kWatchedSteps);
  const auto fall = [&](int k) { return value_of(pivot[k]) - value_of(pivot[k - 1]); };
  // Where an adjoint takes steps once more, those before may be others.
  typename D::Mask follow(true);
  for (int k = 1; k < kWatchedSteps; ++k)
    follow = follow && value_of(instant[k - 1]) > value_of(instant[k]);
  const double near = d.tableau.error_order > 0 ? kAdaptiveMiss : kNearMiss;
  const Value before = fall(3);
  const Value rise = -fall(1);
  const Value least = value_of(pivot[1]);
  const Value fastest = select(rise > before, rise, before);
  return follow && before > Value(0.0) && fall(2) >= Value(0.0) &&
         fall(1) < Value(kSlower) * before && fall(2) < Value(kSteepest) * before &&
         rise < Value(kSteepest) * before && least < Value(kSmallPivot) &&
         least < Value(near) * fastest;
}

// The last pivot of the constraints falls in a straight line to zero where the mechanism becomes
// singular, and rises as straight behind: a step over that corner finds it about as far above zero
// as the line is below. Pivots that change places jump, but not in a straight line. After
// measure_constraints() at the end of a step.
template <class D>
GRADUS_FUNCTION void watch_singularity(const D& d, double time) {
  using Value = typename D::Value;
  if (d.settings.watches_singularity == 0 || d.plan.constraint_rank == 0 || is_open_tree(d.plan))
    return;
  const auto pivot = d.at(d.layout.regularity);
  const auto instant = d.at(d.layout.regularity + kWatchedSteps);
  instant[0] = RealOf<D>(time);
  const auto slope = [&](int k) {
    return (value_of(pivot[k]) - value_of(pivot[k + 1])) /
           (value_of(instant[k]) - value_of(instant[k + 1]));
  };
  const Value now = value_of(pivot[0]);
  const Value ahead = value_of(pivot[1]) + slope(1) * (value_of(instant[0]) - value_of(instant[1]));
  auto passed = d.alive() && ahead < Value(0.0) &&
                absolute(now + ahead) < Value(kReflection) * (now - ahead) &&
                absolute(slope(1) - slope(2)) < Value(kBend) * absolute(slope(1));
  if (d.plan.independent_count > 0) passed = passed || (d.alive() && misses_narrowly(d));
  for (int k = kWatchedSteps - 1; k > 0; --k) {
    pivot[k] = pivot[k - 1];
    instant[k] = instant[k - 1];
  }
  pass_singularity(d, passed, time);
}

GRADUS_KERNELS_END
