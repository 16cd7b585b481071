// Multipliers by non-negative least squares (Lawson and Hanson), bounds by projection.
#include "src/study/optimization/first_order.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Solves for the columns that are chosen; 0 for the others.
VectorXd least_squares(const MatrixXd& matrix, const VectorXd& right,
                       const std::vector<bool>& chosen) {
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) columns.push_back(static_cast<Eigen::Index>(k));
  VectorXd result = VectorXd::Zero(matrix.cols());
  if (columns.empty() || matrix.rows() == 0) return result;
  const VectorXd found =
      MatrixXd(matrix(Eigen::all, columns)).completeOrthogonalDecomposition().solve(right);
  for (std::size_t k = 0; k < columns.size(); ++k)
    result(columns[k]) = found(static_cast<Eigen::Index>(k));
  return result;
}

// Minimises |matrix z - right| with z >= 0 but for those that are free.
VectorXd non_negative_least_squares(const MatrixXd& matrix, const VectorXd& right,
                                    const std::vector<bool>& free) {
  const auto count = static_cast<std::size_t>(matrix.cols());
  std::vector<bool> chosen = free;
  VectorXd z = least_squares(matrix, right, chosen);
  const double small = 1e-12 * std::max(1.0, right.norm());
  for (std::size_t round = 0; round < 3 * count + 3; ++round) {
    const VectorXd slope = matrix.transpose() * (right - matrix * z);
    std::size_t best = count;
    for (std::size_t k = 0; k < count; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      if (!chosen[k] && slope(i) > small * matrix.col(i).norm() &&
          (best == count || slope(i) > slope(static_cast<Eigen::Index>(best))))
        best = k;
    }
    if (best == count) break;
    chosen[best] = true;
    while (true) {
      const VectorXd next = least_squares(matrix, right, chosen);
      double step = 1.0;
      std::size_t blocking = count;
      for (std::size_t k = 0; k < count; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        if (!chosen[k] || free[k] || next(i) > 0.0) continue;
        const double to_zero = z(i) > 0.0 ? z(i) / (z(i) - next(i)) : 0.0;
        if (blocking == count || to_zero < step) {
          step = to_zero;
          blocking = k;
        }
      }
      z += step * (next - z);
      if (blocking == count) break;
      chosen[blocking] = false;
      z(static_cast<Eigen::Index>(blocking)) = 0.0;
    }
  }
  return z;
}

struct ActiveSet {
  std::vector<std::size_t> rows;  // of the constraints
  std::vector<double> signs;      // 1 at an upper bound, -1 at a lower one
  std::vector<bool> free;         // equations
};

// The gradient of the Lagrangian, that part left out which pushes against an active bound.
VectorXd projected(const VectorXd& gradient, const std::vector<int>& bound_active) {
  VectorXd result = gradient;
  for (Eigen::Index k = 0; k < result.size(); ++k) {
    const int side = bound_active[static_cast<std::size_t>(k)];
    if (side < 0) result(k) = std::min(result(k), 0.0);
    if (side > 0) result(k) = std::max(result(k), 0.0);
  }
  return result;
}

// Bounds hold the variables back that the multipliers push against them; which these are follows
// from the multipliers. Whatever comes out, the remainder is that of multipliers of right signs.
VectorXd multipliers_of(const MatrixXd& columns, const VectorXd& gradient, const ActiveSet& set,
                        const std::vector<int>& bound_active, VectorXd& remainder) {
  const Eigen::Index n = gradient.size();
  std::vector<bool> counts(static_cast<std::size_t>(n), true);
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = bound_active[k] == 0;
  VectorXd best;
  for (int round = 0; round < 20; ++round) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index k = 0; k < n; ++k)
      if (counts[static_cast<std::size_t>(k)]) rows.push_back(k);
    const VectorXd found = non_negative_least_squares(MatrixXd(columns(rows, Eigen::all)),
                                                      VectorXd(-gradient(rows)), set.free);
    const VectorXd whole = gradient + columns * found;
    const VectorXd rest = projected(whole, bound_active);
    if (round == 0 || rest.norm() < remainder.norm()) {
      remainder = rest;
      best = found;
    }
    bool changed = false;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (!counts[k] && rest(static_cast<Eigen::Index>(k)) != 0.0) counts[k] = changed = true;
    if (!changed) break;
  }
  return best;
}

}  // namespace

FirstOrder first_order(const ScaledProblem& problem, std::span<const double> x,
                       const ScaledEvaluation& evaluation, double distance) {
  const std::size_t n = problem.variables();
  const std::size_t m = problem.constraints();
  FirstOrder result;
  for (std::size_t k = 0; k < n; ++k) {
    const bool low = x[k] - problem.lower()[k] <= distance;
    const bool high = problem.upper()[k] - x[k] <= distance;
    result.bound_active.push_back(low ? -1 : high ? 1 : 0);
  }
  ActiveSet set;
  result.active.assign(m, 0);
  for (std::size_t row = 0; row < m; ++row) {
    const double value = evaluation.constraints[row];
    const double near = std::max(distance, problem.constraint_tolerance()[row]);
    const bool equation = problem.is_equation(row);
    const bool low = !equation && value - problem.constraint_lower()[row] <= near;
    const bool high = !equation && problem.constraint_upper()[row] - value <= near;
    result.active[row] = equation ? 2 : low ? -1 : high ? 1 : 0;
    if (result.active[row] == 0) continue;
    set.rows.push_back(row);
    set.signs.push_back(low ? -1.0 : 1.0);
    set.free.push_back(equation);
  }
  const auto size = static_cast<Eigen::Index>(n);
  MatrixXd columns(size, static_cast<Eigen::Index>(set.rows.size()));
  for (std::size_t i = 0; i < set.rows.size(); ++i)
    for (std::size_t k = 0; k < n; ++k)
      columns(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) =
          set.signs[i] * evaluation.constraint_gradient[set.rows[i] * n + k];
  const VectorXd gradient = Eigen::Map<const VectorXd>(evaluation.gradient.data(), size);
  VectorXd remainder;
  const VectorXd found = multipliers_of(columns, gradient, set, result.bound_active, remainder);
  result.multipliers.assign(m, 0.0);
  for (std::size_t i = 0; i < set.rows.size(); ++i)
    result.multipliers[set.rows[i]] = set.signs[i] * found(static_cast<Eigen::Index>(i));
  result.stationarity = remainder.norm() / std::max(1.0, gradient.norm());
  return result;
}

}  // namespace gradus
