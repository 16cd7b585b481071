// Damped steps cut at bounds, their acceptance, the damping, and when to stop.
#include "src/study/fit/levenberg_marquardt.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {
namespace {

// Least entry of the diagonal of J^T J (in scaled variables) that Marquardt's damping uses,
// relative to the largest.
constexpr double kLeastDiagonal = 1e-12;
// Below this an entry is round-off squared: the variable has no effect and stays where it is.
constexpr double kNoEffect = 1e-24;

class Solver {
 public:
  Solver(const LeastSquaresProblem& problem, const std::vector<double>& point,
         const LeastSquaresSums& sums, const std::vector<double>& scales)
      : problem_(problem),
        point_(point),
        n_(static_cast<Eigen::Index>(point.size())),
        scale_(Eigen::Map<const Eigen::VectorXd>(scales.data(), n_)),
        gradient_(scale_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(sums.gradient.data(), n_))),
        normal_(scale_.asDiagonal() *
                Eigen::Map<const Eigen::MatrixXd>(sums.normal.data(), n_, n_) *
                scale_.asDiagonal()),
        step_(Eigen::VectorXd::Zero(n_)),
        held_(held_at_bounds(problem, point, sums.gradient)) {
    const double largest = normal_.diagonal().maxCoeff();
    for (Eigen::Index i = 0; i < n_; ++i)
      if (normal_(i, i) <= kNoEffect * largest) held_[static_cast<std::size_t>(i)] = true;
  }

  DampedStep solve(double damping) {
    const double largest = normal_.diagonal().maxCoeff();
    diagonal_ =
        damping * normal_.diagonal().cwiseMax(largest > 0.0 ? kLeastDiagonal * largest : 1.0);
    do solve_free();
    while (meets_bounds());
    DampedStep result{{}, point_, -(2.0 * gradient_ + normal_ * step_).dot(step_)};
    for (Eigen::Index i = 0; i < n_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      result.point[k] =
          std::clamp(point_[k] + scale_[i] * step_[i], problem_.lower[k], problem_.upper[k]);
      result.step.push_back(result.point[k] - point_[k]);
    }
    return result;
  }

 private:
  void solve_free() {
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < n_; ++i)
      if (!held_[static_cast<std::size_t>(i)]) free.push_back(i);
    if (free.empty()) return;
    for (const Eigen::Index i : free) step_[i] = 0.0;
    const Eigen::VectorXd right = -(gradient_ + normal_ * step_);
    const Eigen::VectorXd damped_diagonal = diagonal_(free);
    Eigen::MatrixXd matrix = normal_(free, free);
    matrix.diagonal() += damped_diagonal;
    // Scaling the diagonal to ones keeps variables of very different sizes accurate.
    const Eigen::VectorXd unit = matrix.diagonal().cwiseSqrt().cwiseInverse();
    matrix = unit.asDiagonal() * matrix * unit.asDiagonal();
    const Eigen::VectorXd part =
        matrix.ldlt().solve(unit.cwiseProduct(Eigen::VectorXd(right(free))));
    step_(free) = unit.cwiseProduct(part);
  }

  // Moves variables that would leave their bounds onto them; returns whether there were any.
  bool meets_bounds() {
    bool met = false;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (held_[k]) continue;
      const double to_lower = (problem_.lower[k] - point_[k]) / scale_[i];
      const double to_upper = (problem_.upper[k] - point_[k]) / scale_[i];
      if (step_[i] >= to_lower && step_[i] <= to_upper) continue;
      step_[i] = step_[i] < to_lower ? to_lower : to_upper;
      held_[k] = true;
      met = true;
    }
    return met;
  }

  const LeastSquaresProblem& problem_;
  const std::vector<double>& point_;
  Eigen::Index n_;
  Eigen::VectorXd scale_, gradient_;
  Eigen::MatrixXd normal_;
  Eigen::VectorXd diagonal_, step_;
  std::vector<bool> held_;  // at bounds, now or after the step, or without effect
};

// Damping relative to the diagonal of J^T J. Below the least it is lost in round-off; above the
// most, even the shortest step along the gradient does not reduce the sum.
constexpr double kFirstDamping = 1e-3;
constexpr double kLeastDamping = 1e-14;
constexpr double kMostDamping = 1e14;
// Above this, steps may be short because of the damping.
constexpr double kSlightDamping = 1e-5;
// Damping falls at most by this factor per step; Nielsen's 1/3 would make convergence linear.
constexpr double kFastestFall = 0.02;
// A predicted decrease below this part of the sum is hidden by round-off.
constexpr double kInvisible = 1e-11;

class Iteration {
 public:
  Iteration(const LeastSquaresProblem& problem, const Ask& ask)
      : problem_(problem), ask_(ask), scales_(variable_scales(problem)) {}

  LeastSquaresSolution run() {
    solution_.start = solution_.point = problem_.start;
    if (!unpack(ask_(solution_.point), problem_.start.size(), solution_.sums)) {
      solution_.sum_of_squares = std::numeric_limits<double>::quiet_NaN();
      solution_.reason = "the motion of the start fails";
      return solution_;
    }
    solution_.gradient_norm = norm(solution_.point, solution_.sums.gradient);
    solution_.start_gradient_norm = solution_.gradient_norm;
    keep_row(damping_);
    while (!ended()) try_step();
    solution_.sum_of_squares = solution_.sums.sum;
    return solution_;
  }

 private:
  // Norm of the gradient of the sum with respect to scaled variables, without those held at bounds.
  double norm(const std::vector<double>& point, const std::vector<double>& gradient) const {
    const std::vector<bool> held = held_at_bounds(problem_, point, gradient);
    double sum = 0.0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      if (!held[i]) sum += std::pow(2.0 * gradient[i] * scales_[i], 2);
    return std::sqrt(sum);
  }

  void keep_row(double damping) {
    solution_.history.push_back(
        {0, solution_.iterations, solution_.sums.sum, solution_.gradient_norm, damping});
  }

  bool finish(bool converged, const std::string& reason) {
    solution_.converged = converged;
    solution_.reason = reason;
    return true;
  }

  bool ended() {
    if (!solution_.reason.empty()) return true;
    if (solution_.gradient_norm == 0.0)
      return finish(true, "the gradient is zero between the bounds");
    if (solution_.iterations >= problem_.iterations)
      return finish(false, "the most iterations allowed, " + std::to_string(problem_.iterations) +
                               ", were made");
    return false;
  }

  bool is_short(const DampedStep& step) const {
    for (std::size_t i = 0; i < step.step.size(); ++i) {
      const double size = size_at(solution_.point[i], scales_[i]);
      if (std::abs(step.step[i]) > problem_.tolerance * size) return false;
    }
    return true;
  }

  void try_step() {
    const double damping = damping_;
    const DampedStep step =
        damped_step(problem_, solution_.point, solution_.sums, scales_, damping);
    ++solution_.iterations;
    LeastSquaresSums sums;
    std::vector<double> point = solution_.point;
    bool accepted = false;
    double ratio = 0.0;
    if (step.decrease > 0.0) {
      point = step.point;
      const bool evaluated = unpack(ask_(point), point.size(), sums);
      ratio = evaluated ? (solution_.sums.sum - sums.sum) / step.decrease : -1.0;
      accepted = evaluated && is_better(step, point, sums, ratio);
    }
    const double before = solution_.sums.sum;
    if (accepted) move(point, std::move(sums));
    judge(step, before, accepted);
    change_damping(accepted, ratio);
    keep_row(damping);
  }

  // Near the minimum the sum no longer tells whether a step is good, but the gradient does.
  bool is_better(const DampedStep& step, const std::vector<double>& point,
                 const LeastSquaresSums& sums, double ratio) const {
    if (ratio > 1e-4) return true;
    const double visible = kInvisible * solution_.sums.sum;
    return step.decrease <= visible && sums.sum <= solution_.sums.sum + visible &&
           norm(point, sums.gradient) < solution_.gradient_norm;
  }

  void move(const std::vector<double>& point, LeastSquaresSums sums) {
    solution_.point = point;
    solution_.sums = std::move(sums);
    solution_.gradient_norm = norm(point, solution_.sums.gradient);
  }

  // Decides whether this was the last step. Short steps mean nothing if damping made them short.
  void judge(const DampedStep& step, double before, bool accepted) {
    const double tolerance = problem_.tolerance;
    const bool is_undamped = damping_ <= kSlightDamping;
    if (is_undamped && step.decrease > 0.0 && is_short(step))
      finish(true, "the last step changed no variable by more than the tolerance");
    else if (is_undamped && step.decrease <= tolerance * tolerance * before)
      finish(true,
             "no step between the bounds would make the sum smaller by more than the tolerance");
    else if (!accepted && solution_.sums.sum <= problem_.round_off)
      finish(true, "the sum is no larger than the errors of the computed sensors make it");
    else if (!accepted && damping_ >= kMostDamping)
      finish(false, "no step makes the sum smaller, however short");
    else if (!accepted && is_short(step))
      judge_standstill();
  }

  // A step this damped means nothing; an undamped one shows what is left to gain.
  void judge_standstill() {
    const DampedStep step =
        damped_step(problem_, solution_.point, solution_.sums, scales_, kLeastDamping);
    const bool nothing_left = step.decrease <= problem_.tolerance * solution_.sums.sum;
    finish(nothing_left, nothing_left
                             ? "no step makes the sum smaller by more than the tolerance"
                             : "no step makes the sum smaller, though its gradient promises that");
  }

  void change_damping(bool accepted, double ratio) {
    if (accepted) {
      const double fall = 1.0 - std::pow(2.0 * std::clamp(ratio, 0.0, 1.0) - 1.0, 3);
      damping_ = std::max(kLeastDamping, damping_ * std::max(kFastestFall, fall));
      rise_ = 2.0;
    } else {
      damping_ = std::max(damping_, 1e-6) * rise_;
      rise_ *= 2.0;
    }
  }

  const LeastSquaresProblem& problem_;
  const Ask& ask_;
  std::vector<double> scales_;
  LeastSquaresSolution solution_;
  double damping_ = kFirstDamping;
  double rise_ = 2.0;
};

}  // namespace

bool unpack(const Answer& answer, std::size_t variables, LeastSquaresSums& sums) {
  if (answer.size() != 1 + variables + variables * variables) return false;
  if (!std::all_of(answer.begin(), answer.end(), [](double x) { return std::isfinite(x); }))
    return false;
  const auto gradient = answer.begin() + 1;
  const auto normal = gradient + static_cast<std::ptrdiff_t>(variables);
  sums = {answer[0], {gradient, normal}, {normal, answer.end()}};
  return true;
}

Answer pack(const LeastSquaresSums& sums) {
  Answer answer{sums.sum};
  answer.insert(answer.end(), sums.gradient.begin(), sums.gradient.end());
  answer.insert(answer.end(), sums.normal.begin(), sums.normal.end());
  return answer;
}

std::vector<double> variable_scales(const LeastSquaresProblem& problem) {
  std::vector<double> scales;
  for (std::size_t i = 0; i < problem.start.size(); ++i) {
    const double lower = problem.lower[i];
    const double upper = problem.upper[i];
    double scale = std::abs(problem.start[i]);
    if (scale == 0.0 && std::isfinite(upper - lower)) scale = upper - lower;
    if (scale == 0.0 && std::isfinite(lower)) scale = std::abs(lower);
    if (scale == 0.0 && std::isfinite(upper)) scale = std::abs(upper);
    scales.push_back(scale > 0.0 ? scale : 1.0);
  }
  return scales;
}

double size_at(double point, double scale) {
  return std::max(std::abs(point), 1e-3 * scale);
}

std::vector<bool> held_at_bounds(const LeastSquaresProblem& problem,
                                 const std::vector<double>& point,
                                 const std::vector<double>& gradient) {
  std::vector<bool> held;
  for (std::size_t i = 0; i < point.size(); ++i)
    held.push_back((point[i] <= problem.lower[i] && gradient[i] >= 0.0) ||
                   (point[i] >= problem.upper[i] && gradient[i] <= 0.0));
  return held;
}

DampedStep damped_step(const LeastSquaresProblem& problem, const std::vector<double>& point,
                       const LeastSquaresSums& sums, const std::vector<double>& scales,
                       double damping) {
  return Solver(problem, point, sums, scales).solve(damping);
}

LeastSquaresSolution levenberg_marquardt(const LeastSquaresProblem& problem, const Ask& ask) {
  return Iteration(problem, ask).run();
}

}  // namespace gradus
