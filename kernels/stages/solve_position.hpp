// Position stage of ALI3-P: M z'' + Phi_z^T multiplier = Q and Phi = 0 at the end of the step, by
// Newton's method with the exact tangent. At convergence the augmented Lagrangian, (3.28) in
// docs/theory.md, section 9, has the same solution for every penalty; it is reached here through
// the null space of Phi_z, which has no penalty to choose.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"

GRADUS_KERNELS_BEGIN

// Free rates that belong to the correction of the predicted position.
template <class D>
GRADUS_FUNCTION void correct_rates(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const Real to_velocity(d.settings.gamma / (d.settings.beta * d.settings.step));
  const Real to_acceleration(1.0 / (d.settings.beta * d.settings.step * d.settings.step));
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Real correction = d.at(l.correction)[c];
    d.at(l.position)[c] = d.at(l.predicted_position)[c] + correction;
    d.at(l.free_velocity)[c] = d.at(l.predicted_velocity)[c] + to_velocity * correction;
    d.at(l.free_acceleration)[c] = d.at(l.predicted_acceleration)[c] + to_acceleration * correction;
  }
}

// Leading matrix M + gamma h C + beta h^2 K, and its reduced factor. docs/theory.md, section 9.
template <class D>
GRADUS_FUNCTION void factorise_position(const D& d, double time) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const Real gh(d.settings.gamma * d.settings.step);
  const Real bh2(d.settings.beta * d.settings.step * d.settings.step);
  tangents(d);
  constraint_jacobian(d, l.free_motion);
  split_constraints(d, time);
  for (int i = 0; i < n * n; ++i)
    d.at(l.position_matrix)[i] =
        d.at(l.mass_matrix)[i] + gh * d.at(l.damping)[i] + bh2 * d.at(l.stiffness)[i];
  factorise_reduced(d, l.position_matrix, l.position_factor, l.position_pivot, time);
}

// Newton increment of corrections and multipliers at the evaluated state, with the factors at hand.
template <class D>
GRADUS_FUNCTION void newton_increment(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const double bh2 = d.settings.beta * d.settings.step * d.settings.step;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = Real(-bh2) * generalised_force(d, l.load, c);
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  constrained_solve(d, {l.position_matrix, l.position_factor, l.position_pivot}, motion_arrays(d),
                    1);
}

template <class D>
GRADUS_FUNCTION void apply_increment(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const Real scale(1.0 / (d.settings.beta * d.settings.step * d.settings.step));
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.correction)[c] += d.at(l.solution)[c];
  if (d.plan.constraint_rank == 0) return;
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(l.multiplier)[i] += scale * d.at(l.multiplier_change)[i];
}

// 2-norm of the increment, relative to 1 + |z| coordinate by coordinate (and to the derivatives,
// for dual numbers).
template <class D>
GRADUS_FUNCTION double increment_norm(const D& d) {
  double norm2 = 0.0;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const double size = relative_magnitude(d.at(d.layout.solution)[c], d.at(d.layout.position)[c]);
    norm2 += size * size;
  }
  return sqrt(norm2);
}

// The derivatives of a step are those of its equations at the state they are evaluated at, so that
// state must solve them far better than the motion alone would need: an increment dz still to be
// applied changes z'' by dz/(beta h^2).
constexpr double kLinearisationMargin = 1e-5;
constexpr double kRoundOff = 2.2e-16;  // of one coordinate; no increment need be smaller
constexpr int kChordLimit = 4;

// Increments with the factors of the last step (chord method), each costing a residual only; then
// Newton's method with fresh factors. The last increment, small enough to be left out, is not
// applied: state, derivatives and factors belong together.
template <class Real, bool kInterleaved>
struct SolvePosition {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    const double time = arguments.time;
    if (d.failed()) return;
    const double tolerance = d.settings.tolerance;
    const double floor = kRoundOff * d.plan.coordinate_count;
    const double margin = kLinearisationMargin * tolerance;
    const double wanted = margin > floor ? margin : floor;
    int iteration = 0;
    double norm = 0.0;
    double last = 0.0;
    double rate = 1.0;
    do {
      correct_rates(d);
      evaluate_residual(d);
      newton_increment(d);
      last = norm;
      norm = increment_norm(d);
      rate = iteration > 0 && last > 0.0 ? norm / last : 0.02;
      apply_increment(d);
      ++iteration;
    } while (norm * rate > wanted && rate < 0.1 && iteration < kChordLimit);

    // Increments that no longer fall are round-off. What a slow chord left behind is not.
    bool falls = norm * rate <= wanted;
    for (bool converged = false; !converged; ++iteration) {
      correct_rates(d);
      evaluate_forces(d);
      factorise_position(d, time);
      newton_increment(d);
      last = norm;
      norm = increment_norm(d);
      const bool at_round_off = falls && norm < tolerance && norm > 0.25 * last;
      falls = true;
      converged = norm < wanted || at_round_off;
      if (d.failed()) return;
      if (!is_finite(norm)) return d.fail(Status::not_finite, time);
      if (!converged && iteration >= d.settings.iteration_limit)
        return d.fail(Status::newton_diverged, time);
      if (!converged) apply_increment(d);
    }
    d.at(d.layout.iterations)[0] += Real(iteration);
    record_violation(d, 0, d.layout.constraint);
  }
};

GRADUS_KERNELS_END
