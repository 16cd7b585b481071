// The assembly of a mechanism: positions that close the loops with the held coordinates as given,
// from a guess, and what to say if there are none. docs/theory.md, section 9.
#pragma once

#include "kernels/stages/solve_position.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kAssemblyIterations = 100;
constexpr double kAssemblyTolerance = 1e-11;  // on the increment of a coordinate [rad or m]
constexpr double kClosureTolerance = 1e-9;    // on what remains of a loop-closure equation [m or 1]
constexpr double kLargestIncrement = 0.5;  // per iteration, so that a far guess does not run away
constexpr double kRedundancy = 1e-6;  // rows this much smaller than the largest count as redundant

// Where two directions that are to be the same point against each other.
template <class D>
GRADUS_FUNCTION typename D::Mask is_opposite(const D& d, const SameDirectionEntry& e) {
  return value_of(dot(feature_position(d, e.first), feature_position(d, e.second))) <
         typename D::Value(0.0);
}

// Where directions are opposite their rows hold or nearly do: with the other sign they lead away
// from there.
template <class D>
GRADUS_FUNCTION void turn_from_opposite(const D& d) {
  for (int k = 0; k < d.plan.same_direction_count; ++k) {
    const SameDirectionEntry& e = d.plan.same_directions[k];
    const auto opposite = is_opposite(d, e);
    for (int row = e.row; row < e.row + e.rows; ++row) {
      RealOf<D>& value = d.at(d.layout.constraint)[row];
      value = select(opposite, -value, value);
    }
  }
}

// The length of the difference of opposite directions, as what their rows are open by. Returns
// where there are some.
template <class D>
GRADUS_FUNCTION typename D::Mask open_opposite(const D& d) {
  typename D::Mask any_opposite(false);
  for (int k = 0; k < d.plan.same_direction_count; ++k) {
    const SameDirectionEntry& e = d.plan.same_directions[k];
    const auto opposite = is_opposite(d, e);
    RealOf<D>& value = d.at(d.layout.constraint)[e.row];
    value = select(opposite, RealOf<D>(2), value);
    any_opposite = any_opposite || opposite;
  }
  return any_opposite;
}

// One Newton iteration of the position problem, applied in the lanes given; returns the largest
// increment.
template <class D>
GRADUS_ROUTINE typename D::Value assembly_iteration(const D& d, const typename D::Mask& where,
                                                    RankReport<typename D::Value>& rank) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  positions(d);
  constraint_values(d);
  turn_from_opposite(d);
  constraint_jacobian(d, l.motion);
  rank = split_densely(d);
  factorise_held(d, 0.0);
  solve_closure(d);

  const Value largest = largest_change(d, l.solution, l.position);
  Value plain(0.0);
  for (int c = 0; c < n; ++c) {
    const Value size = absolute(value_of(d.at(l.solution)[c]));
    plain = select(size > plain, size, plain);
  }
  const Value most(kLargestIncrement);
  const RealOf<D> damping(select(plain > most, most / plain, Value(1.0)));
  for (int c = 0; c < n; ++c) {
    RealOf<D>& position = d.at(l.position)[c];
    position = select(where, position + damping * d.at(l.solution)[c], position);
  }
  return largest;
}

// How an assembly went: the rank at the guess and where it ended, the largest increment there, and
// whether the held rows were regular on the constraints.
template <class Value>
struct AssemblyReport {
  RankReport<Value> guess, end;
  Value largest;
  MaskOf<Value> regular;
};

template <class Value>
GRADUS_FUNCTION RankReport<double> lane(const RankReport<Value>& report, int i) {
  return {lane(report.first, i), lane(report.last, i), lane(report.beyond, i)};
}

// Newton's method from the guess on. A singular configuration on the way is no failure yet.
template <class D>
GRADUS_ROUTINE AssemblyReport<typename D::Value> assemble(const D& d) {
  using Value = typename D::Value;
  AssemblyReport<Value> report{};
  const auto asked = d.alive();
  auto going = asked;
  for (int iteration = 0; iteration < kAssemblyIterations && any(going); ++iteration) {
    RankReport<Value> rank;
    const Value largest = assembly_iteration(d, going, rank);
    report.regular = select(going, d.alive(), report.regular);
    d.forgive(asked);
    report.end = select(going, rank, report.end);
    if (iteration == 0) report.guess = rank;
    report.largest = select(going, largest, report.largest);
    going = going && !(largest < Value(kAssemblyTolerance)) && is_finite(largest);
  }
  return report;
}

GRADUS_FUNCTION bool has_rank(const PlanView& plan, const RankReport<double>& rank) {
  return plan.constraint_rank == 0 || rank.last > kRedundancy * plan.pivot_spread * rank.first;
}

// What to say of an assembly. Loops that lack rank at the guess already, and still do where the
// iteration ended, never had enough equations; otherwise a loop left open is the loop's own fault.
GRADUS_FUNCTION Status assembly_verdict(const PlanView& plan, double open,
                                        const RankReport<double>& guess,
                                        const RankReport<double>& end, bool converged,
                                        Status factorisation) {
  if (!has_rank(plan, guess) && !has_rank(plan, end)) return Status::rank_too_low;
  if (!converged || !(open < kClosureTolerance)) return Status::loop_open;
  if (!has_rank(plan, end)) return Status::rank_too_low;
  const bool counts = end.first > 1e-9 * plan.constraint_scale;  // more than round-off
  const double round_off = 1e-12 * plan.constraint_scale;
  const double scale = counts ? end.first : plan.constraint_scale;
  if (end.beyond > kRedundancy * plan.pivot_spread * scale && end.beyond > round_off)
    return Status::rank_too_high;
  return factorisation;
}

GRADUS_KERNELS_END
