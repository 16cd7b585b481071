// The discrete adjoint of one stage, the same for every formulation: the data that
// solve_columns.hpp walks through, walked through backwards. Where a column says what a quantity
// does under a parameter, a row says what an objective does under that quantity; rows lie where
// columns would, [n, objective]. docs/theory.md, section 15.
#pragma once

#include "kernels/expressions/spline_worth.hpp"
#include "kernels/laws/spline_reader.hpp"
#include "kernels/stages/pooled_elements.hpp"
#include "kernels/stages/start_rates.hpp"
#include "kernels/stages/start_slips.hpp"
#include "kernels/stages/step_unknowns.hpp"
#include "kernels/stages/transposed_solve.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE int row_size(const D& d) {
  return d.plan.coordinate_count * d.plan.objective_count;
}

// target = sum of factor * source, backwards: what the target is worth goes to its sources.
template <class D>
GRADUS_FUNCTION void combine_adjoint(const D& d, const Combination& combination) {
  const int* columns = d.layout.columns;
  const auto target = d.at(columns[combination.target]);
  for (int i = 0; i < row_size(d); ++i) {
    const RealOf<D> worth = target[i];
    target[i] = RealOf<D>(0);
    for (int k = 0; k < combination.count; ++k)
      d.at(columns[combination.source[k]])[i] += RealOf<D>(combination.factor[k]) * worth;
  }
}

// What the right-hand sides of the constraints are worth to columns.
template <class D>
GRADUS_FUNCTION void constraint_adjoint(const D& d, const StageTangent& stage) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  const RowOrder order = row_order(d, stage.leading);
  for (int i = 0; i < order.count; ++i)
    for (int k = 0; k < stage.constraint_term_count; ++k) {
      const LinearTerm& term = stage.constraint_terms[k];
      add_transposed_product(gathered_row(d, order, i, term.matrix), n, 1,
                             d.at(l.column_bottom).from(i * objectives), objectives, -term.factor,
                             d.at(l.columns[term.columns]));
    }
}

// Start values: what the held rows are worth to objective o.
template <class D>
GRADUS_ROUTINE void start_adjoint(const D& d, const StageTangent& stage, int o, int gradient) {
  const Layout& l = d.layout;
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& e = d.plan.elements[k];
    const int level = e.kind == PartialKind::start_position ? 0 : 1;
    if (level == 1 && e.kind != PartialKind::start_velocity) continue;
    if (level == 0 && !begins_as_stated(d, e.index)) continue;
    if (stage.residual_partial != (level == 0 ? kStartPosition : kStartVelocity)) continue;
    for (int i = 0; i < d.plan.independent_count; ++i)
      d.at(gradient)[e.place] += RealOf<D>(-stage.residual_scale) *
                                 stated_slope(d, held_row(d, i), e.index, level) *
                                 d.at(l.column_top)[i * d.plan.objective_count + o];
  }
  if (stage.residual_partial != kStartVelocity) return;
  for (int i = 0; i < d.plan.independent_count; ++i)
    if (const int law = start_rate_of(d, held_row(d, i)); law >= 0)
      start_rate_adjoint(
          d, law, o, gradient,
          RealOf<D>(-stage.residual_scale) * d.at(l.column_top)[i * d.plan.objective_count + o]);
}

// What those of the states that an equilibrium keeps are worth.
template <class D>
GRADUS_ROUTINE void kept_adjoint(const D& d, const StageTangent& stage, int o, int gradient) {
  if (d.plan.kept_state_count == 0 || !is_of_rest(stage)) return;
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& e = d.plan.elements[k];
    if (e.kind != PartialKind::start_position || !keeps_state(d, e.index)) continue;
    d.at(gradient)[e.place] += RealOf<D>(stage.residual_scale) *
                               d.at(d.layout.column_top)[e.index * d.plan.objective_count + o];
  }
}

// What the right-hand sides are worth to the elements that parameters change.
template <class D>
GRADUS_FUNCTION void elements_of_stage(const D& d, const StageTangent& stage) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int objectives = d.plan.objective_count;
  const bool force = is_force(stage.residual_partial);
  const bool starts = !force && stage.residual_partial != kNoResidual;
  if (pools_elements(d)) {
    pool_elements(d, stage);
    if (!starts && !is_of_rest(stage)) return;
  }
  for (int o = 0; o < objectives; ++o) {
    if (!pools_elements(d)) {
      const auto of = [&](int array) {
        return [&d, array, objectives, o](int i) { return Real(d.at(array)[i * objectives + o]); };
      };
      element_rows(d, stage, of(l.column_top), of(l.column_bottom));
      add_element_adjoint(d, force ? stage.residual_partial : kNoResidual, o);
    }
    const int gradient = l.element.gradient + o * d.plan.element_size;
    kept_adjoint(d, stage, o, gradient);
    if (starts) start_adjoint(d, stage, o, gradient);
  }
}

template <class D>
GRADUS_ROUTINE void solve_stage_adjoint(const D& d, const StageTangent& stage) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  const int unknown = l.columns[stage.unknown];
  transposed_solve(d, stage.leading, unknown, objectives);
  set_zero(d.at(unknown), row_size(d));
  const int rows = stage.leading.kind == LeadingKind::held_rows ? d.plan.independent_count : n;
  if (stage.held_columns != kNoColumns)
    add_held_transposed(d, d.at(l.column_top), objectives, 1.0,
                        d.at(l.columns[stage.held_columns]));
  for (int k = 0; k < stage.term_count; ++k)
    add_transposed_product(d.at(stage.terms[k].matrix), n, rows, d.at(l.column_top), objectives,
                           -stage.terms[k].factor, d.at(l.columns[stage.terms[k].columns]));
  if (d.plan.constraint_rank > 0) constraint_adjoint(d, stage);
  elements_of_stage(d, stage);
}

template <class D>
GRADUS_FUNCTION void solve_adjoint(const D& d, const StageTangent& stage, bool settles = false) {
  for (int k = stage.after_count - 1; k >= 0; --k) combine_adjoint(d, stage.after[k]);
  if (settles) algebraic_columns_adjoint(d);
  const auto skipped = is_skipped(d, stage);
  if (stage.unknown != kNoColumns) {
    set_zero_where(d, skipped, d.layout.columns[stage.unknown], row_size(d));
    if (any(!skipped)) solve_stage_adjoint(d, stage);
  }
  for (int k = stage.before_count - 1; k >= 0; --k) combine_adjoint(d, stage.before[k]);
}

template <class D>
GRADUS_FUNCTION void solve_adjoint(const D& d, const LaunchArguments& arguments) {
  if (arguments.stage.residual_partial == kStartVelocity) start_slip_adjoint(d);
  solve_adjoint(d, arguments.stage, arguments.stage.of_accelerations != 0 && settles_algebraic(d));
}

// What algebraic unknowns of a step are worth to the elements. Leaves the state at which they are
// found.
template <class D>
GRADUS_ROUTINE void step_unknowns_to_elements(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int objectives = d.plan.objective_count;
  const int rows = l.columns[kUnknown];
  find_step_unknowns(d, common(d.at(l.time)[0]));
  linearise_acceleration(d);
  prepare_algebraic(d, false);
  const auto worth = d.at(s.step_worth);
  solve_factorised_transposed(d.at(s.bordered), d.at(s.bordered_pivot), count, worth, objectives);
  set_zero(d.at(rows), row_size(d));
  for (int i = 0; i < count; ++i) {
    const auto by_acceleration = d.at(s.row + (i * 3 + 2) * n);
    for (int o = 0; o < objectives; ++o)
      for (int c = 0; c < n; ++c)
        d.at(rows)[c * objectives + o] += by_acceleration[c] * worth[i * objectives + o];
  }
  for (int o = 0; o < objectives; ++o)
    add_elements_of_unknowns(d, o, [&](int i) { return RealOf<D>(worth[i * objectives + o]); });
  StageTangent stage{};
  stage.leading = mass_leading(l);
  stage.residual_partial = kDynamics;
  stage.residual_scale = 1.0;
  stage.constraint_partial_count = 1;
  stage.constraint_partial[0] = kConstraintAcceleration;
  stage.constraint_partial_factor[0] = 1.0;
  transposed_solve(d, stage.leading, rows, objectives);
  set_zero(d.at(rows), row_size(d));
  elements_of_stage(d, stage);
  features_to_elements(d);
  set_zero(worth, count * objectives);
}

// What the stages and sensors at the state at hand have made of features, to the elements that move
// them.
template <class D>
GRADUS_FUNCTION void gather_elements(const D& d, const LaunchArguments&) {
  features_to_elements(d);
  if (has_step_unknowns(d)) step_unknowns_to_elements(d);
}

// What the slopes of splines are worth to an objective, to the values at the knots, where all
// values matter to each. A window is part of another spline.
template <class D>
GRADUS_ROUTINE void slopes_to_values(const D& d, int o) {
  const auto scratch = d.at(d.layout.polynomial_scratch);
  for (int k = 0; k < d.plan.spline_count; ++k) {
    const SplineEntry& spline = d.plan.splines[k];
    if (spline.element < 0 || spline.window >= 0 || is_local(spline.kind)) continue;
    const SplineView s = spline_view(d, spline);
    const auto value = d.at(d.layout.element.gradient + o * d.plan.element_size +
                            d.plan.elements[spline.element].place);
    const auto slope = value.from(spline.knots);
    const auto curvature = scratch.from(spline.knots);
    SlopeWorth<RealOf<D>, typename D::Array>{s, value, slope, scratch, curvature}.to_values();
    for (int i = 0; i < spline.knots; ++i)
      d.fail(!is_finite(value[i]), Status::invalid_number, 0.0);
  }
}

// How an objective changes with a parameter by a spline that it changes.
template <class D>
GRADUS_FUNCTION RealOf<D> spline_share(const D& d, int o, const PartialEntry& entry) {
  const SplineEntry& spline = d.plan.splines[entry.index];
  const auto worth = d.at(d.layout.element.gradient + o * d.plan.element_size +
                          d.plan.elements[entry.element].place);
  const auto value = worth.from(entry.first);
  const auto slope = worth.from(spline.knots + entry.first);
  const auto direction = d.at(d.layout.direction + entry.direction);
  RealOf<D> sum(0);
  for (int k = 0; k < entry.count; ++k) sum += value[k] * direction[k];
  if (is_local(spline.kind))
    for (int k = 0; k < entry.count; ++k) sum += slope[k] * direction[entry.count + k];
  else if (spline.given_slopes != 0)
    sum += slope[0] * direction[2 * entry.count] +
           slope[spline.knots - 1] * direction[2 * entry.count + 1];
  return sum;
}

// From the elements to the parameters that change them. Runs last.
template <class D>
GRADUS_FUNCTION void gather_gradient(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  if (pools_elements(d)) take_pooled_elements(d);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    slopes_to_values(d, o);
    const auto worth = d.at(l.element.gradient + o * d.plan.element_size);
    const auto gradient = d.at(l.objective_gradient + o * d.plan.column_count);
    for_each_entry(d, [&](int column, const PartialEntry& entry) {
      const ElementEntry& element = d.plan.elements[entry.element];
      if (entry.kind == PartialKind::spline) {
        gradient[column] += spline_share(d, o, entry);
        return;
      }
      for (int k = 0; k < element.count; ++k)
        gradient[column] += worth[element.place + k] * d.at(l.direction)[entry.direction + k];
    });
  }
}

GRADUS_KERNELS_END
