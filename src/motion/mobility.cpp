// Assembly by least squares: the shortest way from the guesses to a position that satisfies the
// constraints, the held rows staying as they are; then a look at what is still free to move.
#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "gradus/error.hpp"
#include "kernels/launch/host.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/model/message.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRedundancy = 1e-6;  // singular values this much smaller count as none
constexpr double kNoise = 1e-9;       // rows this small beside their natural length are round-off
constexpr double kElsewhere = 0.1;    // share of its size by which a number is disturbed
constexpr int kDisturbances = 3;
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

  // Lengths of the rows of the Jacobian if no terms cancelled in them: the largest among those here
  // and where points, directions and coordinates are slightly different, and among what that does
  // to the equations themselves.
  VectorXd natural_rows() {
    evaluate();
    VectorXd natural = jacobian().rowwise().norm();
    const VectorXd value_here = value();
    const std::vector<double> here = memory_;
    std::minstd_rand generator;  // the same every time
    for (int k = 0; k < kDisturbances; ++k) {
      disturb(generator);
      evaluate();
      natural = natural.cwiseMax(jacobian().rowwise().norm())
                    .cwiseMax((value() - value_here).cwiseAbs() / kElsewhere);
      std::copy(here.begin(), here.end(), memory_.begin());
    }
    evaluate();
    return natural;
  }

  // What a coordinate counts in: 1 rad, or the longest arm of the bodies.
  VectorXd units(const Plan& plan) {
    const double arm = arms().size() > 0 ? arms().maxCoeff() : 0.0;
    VectorXd all = VectorXd::Ones(coordinates());
    for (Index c = 0; c < all.size(); ++c)
      if (plan.coordinate_names[static_cast<std::size_t>(c)].unit == "m" && arm > 0.0) all(c) = arm;
    return all;
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
  // Calls visit(body, slot) for the points of features and joints, -1 being the ground.
  template <class Visit>
  void for_each_point(const Visit& visit) const {
    const kernels::PlanView& plan = arguments_.chunk.plan;
    for (int f = 0; f < plan.feature_count; ++f)
      if (plan.features[f].is_point != 0) visit(plan.features[f].body, plan.features[f].slot);
    for (int i = 0; i < plan.body_count; ++i) {
      visit(plan.bodies[i].parent, plan.bodies[i].parent_point_slot);
      visit(i, plan.bodies[i].child_point_slot);
    }
  }

  // The longest ways from the origins of bodies to their points.
  VectorXd arms() {
    VectorXd arm = VectorXd::Zero(arguments_.chunk.plan.body_count);
    for_each_point([&](int body, int slot) {
      if (body >= 0) arm(body) = std::max(arm(body), vector(layout_.slot + slot, 3).norm());
    });
    return arm;
  }

  // Points of bodies move by shares of the longest arm of their body, or of a metre.
  void disturb(std::minstd_rand& generator) {
    const kernels::PlanView& plan = arguments_.chunk.plan;
    const VectorXd arm = arms();
    const auto change = [&](Eigen::Ref<VectorXd> numbers, double size) {
      for (double& number : numbers)
        number +=
            kElsewhere * size * (2.0 * static_cast<double>(generator()) / generator.max() - 1.0);
    };
    for_each_point([&](int body, int slot) {
      if (body >= 0) change(vector(layout_.slot + slot, 3), arm(body) > 0.0 ? arm(body) : 1.0);
    });
    for (int f = 0; f < plan.feature_count; ++f)
      if (plan.features[f].is_point == 0)
        change(vector(layout_.slot + plan.features[f].slot, 3), 1.0);
    for (int i = 0; i < plan.body_count; ++i) {
      change(vector(layout_.slot + plan.bodies[i].parent_frame_slot, 9), 1.0);
      change(vector(layout_.slot + plan.bodies[i].child_frame_slot, 9), 1.0);
    }
    change(position(), 1.0);
  }

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

// Equations that hold whatever the coordinates leave round-off, which must not be divided by.
void assemble(Constraints& constraints, const std::vector<HeldRow>& held, const VectorXd& natural) {
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    constraints.evaluate();
    MatrixXd matrix = stacked(constraints.jacobian(), constraints.rows_of(held));
    VectorXd wanted = VectorXd::Zero(matrix.rows());
    wanted.head(natural.size()) = -constraints.value();
    for (Index i = 0; i < natural.size(); ++i)
      if (matrix.row(i).norm() < kNoise * natural(i)) matrix.row(i).setZero();
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

// Orthonormal basis of what the rows leave free. `scale` is the length that the longest would have
// if no terms cancelled in it.
MatrixXd free_motions(const MatrixXd& rows, double scale) {
  if (rows.rows() == 0) return MatrixXd::Identity(rows.cols(), rows.cols());
  const Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  const double least = kRedundancy * (values(0) > kNoise * scale ? values(0) : scale);
  Index rank = 0;
  while (rank < values.size() && values(rank) > least) ++rank;
  return svd.matrixV().rightCols(rows.cols() - rank);
}

// The rank that the rows have when each counts by itself, whatever its unit, but those that hold
// whatever the coordinates. Coordinates that are lengths count in arms.
Index even_rank(const MatrixXd& jacobian, const VectorXd& natural, const VectorXd& units) {
  MatrixXd even = jacobian * units.asDiagonal();
  for (Index i = 0; i < even.rows(); ++i)
    if (jacobian.row(i).norm() < kNoise * natural(i))
      even.row(i).setZero();
    else
      even.row(i).normalize();
  return even.cols() - free_motions(even, 1.0).cols();
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
  const VectorXd natural = constraints.natural_rows();
  const double scale = natural.maxCoeff();
  plan.constraint_scale = scale;
  assemble(constraints, plan.held_rows, natural);
  const MatrixXd jacobian = constraints.jacobian();
  const Index rank = jacobian.cols() - free_motions(jacobian.topRows(rows), scale).cols();
  mobility.redundant = rows - static_cast<int>(rank);
  const VectorXd units = constraints.units(plan);
  if (even_rank(jacobian.topRows(rows), natural, units) > rank)
    throw InputError(
        "model: found constraints whose scales are too far apart (beside the largest, " +
        std::to_string(rank) + " of " + std::to_string(rows) +
        " rows seem to be independent, by themselves more), use units in which lengths are about "
        "1, and expressions of about that size");
  if (plan.guesses.empty()) return mobility;
  if (constraints.value().lpNorm<Eigen::Infinity>() < kClosed)
    start_from(constraints.position(), plan);
  const MatrixXd motions =
      free_motions(stacked(jacobian, constraints.rows_of(plan.held_rows)), scale);
  if (motions.cols() == 0) return mobility;
  mobility.completed = choose(constraints, plan.guesses, motions);
  plan.hold(mobility.completed);
  return mobility;
}

}  // namespace gradus
