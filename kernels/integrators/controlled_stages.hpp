// The stages of an implicit method that chooses its steps: Newton's method with the Jacobian at the
// start of the step for all stages, which the eigenvectors of the method take apart. E. Hairer, G.
// Wanner, Solving Ordinary Differential Equations II, section IV.8. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/implicit_stages.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kControlledIterations = 15;  // after which a shorter step is cheaper
constexpr double kSlowStages = 0.1;        // rate of convergence, above which stages get Jacobians
constexpr double kSuddenRate = 0.5;        // that of round-off
constexpr double kLastDigits = 1e-14;      // of the state, relatively
// What stagnation may leave where stages have their Jacobians, of what a step may be wrong by.
constexpr double kNegligibleShare = 1e-3;
constexpr double kLongestExtrapolation = 8.0;  // in steps

// The Jacobian at the start of the step, [n, 2 n], which serves attempts of any length.
template <class D>
GRADUS_ROUTINE void differentiate_base(const D& d, const Evaluation& evaluation) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  if (!is_zero(value_of(d.at(s.has_base_jacobian)[0]))) return;
  copy_array(d, s.position, l.position, n);
  copy_array(d, s.velocity, l.velocity, n);
  evaluate_accelerations(d, evaluation, common(d.at(s.time)[0]), false);
  if (d.failed()) return;
  differentiate_evaluation(d, evaluation);
  if (d.failed()) return;
  copy_array(d, l.jacobian_columns[2], s.base_jacobian, 2 * n * n);
  d.at(s.has_base_jacobian)[0] = RealOf<D>(1);
}

// The factors of the blocks and what they solve for, one after another: a real eigenvalue, then
// pairs.
struct StageBlock {
  int matrix, pivot, row, width;
  double real, imaginary;
};
template <class D>
GRADUS_FUNCTION StageBlock stage_block(const D& d, int k) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const int blocks = d.tableau.blocks();
  if (k == 0) return {s.block_matrix, s.block_pivot, 0, 1, tableau(d, blocks, 0), 0.0};
  const int row = (2 * k - 1) * n;
  return {s.block_matrix + (4 * k - 3) * n * n, s.block_pivot + row,      row, 2,
          tableau(d, blocks, 2 * k - 1),        tableau(d, blocks, 2 * k)};
}
template <class D>
GRADUS_FUNCTION int stage_block_count(const D& d) {
  return (d.tableau.stages + 1) / 2;
}

// 1 - h L f_z' - h^2 L^2 f_z, where L = (r, i; -i, r).
template <class D>
GRADUS_ROUTINE void factorise_block(const D& d, const StageBlock& b, double h, double end) {
  const int n = d.plan.coordinate_count;
  const int size = b.width * n;
  const auto matrix = d.at(b.matrix);
  const auto jacobian = d.at(d.layout.integrator.base_jacobian);
  const double square = b.real * b.real - b.imaginary * b.imaginary;
  const double mixed = 2.0 * b.real * b.imaginary;
  for (int p = 0; p < b.width; ++p)
    for (int q = 0; q < b.width; ++q) {
      const double sign = p < q ? 1.0 : -1.0;
      const RealOf<D> by_velocity(-h * (p == q ? b.real : sign * b.imaginary));
      const RealOf<D> by_position(-h * h * (p == q ? square : sign * mixed));
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
          matrix[(p * n + r) * size + q * n + c] = by_position * jacobian[r * 2 * n + c] +
                                                   by_velocity * jacobian[r * 2 * n + n + c] +
                                                   RealOf<D>(p == q && r == c ? 1.0 : 0.0);
    }
  give_up(d, d.alive() && !factorise(matrix, d.at(b.pivot), size), end);
}

// target = weights [stages, stages] times source, both [stage, n].
template <class D>
GRADUS_FUNCTION void transform_stages(const D& d, int weights, int source, int target) {
  const int n = d.plan.coordinate_count;
  const int stages = d.tableau.stages;
  for (int i = 0; i < stages; ++i)
    for (int c = 0; c < n; ++c) {
      RealOf<D> sum(0);
      for (int j = 0; j < stages; ++j)
        sum += RealOf<D>(tableau(d, weights, i * stages + j)) * d.at(source)[j * n + c];
      d.at(target)[i * n + c] = sum;
    }
}

// The increment of all stages in the place of their residuals.
template <class D>
GRADUS_ROUTINE void solve_by_blocks(const D& d) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  transform_stages(d, d.tableau.inverse_transform(), s.newton_residual, s.block_residual);
  for (int k = 0; k < stage_block_count(d); ++k) {
    const StageBlock b = stage_block(d, k);
    solve_factorised(d.at(b.matrix), d.at(b.pivot), b.width * n, d.at(s.block_residual + b.row), 1);
  }
  transform_stages(d, d.tableau.transform(), s.block_residual, s.newton_residual);
}

// Where the accelerations of the stages are looked for first: on the polynomial through those of
// the last step.
template <class D>
GRADUS_ROUTINE void extrapolate_stages(const D& d, double h) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const int stages = d.tableau.stages;
  const double last = value_of(d.at(s.last_length)[0]);
  const bool follows = last > 0.0 && h < kLongestExtrapolation * last;
  for (int i = 0; i < stages; ++i) {
    const auto stage = d.at(s.stages + i * n);
    if (!follows) {
      for (int c = 0; c < n; ++c) stage[c] = d.at(s.acceleration)[c];
      continue;
    }
    for (int c = 0; c < n; ++c) stage[c] = RealOf<D>(0);
    const double x = 1.0 + tableau(d, d.tableau.c(), i) * h / last;
    for (int j = 0; j < stages; ++j) {
      double weight = 1.0;
      for (int k = 0; k < stages; ++k) {
        const double at = tableau(d, d.tableau.c(), k);
        if (k != j) weight *= (x - at) / (tableau(d, d.tableau.c(), j) - at);
      }
      for (int c = 0; c < n; ++c) stage[c] += RealOf<D>(weight) * d.at(s.last_stages)[j * n + c];
    }
  }
}

// Largest changes of an iteration: of an acceleration, relatively, and of a velocity by it, over
// what a step may be wrong by.
struct StageChange {
  double relative, share;
};
template <class D>
GRADUS_ROUTINE StageChange change_stages(const D& d, double h) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const RealOf<D> stretch(h > 1.0 ? h : 1.0);  // in long steps little changes velocities by much
  StageChange largest{0.0, 0.0};
  for (int k = 0; k < d.tableau.stages * n; ++k) {
    const RealOf<D> increment = d.at(s.newton_residual)[k];
    RealOf<D>& acceleration = d.at(s.stages)[k];
    acceleration = acceleration - increment;
    const double change = relative_magnitude(stretch * increment, stretch * acceleration);
    if (!(change <= largest.relative)) largest.relative = change;
    const double speed =
        absolute(value_of(d.at(s.velocity)[k % n])) + h * absolute(value_of(acceleration));
    const double share =
        h * absolute(value_of(increment)) / (d.settings.atol + d.settings.rtol * speed);
    if (!(share <= largest.share)) largest.share = share;
  }
  return largest;
}

// How large positions and velocities in space are, whose last digits forces feel: relative
// coordinates may be far smaller. Turns are measured in radians.
struct MotionSize {
  double length, speed, turning;
};
template <class D>
GRADUS_ROUTINE MotionSize motion_size(const D& d) {
  const MotionLayout& m = d.layout.motion;
  const auto largest_of = [](double& largest, const auto& x) {
    const double size = value_of(sqrt(dot(x, x)));
    if (size > largest) largest = size;
  };
  MotionSize size{0.0, 0.0, 0.0};
  for (int b = 0; b < d.plan.body_count; ++b) {
    largest_of(size.length, reference_of(d, b));
    largest_of(size.turning, load_motion(d.at(m.velocity), b).w);
  }
  for (int f = 0; f < d.plan.feature_count; ++f) {
    if (d.plan.features[f].is_point == 0) continue;
    largest_of(size.length, feature_position(d, f));
    largest_of(size.speed, load3(d.at(m.feature_velocity), f));
  }
  return size;
}

// Whether increments are no larger than what the last digits of the state make of accelerations,
// which stiffness multiplies.
template <class D>
GRADUS_ROUTINE bool are_round_off(const D& d, double h) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const auto jacobian = d.at(s.base_jacobian);
  const auto size = [&](int offset, int i) { return absolute(value_of(d.at(offset)[i])); };
  const MotionSize in_space = motion_size(d);
  for (int c = 0; c < n; ++c) {
    double noise = 0.0;
    for (int k = 0; k < n; ++k) {
      const auto turn = load_motion(d.at(d.layout.axis), k).w;
      const bool is_turn = value_of(dot(turn, turn)) > 0.0;
      const double speed = size(s.velocity, k) + h * size(s.acceleration, k);
      const double place = size(s.position, k) + h * speed;
      const double length = is_turn ? 1.0 : in_space.length;
      const double pace = is_turn ? in_space.turning : in_space.speed;
      noise += absolute(value_of(jacobian[c * 2 * n + k])) * (place > length ? place : length) +
               absolute(value_of(jacobian[c * 2 * n + n + k])) * (speed > pace ? speed : pace);
    }
    for (int i = 0; i < d.tableau.stages; ++i)
      if (size(s.newton_residual, i * n + c) > kLastDigits * (noise + size(s.stages, i * n + c)))
        return false;
  }
  return true;
}

// The accelerations of the stages. Where the Jacobian at the start of the step does not lead there
// fast, each stage gets its own. What falls fast and then no longer is round-off.
template <class D>
GRADUS_ROUTINE void solve_controlled_stages(const D& d, const Evaluation& evaluation, double h,
                                            double end) {
  const IntegratorLayout& s = d.layout.integrator;
  const int size = d.tableau.stages * d.plan.coordinate_count;
  const bool newton = d.settings.fixed_point == 0;
  differentiate_base(d, evaluation);
  for (int k = 0; k < stage_block_count(d) && !d.failed(); ++k)
    if (newton || k == 0) factorise_block(d, stage_block(d, k), h, end);
  if (d.failed()) return;
  extrapolate_stages(d, h);
  const int limit = d.given_steps != nullptr ? kGivenIterations
                    : newton                 ? kControlledIterations
                                             : kStageIterations;
  bool by_stages = false, renew = false, falls = false;
  double last = 0.0;
  for (int iteration = 0; iteration < limit; ++iteration) {
    stage_residuals(d, evaluation, h, typename D::Mask(renew));
    if (renew && !d.failed()) {
      factorise_stages(d, h, end);
      by_stages = true;
    }
    if (d.failed()) return;
    if (by_stages)
      solve_factorised(d.at(s.newton_matrix), d.at(s.newton_pivot), size, d.at(s.newton_residual),
                       1);
    else if (newton)
      solve_by_blocks(d);
    const StageChange change = change_stages(d, h);
    if (!is_finite(change.relative)) return d.fail(d.alive(), Status::not_finite, end);
    d.at(d.layout.iterations)[0] += RealOf<D>(1);
    const bool first = iteration == 0;
    if (has_converged(change.relative, last, first)) return;
    const bool stops = !first && change.relative > kSuddenRate * last;
    const bool fresh = renew || !newton;
    const bool is_small =
        change.relative < kStageStagnation || (change.share < 1.0 && stops && are_round_off(d, h));
    if (stops && is_small && (falls || fresh)) return;
    if (stops && change.share < kNegligibleShare && fresh) return;
    falls = !first && change.relative < kSlowStages * last;
    renew = newton && !first && !falls;
    last = change.relative;
  }
  give_up(d, d.alive(), end);
}

GRADUS_KERNELS_END
