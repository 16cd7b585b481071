// Assembly by least squares: the shortest way from the guesses to a position that satisfies the
// constraints, the held rows staying as they are; then a look at what is still free to move.
#include "src/motion/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/open_readings.hpp"
#include "src/motion/row_groups.hpp"
#include "src/motion/singular_start.hpp"
#include "src/motion/split_order.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLongRow = 10.0;       // rows of mechanisms of some metres
constexpr double kSmall = 0.01;         // row, of a mechanism of some millimetres
constexpr double kLargestWeight = 1e6;  // of a row; round-off must not count for more

MatrixXd stacked(const MatrixXd& above, const MatrixXd& below) {
  MatrixXd all(above.rows() + below.rows(), above.cols());
  all << above, below;
  return all;
}

// Equations that hold whatever the coordinates leave round-off, which must not be divided by.
void assemble(StartConstraints& constraints, const std::vector<HeldRow>& held,
              const VectorXd& natural, const Scaling& scaling) {
  for (int iteration = 0; iteration < AssemblyLimits::iterations; ++iteration) {
    constraints.evaluate();
    const MatrixXd jacobian = constraints.jacobian();
    MatrixXd matrix = stacked(scaling.of(jacobian), constraints.rows_of(held));
    VectorXd wanted = VectorXd::Zero(matrix.rows());
    wanted.head(natural.size()) = -scaling.of_values(constraints.value());
    for (Index i = 0; i < natural.size(); ++i)
      if (jacobian.row(i).norm() < AssemblyLimits::noise * natural(i)) matrix.row(i).setZero();
    const VectorXd increment = shortest_solution(matrix, wanted, AssemblyLimits::redundancy);
    const double size = increment.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    constraints.position() +=
        scaling.units.cwiseProduct(increment) *
        std::min(1.0, AssemblyLimits::largest_increment / std::max(size, 1e-300));
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
  const PivotedColumns columns = pivoted_columns(moved, AssemblyLimits::redundancy);
  std::vector<HeldRow> chosen;
  const Index count = std::min(moved.rows(), moved.cols());
  for (Index i = 0; i < count; ++i) {
    if (std::abs(columns.pivots(i)) <= AssemblyLimits::redundancy) break;
    chosen.push_back(
        candidates[static_cast<std::size_t>(columns.order[static_cast<std::size_t>(i)])]);
  }
  return chosen;
}

// Expressions have the size that they are stated with: whether those that are stated small count is
// not for us to tell. In a mechanism that is small itself, lengths in them may be as small.
VectorXd with_stated_lengths(VectorXd lengths, const Plan& plan) {
  const double noise = AssemblyLimits::noise * lengths.maxCoeff();
  double shortest_of_joints = 1.0, longest_of_laws = 0.0;
  bool has_joints = false;
  for (const kernels::ConstraintEntry& constraint : plan.constraints)
    for (const double length : lengths.segment(constraint.row, constraint.rows)) {
      const bool is_law = constraint.kind == kernels::ConstraintKind::law;
      has_joints = has_joints || !is_law;
      if (is_law)
        longest_of_laws = std::max(longest_of_laws, length);
      else if (length > noise)
        shortest_of_joints = std::min(shortest_of_joints, length);
    }
  const double usual = has_joints ? shortest_of_joints : longest_of_laws;
  const double least = usual > 0.0 && usual < kSmall ? usual : 1.0;
  for (const kernels::ConstraintEntry& constraint : plan.constraints)
    if (constraint.kind == kernels::ConstraintKind::law)
      for (double& length : lengths.segment(constraint.row, constraint.rows))
        length = std::max(length, least);
  return lengths;
}

Index rank_of(const MatrixXd& rows, double longest) {
  return rows.cols() - free_motions(rows, longest).cols();
}

bool is_closed(StartConstraints& constraints, const Scaling& scaling) {
  return scaling.of_values(constraints.value()).lpNorm<Eigen::Infinity>() < AssemblyLimits::closed;
}

// Rows that are short by nature, as those of a mechanism of some millimetres, hold to a share of
// their length. Units by which some are short beside others let pivots be small.
void weigh_rows(const VectorXd& natural, const Scaling& scaling, const VectorXd& units,
                Plan& plan) {
  plan.row_weights.clear();
  plan.row_lengths.clear();
  plan.coordinate_units.assign(units.begin(), units.end());
  const double least = AssemblyLimits::noise * natural.maxCoeff();
  for (const double length : natural)
    plan.row_weights.push_back(length > least ? std::clamp(kLongRow / length, 1.0, kLargestWeight)
                                              : 1.0);
  double longest = 1.0, shortest = 1.0;
  for (const double length : natural) {
    plan.row_lengths.push_back(length > least ? length : 1.0);
    longest = std::max(longest, plan.row_lengths.back());
    shortest = std::min(shortest, plan.row_lengths.back());
  }
  plan.pivot_spread = scaling.is_one ? 1.0 : shortest / longest;
  plan.largest_weight =
      plan.row_weights.empty() ? 1.0 : *std::ranges::max_element(plan.row_weights);
}

// Where an equilibrium is looked for, stated positions are where the search begins: those that the
// constraints do not allow become guesses. As many of their rates are held as are then free.
void release_positions(StartConstraints& constraints, const VectorXd& natural,
                       const Scaling& scaling, Plan& plan) {
  if (plan.from_equilibrium == 0 || plan.held_rows.empty() || ties(plan, true).empty()) return;
  const VectorXd stated = constraints.position();
  assemble(constraints, plan.held_rows, natural, scaling);
  const bool closed = is_closed(constraints, scaling);
  const auto chosen = [&] {
    const MatrixXd jacobian = scaling.of(constraints.jacobian());
    return choose(constraints, plan.held_rows, free_motions(jacobian, scaling.longest));
  };
  const bool fit = closed && chosen().size() == plan.held_rows.size();
  constraints.position() = stated;
  if (fit) return;
  assemble(constraints, {}, natural, scaling);
  const std::vector<HeldRow> kept = chosen();
  plan.guesses.insert(plan.guesses.end(), plan.held_rows.begin(), plan.held_rows.end());
  plan.held_rows.clear();
  plan.hold(kept);
}

// What rolls is pressed by the constraint that keeps it on its surface, unless joints do that
// already.
void require_normal_forces(StartConstraints& constraints, const VectorXd& natural,
                           const Plan& plan) {
  const MatrixXd jacobian = constraints.jacobian();
  for (const int k : plan.shown_normals) {
    const int row = plan.constraints[static_cast<std::size_t>(k)].row;
    if (jacobian.row(row).norm() >= AssemblyLimits::noise * natural(row)) continue;
    const std::string& name = plan.constraint_names[static_cast<std::size_t>(k)];
    throw InputError(
        "/forces/" + name +
        ": joints alone keep it at its distance from the surface, so that they carry "
        "the load, and a sensor \"normal_force\" would show 0; let it move towards the "
        "surface, or remove the sensor");
  }
}

// What holds at the start only must find its equations undetermined: where the other constraints
// determine some already, these say nothing, or contradict.
void require_start_rows(const MatrixXd& jacobian, Index rank, double longest, const Plan& plan) {
  const std::size_t first =
      plan.constraints.size() - static_cast<std::size_t>(plan.start_constraints);
  for (std::size_t k = first; k + plan.joint_starts < plan.constraints.size(); ++k) {
    const kernels::ConstraintEntry& constraint = plan.constraints[k];
    const Index with = rank_of(jacobian.topRows(constraint.row + constraint.rows), longest);
    if (with == rank + constraint.rows) {
      rank = with;
      continue;
    }
    throw InputError("/constraints/" + plan.constraint_names[k] + ": found " +
                     std::to_string(constraint.rows) +
                     (constraint.rows == 1 ? " equation" : " equations") +
                     " of the start, of which joints and the other constraints leave " +
                     std::to_string(with - rank) +
                     "; state what they leave, by expressions of single components, or nothing");
  }
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

std::string held_name(const Plan& plan, const HeldRow& row) {
  const std::string name = plan.coordinate_names[static_cast<std::size_t>(row.coordinate)].name;
  return row.turn < 0 ? name : name.substr(0, name.rfind('.')) + " about " + "xyz"[row.turn];
}

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
  // Nothing is left to determine in an open tree, and its normalisations are independent. It has
  // guesses where constraints of the start alone are gone (Extension).
  if (ties(plan).empty() && plan.start_rows == 0) {
    mobility.completed = plan.guesses;
    plan.hold(mobility.completed);
    return mobility;
  }
  if (plan.coordinate_count() == 0) return mobility;
  StartConstraints constraints(plan);
  if (constraints.failed()) return mobility;
  const VectorXd units = constraints.units(plan);
  VectorXd even;
  const VectorXd natural = constraints.natural_rows(units, even);
  const Scaling scaling(natural, with_stated_lengths(even, plan), units);
  weigh_rows(even, scaling, units, plan);
  plan.constraint_scale = natural.maxCoeff();
  release_positions(constraints, natural, scaling, plan);
  assemble(constraints, plan.held_rows, natural, scaling);
  require_normal_forces(constraints, natural, plan);
  MatrixXd jacobian = scaling.of(constraints.jacobian());
  Index rank = rank_of(jacobian.topRows(rows), scaling.longest);
  if (rank < rows && is_closed(constraints, scaling))
    plan.singular_start = row_of_singularity(constraints, jacobian.topRows(rows), rank, scaling);
  if (plan.singular_start > 0 && begins_beside &&
      shift_start(constraints, jacobian.topRows(rows), scaling, plan)) {
    jacobian = scaling.of(constraints.jacobian());
    rank = rank_of(jacobian.topRows(rows), scaling.longest);
  }
  mobility.redundant = rows - static_cast<int>(rank);
  if (plan.start_rows > 0 && plan.singular_start == 0 && is_closed(constraints, scaling))
    require_start_rows(jacobian, rank, scaling.longest, plan);
  group_rows(constraints, units, rows, rank, plan);
  order_split(constraints, rows, rank, plan);
  if (mobility.redundant > 0 && plan.singular_start == 0 && !plan.algebraic_laws.empty())
    mobility.open_readings = open_readings(constraints, jacobian.topRows(rows), scaling, plan);
  if (plan.singular_start == 0 &&
      even_rank(constraints.jacobian().topRows(rows), natural, units) > rank)
    throw InputError(
        "model: found constraints whose scales are too far apart (beside the largest, " +
        std::to_string(rank) + " of " + std::to_string(rows) +
        " rows seem to be independent, by themselves more), use units in which lengths are about "
        "1, and expressions of about that size");
  if (plan.guesses.empty()) return mobility;
  if (is_closed(constraints, scaling)) start_from(constraints.position(), plan);
  const MatrixXd motions =
      free_motions(stacked(jacobian, constraints.rows_of(plan.held_rows)), scaling.longest);
  if (motions.cols() == 0) return mobility;
  mobility.completed = choose(constraints, plan.guesses, motions);
  plan.hold(mobility.completed);
  return mobility;
}

}  // namespace gradus
