// States that constraints read: coordinates that start with the rate g(z, y, 0) that their law
// says, y being other states, which are velocities that the model states. docs/theory.md,
// section 18.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/passes/law_signals.hpp"
#include "kernels/passes/parameter_columns.hpp"
#include "kernels/stages/held_rows.hpp"
#include "kernels/stages/resting_states.hpp"

GRADUS_KERNELS_BEGIN

// The law of the velocity of a held row at the start, -1 if the model states it.
template <class D>
GRADUS_FUNCTION int start_rate_of(const D& d, const HeldRow& row) {
  return row.turn < 0 ? d.plan.coordinates[row.coordinate].start_rate : -1;
}

// What the laws read of velocities.
template <class D>
GRADUS_FUNCTION void set_start_states(const D& d) {
  for (int c = mechanism_coordinates(d); c < d.plan.coordinate_count; ++c)
    d.at(d.layout.velocity)[c] = d.at(d.layout.slot)[d.plan.coordinates[c].velocity_slot];
}

// Adds -g_z to the row of B z' = g.
template <class D, class Row>
GRADUS_ROUTINE void subtract_start_rate_slopes(const D& d, int number, const Row& row) {
  const MotionLayout& m = d.layout.motion;
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient(d, m, law, d.at(d.layout.velocity));
  for_each_slope(d, m, law, run, [&](int c, const RealOf<D>& slope) { row[c] -= slope; });
}

// Derivative of g by the velocity of coordinate c, that of a state.
template <class D>
GRADUS_ROUTINE RealOf<D> start_rate_by_state(const D& d, int number, int c) {
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
  return law_by_rate(d, law, c, axis_for(d, d.layout.motion, law, c), run);
}

// Derivative of g by an entry of a parameter at fixed positions.
template <class D>
GRADUS_ROUTINE RealOf<D> start_rate_partial(const D& d, int number, const PartialEntry& entry) {
  if (entry.kind == PartialKind::start_velocity)
    return start_rate_by_state(d, number, entry.index) * d.at(d.layout.direction)[entry.direction];
  const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
  return law_signal_partial(d, number, entry, axis);
}

// What parameters change of all rates g, to the right-hand sides of `column`.
template <class D>
GRADUS_ROUTINE void add_start_rate_partials(const D& d, int column, const PartialEntry& entry) {
  const auto right = d.at(d.layout.residual_partial[kStartVelocity]);
  for (int i = 0; i < d.plan.independent_count; ++i)
    if (const int law = start_rate_of(d, held_row(d, i)); law >= 0)
      right[i * d.plan.column_count + column] += start_rate_partial(d, law, entry);
}

// The same backwards, row i of the velocities being worth `worth` to objective o.
template <class D>
GRADUS_ROUTINE void start_rate_adjoint(const D& d, int number, int o, int gradient,
                                       const RealOf<D>& worth) {
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& e = d.plan.elements[k];
    if (e.kind == PartialKind::start_velocity)
      d.at(gradient)[e.place] += start_rate_by_state(d, number, e.index) * worth;
  }
  if (d.plan.loads_elements != 0) add_law_signal_features(d, touch_features(d, o), number, worth);
}

GRADUS_KERNELS_END
