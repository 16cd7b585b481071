// The constraints at the start of the nominal design, as dense matrices, for those who look for
// positions that satisfy them.
#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

#include "kernels/launch/host.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

struct AssemblyLimits {
  static constexpr double redundancy = 1e-6;  // singular values this much smaller count as none
  static constexpr double noise =
      1e-9;  // rows this small beside their natural length are round-off
  static constexpr int iterations = 100;
  static constexpr double converged = 1e-11;
  static constexpr double largest_increment = 0.5;
  static constexpr double closed = 1e-9;  // largest constraint of an assembled mechanism
};

// Lengths by which rows and coordinates are divided to be compared: 1 in mechanisms of about a
// metre, their natural lengths in those that are much smaller or larger.
struct Scaling {
  Eigen::VectorXd rows, units;
  double longest;  // row, so divided, if no terms cancelled in it
  bool is_one = true;

  Scaling(const Eigen::VectorXd& natural, const Eigen::VectorXd& even,
          const Eigen::VectorXd& coordinate_units);

  // Of the first rows.
  Eigen::MatrixXd of(const Eigen::MatrixXd& jacobian) const;
  Eigen::VectorXd of_values(const Eigen::VectorXd& values) const {
    return values.cwiseQuotient(rows.head(values.size()));
  }
};

// The constraints of one design at the nominal parameters.
class StartConstraints {
 public:
  explicit StartConstraints(const Plan& plan) : StartConstraints(plan, plan.nominal) {}
  StartConstraints(const Plan& plan, const std::vector<double>& parameters);

  // Lengths of the rows of the Jacobian if no terms cancelled in them: the largest among those here
  // and where points, directions and coordinates are slightly different, and among what that does
  // to the equations themselves. `even` takes the largest entries of the rows where coordinates
  // count in their units.
  Eigen::VectorXd natural_rows(const Eigen::VectorXd& units, Eigen::VectorXd& even);

  // The Jacobians where points, directions, coordinates and the time are slightly different.
  std::vector<Eigen::MatrixXd> jacobians_elsewhere(const Eigen::VectorXd& units);

  // What a coordinate counts in: 1 rad, or the longest arm of the bodies, of the ground if these
  // have none.
  Eigen::VectorXd units(const Plan& plan);

  double slot(int number) { return memory_[static_cast<std::size_t>(layout_.slot + number)]; }

  // The instant at which they are evaluated [s].
  void set_time(double time) { memory_[static_cast<std::size_t>(layout_.time)] = time; }

  bool failed() const { return status_ != kernels::Status::ok; }
  Eigen::Map<Eigen::VectorXd> position() { return vector(layout_.position, coordinates()); }
  // Of a body of the plan, where it was evaluated: its axes, and where their origin is.
  Eigen::Matrix3d rotation(int body) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        memory_.data() + layout_.rotation + 9 * body);
  }
  Eigen::Vector3d origin(int body) { return vector(layout_.origin + 3 * body, 3); }
  void evaluate() { launch_(kernels::KernelId::evaluate_constraints, arguments_); }
  Eigen::VectorXd value() { return vector(layout_.constraint, rows()); }
  Eigen::MatrixXd jacobian();

  // The laws of rates that nonholonomic constraints keep at 0, by the rates of all coordinates.
  // After evaluate().
  Eigen::MatrixXd rate_laws();

  // What the sensors show at rest where constraints exert these multipliers besides, one for each
  // row.
  Eigen::VectorXd signals_by(const Eigen::VectorXd& multipliers);

  // A law of the plan where sensors show these signals and all that parameters move in it is other
  // than it is, by what `seed` says. NaN unless it is made of positions, numbers and sensors by
  // smooth operations, and no parameter moves its points and directions within their bodies.
  double law_at(const Plan& plan, int number, const Eigen::VectorXd& signals, unsigned seed);

  // The row of something held, at the current position.
  Eigen::VectorXd row(const HeldRow& held);
  Eigen::MatrixXd rows_of(const std::vector<HeldRow>& held);

 private:
  Eigen::VectorXd largest_entries(const Eigen::VectorXd& units);

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
  Eigen::VectorXd arms();

  // What holds even where points are elsewhere, as that the point of a joint is where it is, leaves
  // round-off: rows have the length of the terms that cancel, directions or the longest way to a
  // point or a body. Of laws nobody can tell: they may be stated as small.
  void lengthen_round_off(Eigen::VectorXd& natural);

  // Points of bodies move by shares of the longest arm of their body, or of all, or of a metre, and
  // frames turn, so that lengths do not grow along a chain. What several have in common is
  // disturbed once.
  void disturb(std::minstd_rand& generator, const Eigen::VectorXd& units);

  Eigen::Index coordinates() const { return arguments_.chunk.plan.coordinate_count; }
  Eigen::Index rows() const { return arguments_.chunk.plan.constraint_rows; }
  Eigen::Map<Eigen::VectorXd> vector(int offset, Eigen::Index size) {
    return {memory_.data() + offset, size};
  }

  static constexpr double kElsewhere = 0.1;  // share of its size by which a number is disturbed
  static constexpr int kDisturbances = 3;
  static constexpr double kRoundOff = 1e-13;  // a thousand times that of a sum of few terms

  kernels::Launch launch_ = host_kernels();
  kernels::Layout layout_;
  std::vector<double> memory_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::KernelArguments<double, false> arguments_{};
};

// Orthonormal basis of what the rows leave free. `scale` is the length that the longest would have
// if no terms cancelled in it.
Eigen::MatrixXd free_motions(const Eigen::MatrixXd& rows, double scale);

}  // namespace gradus
