// Position stage of ALI3-P: M z'' + Phi_z^T multiplier = Q and Phi = 0 at the end of the step, by
// Newton's method with the exact tangent. At convergence the augmented Lagrangian, (3.28) in
// docs/theory.md, section 9, has the same solution for every penalty; it is reached here through
// the null space of Phi_z, which has no penalty to choose.
#pragma once

#include "kernels/core/cut.hpp"
#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/step_unknowns.hpp"
#include "kernels/stages/watch.hpp"

GRADUS_KERNELS_BEGIN

// Free rates that belong to the correction of the predicted position.
template <class D>
GRADUS_FUNCTION void correct_rates(const D& d) {
  const Layout& l = d.layout;
  const RealOf<D> to_velocity(d.settings.gamma / (d.settings.beta * d.settings.step));
  const RealOf<D> to_acceleration(1.0 / (d.settings.beta * d.settings.step * d.settings.step));
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const RealOf<D> correction = d.at(l.correction)[c];
    d.at(l.position)[c] = d.at(l.predicted_position)[c] + correction;
    d.at(l.free_velocity)[c] = d.at(l.predicted_velocity)[c] + to_velocity * correction;
    d.at(l.free_acceleration)[c] = d.at(l.predicted_acceleration)[c] + to_acceleration * correction;
  }
}

// Leading matrix M + gamma h C + beta h^2 K, and its reduced factor, with the tangents and the null
// space at hand. docs/theory.md, section 9.
template <class D>
GRADUS_ROUTINE void factorise_position_matrix(const D& d, double time) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const Real gh(d.settings.gamma * d.settings.step);
  const Real bh2(d.settings.beta * d.settings.step * d.settings.step);
  for (int i = 0; i < n * n; ++i)
    d.at(l.position_matrix)[i] =
        d.at(l.mass_matrix)[i] + gh * d.at(l.damping)[i] + bh2 * d.at(l.stiffness)[i];
  factorise_reduced(d, position_leading(l), time);
}

// Algebraic unknowns at the position and the free rates at hand, which stay as they are.
template <class D>
GRADUS_ROUTINE void settle_unknowns(const D& d, double time) {
  const Layout& l = d.layout;
  const int m = d.plan.constraint_rows;
  copy_array(d, l.multiplier, l.algebraic.kept_multiplier, m);
  find_step_unknowns(d, time);
  differentiate_step_unknowns(d);
  copy_array(d, l.algebraic.kept_multiplier, l.multiplier, m);
  correct_rates(d);
}

template <class D>
GRADUS_FUNCTION void factorise_position(const D& d, double time) {
  tangents(d);
  if (has_step_unknowns(d)) add_step_unknown_tangents(d);
  constraint_jacobian(d, d.layout.free_motion);
  split_constraints(d, time);
  factorise_position_matrix(d, time);
}

// Solves for the increment of corrections and multipliers at the evaluated state with the factors
// at hand: by Newton's method, or what the equations of motion alone ask for when the constraints
// are met to round-off. What is left of those would only be magnified in the accelerations, by
// 1/(beta h^2).
template <class D>
GRADUS_FUNCTION void solve_increment(const D& d, bool closes) {
  const Layout& l = d.layout;
  const double bh2 = d.settings.beta * d.settings.step * d.settings.step;
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  if (closes) add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = RealOf<D>(-bh2) * generalised_force(d, l.load, c);
  constrained_solve(d, position_leading(l), motion_arrays(d, l.solution, l.multiplier_change), 1);
}

template <class D>
GRADUS_ROUTINE void apply_increment(const D& d, const typename D::Mask& where) {
  const Layout& l = d.layout;
  const RealOf<D> scale(1.0 / (d.settings.beta * d.settings.step * d.settings.step));
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    RealOf<D>& correction = d.at(l.correction)[c];
    correction = select(where, correction + d.at(l.solution)[c], correction);
  }
  if (d.plan.constraint_rank == 0) return;
  for (int i = 0; i < d.plan.constraint_rows; ++i) {
    RealOf<D>& multiplier = d.at(l.multiplier)[i];
    multiplier = select(where, multiplier + scale * d.at(l.multiplier_change)[i], multiplier);
  }
}

// 2-norm of an increment or a correction, relative to 1 + |z| coordinate by coordinate (and to the
// derivatives, for dual numbers).
template <class D>
GRADUS_FUNCTION typename D::Value change_norm(const D& d, int change) {
  typename D::Value norm2(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto size = relative_magnitude(d.at(change)[c], d.at(d.layout.position)[c]);
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
constexpr double kAccelerationChange = 1e-10;  // change of z'' below which chord iterations stop

// Starts the step again, from the prediction or from the position before it: guesses that are
// carried on mislead where the motion changes much within a step, and Newton's method might follow
// them to another solution.
template <class D>
GRADUS_FUNCTION void drop_guesses(const D& d, const typename D::Mask& where, bool to_prediction) {
  const Layout& l = d.layout;
  if (!any(where)) return;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.correction)[c] =
        select(where, to_prediction ? RealOf<D>(0) : back_to_start(d, c), d.at(l.correction)[c]);
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(l.multiplier)[i] = select(where, d.at(l.earlier_multiplier)[i], d.at(l.multiplier)[i]);
}

// A guess is good if the first increment is this much smaller than what is guessed.
constexpr double kGoodGuess = 0.1;
constexpr double kNegligible = 1e-12;  // or if it is as small as this

// How an iteration stands: what it has done, and the size of the increment to come, or of the last.
// `settled` is 1 where an increment has been added to the multipliers since they were guessed: a
// guess of the position may be right while that of the multipliers, of which the tangents know, is
// not.
template <class Value>
struct IterationReport {
  Value count;
  Value norm;
  Value settled;
};

// Without constraints there are no multipliers.
template <class D>
GRADUS_FUNCTION typename D::Value settled_by_guess(const D& d) {
  return typename D::Value(d.plan.constraint_rank == 0 ? 1.0 : 0.0);
}

// Increments with the factors of the last step (chord method), each costing a residual only.
template <class D>
GRADUS_ROUTINE IterationReport<typename D::Value> chord_iterations(const D& d, double wanted) {
  using Value = typename D::Value;
  IterationReport<Value> report{Value(0.0), Value(1.0), settled_by_guess(d)};
  Value norm(0.0);
  Value iteration(0.0);  // the same in all lanes
  bool first = true;
  auto going = d.alive();
  while (any(going)) {
    cut_here(Cut::chord, first, iteration, report.count, report.norm, report.settled, norm, going);
    correct_rates(d);
    evaluate_residual(d);
    solve_increment(d, true);
    const Value last = norm;
    norm = change_norm(d, d.layout.solution);
    iteration += Value(1.0);
    report.count = select(going, iteration, report.count);
    if (first) {
      const auto good = norm < Value(kGoodGuess) * change_norm(d, d.layout.correction) ||
                        norm < Value(kNegligible);
      drop_guesses(d, going && !good, false);
      going = going && good;
    }
    // The first says nothing of its rate.
    const Value rate = first ? Value(1.0) : select(last > Value(0.0), norm / last, Value(1.0));
    apply_increment(d, going);
    report.settled = select(going, Value(1.0), report.settled);
    report.norm = select(going, norm * rate, report.norm);
    if (!any(iteration < Value(kChordLimit))) break;
    going = going && norm * rate > Value(wanted);
    if (!first) going = going && rate < Value(0.1);
    first = false;
  }
  return report;
}

constexpr int kFirstTry = 15;  // iterations after which another start is tried

// Newton's method with fresh factors, until the increment is round-off; if it does not converge,
// once more from the prediction.
template <class D>
struct NewtonIteration {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  const D& d;
  double sharp;  // the increment that ends it
  double time;
  IterationReport<Value> report;  // of the chord iterations, then its own
  Mask going;                     // who iterates
  Mask falls;                     // whose increments have fallen as they should so far
  Mask first_try;
  Mask converged;

  GRADUS_FUNCTION void run() {
    stop_at_limit();
    while (any(going)) {
      cut_here(Cut::newton, report.count, report.norm, report.settled, going, falls, first_try,
               converged);
      const Mask goes_on = iterate();
      try_again(goes_on && (!d.alive() || !(report.count < Value(kFirstTry))));
      going = goes_on && d.alive();
      stop_at_limit();
    }
    cut_here(Cut::solved, report.count, converged);
  }

  GRADUS_FUNCTION void stop_at_limit() {
    const Value limit(d.settings.iteration_limit);
    give_up(going && !(report.count < limit));
    going = going && report.count < limit;
  }

  GRADUS_FUNCTION void give_up(const Mask& where) {
    blame_open_row(d, where);
    d.fail(where, Status::newton_diverged, time);
  }

  // One iteration; returns who needs another, or has failed. The last increment is at round-off
  // after the chord iterations; positions, derivatives and factors are kept as they were evaluated
  // before it. Who has converged waits for the others with that increment not applied: the same
  // state is evaluated once more, to the same bits.
  GRADUS_FUNCTION Mask iterate() {
    correct_rates(d);
    if (has_algebraic(d)) settle_unknowns(d, time);
    evaluate_forces(d);
    factorise_position(d, time);
    solve_increment(d, true);
    const Value last = report.norm;
    const Value norm = change_norm(d, d.layout.solution);
    d.fail(going && !is_finite(norm), Status::not_finite, time);
    report.norm = select(going, norm, report.norm);
    report.count = select(going, report.count + Value(1.0), report.count);
    // Increments that no longer fall are round-off. What a slow chord left behind is not.
    const Mask at_round_off =
        falls && norm < Value(d.settings.tolerance) && norm > Value(0.25) * last;
    falls = falls || going;
    const Mask done =
        going && d.alive() && report.settled > Value(0.0) && (norm < Value(sharp) || at_round_off);
    converged = converged || done;
    const Mask goes_on = going && !done;
    apply_increment(d, goes_on && d.alive());
    report.settled = select(goes_on && d.alive(), Value(1.0), report.settled);
    return goes_on;
  }

  GRADUS_FUNCTION void try_again(const Mask& hopeless) {
    const Mask again = hopeless && first_try;
    if (!any(again)) return;
    first_try = first_try && !again;
    falls = falls && !again;
    d.forgive(again);
    drop_guesses(d, again, true);
    report.settled = select(again, settled_by_guess(d), report.settled);
  }
};

// Chord iterations, then Newton's method.
template <class D>
GRADUS_FUNCTION void solve_position(const D& d, const LaunchArguments& arguments) {
  const double h = d.settings.step;
  const double floor = kRoundOff * d.plan.coordinate_count;
  const double margin = kLinearisationMargin * d.settings.tolerance;
  const double wanted = margin > floor ? margin : floor;
  const double change = kAccelerationChange * d.settings.beta * h * h;
  const double sharp = change < wanted ? change : wanted;
  // Factors of the last step do not outlast the search for unknowns.
  const auto chord = has_algebraic(d)
                         ? IterationReport<typename D::Value>{0.0, 1.0, settled_by_guess(d)}
                         : chord_iterations(d, sharp);
  const typename D::Mask all(true);
  NewtonIteration<D> newton{d,     sharp,     time_of(arguments),
                            chord, d.alive(), chord.norm <= ValueOf<RealOf<D>>(wanted),
                            all,   !all};
  newton.run();
  if (d.failed()) return;
  solve_increment(d, false);
  apply_increment(d, newton.converged);
  correct_rates(d);
  d.at(d.layout.iterations)[0] += RealOf<D>(newton.report.count);
  record_violation(d, 0, d.layout.constraint);
  watch_constraints(d, time_of(arguments));
  if (d.settings.projection_kind == static_cast<int>(ProjectionKind::penalty))
    watch_rank(d, time_of(arguments));
  watch_singularity(d, time_of(arguments));
}

GRADUS_KERNELS_END
