// Assembly by least squares: the shortest way from the guesses to a position that satisfies the
// constraints, the held rows staying as they are; then a look at what is still free to move.
#include <Eigen/Dense>
#include <cmath>

#include "kernels/launch/host.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRedundancy = 1e-6;  // singular values this much smaller count as none
constexpr int kIterations = 100;
constexpr double kConverged = 1e-11;
constexpr double kLargestIncrement = 0.5;
constexpr double kClosed = 1e-9;  // largest constraint of an assembled mechanism

// The constraints of one design at the nominal parameters.
class Constraints {
 public:
  explicit Constraints(const Plan& plan) : layout_(make_layout(plan.view(), Sensitivity::none)) {
    memory_.assign(static_cast<std::size_t>(layout_.size), 0.0);
    arguments_.chunk.plan = plan.view();
    arguments_.chunk.layout = layout_;
    arguments_.chunk.settings = {1.0, 0.25, 0.5, 1e-10, 1, 0};
    arguments_.chunk.memory = memory_.data();
    arguments_.chunk.status = &status_;
    arguments_.chunk.failure_time = &failure_time_;
    arguments_.chunk.design_count = 1;
    for (std::size_t p = 0; p < plan.nominal.size(); ++p)
      memory_[static_cast<std::size_t>(layout_.parameter) + p] = plan.nominal[p];
    launch_(kernels::KernelId::prepare_numbers, arguments_);
    launch_(kernels::KernelId::set_start, arguments_);
  }

  bool failed() const { return status_ != kernels::Status::ok; }
  Eigen::Map<VectorXd> position() { return vector(layout_.position, coordinates()); }
  void evaluate() { launch_(kernels::KernelId::evaluate_constraints, arguments_); }
  VectorXd value() { return vector(layout_.constraint, rows()); }
  MatrixXd jacobian() {
    const VectorXd flat = vector(layout_.jacobian, rows() * coordinates());
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        flat.data(), rows(), coordinates());
  }

  // The row of something held, at the current position.
  VectorXd row(const HeldRow& held) {
    VectorXd b = VectorXd::Zero(coordinates());
    if (held.turn < 0) {
      b(held.coordinate) = 1.0;
      return b;
    }
    const auto p = kernels::load_euler(memory_.data() + layout_.position + held.coordinate);
    for (int k = 0; k < 4; ++k) {
      const auto axis = kernels::half_axis(p, k);
      const double entries[3] = {axis.x, axis.y, axis.z};
      b(held.coordinate + k) = entries[held.turn];
    }
    return b;
  }
  MatrixXd rows_of(const std::vector<HeldRow>& held) {
    MatrixXd b(static_cast<Index>(held.size()), coordinates());
    for (std::size_t i = 0; i < held.size(); ++i)
      b.row(static_cast<Index>(i)) = row(held[i]).transpose();
    return b;
  }

 private:
  Index coordinates() const { return arguments_.chunk.plan.coordinate_count; }
  Index rows() const { return arguments_.chunk.plan.constraint_rows; }
  Eigen::Map<VectorXd> vector(int offset, Index size) { return {memory_.data() + offset, size}; }

  kernels::Launch launch_ = host_kernels();
  kernels::Layout layout_;
  std::vector<double> memory_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::KernelArguments<double, false> arguments_{};
};

MatrixXd stacked(const MatrixXd& above, const MatrixXd& below) {
  MatrixXd all(above.rows() + below.rows(), above.cols());
  all << above, below;
  return all;
}

void assemble(Constraints& constraints, const std::vector<HeldRow>& held) {
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    constraints.evaluate();
    const MatrixXd matrix = stacked(constraints.jacobian(), constraints.rows_of(held));
    VectorXd wanted = VectorXd::Zero(matrix.rows());
    const VectorXd value = constraints.value();
    wanted.head(value.size()) = -value;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
    factors.setThreshold(kRedundancy);
    factors.compute(matrix);
    const VectorXd increment = factors.solve(wanted);
    const double size = increment.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    constraints.position() += increment * std::min(1.0, kLargestIncrement / std::max(size, 1e-300));
    if (size < kConverged) break;
  }
  constraints.evaluate();
}

// Orthonormal basis of what the rows leave free.
MatrixXd free_motions(const MatrixXd& rows) {
  if (rows.rows() == 0) return MatrixXd::Identity(rows.cols(), rows.cols());
  const Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  Index rank = 0;
  while (rank < values.size() && values(rank) > kRedundancy * values(0)) ++rank;
  return svd.matrixV().rightCols(rows.cols() - rank);
}

// As many of the candidates as there are free motions: those least dependent on each other.
std::vector<HeldRow> choose(Constraints& constraints, const std::vector<HeldRow>& candidates,
                            const MatrixXd& motions) {
  const MatrixXd moved = (constraints.rows_of(candidates) * motions).transpose();
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(moved);
  std::vector<HeldRow> chosen;
  const Index count = std::min(moved.rows(), moved.cols());
  for (Index i = 0; i < count; ++i) {
    if (std::abs(factors.matrixR()(i, i)) <= kRedundancy) break;
    chosen.push_back(candidates[static_cast<std::size_t>(factors.colsPermutation().indices()(i))]);
  }
  return chosen;
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

Mobility complete_start(Plan& plan) {
  Mobility mobility;
  const int rows = plan.constraint_rows - plan.start_rows;
  mobility.redundant = rows - plan.constraint_rank();
  // Nothing is left to determine in an open tree, and its normalisations are independent.
  if (ties(plan).empty() && plan.start_rows == 0 && plan.guesses.empty()) return mobility;
  if (plan.coordinate_count() == 0) return mobility;
  Constraints constraints(plan);
  if (constraints.failed()) return mobility;
  assemble(constraints, plan.held_rows);
  const MatrixXd jacobian = constraints.jacobian();
  const Index rank = jacobian.cols() - free_motions(jacobian.topRows(rows)).cols();
  mobility.redundant = rows - static_cast<int>(rank);
  if (plan.guesses.empty()) return mobility;
  if (constraints.value().lpNorm<Eigen::Infinity>() < kClosed)
    start_from(constraints.position(), plan);
  const MatrixXd motions = free_motions(stacked(jacobian, constraints.rows_of(plan.held_rows)));
  if (motions.cols() == 0) return mobility;
  mobility.completed = choose(constraints, plan.guesses, motions);
  plan.hold(mobility.completed);
  return mobility;
}

}  // namespace gradus
