// Assembly by least squares: the shortest way from the guesses to a position that satisfies the
// constraints, the held rows staying as they are; then a look at what is still free to move.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/singular_start.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLongRow = 10.0;       // rows of mechanisms of some metres
constexpr double kLargestWeight = 1e6;  // of a row; round-off must not count for more

MatrixXd stacked(const MatrixXd& above, const MatrixXd& below) {
  MatrixXd all(above.rows() + below.rows(), above.cols());
  all << above, below;
  return all;
}

// Equations that hold whatever the coordinates leave round-off, which must not be divided by.
void assemble(StartConstraints& constraints, const std::vector<HeldRow>& held,
              const VectorXd& natural) {
  for (int iteration = 0; iteration < AssemblyLimits::iterations; ++iteration) {
    constraints.evaluate();
    MatrixXd matrix = stacked(constraints.jacobian(), constraints.rows_of(held));
    VectorXd wanted = VectorXd::Zero(matrix.rows());
    wanted.head(natural.size()) = -constraints.value();
    for (Index i = 0; i < natural.size(); ++i)
      if (matrix.row(i).norm() < AssemblyLimits::noise * natural(i)) matrix.row(i).setZero();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
    factors.setThreshold(AssemblyLimits::redundancy);
    factors.compute(matrix);
    const VectorXd increment = factors.solve(wanted);
    const double size = increment.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    constraints.position() +=
        increment * std::min(1.0, AssemblyLimits::largest_increment / std::max(size, 1e-300));
    if (size < AssemblyLimits::converged) break;
  }
  constraints.evaluate();
}

// The rank that the rows have when each counts by itself, whatever its unit, but those that hold
// whatever the coordinates. Coordinates that are lengths count in arms.
Index even_rank(const MatrixXd& jacobian, const VectorXd& natural, const VectorXd& units) {
  MatrixXd even = jacobian * units.asDiagonal();
  for (Index i = 0; i < even.rows(); ++i)
    if (jacobian.row(i).norm() < AssemblyLimits::noise * natural(i))
      even.row(i).setZero();
    else
      even.row(i).normalize();
  return even.cols() - free_motions(even, 1.0).cols();
}

// As many of the candidates as there are free motions: those least dependent on each other.
std::vector<HeldRow> choose(StartConstraints& constraints, const std::vector<HeldRow>& candidates,
                            const MatrixXd& motions) {
  const MatrixXd moved = (constraints.rows_of(candidates) * motions).transpose();
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(moved);
  std::vector<HeldRow> chosen;
  const Index count = std::min(moved.rows(), moved.cols());
  for (Index i = 0; i < count; ++i) {
    if (std::abs(factors.matrixR()(i, i)) <= AssemblyLimits::redundancy) break;
    chosen.push_back(candidates[static_cast<std::size_t>(factors.colsPermutation().indices()(i))]);
  }
  return chosen;
}

// Rows that are short by nature, as those of a mechanism of some millimetres, hold to a share of
// their length.
void weigh_rows(const VectorXd& natural, Plan& plan) {
  plan.row_weights.clear();
  const double least = AssemblyLimits::noise * natural.maxCoeff();
  for (const double length : natural)
    plan.row_weights.push_back(length > least ? std::clamp(kLongRow / length, 1.0, kLargestWeight)
                                              : 1.0);
  plan.largest_weight =
      plan.row_weights.empty() ? 1.0 : *std::ranges::max_element(plan.row_weights);
}

// Guesses begin where the assembly ended.
void start_from(const VectorXd& position, Plan& plan) {
  for (const HeldRow& row : plan.guesses) {
    const int count = row.turn < 0 ? 1 : 4;
    for (int c = row.coordinate; c < row.coordinate + count; ++c)
      plan.guess[static_cast<std::size_t>(c)] = position(c);
  }
}

}  // namespace

std::vector<std::string> ties(const Plan& plan, bool at_start) {
  std::vector<std::string> names;
  const auto start = at_start ? 0 : static_cast<std::size_t>(plan.start_constraints);
  for (std::size_t k = 0; k + start < plan.constraints.size(); ++k) {
    if (plan.constraints[k].kind == kernels::ConstraintKind::normalisation) continue;
    const std::string& name = plan.constraint_names[k];
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

Mobility complete_start(Plan& plan, bool begins_beside) {
  Mobility mobility;
  const int rows = plan.constraint_rows - plan.start_rows;
  mobility.redundant = rows - plan.constraint_rank();
  // Nothing is left to determine in an open tree, and its normalisations are independent.
  if (ties(plan).empty() && plan.start_rows == 0 && plan.guesses.empty()) return mobility;
  if (plan.coordinate_count() == 0) return mobility;
  StartConstraints constraints(plan);
  if (constraints.failed()) return mobility;
  const VectorXd units = constraints.units(plan);
  VectorXd even;
  const VectorXd natural = constraints.natural_rows(units, even);
  weigh_rows(even, plan);
  const double scale = natural.maxCoeff();
  plan.constraint_scale = scale;
  assemble(constraints, plan.held_rows, natural);
  MatrixXd jacobian = constraints.jacobian();
  Index rank = jacobian.cols() - free_motions(jacobian.topRows(rows), scale).cols();
  if (rank < rows && constraints.value().lpNorm<Eigen::Infinity>() < AssemblyLimits::closed)
    plan.singular_start = row_of_singularity(constraints, jacobian.topRows(rows), rank, scale);
  if (plan.singular_start > 0 && begins_beside &&
      shift_start(constraints, jacobian.topRows(rows), scale, plan)) {
    jacobian = constraints.jacobian();
    rank = jacobian.cols() - free_motions(jacobian.topRows(rows), scale).cols();
  }
  mobility.redundant = rows - static_cast<int>(rank);
  if (plan.singular_start == 0 && even_rank(jacobian.topRows(rows), natural, units) > rank)
    throw InputError(
        "model: found constraints whose scales are too far apart (beside the largest, " +
        std::to_string(rank) + " of " + std::to_string(rows) +
        " rows seem to be independent, by themselves more), use units in which lengths are about "
        "1, and expressions of about that size");
  if (plan.guesses.empty()) return mobility;
  if (constraints.value().lpNorm<Eigen::Infinity>() < AssemblyLimits::closed)
    start_from(constraints.position(), plan);
  const MatrixXd motions =
      free_motions(stacked(jacobian, constraints.rows_of(plan.held_rows)), scale);
  if (motions.cols() == 0) return mobility;
  mobility.completed = choose(constraints, plan.guesses, motions);
  plan.hold(mobility.completed);
  return mobility;
}

}  // namespace gradus
