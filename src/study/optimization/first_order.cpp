// Multipliers by non-negative least squares (Lawson and Hanson), bounds by projection.
#include "src/study/optimization/scaled_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/motion/decompositions.hpp"

namespace gradus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Least squares in the chosen columns; 0 for the others.
VectorXd least_squares(const MatrixXd& matrix, const VectorXd& right,
                       const std::vector<bool>& chosen) {
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) columns.push_back(static_cast<Eigen::Index>(k));
  VectorXd result = VectorXd::Zero(matrix.cols());
  if (columns.empty() || matrix.rows() == 0) return result;
  const MatrixXd part = matrix(Eigen::all, columns);
  const auto size = static_cast<double>(std::min(part.rows(), part.cols()));
  result(columns) = shortest_solution(part, right, size * std::numeric_limits<double>::epsilon());
  return result;
}

// Minimises |matrix z - right| with z >= 0, except for the free ones.
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

constexpr double round_off = 1e-11;  // of scaled variables: closer than this is on the bound

// A constraint near one or both of its limits.
struct NearRow {
  std::size_t row = 0;
  double sign = 1.0;  // 1 at an upper limit, -1 at a lower one
  bool free = false;  // equations, and rows so narrow that either limit may be active
  double lower_room = 0.0;
  double upper_room = 0.0;

  double room(double multiplier) const {
    if (!free) return sign < 0.0 ? lower_room : upper_room;
    return multiplier < 0.0 ? lower_room : upper_room;
  }
};

// The distances of scaled variables from their bounds, and the constraints that may be active.
struct Surroundings {
  double distance = 0.0;                       // what counts as near
  std::vector<double> lower_room, upper_room;  // [n]
  std::vector<NearRow> rows;

  // How far a step against the gradient may go.
  double room(std::size_t k, double slope) const {
    return slope > 0.0 ? lower_room[k] : upper_room[k];
  }
  bool is_near(std::size_t k, double slope) const { return room(k, slope) <= distance; }
};

// The part of a slope that counts if the descent ends after `room`.
double held_back(double slope, double room) {
  return room <= round_off ? 0.0 : std::min(slope, std::sqrt(slope * room));
}

// The norm of the remaining gradient of the Lagrangian and of the room that multipliers neglect.
// `size` is the unit of slopes.
double remainder_of(const VectorXd& whole, const VectorXd& multipliers,
                    const Surroundings& surroundings, double size) {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < whole.size(); ++k) {
    const auto variable = static_cast<std::size_t>(k);
    const double slope = std::abs(whole(k)) / size;
    const bool near = surroundings.is_near(variable, whole(k));
    sum += std::pow(near ? held_back(slope, surroundings.room(variable, whole(k))) : slope, 2);
  }
  for (std::size_t i = 0; i < surroundings.rows.size(); ++i) {
    const double multiplier = multipliers(static_cast<Eigen::Index>(i));
    sum += std::abs(multiplier) / size * surroundings.rows[i].room(multiplier);
  }
  return std::sqrt(sum);
}

// Bounds hold the variables back that the multipliers push against them; which these are follows
// from the multipliers. Whatever comes out, the remainder is that of multipliers of right signs.
VectorXd multipliers_of(const MatrixXd& columns, const VectorXd& gradient,
                        const Surroundings& surroundings, double size, double& remainder) {
  const auto n = static_cast<std::size_t>(gradient.size());
  std::vector<bool> free;
  for (const NearRow& row : surroundings.rows) free.push_back(row.free);
  std::vector<bool> counts;
  for (std::size_t k = 0; k < n; ++k)
    counts.push_back(!surroundings.is_near(k, 1.0) && !surroundings.is_near(k, -1.0));
  VectorXd best;
  for (int round = 0; round < 20; ++round) {
    std::vector<Eigen::Index> rows;
    for (std::size_t k = 0; k < n; ++k)
      if (counts[k]) rows.push_back(static_cast<Eigen::Index>(k));
    const VectorXd found = non_negative_least_squares(MatrixXd(columns(rows, Eigen::all)),
                                                      VectorXd(-gradient(rows)), free);
    const VectorXd whole = gradient + columns * found;
    const double rest = remainder_of(whole, found, surroundings, size);
    if (round == 0 || rest < remainder) {
      remainder = rest;
      best = found;
    }
    bool changed = false;
    for (std::size_t k = 0; k < n; ++k) {
      const double slope = whole(static_cast<Eigen::Index>(k));
      if (!counts[k] && slope != 0.0 && !surroundings.is_near(k, slope)) counts[k] = changed = true;
    }
    if (!changed) break;
  }
  return best;
}

Surroundings surroundings_of(const ScaledProblem& problem, std::span<const double> x,
                             const ScaledEvaluation& evaluation, double distance) {
  Surroundings result;
  result.distance = distance;
  for (std::size_t k = 0; k < x.size(); ++k) {
    result.lower_room.push_back(x[k] - problem.lower[k]);
    result.upper_room.push_back(problem.upper[k] - x[k]);
  }
  for (std::size_t row = 0; row < problem.constraints(); ++row) {
    const double tolerance = problem.constraint_tolerance[row];
    const double lower = evaluation.constraints[row] - problem.constraint_lower[row];
    const double upper = problem.constraint_upper[row] - evaluation.constraints[row];
    const double near = std::max(distance, tolerance);
    const bool equation = problem.is_equation(row);
    if (!equation && lower > near && upper > near) continue;
    // Distances within the tolerance count as zero.
    result.rows.push_back({row, !equation && lower <= near ? -1.0 : 1.0,
                           equation || (lower <= near && upper <= near),
                           equation || lower <= tolerance ? 0.0 : lower,
                           equation || upper <= tolerance ? 0.0 : upper});
    if (result.rows.back().free) result.rows.back().sign = 1.0;
  }
  return result;
}

// The unit of slopes.
double size_of(const VectorXd& gradient, const ScaledProblem& problem, double objective) {
  constexpr double most = 100.0;  // that the gradient at the start counts for, beside the objective
  const double values = std::max(std::abs(objective), std::abs(problem.start_objective));
  const double size = std::max(std::min(1.0, most * values), gradient.norm());
  return size > 0.0 ? size : 1.0;
}

// A limit is active if its multiplier exceeds its distance.
bool is_active(double room, double push) {
  return room <= std::max(push, round_off);
}

}  // namespace

FirstOrder first_order(const ScaledProblem& problem, std::span<const double> x,
                       const ScaledEvaluation& evaluation, double distance) {
  const std::size_t n = problem.variables();
  const auto size = static_cast<Eigen::Index>(n);
  const Surroundings surroundings = surroundings_of(problem, x, evaluation, distance);
  MatrixXd columns(size, static_cast<Eigen::Index>(surroundings.rows.size()));
  for (std::size_t i = 0; i < surroundings.rows.size(); ++i)
    for (std::size_t k = 0; k < n; ++k)
      columns(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) =
          surroundings.rows[i].sign *
          evaluation.constraint_gradient[surroundings.rows[i].row * n + k];
  const VectorXd gradient = Eigen::Map<const VectorXd>(evaluation.gradient.data(), size);
  FirstOrder result;
  const VectorXd found =
      multipliers_of(columns, gradient, surroundings,
                     size_of(gradient, problem, evaluation.objective), result.stationarity);
  const VectorXd whole = gradient + columns * found;
  for (std::size_t k = 0; k < n; ++k) {
    const double slope = whole(static_cast<Eigen::Index>(k));
    const double low = surroundings.lower_room[k], high = surroundings.upper_room[k];
    const bool at_lower = low <= distance && is_active(low, slope);
    const bool at_upper = high <= distance && is_active(high, -slope);
    result.bound_active.push_back(at_lower ? -1 : at_upper ? 1 : 0);
  }
  result.multipliers.assign(problem.constraints(), 0.0);
  result.active.assign(problem.constraints(), 0);
  for (std::size_t i = 0; i < surroundings.rows.size(); ++i) {
    const NearRow& row = surroundings.rows[i];
    const double multiplier = row.sign * found(static_cast<Eigen::Index>(i));
    const double room = row.room(found(static_cast<Eigen::Index>(i)));
    if (!is_active(room, std::abs(multiplier))) continue;
    result.multipliers[row.row] = multiplier;
    const bool upper = multiplier > 0.0 || (multiplier == 0.0 && row.upper_room <= row.lower_room);
    result.active[row.row] = problem.is_equation(row.row) ? 2 : upper ? 1 : -1;
  }
  return result;
}

}  // namespace gradus
