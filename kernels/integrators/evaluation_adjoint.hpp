// The discrete adjoint of one evaluation of an acceleration formulation, and of the sums that make
// its state. docs/theory.md, section 15.
#pragma once

#include "kernels/integrators/step_state.hpp"
#include "kernels/stages/objective_elements.hpp"
#include "kernels/stages/solve_adjoint.hpp"

GRADUS_KERNELS_BEGIN

// normalise_columns() backwards: rows of the normalised parameters and their rates become those of
// the parameters before.
template <class D>
GRADUS_ROUTINE void normalise_adjoint(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int objectives = d.plan.objective_count;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const int c = d.plan.bodies[i].euler;
    if (c < 0) continue;
    const auto p = load_euler(d.at(l.position + c));
    const auto rate = load_euler(d.at(l.velocity + c));
    const auto x = d.at(l.columns[kPosition] + c * objectives);
    const auto y = d.at(l.columns[kVelocity] + c * objectives);
    const Real inverse = Real(1) / d.at(l.articulated.length)[i];
    const Real growth = d.at(l.articulated.growth)[i];
    for (int o = 0; o < objectives; ++o) {
      Real drift(0);
      for (int k = 0; k < 4; ++k) drift += p[k] * y[k * objectives + o];
      Real along(0);
      for (int k = 0; k < 4; ++k) {
        Real& row = x[k * objectives + o];
        row -= growth * y[k * objectives + o] + drift * rate[k];
        along += p[k] * row;
      }
      for (int k = 0; k < 4; ++k) {
        y[k * objectives + o] -= drift * p[k];
        x[k * objectives + o] = inverse * (x[k * objectives + o] - along * p[k]);
      }
    }
  }
}

template <class D>
GRADUS_FUNCTION void clear_rows(const D& d) {
  for (const ColumnSet set : {kPosition, kVelocity, ColumnSet::kAcceleration})
    set_zero(d.at(d.layout.columns[set]), row_size(d));
}

// Everything that rows of objectives and of the evaluation need, at what has just been evaluated.
template <class D>
GRADUS_FUNCTION void prepare_rows(const D& d, const Evaluation& evaluation) {
  linearise_evaluation(d, evaluation);
  parameter_partials(d);
  clear_rows(d);
}

// From the rows of position, velocity and acceleration after an evaluation to those of position and
// velocity before it; parameters get their share. Everything stands as prepare_rows() left it.
template <class D>
GRADUS_FUNCTION void evaluation_adjoint(const D& d, const Evaluation& evaluation, bool project) {
  if (has_algebraic(d)) algebraic_columns_adjoint(d);
  for (int k = evaluation.tangent_count - 1; k >= 0; --k) solve_adjoint(d, evaluation.tangents[k]);
  for (int k = project ? evaluation.projection_count - 1 : -1; k >= 0; --k) {
    if (evaluation.projections[k] == EvaluationStep::normalise)
      normalise_adjoint(d);
    else
      solve_adjoint(d, evaluation.projection_tangents[k]);
  }
  features_to_elements(d);
}

// The adjoint of an evaluation at the position and velocity at hand, rows behind it being in their
// places: those of the accelerations, and of the state if it is the end of a step, which is
// projected. Integrands count by stage_weights[0], and nothing else is due.
template <class D>
GRADUS_ROUTINE void reverse_evaluation(const D& d, const Evaluation& evaluation, double time,
                                       bool project) {
  evaluate_accelerations(d, evaluation, time, project);
  linearise_evaluation(d, evaluation);
  parameter_partials(d);
  add_objective_rows(d, time, value_of(d.at(d.layout.integrator.stage_weights)[0]), Moment::stage);
  evaluation_adjoint(d, evaluation, project);
}

// The same, by a program if there is one. What goes on from here sees no more of it than the state
// and the rows.
template <class D>
GRADUS_FUNCTION void take_back(const D& d, const Evaluation& evaluation, double time,
                               const RealOf<D>& weight, bool project) {
  d.at(d.layout.integrator.stage_weights)[0] = weight;
  do_part(d, project ? EvaluationPart::end_back : EvaluationPart::stage_back, time,
          [&](const D& own) { reverse_evaluation(own, evaluation, time, project); });
}

// Rows of the accelerations alone, from `rows` [n, objective].
template <class D>
GRADUS_FUNCTION void set_acceleration_rows(const D& d, int rows) {
  const int* columns = d.layout.columns;
  set_zero(d.at(columns[kPosition]), row_size(d));
  set_zero(d.at(columns[kVelocity]), row_size(d));
  copy_array(d, rows, columns[kAcceleration], row_size(d));
}

template <class D>
GRADUS_FUNCTION void add_rows_to(const D& d, int target, double factor, int rows) {
  if (factor == 0.0) return;
  for (int i = 0; i < row_size(d); ++i) d.at(target)[i] += RealOf<D>(factor) * d.at(rows)[i];
}

// combine_stages() backwards: what position and velocity are worth goes to the base of the step and
// the accelerations of its stages.
template <class D>
GRADUS_ROUTINE void combine_stages_adjoint(const D& d, double h, const StageSum& sum) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int z = l.columns[kPosition];
  const int v = l.columns[kVelocity];
  add_rows_to(d, s.position_columns, 1.0, z);
  add_rows_to(d, s.velocity_columns, sum.c * h, z);
  add_rows_to(d, s.velocity_columns, 1.0, v);
  for (int j = 0; j < sum.count; ++j) {
    const int stage = s.stage_columns + j * row_size(d);
    add_rows_to(d, stage, h * h * tableau(d, sum.bar, j), z);
    add_rows_to(d, stage, h * tableau(d, sum.plain, j), v);
  }
}

// The rows of the base of a step become those of the state that the base is, in the place of what
// is there.
template <class D>
GRADUS_FUNCTION void take_base_rows(const D& d) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int size = row_size(d);
  const int known = d.tableau.known;
  const auto move = [&](int from, ColumnSet to) {
    copy_array(d, from, l.columns[to], size);
    set_zero(d.at(from), size);
  };
  move(s.position_columns, kPosition);
  move(s.velocity_columns, kVelocity);
  if (known > 0)
    move(s.stage_columns + (known - 1) * size, kAcceleration);
  else
    set_zero(d.at(l.columns[kAcceleration]), size);
}

GRADUS_KERNELS_END
