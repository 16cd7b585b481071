// The damped normal equations, solved again whenever a variable meets a bound.
#include "src/study/fit/damped_step.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// The diagonal of J^T J by scaled variables, which Marquardt's damping goes by, is not smaller than
// this part of its largest entry: what no residual answers to stays where it is.
constexpr double kLeastDiagonal = 1e-12;

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
        held_(held_at_bounds(problem, point, sums.gradient)) {}

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
    // A diagonal of ones keeps variables of any size apart from round-off.
    const Eigen::VectorXd unit = matrix.diagonal().cwiseSqrt().cwiseInverse();
    matrix = unit.asDiagonal() * matrix * unit.asDiagonal();
    const Eigen::VectorXd part =
        matrix.ldlt().solve(unit.cwiseProduct(Eigen::VectorXd(right(free))));
    step_(free) = unit.cwiseProduct(part);
  }

  // Puts what would leave the bounds on them; whether there was any.
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
  std::vector<bool> held_;  // at bounds, now or after the step
};

}  // namespace

DampedStep damped_step(const LeastSquaresProblem& problem, const std::vector<double>& point,
                       const LeastSquaresSums& sums, const std::vector<double>& scales,
                       double damping) {
  return Solver(problem, point, sums, scales).solve(damping);
}

}  // namespace gradus
