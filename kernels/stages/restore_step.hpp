// What a step leaves for its adjoint, and back: the numbers from which everything else at the end
// of the step follows. docs/theory.md, section 15.
#pragma once

#include "kernels/stages/linearise.hpp"
#include "kernels/stages/projections.hpp"
#include "kernels/stages/solve_position.hpp"

GRADUS_KERNELS_BEGIN

// Calls visit(offset, count) for every array that is kept.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_kept(const D& d, const Visit& visit) {
  const Layout& l = d.layout;
  const int coordinates[] = {l.position,           l.velocity,          l.acceleration,
                             l.free_velocity,      l.free_acceleration, l.velocity_change,
                             l.acceleration_change};
  for (const int offset : coordinates) visit(offset, d.plan.coordinate_count);
  const int rows[] = {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier};
  for (const int offset : rows) visit(offset, d.plan.constraint_rows);
  visit(l.skipped, 2);
}

// Keeps the step that has just ended.
template <class D>
GRADUS_FUNCTION void keep_step(const D& d, const LaunchArguments&) {
  const auto record = d.record(0);
  int place = 0;
  for_each_kept(d, [&](int offset, int count) {
    for (int i = 0; i < count; ++i) record[place++] = d.at(offset)[i];
  });
}

template <class D>
GRADUS_FUNCTION void take_kept(const D& d) {
  const auto record = d.record(0);
  int place = 0;
  for_each_kept(d, [&](int offset, int count) {
    for (int i = 0; i < count; ++i) d.at(offset)[i] = record[place++];
  });
}

// Makes of the step that was kept what the differential equations know of it: the motion after
// projection only, where the equations of motion hold with the multipliers of both stages. Before
// it, accelerations err by the order of the step.
template <class D>
GRADUS_FUNCTION void keep_projected(const D& d, const LaunchArguments&) {
  const auto record = d.record(0);
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  for (int i = 0; i < 2 * n; ++i) record[3 * n + i] = record[n + i];
  set_zero(record.from(5 * n), 2 * n);
  const auto multiplier = record.from(7 * n);
  for (int i = 0; i < m; ++i) multiplier[i] += multiplier[2 * m + i];
  set_zero(multiplier.from(m), 2 * m);
  // Integrands meet the constraints at all times, whatever the motion found to be projected.
  if (d.settings.projection_kind != static_cast<int>(ProjectionKind::none))
    set_zero(multiplier.from(3 * m), 2);
}

// Puts back what was kept of the step that ends at `time`, and the unknowns that follow from it.
template <class D>
GRADUS_FUNCTION void restore_kept(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  d.at(l.time)[0] = RealOf<D>(arguments.time);
  take_kept(d);
  if (!has_algebraic(d)) return;
  find_step_unknowns(d, arguments.time);
  differentiate_step_unknowns(d);
  set_zero(d.at(l.algebraic.step_worth), d.plan.algebraic_count * d.plan.objective_count);
  take_kept(d);
}

// All that the linearised stages need of the step that restore_kept() put back.
template <class D>
GRADUS_FUNCTION void restore_step(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  evaluate_forces(d);
  factorise_position(d, arguments.time);
  if (d.plan.constraint_rank > 0) factorise_projection(d, arguments.time);
  velocities(d, l.motion, d.at(l.velocity));
  evaluate_motion(d, l.acceleration);
  linearise(d);
}

GRADUS_KERNELS_END
