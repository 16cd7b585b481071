// One step of a Rosenbrock method (E. Hairer, G. Wanner, Solving Ordinary Differential Equations
// II, section IV.7): a linear system for each stage, all with one matrix. With the Jacobian (A, B)
// of the accelerations f at the start of the step by position and velocity, increments (P, h K) of
// these are
//   P_i = h drift_i z' + h^2 sum increment_ij K_j
//   (1 - h g B - (h g)^2 A) K_i = g (f_i + sum coupling_ij K_j + h time_share_i f_t + A P_i^)
// where P_i^ lacks K_i, and states are sums of K as those of other methods are of accelerations. A
// column of K_i solves the same system with f_i' and K_j' in the place of f_i and K_j, and with the
// derivative of A P_i + B h K_i + h time_share_i f_t by the parameter at fixed increments: that of
// f' along these. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/controlled_stages.hpp"
#include "kernels/integrators/course_error.hpp"
#include "kernels/integrators/rosenbrock_twin.hpp"

GRADUS_KERNELS_BEGIN

// h drift_i slope + h^2 sum of increment_ij times the first `count` of the stages.
template <class D>
GRADUS_ROUTINE void add_up_increment(const D& d, double h, int i, int count, int slope, int stages,
                                     int size, int target) {
  const TableauView& t = d.tableau;
  const auto out = d.at(target);
  const RealOf<D> drift(h * tableau(d, t.drift(), i));
  for (int k = 0; k < size; ++k) out[k] = drift * d.at(slope)[k];
  for (int j = 0; j < count; ++j) {
    const RealOf<D> weight(h * h * tableau(d, t.increment(), i * t.stages + j));
    for (int k = 0; k < size; ++k) out[k] += weight * d.at(stages + j * size)[k];
  }
}

// Derivatives of the accelerations by time, at the start of the step.
template <class D>
GRADUS_ROUTINE void differentiate_by_time(const D& d, const Evaluation& evaluation) {
  const IntegratorLayout& s = d.layout.integrator;
  const TwinOf<D> twin = twin_of(d);
  evaluate_twin(d, twin, evaluation, -1, -1, 0.0, 1.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(s.time_slope)[c] = twin.at(d.layout.acceleration)[c].derivative[0];
}

// What all stages of a step share, and all attempts of it but for the factors.
template <class D>
GRADUS_ROUTINE void prepare_rosenbrock(const D& d, const Evaluation& evaluation, double h,
                                       double end) {
  const bool is_there = !is_zero(value_of(d.at(d.layout.integrator.has_base_jacobian)[0]));
  differentiate_base(d, evaluation);
  if (!is_there && !d.failed()) differentiate_by_time(d, evaluation);
  if (!d.failed()) factorise_block(d, stage_block(d, 0), h, end);
}

// Where the right-hand side of a stage comes from, of the motion or of columns, [n, width], and the
// stages.
struct RosenbrockPlaces {
  int acceleration, slope, increment, stages, width;
};

// Solves for stage i of the motion or of columns. `rest(k)`: what the system has besides, entry k.
template <class D, class Rest>
GRADUS_ROUTINE void solve_rosenbrock_stage(const D& d, double h, int i, const RosenbrockPlaces& p,
                                           const Rest& rest) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const int size = n * p.width;
  add_up_increment(d, h, i, i, p.slope, p.stages, size, p.increment);
  const auto stage = d.at(p.stages + i * size);
  for (int k = 0; k < size; ++k) stage[k] = d.at(p.acceleration)[k] + rest(k);
  for (int j = 0; j < i; ++j) {
    const RealOf<D> weight(tableau(d, t.coupling(), i * t.stages + j));
    for (int k = 0; k < size; ++k) stage[k] += weight * d.at(p.stages + j * size)[k];
  }
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k) {
      const RealOf<D> entry = d.at(s.base_jacobian)[r * 2 * n + k];
      for (int c = 0; c < p.width; ++c)
        stage[r * p.width + c] += entry * d.at(p.increment)[k * p.width + c];
    }
  const RealOf<D> gamma(tableau(d, t.blocks(), 0));
  for (int k = 0; k < size; ++k) stage[k] = gamma * stage[k];
  solve_factorised(d.at(s.block_matrix), d.at(s.block_pivot), n, stage, p.width);
}

// Puts the twin at the start of the step, moving along the increments of stage i, which is known.
template <class D>
GRADUS_ROUTINE void move_along_stage(const D& d, const TwinOf<D>& twin,
                                     const Evaluation& evaluation, double h, int i) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  add_up_increment(d, h, i, i + 1, s.velocity, s.stages, n, s.increment);
  evaluate_twin(d, twin, evaluation, s.increment, s.stages + i * n, h,
                h * tableau(d, d.tableau.time_share(), i));
}

// Columns of stage i, whose evaluation is at hand.
template <class D>
GRADUS_ROUTINE void solve_rosenbrock_columns(const D& d, const TwinOf<D>& twin,
                                             const Evaluation& evaluation, double h, int i) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int size = column_size(d);
  evaluate_columns(d, evaluation, false);
  if (d.failed()) return;
  move_along_stage(d, twin, evaluation, h, i);
  for (int k = 0; k < size; ++k) {
    twin.at(l.columns[kPosition])[k] = Dual<RealOf<D>, 1>(d.at(s.position_columns)[k]);
    twin.at(l.columns[kVelocity])[k] = Dual<RealOf<D>, 1>(d.at(s.velocity_columns)[k]);
  }
  solve_twin_columns(twin, evaluation);
  const auto rest = twin.at(l.columns[kAcceleration]);
  solve_rosenbrock_stage(d, h, i,
                         {l.columns[kAcceleration], s.velocity_columns, s.increment_columns,
                          s.stage_columns, d.plan.column_count},
                         [&](int k) { return rest[k].derivative[0]; });
}

// All stages of a step, and their columns.
template <class D>
GRADUS_ROUTINE void solve_rosenbrock_stages(const D& d, const Evaluation& evaluation, double h) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const double start = common(d.at(s.time)[0]);
  constexpr bool kCarriesColumns = std::is_same<RealOf<D>, double>::value;
  const bool with_columns = kCarriesColumns && column_size(d) > 0;
  const TwinOf<D> twin(d, static_cast<typename TwinOf<D>::Real*>(d.twin));
  if (with_columns) twin_of(d);
  for (int i = 0; i < d.tableau.stages && !d.failed(); ++i) {
    const StageSum sum = sum_at_stage(d, i, i);
    combine_stages(d, h, sum);
    evaluate_accelerations(d, evaluation, start + sum.c * h, false);
    copy_array(d, l.acceleration, s.evaluations + i * n, n);
    const RealOf<D> share(h * tableau(d, d.tableau.time_share(), i));
    solve_rosenbrock_stage(d, h, i, {l.acceleration, s.velocity, s.increment, s.stages, 1},
                           [&](int k) { return share * d.at(s.time_slope)[k]; });
    if constexpr (kCarriesColumns)
      if (with_columns && !d.failed()) solve_rosenbrock_columns(d, twin, evaluation, h, i);
  }
}

// Node q of the step, between its ends.
template <class D>
GRADUS_FUNCTION StageSum sum_at_node(const D& d, int q) {
  const TableauView& t = d.tableau;
  return {tableau(d, t.node_c(), q), t.node_bar() + q * t.stages, t.node() + q * t.stages,
          t.stages};
}

template <class D>
GRADUS_ROUTINE void rosenbrock_step(const D& d, const Evaluation& evaluation, double h,
                                    double end) {
  if constexpr (ScalarTraits<RealOf<D>>::kLanes == 1 && !D::kHasSlices) {
    const double start = common(d.at(d.layout.integrator.time)[0]);
    prepare_rosenbrock(d, evaluation, h, end);
    if (d.failed()) return;
    solve_rosenbrock_stages(d, evaluation, h);
    if (d.failed()) return;
    begin_course_error(d);
    const bool watches = any(watches_stages(d, h));
    d.at(d.layout.watch.reversed)[0] = RealOf<D>(0);
    for (int q = 0; q < kNodes && (d.plan.objective_count > 0 || watches) && !d.failed(); ++q) {
      const StageSum sum = sum_at_node(d, q);
      combine_stages(d, h, sum);
      evaluate_accelerations(d, evaluation, start + sum.c * h, false);
      if (watches) watch_stage(d, watches);
      evaluate_columns(d, evaluation, false);
      weigh_stage(d, q, h * tableau(d, d.tableau.node_weight(), q));
      add_stage_integrands(d, start + sum.c * h);
    }
    if (d.failed()) return;
    evaluate_end(d, evaluation, h, end);
    evaluate_columns(d, evaluation, true);
  }
}

GRADUS_KERNELS_END
