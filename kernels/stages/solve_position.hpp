// Position stage of ALI3-P: M z'' + Phi_z^T multiplier = Q and Phi = 0 at the end of the step, by
// Newton's method with the exact tangent. At convergence the augmented Lagrangian, (3.28) in
// docs/theory.md, section 9, has the same solution for every penalty; it is reached here through
// the null space of Phi_z, which has no penalty to choose.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/predict.hpp"

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

// Solves for the increment of corrections and multipliers with the factors at hand; the pivot rows
// of the constraints are in `bottom`.
template <class D>
GRADUS_FUNCTION void solve_increment(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const double bh2 = d.settings.beta * d.settings.step * d.settings.step;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = Real(-bh2) * generalised_force(d, l.load, c);
  constrained_solve(d, {l.position_matrix, l.position_factor, l.position_pivot}, motion_arrays(d),
                    1);
}

// Newton increment at the evaluated state.
template <class D>
GRADUS_FUNCTION void newton_increment(const D& d) {
  set_zero(d.at(d.layout.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, d.layout.constraint, 1, -1.0, d.layout.bottom);
  solve_increment(d);
}

// The increment that the equations of motion ask for when the constraints are met to round-off.
// What is left of those would only be magnified in the accelerations, by 1/(beta h^2).
template <class D>
GRADUS_FUNCTION void dynamics_increment(const D& d) {
  set_zero(d.at(d.layout.bottom), d.plan.constraint_rank);
  solve_increment(d);
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
constexpr int kChordLimit = 6;
constexpr double kAcceleration = 1e-10;  // change of z'' below which chord iterations stop

// 2-norm of the corrections, relative to 1 + |z|.
template <class D>
GRADUS_FUNCTION double correction_norm(const D& d) {
  double norm2 = 0.0;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const double size =
        relative_magnitude(d.at(d.layout.correction)[c], d.at(d.layout.position)[c]);
    norm2 += size * size;
  }
  return sqrt(norm2);
}

// Starts the step again from the position before it: guesses that are carried on mislead where the
// motion changes much within a step, and Newton's method might follow them to another solution.
template <class D>
GRADUS_FUNCTION void drop_guesses(const D& d) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.correction)[c] = back_to_start(d, c);
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(l.multiplier)[i] = d.at(l.earlier_multiplier)[i];
}

// A guess is good if the first increment is this much smaller than what is guessed.
constexpr double kGoodGuess = 0.1;
constexpr double kNegligible = 1e-12;  // or if it is as small as this

// Increments with the factors of the last step (chord method), each costing a residual only.
// Returns the number of iterations; `expected` is the increment that would come next.
template <class D>
GRADUS_FUNCTION int chord_iterations(const D& d, double wanted, double& expected) {
  double norm = 0.0;
  double rate = 1.0;
  int iteration = 0;
  do {
    correct_rates(d);
    evaluate_residual(d);
    newton_increment(d);
    const double last = norm;
    norm = increment_norm(d);
    ++iteration;
    const bool good = norm < kGoodGuess * correction_norm(d) || norm < kNegligible;
    if (iteration == 1 && !good) {
      drop_guesses(d);
      expected = 1.0;
      return iteration;
    }
    rate = iteration > 1 && last > 0.0 ? norm / last : 1.0;  // the first says nothing of its rate
    apply_increment(d);
  } while (norm * rate > wanted && (iteration == 1 || rate < 0.1) && iteration < kChordLimit);
  expected = norm * rate;
  return iteration;
}

// Starts the step from the prediction.
template <class D>
GRADUS_FUNCTION void start_from_prediction(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.correction)[c] = Real(0);
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(l.multiplier)[i] = d.at(l.earlier_multiplier)[i];
}

enum class Iteration { converged, goes_on, failed };

// One iteration of Newton's method with fresh factors. The last increment is at round-off after the
// chord iterations; positions, derivatives and factors are kept as they were evaluated before it.
template <class D>
GRADUS_FUNCTION Iteration newton_iteration(const D& d, double sharp, double time, bool& falls,
                                           double& norm) {
  correct_rates(d);
  evaluate_forces(d);
  factorise_position(d, time);
  newton_increment(d);
  const double last = norm;
  norm = increment_norm(d);
  if (!is_finite(norm)) d.fail(Status::not_finite, time);
  if (d.failed()) return Iteration::failed;
  // Increments that no longer fall are round-off. What a slow chord left behind is not.
  const bool at_round_off = falls && norm < d.settings.tolerance && norm > 0.25 * last;
  falls = true;
  if (norm < sharp || at_round_off) {
    dynamics_increment(d);
    apply_increment(d);
    return Iteration::converged;
  }
  apply_increment(d);
  return Iteration::goes_on;
}

constexpr int kFirstTry = 15;  // iterations after which another start is tried

// Chord iterations, then Newton's method; if it does not converge, once more from the prediction.
template <class Real, bool kInterleaved>
struct SolvePosition {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    const double time = arguments.time;
    if (d.failed()) return;
    const double h = d.settings.step;
    const double floor = kRoundOff * d.plan.coordinate_count;
    const double margin = kLinearisationMargin * d.settings.tolerance;
    const double wanted = margin > floor ? margin : floor;
    const double change = kAcceleration * d.settings.beta * h * h;
    const double sharp = change < wanted ? change : wanted;
    double norm = 0.0;
    int iteration = chord_iterations(d, sharp, norm);

    bool falls = norm <= wanted;
    bool first_try = true;
    Iteration outcome = Iteration::goes_on;
    while (outcome != Iteration::converged && iteration < d.settings.iteration_limit) {
      outcome = newton_iteration(d, sharp, time, falls, norm);
      ++iteration;
      const bool hopeless = outcome == Iteration::failed || iteration >= kFirstTry;
      if (outcome == Iteration::converged || !hopeless) continue;
      if (!first_try && outcome == Iteration::failed) return;
      if (!first_try) continue;
      first_try = false;
      falls = false;
      d.status = Status::ok;
      start_from_prediction(d);
    }
    if (outcome != Iteration::converged) return d.fail(Status::newton_diverged, time);
    correct_rates(d);
    d.at(d.layout.iterations)[0] += Real(iteration);
    record_violation(d, 0, d.layout.constraint);
  }
};

GRADUS_KERNELS_END
