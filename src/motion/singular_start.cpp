// Singular starts, found by positions beside them that satisfy all constraints.
#include "src/motion/singular_start.hpp"

#include <random>

#include "src/motion/decompositions.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kBeside = 0.05;       // how far away neighbours are looked for [rad or m]
constexpr double kLaterBeside = 0.01;  // and when [s], for the second half of the attempts
constexpr int kNeighbours = 4;

// Goes this far from the present position, and from there the shortest way to one that satisfies
// the durable rows, the first so many. Returns whether there is one, neither here nor far away.
bool move_beside(StartConstraints& constraints, const VectorXd& change, const Scaling& scaling,
                 int rows) {
  const VectorXd here = constraints.position();
  constraints.position() += scaling.units.cwiseProduct(change);
  double size = 1.0;
  for (int iteration = 0;
       iteration < AssemblyLimits::iterations && size > AssemblyLimits::converged; ++iteration) {
    constraints.evaluate();
    const VectorXd increment = shortest_solution(scaling.of(constraints.jacobian().topRows(rows)),
                                                 -scaling.of_values(constraints.value().head(rows)),
                                                 AssemblyLimits::redundancy);
    size = increment.lpNorm<Eigen::Infinity>();
    if (!(size < AssemblyLimits::largest_increment)) return false;
    constraints.position() += scaling.units.cwiseProduct(increment);
  }
  constraints.evaluate();
  const double way = (constraints.position() - here).cwiseQuotient(scaling.units).norm();
  return size <= AssemblyLimits::converged &&
         scaling.of_values(constraints.value().head(rows)).lpNorm<Eigen::Infinity>() <
             AssemblyLimits::closed &&
         way > 0.1 * change.norm() && way < 10.0 * change.norm();
}

// A random combination of motions, of a length about that given.
VectorXd random_motion(const MatrixXd& motions, double length, std::minstd_rand& generator) {
  VectorXd motion = VectorXd::Zero(motions.rows());
  for (Index j = 0; j < motions.cols(); ++j)
    motion +=
        length * motions.col(j) * (2.0 * static_cast<double>(generator()) / generator.max() - 1.0);
  return motion;
}

// How far beside a singular configuration a motion begins that is to begin in one [rad or m].
constexpr double kStartBeside = 1e-4;
constexpr int kWays = 16;  // that are tried

// Goes to a position `kStartBeside` from the singular one at hand, on a way that the held
// coordinates go at the start and that closes all rows; stays where there is none, and returns
// false.
bool begin_beside(StartConstraints& constraints, const MatrixXd& motions, const Scaling& scaling,
                  const Plan& plan, int rows) {
  const VectorXd start = constraints.position();
  std::minstd_rand generator;
  for (int way = 0; way < kWays; ++way) {
    bool found =
        move_beside(constraints, random_motion(motions, kBeside, generator), scaling, rows);
    const VectorXd direction = (constraints.position() - start).cwiseQuotient(scaling.units);
    for (const HeldRow& row : plan.held_rows) {
      if (row.turn >= 0) return false;
      const double rate = constraints.slot(
          plan.coordinates[static_cast<std::size_t>(row.coordinate)].velocity_slot);
      found = found && rate * direction(row.coordinate) >= 0.0;
    }
    constraints.position() = start;
    if (found &&
        move_beside(constraints, kStartBeside / direction.norm() * direction, scaling, rows))
      return true;
    constraints.position() = start;
  }
  constraints.evaluate();
  return false;
}

}  // namespace

bool move_beside(StartConstraints& constraints, const MatrixXd& motions, const Scaling& scaling,
                 int rows, std::minstd_rand& generator) {
  return move_beside(constraints, random_motion(motions, kBeside, generator), scaling, rows);
}

int row_of_singularity(StartConstraints& constraints, const MatrixXd& jacobian, Index rank,
                       const Scaling& scaling) {
  const auto rows = static_cast<int>(jacobian.rows());
  const VectorXd start = constraints.position();
  const MatrixXd motions = free_motions(jacobian, scaling.longest);
  std::minstd_rand generator;
  int found = 0;
  bool moved = false;
  for (int attempt = 0; attempt < kNeighbours && !moved; ++attempt) {
    constraints.set_time(2 * attempt < kNeighbours ? 0.0 : kLaterBeside);
    moved = move_beside(constraints, motions, scaling, rows, generator);
    const MatrixXd beside = scaling.of(constraints.jacobian().topRows(rows));
    constraints.position() = start;
    if (!moved || beside.cols() - free_motions(beside, scaling.longest).cols() <= rank) continue;
    // The combination of rows that is nothing here and most of all beside it.
    const MatrixXd nothing = free_motions(jacobian.transpose(), scaling.longest);
    Index row = 0;
    (nothing * first_left_vector(nothing.transpose() * beside)).cwiseAbs().maxCoeff(&row);
    found = static_cast<int>(row) + 1;
  }
  constraints.set_time(0.0);
  constraints.evaluate();
  return found;
}

bool shift_start(StartConstraints& constraints, const MatrixXd& jacobian, const Scaling& scaling,
                 Plan& plan) {
  const VectorXd start = constraints.position();
  const auto rows = static_cast<int>(jacobian.rows());
  if (plan.start_rows > 0 ||
      !begin_beside(constraints, free_motions(jacobian, scaling.longest), scaling, plan, rows))
    return false;
  const VectorXd shift = constraints.position() - start;
  plan.start_shift.assign(static_cast<std::size_t>(shift.size()), 0.0);
  for (const HeldRow& row : plan.held_rows)
    plan.start_shift[static_cast<std::size_t>(row.coordinate)] = shift(row.coordinate);
  return true;
}

}  // namespace gradus
