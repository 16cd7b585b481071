// The initial problems: positions and velocities that close the loops with the held coordinates as
// given, and the accelerations and multipliers of the index-1 equations there. docs/theory.md,
// section 9.
#pragma once

#include "kernels/stages/acceleration.hpp"
#include "kernels/stages/assembly.hpp"
#include "kernels/stages/start_rates.hpp"
#include "kernels/stages/start_slips.hpp"
#include "kernels/stages/watch_rates.hpp"
#include "kernels/stages/watch_splines.hpp"

GRADUS_KERNELS_BEGIN

// Euler parameters that are shorter have lost digits in the squares of their length.
constexpr double kShortest = 1e-100;

template <class D>
GRADUS_ROUTINE void set_start_positions(const D& d) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.position)[c] = d.at(l.slot)[d.plan.coordinates[c].position_slot];
  for (int i = 0; i < d.plan.body_count; ++i) {
    const int c = d.plan.bodies[i].euler;
    if (c < 0) continue;
    const RealOf<D> length = stated_length(d, c);
    d.fail(!(value_of(length) > typename D::Value(kShortest)), Status::invalid_number, 0.0);
    for (int k = c; k < c + 4; ++k) d.at(l.position)[k] /= length;
  }
  for (int c = 0; c < d.plan.start_shift_count; ++c)
    d.at(l.position)[c] += RealOf<D>(d.plan.start_shift[c]);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    if (!begins_as_stated(d, c)) d.at(l.position)[c] = RealOf<D>(d.plan.guess[c]);
  hold_start_rows(d);
}

// Value that the model states for the velocity of a held row, or that an equilibrium gives a state,
// or a law.
template <class D>
GRADUS_FUNCTION RealOf<D> stated_velocity(const D& d, const HeldRow& row) {
  const auto slot = d.at(d.layout.slot);
  if (const int law = start_rate_of(d, row); law >= 0) return law_signal(d, law);
  if (holds_state(d, row.coordinate)) return d.at(d.layout.position)[row.coordinate];
  if (row.turn < 0) return slot[d.plan.coordinates[row.coordinate].velocity_slot];
  return RealOf<D>(0.5) * slot[d.plan.coordinates[row.coordinate + 1 + row.turn].velocity_slot];
}

// Velocities of an open tree, whose rows are all held: those of unit Euler parameters follow from
// half their angular velocity, E p' = w / 2 with E E^T = 1 and p . p' = 0.
template <class D>
GRADUS_FUNCTION void set_stated_velocities(const D& d) {
  const auto velocity = d.at(d.layout.velocity);
  set_zero(velocity, d.plan.coordinate_count);
  for (int i = 0; i < d.plan.independent_count; ++i) {
    const HeldRow row = held_row(d, i);
    const auto stated = stated_velocity(d, row);
    if (row.turn < 0) {
      velocity[row.coordinate] = stated;
      continue;
    }
    for (int k = 0; k < 4; ++k) velocity[row.coordinate + k] += turn_entry(d, row, k) * stated;
  }
}

// Velocities that satisfy the constraints, the held rows being as stated. Leaves the factors that
// their columns need.
template <class D>
GRADUS_ROUTINE void solve_start_velocity(const D& d) {
  const Layout& l = d.layout;
  set_start_states(d);
  for (int i = 0; i < d.plan.independent_count; ++i)
    d.at(l.top)[i] = stated_velocity(d, held_row(d, i));
  constraint_jacobian(d, l.motion);
  split_constraints(d, 0.0);
  factorise_held(d, 0.0);
  solve_held_velocity(d);
}

// Start values and guesses as the model states them.
template <class D>
GRADUS_FUNCTION void set_start(const D& d, const LaunchArguments& arguments) {
  d.at(d.layout.time)[0] = RealOf<D>(arguments.time);
  set_start_positions(d);
}

// Constraints and their Jacobian at the current position.
template <class D>
GRADUS_FUNCTION void evaluate_constraints(const D& d, const LaunchArguments&) {
  positions(d);
  constraint_values(d);
  constraint_jacobian(d, d.layout.motion);
}

// Where an equilibrium is looked for, held positions need not be reached: lanes that cannot be
// assembled with them begin as stated, and the search closes what is open.
template <class D>
GRADUS_FUNCTION void begin_search(const D& d, const typename D::Mask& asked) {
  const Layout& l = d.layout;
  const typename D::Mask lost = asked && !d.alive();
  if (d.settings.from_equilibrium == 0 || !any(lost)) return;
  d.forgive(lost);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.predicted_position)[c] = d.at(l.position)[c];
  set_start_positions(d);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    RealOf<D>& position = d.at(l.position)[c];
    position = select(lost, position, d.at(l.predicted_position)[c]);
  }
  RealOf<D>& violation = d.at(l.violation)[0];
  violation = select(lost, RealOf<D>(0), violation);
}

template <class D>
GRADUS_FUNCTION void start_position(const D& d, const LaunchArguments& arguments) {
  d.at(d.layout.time)[0] = RealOf<D>(arguments.time);
  set_start_positions(d);
  if (d.failed()) return;
  if (is_open_tree(d.plan)) {
    positions(d);
    constraint_values(d);
    record_violation(d, 0, d.layout.constraint);
    return;
  }
  const auto asked = d.alive();
  const auto report = assemble(d);
  positions(d);
  constraint_values(d);
  open_opposite(d);
  record_violation(d, 0, d.layout.constraint);
  const auto open = blame_row(d, d.alive());
  for (int i = 0; i < D::kLanes; ++i)
    d.fail_lane(
        i,
        assembly_verdict(d.plan, lane(open, i), lane(report.guess, i), lane(report.end, i),
                         lane(report.largest, i) < kAssemblyTolerance,
                         lane(report.regular, i) ? Status::ok : Status::independents_singular),
        0.0);
  begin_search(d, asked);
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(d.alive(), RealOf<D>(d.plan.singular_start), blamed);
  const bool fails = d.settings.fails_singular != 0 || wants_gradient(d.settings);
  d.fail(typename D::Mask(d.plan.singular_start > 0 && fails), Status::singular_passed, 0.0);
  blamed = select(d.alive(), RealOf<D>(0), blamed);
}

template <class D>
GRADUS_FUNCTION void start_velocity(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  const bool open = is_open_tree(d.plan);
  // Columns and the Jacobians of implicit steps use the factors of open trees too.
  if (!open || wants_gradient(d.settings) || d.tableau.implicit != 0 || has_slips(d))
    solve_start_velocity(d);
  watch_start(d);
  if (open) set_stated_velocities(d);
  velocities(d, l.motion, d.at(l.velocity));
  if (has_slips(d)) release_start_rates(d);
  constraint_rates(d, l.motion, d.at(l.velocity));
  record_violation(d, 1, l.constraint_rate);
}

// Accelerations and multipliers of M z'' + Phi_z^T multiplier = Q, d2Phi/dt2 = 0. Leaves the free
// motion, its tangents and the reduced mass matrix there, as a step without projections would.
template <class D>
GRADUS_FUNCTION void begin_motion(const D& d, double time, bool factors_ready) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  for (const int change : {l.velocity_change, l.acceleration_change}) set_zero(d.at(change), n);
  for (const int rows : {l.velocity_multiplier, l.acceleration_multiplier}) set_zero(d.at(rows), m);
  for (int stage = 0; stage < 2; ++stage) d.at(l.skipped)[stage] = RealOf<D>(1);
  if (has_algebraic(d)) d.at(l.algebraic.of_step)[0] = RealOf<D>(0);
  accelerate(d, time, factors_ready, false);
  for (int c = 0; c < n; ++c)
    d.at(l.free_acceleration)[c] = d.at(l.algorithmic)[c] = d.at(l.acceleration)[c];
  for (int i = 0; i < m; ++i) d.at(l.earlier_multiplier)[i] = d.at(l.multiplier)[i];
  evaluate_forces(d);
  tangents(d);
  factorise_position_matrix(d, time);
  evaluate_motion(d, l.acceleration);
  record_violation(d, 2, l.constraint_acceleration);
  watch_splines(d, time);
  begin_rates(d);
  d.fail(!is_finite(largest_value(d, l.acceleration, n)), Status::not_finite, time);
}

// Loops were split for the velocities, at these positions: once more where constraints of the start
// alone were among them.
template <class D>
GRADUS_FUNCTION void start_acceleration(const D& d, const LaunchArguments&) {
  forget_rates(d);
  begin_motion(d, 0.0, !is_open_tree(d.plan) && d.plan.dropped_rows == 0);
}

template <class D>
GRADUS_FUNCTION void add_start_partial(const D& d, int column, const PartialEntry& entry) {
  const int level = entry.kind == PartialKind::start_position ? 0 : 1;
  if (level == 1 && entry.kind != PartialKind::start_velocity) return;
  if (level == 0 && !begins_as_stated(d, entry.index)) return;
  for (int i = 0; i < d.plan.independent_count; ++i)
    d.at(d.layout.residual_partial[kStartPosition + level])[i * d.plan.column_count + column] +=
        stated_slope(d, held_row(d, i), entry.index, level) *
        d.at(d.layout.direction)[entry.direction];
}

template <class D>
GRADUS_FUNCTION void start_columns(const D& d, const LaunchArguments&) {
  parameter_partials(d);
  if (d.settings.with_adjoint != 0) return;
  for (int level = 0; level < 2; ++level)
    set_zero(d.at(d.layout.residual_partial[kStartPosition + level]),
             d.plan.coordinate_count * d.plan.column_count);
  set_zero(d.at(d.layout.start_slip.partial), d.plan.released_count * d.plan.column_count);
  for_each_entry(d, [&](int column, const PartialEntry& entry) {
    add_start_partial(d, column, entry);
    add_start_rate_partials(d, column, entry);
    add_start_slip_partials(d, column, entry);
  });
}

// Derivatives of the held start values by the parameters, and of the held rows along the rates;
// those of the constraints, whether they last or not.
template <class D>
GRADUS_FUNCTION void start_partials(const D& d, const LaunchArguments& arguments) {
  set_zero(d.at(d.layout.held_rate), d.plan.coordinate_count * d.plan.coordinate_count);
  for (int i = 0; i < d.plan.independent_count; ++i) {
    const HeldRow row = held_row(d, i);
    if (holds_state(d, row.coordinate))
      d.at(d.layout.held_rate)[i * d.plan.coordinate_count + row.coordinate] = RealOf<D>(-1);
    if (const int law = start_rate_of(d, row); law >= 0)
      subtract_start_rate_slopes(d, law, d.at(d.layout.held_rate + i * d.plan.coordinate_count));
    if (row.turn < 0) continue;
    const auto rates = load_euler(d.at(d.layout.velocity + row.coordinate));
    const auto out = d.at(d.layout.held_rate + i * d.plan.coordinate_count + row.coordinate);
    for (int k = 0; k < 4; ++k) out[k] = -component(half_axis(rates, k), row.turn);
  }
  constraint_jacobian_rates(d, d.layout.motion, d.at(d.layout.velocity),
                            d.at(d.layout.acceleration));
  if (!d.kHasSlices) start_columns(d, arguments);  // which runs for slices otherwise
}

GRADUS_KERNELS_END
