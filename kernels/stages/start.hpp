// The initial problems: positions and velocities that close the loops with the held coordinates as
// given, and the accelerations and multipliers of the index-1 equations there. docs/theory.md,
// section 9.
#pragma once

#include "kernels/stages/linearise.hpp"
#include "kernels/stages/solve_position.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kAssemblyIterations = 100;
constexpr double kAssemblyTolerance = 1e-11;  // on the increment of a coordinate [rad or m]
constexpr double kClosureTolerance = 1e-9;    // on what remains of a loop-closure equation [m or 1]
constexpr double kLargestIncrement = 0.5;  // per iteration, so that a far guess does not run away
constexpr double kRedundancy = 1e-6;  // rows this much smaller than the largest count as redundant

template <class D>
GRADUS_FUNCTION void set_start_positions(const D& d) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.position)[c] = d.at(l.slot)[d.plan.coordinates[c].position_slot];
}

// One Newton iteration of the position problem; returns the largest increment.
template <class D>
GRADUS_FUNCTION double assembly_iteration(const D& d, RankReport& rank) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  positions(d);
  constraint_values(d);
  constraint_jacobian(d, l.motion);
  rank = split_jacobian(d.at(l.jacobian), d.plan.constraint_rows, n, d.plan.constraint_rank,
                        d.at(l.reflected), d.at(l.pivot), d.at(l.range), d.at(l.null_space),
                        d.at(l.triangle));
  factorise_held(d, 0.0);
  set_zero(d.at(l.top), n);
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  SolveArrays arrays = motion_arrays(d);
  arrays.multiplier = -1;
  constrained_solve(d, {-1, l.kinematic_factor, l.kinematic_pivot}, arrays, 1);

  double largest = 0.0;
  for (int c = 0; c < n; ++c) {
    const double size = relative_magnitude(d.at(l.solution)[c], d.at(l.position)[c]);
    largest = size > largest || !is_finite(size) ? size : largest;
  }
  const double plain = [&] {
    double value = 0.0;
    for (int c = 0; c < n; ++c) {
      const double size = absolute(value_of(d.at(l.solution)[c]));
      value = size > value ? size : value;
    }
    return value;
  }();
  const Real damping(plain > kLargestIncrement ? kLargestIncrement / plain : 1.0);
  for (int c = 0; c < n; ++c) d.at(l.position)[c] += damping * d.at(l.solution)[c];
  return largest;
}

template <class D>
GRADUS_FUNCTION double largest_value(const D& d, int offset, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const double size = absolute(value_of(d.at(offset)[i]));
    largest = size > largest || !is_finite(size) ? size : largest;
  }
  return largest;
}

GRADUS_FUNCTION bool has_rank(const RankReport& rank) {
  return rank.last > kRedundancy * rank.first;
}

// What to say of an assembly. Loops that lack rank at the guess already, and still do where the
// iteration ended, never had enough equations; otherwise a loop left open is the loop's own fault.
template <class D>
GRADUS_FUNCTION Status assembly_verdict(const D& d, const RankReport& guess, const RankReport& end,
                                        bool converged, Status factorisation) {
  const double open = largest_value(d, d.layout.constraint, d.plan.constraint_rows);
  if (!has_rank(guess) && !has_rank(end)) return Status::rank_too_low;
  if (!converged || !(open < kClosureTolerance)) return Status::loop_open;
  if (!has_rank(end)) return Status::rank_too_low;
  if (end.beyond > kRedundancy * end.first) return Status::rank_too_high;
  return factorisation;
}

template <class Real, bool kInterleaved>
struct StartPosition {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    set_start_positions(d);
    if (d.plan.constraint_rows == 0) {
      positions(d);
      return;
    }
    RankReport guess{};
    RankReport rank{};
    double largest = 0.0;
    int iteration = 0;
    do {
      d.status = Status::ok;  // a singular configuration on the way is no failure yet
      largest = assembly_iteration(d, rank);
      if (iteration == 0) guess = rank;
      ++iteration;
    } while (!(largest < kAssemblyTolerance) && iteration < kAssemblyIterations &&
             is_finite(largest));
    const Status factorisation = d.status;
    d.status = Status::ok;
    positions(d);
    constraint_values(d);
    record_violation(d, 0, d.layout.constraint);
    const bool converged = largest < kAssemblyTolerance;
    d.fail(assembly_verdict(d, guess, rank, converged, factorisation), 0.0);
  }
};

template <class Real, bool kInterleaved>
struct StartVelocity {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    for (int c = 0; c < n; ++c) {
      const int slot = d.plan.coordinates[c].velocity_slot;
      d.at(l.velocity)[c] = slot < 0 ? Real(0) : d.at(l.slot)[slot];
    }
    if (d.plan.constraint_rows > 0) {
      constraint_jacobian(d, l.motion);
      split_constraints(d, 0.0);
      factorise_held(d, 0.0);
      for (int c = 0; c < n; ++c) d.at(l.top)[c] = d.at(l.velocity)[c];
      set_zero(d.at(l.bottom), d.plan.constraint_rank);
      SolveArrays arrays = motion_arrays(d);
      arrays.solution = l.velocity;
      arrays.multiplier = -1;
      constrained_solve(d, {-1, l.kinematic_factor, l.kinematic_pivot}, arrays, 1);
    } else {
      split_constraints(d, 0.0);
      factorise_held(d, 0.0);
    }
    velocities(d, l.motion, d.at(l.velocity));
    constraint_rates(d, l.motion);
    record_violation(d, 1, l.constraint_rate);
  }
};

// Accelerations and multipliers of M z'' + Phi_z^T multiplier = Q, d2Phi/dt2 = 0. Leaves the free
// motion, its tangents and the reduced mass matrix at the start, as a step would.
template <class Real, bool kInterleaved>
struct StartAcceleration {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    const int m = d.plan.constraint_rows;
    for (int c = 0; c < n; ++c) {
      d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
      d.at(l.free_acceleration)[c] = Real(0);
      d.at(l.acceleration)[c] = Real(0);
      d.at(l.velocity_change)[c] = Real(0);
      d.at(l.acceleration_change)[c] = Real(0);
    }
    set_zero(d.at(l.multiplier), m);
    set_zero(d.at(l.velocity_multiplier), m);
    set_zero(d.at(l.acceleration_multiplier), m);
    evaluate_forces(d);
    mass_matrix(d);
    constraint_jacobian(d, l.free_motion);
    split_constraints(d, 0.0);
    factorise_reduced(d, l.mass_matrix, l.mass_factor, l.mass_pivot, 0.0);
    evaluate_motion(d, l.acceleration);
    for (int c = 0; c < n; ++c) d.at(l.top)[c] = -generalised_force(d, l.load, c);
    set_zero(d.at(l.bottom), d.plan.constraint_rank);
    add_pivot_rows(d, l.constraint_acceleration, 1, -1.0, l.bottom);
    SolveArrays arrays = motion_arrays(d);
    arrays.solution = l.acceleration;
    arrays.multiplier = m > 0 ? l.multiplier : -1;
    constrained_solve(d, mass_leading(d), arrays, 1);

    for (int c = 0; c < n; ++c) d.at(l.free_acceleration)[c] = d.at(l.acceleration)[c];
    for (int i = 0; i < m; ++i) d.at(l.earlier_multiplier)[i] = d.at(l.multiplier)[i];
    evaluate_forces(d);
    factorise_position(d, 0.0);
    evaluate_motion(d, l.acceleration);
    record_violation(d, 2, l.constraint_acceleration);
    if (!is_finite(largest_value(d, l.acceleration, n))) d.fail(Status::not_finite, 0.0);
  }
};

// Derivatives of the held start values by the parameters.
template <class Real, bool kInterleaved>
struct StartPartials {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const int parameters = d.plan.parameter_count;
    for (int level = 0; level < 2; ++level)
      clear(d, d.layout.start_partial[level], d.plan.coordinate_count * parameters);
    for (int p = 0; p < parameters; ++p)
      for (int k = d.plan.partial_begin[p]; k < d.plan.partial_begin[p + 1]; ++k) {
        const PartialEntry& entry = d.plan.partials[k];
        const bool position = entry.kind == PartialKind::start_position;
        if (!position && entry.kind != PartialKind::start_velocity) continue;
        d.at(d.layout.start_partial[position ? 0 : 1])[entry.index * parameters + p] +=
            d.at(d.layout.direction)[entry.direction];
      }
  }
};

GRADUS_KERNELS_END
