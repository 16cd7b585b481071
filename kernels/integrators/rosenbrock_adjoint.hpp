// The discrete adjoint of a step of a Rosenbrock method: the systems of rosenbrock_step.hpp,
// transposed, the last stage first. A row y of K_i becomes m = g (1 - h g B - (h g)^2 A)^-T y, and
// m that of f_i, coupling_ij times it of K_j, and A^T m of P_i^. What the Jacobian and f_t at the
// start of the step answer to is the derivative of the adjoint of f along the increments, m being a
// row of f.
#pragma once

#include "kernels/integrators/evaluation_adjoint.hpp"
#include "kernels/integrators/rosenbrock_step.hpp"

GRADUS_KERNELS_BEGIN

// From rows `worth` [n, objective] of A P_i^ to those of the velocity at the start and of stages.
template <class D>
GRADUS_ROUTINE void increment_adjoint(const D& d, double h, int i, int worth) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  const int moved = d.layout.columns[kUnknown];  // rows of P_i^
  set_zero(d.at(moved), row_size(d));
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k) {
      const RealOf<D> entry = d.at(s.base_jacobian)[r * 2 * n + k];
      for (int o = 0; o < objectives; ++o)
        d.at(moved)[k * objectives + o] += entry * d.at(worth)[r * objectives + o];
    }
  add_rows_to(d, s.velocity_columns, h * tableau(d, t.drift(), i), moved);
  for (int j = 0; j < i; ++j)
    add_rows_to(d, s.stage_columns + j * row_size(d),
                h * h * tableau(d, t.increment(), i * t.stages + j), moved);
  set_zero(d.at(moved), row_size(d));
}

// What the Jacobian at the start of the step is worth, and the time slope, to that start; what they
// are worth to the elements stays in the twin.
template <class D>
GRADUS_ROUTINE void twin_adjoint(const D& d, const TwinOf<D>& twin, const Evaluation& evaluation,
                                 double h, int i, int worth) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  move_along_stage(d, twin, evaluation, h, i);
  prepare_twin_rows(twin, evaluation);
  for (int k = 0; k < row_size(d); ++k)
    twin.at(l.columns[kAcceleration])[k] = Dual<RealOf<D>, 1>(d.at(worth)[k]);
  twin_evaluation_adjoint(twin, evaluation);
  for (int k = 0; k < row_size(d); ++k) {
    d.at(s.position_columns)[k] += twin.at(l.columns[kPosition])[k].derivative[0];
    d.at(s.velocity_columns)[k] += twin.at(l.columns[kVelocity])[k].derivative[0];
  }
}

template <class D>
GRADUS_ROUTINE void rosenbrock_stage_adjoint(const D& d, const TwinOf<D>& twin,
                                             const Evaluation& evaluation, double h, int i) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int size = row_size(d);
  const int worth = s.increment_columns;
  copy_array(d, s.stage_columns + i * size, worth, size);
  set_zero(d.at(s.stage_columns + i * size), size);
  solve_factorised_transposed(d.at(s.block_matrix), d.at(s.block_pivot), d.plan.coordinate_count,
                              d.at(worth), d.plan.objective_count);
  const RealOf<D> gamma(tableau(d, t.blocks(), 0));
  for (int k = 0; k < size; ++k) d.at(worth)[k] = gamma * d.at(worth)[k];
  for (int j = 0; j < i; ++j)
    add_rows_to(d, s.stage_columns + j * size, tableau(d, t.coupling(), i * t.stages + j), worth);
  increment_adjoint(d, h, i, worth);
  twin_adjoint(d, twin, evaluation, h, i, worth);
  const StageSum sum = sum_at_stage(d, i, i);
  combine_stages(d, h, sum);
  set_acceleration_rows(d, worth);
  take_back(d, evaluation, common(d.at(s.time)[0]) + sum.c * h, RealOf<D>(0), false);
  combine_stages_adjoint(d, h, sum);
}

// The integrands of the step, which count at its nodes.
template <class D>
GRADUS_FUNCTION void rosenbrock_integrands_adjoint(const D& d, const Evaluation& evaluation,
                                                   double h) {
  const double start = common(d.at(d.layout.integrator.time)[0]);
  for (int q = 0; q < kNodes && !d.failed(); ++q) {
    const StageSum sum = sum_at_node(d, q);
    combine_stages(d, h, sum);
    clear_rows(d);
    take_back(d, evaluation, start + sum.c * h,
              RealOf<D>(h * tableau(d, d.tableau.node_weight(), q)), false);
    combine_stages_adjoint(d, h, sum);
  }
}

template <class D>
GRADUS_ROUTINE void rosenbrock_adjoint(const D& d, const Evaluation& evaluation, double h,
                                       double end) {
  if constexpr (std::is_same<RealOf<D>, double>::value && !D::kHasSlices) {
    if (d.plan.objective_count == 0) return;
    rosenbrock_integrands_adjoint(d, evaluation, h);
    d.at(d.layout.integrator.has_base_jacobian)[0] = RealOf<D>(0);
    prepare_rosenbrock(d, evaluation, h, end);
    if (d.failed()) return;
    const TwinOf<D> twin = twin_of(d);
    for (int i = d.tableau.stages - 1; i >= 0 && !d.failed(); --i)
      rosenbrock_stage_adjoint(d, twin, evaluation, h, i);
    const auto take = [&](int array) {
      const int elements = d.plan.objective_count * d.plan.element_size;
      for (int k = 0; k < elements; ++k) d.at(array)[k] += twin.at(array)[k].derivative[0];
    };
    take(d.layout.element.gradient);
    if (pools_elements(d)) take(d.layout.element.pooled);
  }
}

GRADUS_KERNELS_END
