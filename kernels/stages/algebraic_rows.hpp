// Derivatives of algebraic unknowns. By what their laws read, R answers to position, rate,
// acceleration (multipliers among it by the motions that undo them), parameters and the unknowns
// themselves,
//   eta' = row . (z', zd', zdd') + partial + (1 - own) eta',
// and accelerations to the unknowns, zdd' = (zdd' at given unknowns) + response eta'.
// docs/theory.md, section 19.
#pragma once

#include "kernels/stages/algebraic.hpp"
#include "kernels/stages/column_space.hpp"
#include "kernels/stages/sensor_rows.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION auto slopes_of(const D& d, int i) {
  return d.at(d.layout.algebraic.slope + i * d.plan.widest_law);
}

// Slopes of the law of unknown i by its inputs, kept for the visits below: sensors run laws of
// their own.
template <class D>
GRADUS_ROUTINE void keep_slopes(const D& d, int i) {
  const LawEntry& law = d.plan.laws[d.plan.algebraic_laws[i]];
  const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
  for (int k = 0; k < input_count(law); ++k) slopes_of(d, i)[k] = run.input[k];
}

// The motions that undo what a row asks of multipliers, with the rows that go with them where
// penalties hold the constraints: kept for unknown i, and brought back for a sum of unknowns.
template <class D>
GRADUS_FUNCTION void keep_undoing(const D& d, int i) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const UndoingMotions undoing = undoing_motions(d);
  const auto kept = d.at(l.algebraic.undo + i * (n + m));
  for (int c = 0; c < n; ++c) kept[c] = d.at(undoing.motion)[c];
  for (int r = 0; r < m && undoing.by_penalty; ++r) kept[n + r] = d.at(l.penalty_motion)[n + r];
}
template <class D>
GRADUS_FUNCTION void clear_undoing(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const UndoingMotions undoing = undoing_motions(d);
  set_zero(d.at(undoing.motion), n);
  if (undoing.by_penalty) set_zero(d.at(l.penalty_motion + n), d.plan.constraint_rows);
}
template <class D, class Weight>
GRADUS_ROUTINE void undo_together(const D& d, const Weight& weight_of) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const UndoingMotions undoing = undoing_motions(d);
  const int rows = undoing.by_penalty ? m : 0;
  clear_undoing(d);
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const RealOf<D> weight = weight_of(i);
    const auto kept = d.at(l.algebraic.undo + i * (n + m));
    for (int c = 0; c < n; ++c) d.at(undoing.motion)[c] += weight * kept[c];
    for (int r = 0; r < rows; ++r) d.at(l.penalty_motion)[n + r] += weight * kept[n + r];
  }
}

// Whether laws ask for motions: to undo what they ask of multipliers, or because they vanish.
template <class D>
GRADUS_FUNCTION bool asks_motions(const D& d) {
  bool any_vanishes = false;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    any_vanishes = any_vanishes || makes_vanish(d, i);
  return any_vanishes || has_multipliers(d);
}

// Where accelerations are given, a law that vanishes says nothing of its unknown i. The equations
// of motion do, along the motion X that the unknown makes: X . D' = 0, in which no multiplier
// counts. Added to its row, and X to the motions that undo. docs/theory.md, section 24.
template <class D>
GRADUS_ROUTINE void add_motion_of_unknown(const D& d, int i) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const int row = s.row + i * 3 * n;
  const int motion = s.response + i * n;
  const UndoingMotions undoing = undoing_motions(d);
  for (int c = 0; c < n; ++c) d.at(undoing.motion)[c] += d.at(motion)[c];
  add_to_row(d, l.stiffness, n, motion, 1.0, row);
  add_to_row(d, l.damping, n, motion, 1.0, row + n);
  for (int k = 0; k < d.plan.algebraic_count * n; ++k)
    d.at(s.adjoint)[k / n] -= d.at(s.load)[k] * d.at(motion)[k % n];
  if (!undoing.by_penalty) return add_to_row(d, l.mass_matrix, n, motion, 1.0, row + 2 * n);
  for (int c = 0; c < n; ++c) d.at(row + 2 * n)[c] += d.at(s.load + i * n)[c];
  for (int r = 0; r < m; ++r)
    d.at(l.penalty_motion)[n + r] += d.at(s.multiplier_response + i * m)[r];
  add_penalty_rows(d, s.multiplier_response + i * m, row);
}

// The first input of a law that reads a sensor which is(sensor), -1 if none does.
template <class D, class Is>
GRADUS_FUNCTION int first_reading(const D& d, const LawEntry& law, const Is& is) {
  for (int k = 0; k < input_count(law); ++k) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + k];
    if (in.kind == LawInputKind::sensor && is(in.index)) return k;
  }
  return -1;
}

// Calls visit(sensor, adjoint) once for each sensor that the law of unknown i reads, the adjoint
// being the slopes of the law; for the reactions of a joint visit_reaction(sensor, axis) once, the
// axis being that of force and moment together. After its row.
template <class D, class Visit, class VisitReaction>
GRADUS_FUNCTION void for_each_reading(const D& d, int i, const Visit& visit,
                                      const VisitReaction& visit_reaction) {
  const LawEntry& law = d.plan.laws[d.plan.algebraic_laws[i]];
  const auto unit = d.at(d.layout.algebraic.unit);
  const auto take_slopes = [&](int index) {
    for (int k = 0; k < d.plan.sensors[index].size; ++k) unit[k] = RealOf<D>(0);
    for (int k = 0; k < input_count(law); ++k) {
      const LawInputEntry& in = d.plan.law_inputs[law.input_begin + k];
      if (in.kind == LawInputKind::sensor && in.index == index)
        unit[in.component] = slopes_of(d, i)[k];
    }
  };
  for (int k = 0; k < input_count(law); ++k) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + k];
    if (in.kind != LawInputKind::sensor) continue;
    const SensorEntry& sensor = d.plan.sensors[in.index];
    const auto is_same = [&](int index) {
      return index == in.index || are_of_one_reaction(d.plan.sensors[index], sensor);
    };
    if (first_reading(d, law, is_same) != k) continue;
    take_slopes(in.index);
    if (!is_joint_reaction(sensor.kind)) {
      visit(sensor, unit);
      continue;
    }
    auto axis = virtual_axis(d, sensor, unit);
    const int other =
        first_reading(d, law, [&](int index) { return index != in.index && is_same(index); });
    if (other >= 0) {
      const int index = d.plan.law_inputs[law.input_begin + other].index;
      take_slopes(index);
      axis.s.axis += virtual_axis(d, d.plan.sensors[index], unit).s.axis;
    }
    visit_reaction(sensor, axis);
  }
}

// Row [3 n] of unknown i, and how its law answers to the unknowns, to `adjoint`. Keeps the slopes
// of the law, and the motions that undo what it asks of multipliers, and leaves these.
template <class D>
GRADUS_ROUTINE void algebraic_row(const D& d, int i) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int at = s.row + i * 3 * d.plan.coordinate_count;
  set_zero(d.at(at), 3 * d.plan.coordinate_count);
  set_zero(d.at(s.adjoint), d.plan.algebraic_count);
  set_zero(d.at(l.reaction_multiplier), d.plan.constraint_rows);
  add_law_signal_rows(d, d.plan.algebraic_laws[i], RealOf<D>(1), d.at(at));
  keep_slopes(d, i);
  for_each_reading(
      d, i,
      [&](const SensorEntry& sensor, const auto& adjoint) {
        add_sensor_rows(d, sensor, adjoint, d.at(at));
      },
      [&](const SensorEntry& sensor, const auto& axis) {
        add_reaction_rows(d, sensor, axis, d.at(at));
      });
  if (!asks_motions(d)) return;
  if (has_multipliers(d))
    add_multiplier_rows(d, at);
  else
    clear_undoing(d);
  if (makes_vanish(d, i)) add_motion_of_unknown(d, i);
  keep_undoing(d, i);
}

// What parameters do to the law of unknown i at fixed coordinates and unknowns. After its row and
// the partials of the evaluation.
template <class D>
GRADUS_ROUTINE void partials_of_unknown(const D& d, int i) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int out = s.partial + i * d.plan.column_count;
  set_zero(d.at(out), d.plan.column_count);
  for_each_entry(d, [&](int column, const PartialEntry& entry) {
    const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
    d.at(out)[column] += law_signal_partial(d, d.plan.algebraic_laws[i], entry, axis);
    for_each_reading(
        d, i,
        [&](const SensorEntry& sensor, const auto& adjoint) {
          d.at(out)[column] += sensor_partial(d, sensor, entry, axis, adjoint);
        },
        [&](const SensorEntry& sensor, const auto& virtual_axis) {
          d.at(out)[column] += reaction_partial(d, sensor, entry, virtual_axis);
        });
  });
  if (asks_motions(d)) add_multiplier_partials(d, 1.0, out);
}

template <class D>
GRADUS_ROUTINE void algebraic_partials(const D& d) {
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    algebraic_row(d, i);
    partials_of_unknown(d, i);
  }
}

// Rows of all unknowns, and the factors that columns and adjoints need. After the tangents, with
// the factors of the evaluation at hand; with partials by parameters after those of the evaluation.
template <class D>
GRADUS_ROUTINE void prepare_algebraic(const D& d, bool with_partials) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  if (has_reactions(d)) acceleration_projection_forces(d);
  for (int i = 0; i < count; ++i) {
    algebraic_row(d, i);
    if (with_partials) partials_of_unknown(d, i);
    const auto by_acceleration = d.at(s.row + (i * 3 + 2) * n);
    for (int j = 0; j < count; ++j) {
      const RealOf<D> own =
          RealOf<D>(i == j && !makes_vanish(d, i) ? 1.0 : 0.0) - d.at(s.adjoint)[j];
      RealOf<D> answer(0);
      for (int c = 0; c < n; ++c) answer += by_acceleration[c] * d.at(s.response)[j * n + c];
      d.at(s.own)[i * count + j] = own;
      d.at(s.bordered)[i * count + j] = own - answer;
    }
  }
  const double time = plain_time(d.at(l.time)[0]);
  const auto regular = factorise(d.at(s.own), d.at(s.own_pivot), count);
  const auto bordered_regular = factorise(d.at(s.bordered), d.at(s.bordered_pivot), count);
  d.fail(d.alive() && !(regular && bordered_regular), Status::algebraic_jammed, time);
}

// Columns of accelerations, which were solved for at given unknowns.
template <class D>
GRADUS_ROUTINE void add_algebraic_columns(const D& d, const ColumnSpace& space) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int size = count * space.count;
  const auto side = d.at(s.columns);
  for (int k = 0; k < size; ++k)
    side[k] = space.units ? RealOf<D>(0) : RealOf<D>(d.at(s.partial)[k]);
  const ColumnSet sets[3] = {kPosition, kVelocity, kAcceleration};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      add_product(d.at(s.row + (i * 3 + k) * n), 1, n, d.at(columns_in(d, space, sets[k])),
                  space.count, 1.0, side.from(i * space.count));
  solve_factorised(d.at(s.bordered), d.at(s.bordered_pivot), count, side, space.count);
  const auto columns = d.at(columns_in(d, space, kAcceleration));
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < n; ++c)
      for (int p = 0; p < space.count; ++p)
        columns[c * space.count + p] += d.at(s.response)[i * n + c] * side[i * space.count + p];
}

// Adds what the row of the unknowns, `adjoint`, is worth to `row` [3 n]; leaves the worth of each.
template <class D>
GRADUS_ROUTINE void add_algebraic_rows(const D& d, int row) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int targets[3] = {row, row + (has_step_unknowns(d) ? force_rate_row(d) : n), row + 2 * n};
  for (int i = 0; i < count; ++i) d.at(s.worth)[i] = d.at(s.adjoint)[i];
  solve_factorised_transposed(d.at(s.own), d.at(s.own_pivot), count, d.at(s.worth), 1);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < n; ++c)
        d.at(targets[k])[c] += d.at(s.worth)[i] * d.at(s.row)[(i * 3 + k) * n + c];
}

// The same by the parameters, to `gradient` [column], times `weight`.
template <class D, class Weight>
GRADUS_FUNCTION void add_algebraic_gradient(const D& d, const Weight& weight, int gradient) {
  const AlgebraicLayout& s = d.layout.algebraic;
  add_product(d.at(s.worth), 1, d.plan.algebraic_count, d.at(s.partial), d.plan.column_count,
              weight, d.at(gradient));
}

// What the unknowns of a step do under position and free rate, -B E_z and -B E_z', in K and C.
template <class D>
GRADUS_ROUTINE void add_step_unknown_tangents(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const auto load = d.at(l.algebraic.load + i * n);
    const auto row = d.at(l.algebraic.row + i * 3 * n);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        d.at(l.stiffness)[r * n + c] -= load[r] * row[c];
        d.at(l.damping)[r * n + c] -= load[r] * row[n + c];
      }
  }
}

// The same under the parameters, in the partials of the equations of motion.
template <class D>
GRADUS_FUNCTION void add_step_unknown_partials(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  if (d.settings.with_adjoint != 0) return;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    for (int r = 0; r < n; ++r)
      for (int p = 0; p < d.plan.column_count; ++p)
        d.at(l.residual_partial[kDynamics])[r * d.plan.column_count + p] -=
            d.at(l.algebraic.load)[i * n + r] *
            d.at(l.algebraic.partial)[i * d.plan.column_count + p];
}

GRADUS_KERNELS_END
