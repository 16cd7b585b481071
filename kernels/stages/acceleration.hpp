// Evaluations of acceleration formulations: positions and velocities that the constraints
// determine, then accelerations and multipliers. docs/theory.md, section 13.
#pragma once

#include "kernels/passes/articulated.hpp"
#include "kernels/stages/algebraic.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/watch.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kClosureIterations = 30;
constexpr double kClosureIncrement = 1e-14;  // relative; chord iterations end below its root
// What calls for another choice of held coordinates: errors of theirs that come back so many times
// as large (mean square), and Euler parameters that are so small and follow from the others.
constexpr double kPoorChoice = 25.0;
constexpr double kPoorParameter = 0.4;

// The constraints' factors at the current position, and those of the held rows on them.
template <class D>
GRADUS_FUNCTION void factorise_constraints(const D& d, double time) {
  constraint_jacobian(d, d.layout.motion);
  split_constraints(d, time);
  factorise_held(d, time);
}

// Corrects the position by what the constraints lack, the held rows kept, in the lanes given.
// Returns the largest relative increment.
template <class D>
GRADUS_FUNCTION typename D::Value closure_increment(const D& d, const typename D::Mask& where) {
  const Layout& l = d.layout;
  solve_closure(d);
  const auto largest = largest_change(d, l.solution, l.position);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    RealOf<D>& position = d.at(l.position)[c];
    position = select(where, position + d.at(l.solution)[c], position);
  }
  return largest;
}

// Factors at the current position in some lanes; the others keep theirs, which are computed once
// more where they came from, to the same bits.
template <class D>
GRADUS_ROUTINE void renew_constraint_factors(const D& d, const typename D::Mask& where,
                                             double time) {
  const Layout& l = d.layout;
  if (!any(where)) return;
  const bool part = any(!where);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto now = d.at(l.position)[c];
    d.at(l.closure_position)[c] = now;
    if (part) d.at(l.position)[c] = select(where, now, d.at(l.factor_position)[c]);
    d.at(l.factor_position)[c] = d.at(l.position)[c];
  }
  if (part) positions(d);
  factorise_constraints(d, time);
  if (!part) return;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.position)[c] = d.at(l.closure_position)[c];
  positions(d);
  constraint_values(d);
}

// Fails designs whose loops stay open, because of the row that is open most.
template <class D>
GRADUS_FUNCTION void leave_open(const D& d, const typename D::Mask& where, double time) {
  if (!any(where)) return;
  blame_row(d, where);
  d.fail(where, Status::loop_open, time);
}

// Newton's method with the factors of the last position as long as they serve. Leaves everything at
// the final position but the Jacobian.
template <class D>
GRADUS_ROUTINE void close_position(const D& d, double time) {
  using Value = typename D::Value;
  if (d.plan.constraint_rank == 0) return;
  Value last(1.0);
  auto going = d.alive();
  for (int iteration = 0; iteration < kClosureIterations && any(going); ++iteration) {
    positions(d);
    constraint_values(d);
    if (iteration == 0)
      renew_constraint_factors(d, typename D::Mask(true), time);
    else
      renew_constraint_factors(d, going && last > Value(1e-4), time);
    const Value size = closure_increment(d, going);
    leave_open(d, going && !is_finite(size), time);
    auto closed = size < Value(kClosureIncrement);
    if (iteration > 2) closed = closed || (size < Value(1e-12) && size > Value(0.25) * last);
    last = select(going, size, last);
    going = going && !closed && d.alive();
  }
  leave_open(d, going, time);
  positions(d);
}

// Velocities with the held rows kept and the constraints' rates zero.
template <class D>
GRADUS_FUNCTION void close_velocity(const D& d, double time) {
  if (d.plan.constraint_rank == 0) return;
  const Layout& l = d.layout;
  factorise_constraints(d, time);
  for (int i = 0; i < d.plan.independent_count; ++i)
    times_held_row(d, i, d.at(l.velocity), 1, d.at(l.top + i));
  solve_held_velocity(d);
}

// What Baumgarte's stabilisation and penalties ask of the constraints beyond d2Phi/dt2 = 0:
// subtracts 2 xi Omega dPhi/dt + Omega^2 Phi from the rows.
template <class D>
GRADUS_FUNCTION void add_stabilisation(const D& d, const RowOrder& order) {
  const Layout& l = d.layout;
  const double omega = d.settings.frequency;
  if (omega == 0.0) return;
  constraint_values(d);
  constraint_rates(d, l.motion, d.at(l.velocity));
  add_rows(d, order, l.constraint_rate, 1, -2.0 * d.settings.damping_ratio * omega, l.bottom);
  add_rows(d, order, l.constraint, 1, -omega * omega, l.bottom);
}

// Everything at the current position and velocity, without accelerations: forces, mass matrix,
// constraints.
template <class D>
GRADUS_FUNCTION void prepare_accelerations(const D& d) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
    d.at(l.free_acceleration)[c] = RealOf<D>(0);
    d.at(l.acceleration)[c] = RealOf<D>(0);
  }
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  set_zero(d.at(l.algebraic.value), d.plan.algebraic_count);
  evaluate_forces(d);
  mass_matrix(d);
  velocities(d, l.motion, d.at(l.velocity));
  evaluate_motion(d, l.acceleration);
}

// Accelerations and multipliers with a factorised leading matrix, and the motion they make.
template <class D>
GRADUS_ROUTINE void solve_accelerations(const D& d, const LeadingMatrix& leading, double time,
                                        bool stabilised = true) {
  const Layout& l = d.layout;
  const RowOrder order = row_order(d, leading);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = -generalised_force(d, l.load, c);
  set_zero(d.at(l.bottom), order.count);
  add_rows(d, order, l.constraint_acceleration, 1, -1.0, l.bottom);
  if (stabilised) add_stabilisation(d, order);
  constrained_solve(
      d, leading, motion_arrays(d, l.acceleration, d.plan.constraint_rows > 0 ? l.multiplier : -1),
      1);
  evaluate_motion(d, l.acceleration);
  if (has_algebraic(d)) solve_algebraic(d, leading, time);
}

// M z'' + Phi_z^T multiplier = Q, d2Phi/dt2 = 0 (or what stabilisation makes of it). (D.1) in the
// source of docs/theory.md.
template <class D>
GRADUS_FUNCTION void accelerate(const D& d, double time, bool factors_ready,
                                bool stabilised = true) {
  const Layout& l = d.layout;
  prepare_accelerations(d);
  if (!factors_ready) {
    constraint_jacobian(d, l.free_motion);
    split_constraints(d, time);
  }
  factorise_reduced(d, mass_leading(l), time);
  if (!d.failed()) solve_accelerations(d, mass_leading(l), time, stabilised);
}

// The penalty formulation, (3.41)-(3.44): M z'' + Phi_z^T multiplier = Q with multiplier = penalty
// (d2Phi/dt2 + 2 xi Omega dPhi/dt + Omega^2 Phi).
template <class D>
GRADUS_FUNCTION void accelerate_by_penalty(const D& d, double time) {
  prepare_accelerations(d);
  constraint_jacobian(d, d.layout.free_motion);
  factorise_saddle(d, d.layout.mass_matrix, time);
  if (!d.failed()) solve_accelerations(d, mass_saddle(d.layout), time);
}

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

// The first choice, before the accelerations at the start.
template <class D>
GRADUS_FUNCTION void begin_independents(const D& d) {
  if (d.plan.constraint_rank > 0) prepare_accelerations(d);  // the mass matrix
  renew_independents(d, 0.0);
}

// Derivatives of an evaluation: K, C and rates of the constraint Jacobian.
template <class D>
GRADUS_FUNCTION void linearise_acceleration(const D& d) {
  const Layout& l = d.layout;
  evaluate_forces_at_accelerations(d);
  tangents(d);
  if (d.plan.constraint_rank > 0)
    constraint_jacobian_rates(d, l.motion, d.at(l.velocity), d.at(l.acceleration));
}

// The evaluation of the fully recursive formulation: accelerations of an open tree at the current
// position and velocity, at a cost that grows with the number of bodies alone. Nothing here may
// touch an [n, n] array. docs/theory.md, section 14. The multipliers of the normalisations vanish,
// because no force acts along the Euler parameters.
template <class D>
GRADUS_FUNCTION void accelerate_recursively(const D& d, double time) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  set_zero(d.at(l.algebraic.value), d.plan.algebraic_count);
  positions(d);
  velocities(d, l.motion, d.at(l.velocity));
  gather_loads(d, l.motion);
  d.fail(!articulate(d, l.motion), Status::mass_singular, time);
  if (d.failed()) return;
  articulated_accelerations(d, l.motion, weight(d), d.at(l.acceleration));
  evaluate_motion(d, l.acceleration);
  if (has_algebraic(d)) solve_algebraic_with(d, l.motion, time, [&] { articulated_responses(d); });
}

// The factors that columns of accelerations need: of the constraints, and of the mass matrix, which
// `linearise_acceleration` has left.
template <class D>
GRADUS_FUNCTION void factorise_accelerations(const D& d) {
  const Layout& l = d.layout;
  const double time = plain_time(d.at(l.time)[0]);
  constraint_jacobian(d, l.motion);
  split_constraints(d, time);
  factorise_reduced(d, mass_leading(l), time);
}

GRADUS_KERNELS_END
