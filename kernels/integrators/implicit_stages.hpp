// The accelerations of the stages of an implicit step by Newton's method, or by fixed-point
// iteration. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kStageIterations = 40;
constexpr int kGivenIterations = 400;       // of steps that another run found short enough
constexpr int kPatience = 10;               // iterations after which stagnation may set in earlier
constexpr double kStageIncrement = 1e-13;   // relative change of a stage that ends the iteration
constexpr double kStageStagnation = 1e-10;  // below this, increments that no longer fall do so too
constexpr double kSlowRate = 0.05;          // of convergence, above which the Jacobian is renewed

template <class D>
GRADUS_FUNCTION int unknown_stages(const D& d) {
  return d.tableau.stages - d.tableau.known;
}

// Puts the design at stage i, with the accelerations of all stages as they are, and evaluates it.
template <class D>
GRADUS_FUNCTION void evaluate_stage(const D& d, const Evaluation& evaluation, double h, int i) {
  const StageSum sum = sum_at_stage(d, i, d.tableau.stages);
  combine_stages(d, h, sum);
  evaluate_accelerations(d, evaluation, common(d.at(d.layout.integrator.time)[0]) + sum.c * h,
                         false);
}

// Derivatives of the accelerations of stage i by its position and velocity, [n, 2 n]. Lanes that do
// not ask for them keep those they have.
template <class D>
GRADUS_ROUTINE void differentiate_stage(const D& d, const Evaluation& evaluation, int i,
                                        const typename D::Mask& where = typename D::Mask(true)) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  differentiate_evaluation(d, evaluation);
  const auto kept = d.at(l.integrator.stage_jacobian + (i - d.tableau.known) * 2 * n * n);
  const auto found = d.at(l.jacobian_columns[2]);
  for (int k = 0; k < 2 * n * n; ++k) kept[k] = select(where, found[k], kept[k]);
}

template <class D>
GRADUS_FUNCTION void give_up(const D& d, const typename D::Mask& where, double time) {
  blame_open_row(d, where);
  d.fail(where, Status::newton_diverged, time);
}

// 1 - h^2 abar_ij dA_i/dz - h a_ij dA_i/dz', of all unknown stages.
template <class D>
GRADUS_ROUTINE void factorise_stages(const D& d, double h, double time) {
  const TableauView& t = d.tableau;
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const int count = unknown_stages(d);
  const int size = count * n;
  const auto matrix = d.at(s.newton_matrix);
  for (int i = 0; i < count; ++i) {
    const auto jacobian = d.at(s.stage_jacobian + i * 2 * n * n);
    for (int j = 0; j < count; ++j) {
      const int at = (i + t.known) * t.stages + j + t.known;
      const RealOf<D> by_position(-h * h * tableau(d, t.abar(), at));
      const RealOf<D> by_velocity(-h * tableau(d, t.a(), at));
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
          matrix[(i * n + r) * size + j * n + c] = by_position * jacobian[r * 2 * n + c] +
                                                   by_velocity * jacobian[r * 2 * n + n + c] +
                                                   RealOf<D>(i == j && r == c ? 1.0 : 0.0);
    }
  }
  give_up(d, d.alive() && !factorise(matrix, d.at(s.newton_pivot), size), time);
}

// Residuals of all stages; their Jacobian as well, where `renew`.
template <class D>
GRADUS_FUNCTION void stage_residuals(const D& d, const Evaluation& evaluation, double h,
                                     const typename D::Mask& renew) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  for (int i = d.tableau.known; i < d.tableau.stages && !d.failed(); ++i) {
    evaluate_stage(d, evaluation, h, i);
    const int at = (i - d.tableau.known) * n;
    for (int c = 0; c < n; ++c)
      d.at(s.newton_residual)[at + c] = d.at(s.stages)[i * n + c] - d.at(l.acceleration)[c];
    if (any(renew) && !d.failed()) differentiate_stage(d, evaluation, i, renew);
  }
}

// Applies one iteration; returns the largest relative change of an acceleration.
template <class D>
GRADUS_ROUTINE typename D::Value apply_stage_increment(const D& d, bool newton,
                                                       const typename D::Mask& where) {
  using Value = typename D::Value;
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const int size = unknown_stages(d) * n;
  const auto increment = d.at(s.newton_residual);
  if (newton) solve_factorised(d.at(s.newton_matrix), d.at(s.newton_pivot), size, increment, 1);
  Value largest(0.0);
  for (int k = 0; k < size; ++k) {
    auto& acceleration = d.at(s.stages)[d.tableau.known * n + k];
    acceleration = select(where, acceleration - increment[k], acceleration);
    const Value change = relative_magnitude(increment[k], acceleration);
    largest = select(change > largest || !is_finite(change), change, largest);
  }
  return largest;
}

// Where the accelerations of the stages are looked for first: on a straight line through those of
// the last two ends of steps.
template <class D>
GRADUS_FUNCTION void guess_stages(const D& d, double h) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const double last = common(d.at(s.time)[0]) - common(d.at(s.last_time)[0]);
  for (int i = d.tableau.known; i < d.tableau.stages; ++i) {
    const RealOf<D> ahead(last > 0.0 ? h * tableau(d, d.tableau.c(), i) / last : 0.0);
    for (int c = 0; c < n; ++c) {
      const RealOf<D> a = d.at(s.acceleration)[c];
      d.at(s.stages)[i * n + c] = a + ahead * (a - d.at(s.last_acceleration)[c]);
    }
  }
}

// Where increments that fall like this leave nothing that counts.
template <class Value>
GRADUS_FUNCTION MaskOf<Value> has_converged(const Value& change, const Value& last, bool first) {
  const auto nothing = change < Value(kStageIncrement);
  if (first) return nothing;
  const Value rate = change / last;
  return nothing || (rate < Value(kSlowRate) && change * rate < Value(0.1 * kStageIncrement));
}

// The accelerations of the stages, first with the factors of the last step. Factors that only some
// lanes renew are computed once more in the others, from the Jacobian that these have kept.
template <class D>
GRADUS_ROUTINE void solve_stages(const D& d, const Evaluation& evaluation, double h, double end) {
  using Value = typename D::Value;
  const IntegratorLayout& s = d.layout.integrator;
  const bool newton = d.settings.fixed_point == 0;
  guess_stages(d, h);
  auto going = d.alive();
  auto renew = typename D::Mask(newton) && is_zero(value_of(d.at(s.has_jacobian)[0]));
  Value last(0.0);
  const int limit = d.given_steps != nullptr ? kGivenIterations : kStageIterations;
  for (int iteration = 0; iteration < limit; ++iteration) {
    stage_residuals(d, evaluation, h, renew);
    if (any(renew) && !d.failed()) {
      factorise_stages(d, h, end);
      d.at(s.has_jacobian)[0] = RealOf<D>(1);
    }
    going = going && d.alive();
    if (!any(going)) return;
    const Value change = apply_stage_increment(d, newton, going);
    d.fail(going && !is_finite(change), Status::not_finite, end);
    d.at(d.layout.iterations)[0] += RealOf<D>(select(going, Value(1.0), Value(0.0)));
    const double floor = iteration < kPatience ? kStageStagnation : 1e2 * kStageStagnation;
    auto done = has_converged(change, last, iteration == 0);
    // An old Jacobian makes increments fall slowly as well; what a fresh one leaves is round-off.
    const auto fresh = renew || typename D::Mask(!newton);
    if (iteration > 0)
      done = done || (fresh && change < Value(floor) && change > Value(0.5) * last);
    going = going && !done && d.alive();
    if (!any(going)) return;
    renew = typename D::Mask(newton) && going && change > Value(kSlowRate) * last;
    if (iteration == 0) renew = renew && change > Value(1.0);
    last = select(going, change, last);
  }
  give_up(d, going, end);
}

GRADUS_KERNELS_END
