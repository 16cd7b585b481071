// The constraints at the start of the nominal design, as dense matrices, for those who look for
// positions that satisfy them.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "kernels/launch/host.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/mechanism.hpp"

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
          const Eigen::VectorXd& coordinate_units)
      : rows(Eigen::VectorXd::Ones(even.size())),
        units(Eigen::VectorXd::Ones(coordinate_units.size())),
        longest(natural.maxCoeff()) {
    const double least = AssemblyLimits::noise * even.maxCoeff();
    const auto is_usual = [&](double length) {
      return (length > 0.01 && length < 100.0) || length <= least;
    };
    if (std::all_of(even.begin(), even.end(), is_usual) &&
        std::all_of(coordinate_units.begin(), coordinate_units.end(), is_usual))
      return;
    is_one = false;
    units = coordinate_units;
    rows = (even.array() > least).select(even, Eigen::VectorXd::Ones(even.size()));
    longest = 1.0;
  }

  // Of the first rows.
  Eigen::MatrixXd of(const Eigen::MatrixXd& jacobian) const {
    return rows.head(jacobian.rows()).cwiseInverse().asDiagonal() * jacobian * units.asDiagonal();
  }
  Eigen::VectorXd of_values(const Eigen::VectorXd& values) const {
    return values.cwiseQuotient(rows.head(values.size()));
  }
};

// The constraints of one design at the nominal parameters.
class StartConstraints {
 public:
  explicit StartConstraints(const Plan& plan)
      : layout_(make_layout(plan.view(), Sensitivity::none)) {
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
  // to the equations themselves. `even` takes the largest entries of the rows where coordinates
  // count in their units.
  Eigen::VectorXd natural_rows(const Eigen::VectorXd& units, Eigen::VectorXd& even) {
    evaluate();
    Eigen::VectorXd natural = jacobian().rowwise().norm();
    even = largest_entries(units);
    const Eigen::VectorXd value_here = value();
    const std::vector<double> here = memory_;
    std::minstd_rand generator;  // the same every time
    for (int k = 0; k < kDisturbances; ++k) {
      disturb(generator, units);
      evaluate();
      natural = natural.cwiseMax(jacobian().rowwise().norm())
                    .cwiseMax((value() - value_here).cwiseAbs() / kElsewhere);
      even = even.cwiseMax(largest_entries(units));
      std::copy(here.begin(), here.end(), memory_.begin());
    }
    // What holds wherever the bodies are shows in the values only.
    even = (even.array() > AssemblyLimits::noise * natural.array()).select(even, natural);
    evaluate();
    return natural;
  }

  // The Jacobians where points, directions, coordinates and the time are slightly different.
  std::vector<Eigen::MatrixXd> jacobians_elsewhere(const Eigen::VectorXd& units) {
    std::vector<Eigen::MatrixXd> all;
    const std::vector<double> here = memory_;
    std::minstd_rand generator;
    for (int k = 0; k < kDisturbances; ++k) {
      disturb(generator, units);
      set_time(kElsewhere * k);
      evaluate();
      all.push_back(jacobian());
      std::copy(here.begin(), here.end(), memory_.begin());
    }
    evaluate();
    return all;
  }

  // What a coordinate counts in: 1 rad, or the longest arm of the bodies, of the ground if these
  // have none.
  Eigen::VectorXd units(const Plan& plan) {
    double arm = arms().size() > 0 ? arms().maxCoeff() : 0.0;
    if (!(arm > 0.0))
      for_each_point(
          [&](int, int slot) { arm = std::max(arm, vector(layout_.slot + slot, 3).norm()); });
    Eigen::VectorXd all = Eigen::VectorXd::Ones(coordinates());
    for (Eigen::Index c = 0; c < all.size(); ++c)
      if (plan.coordinate_names[static_cast<std::size_t>(c)].unit == "m" && arm > 0.0) all(c) = arm;
    return all;
  }

  double slot(int number) { return memory_[static_cast<std::size_t>(layout_.slot + number)]; }

  // The instant at which they are evaluated [s].
  void set_time(double time) { memory_[static_cast<std::size_t>(layout_.time)] = time; }

  bool failed() const { return status_ != kernels::Status::ok; }
  Eigen::Map<Eigen::VectorXd> position() { return vector(layout_.position, coordinates()); }
  void evaluate() { launch_(kernels::KernelId::evaluate_constraints, arguments_); }
  Eigen::VectorXd value() { return vector(layout_.constraint, rows()); }
  Eigen::MatrixXd jacobian() {
    const Eigen::VectorXd flat = vector(layout_.jacobian, rows() * coordinates());
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        flat.data(), rows(), coordinates());
  }

  // The row of something held, at the current position.
  Eigen::VectorXd row(const HeldRow& held) {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(coordinates());
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
  Eigen::MatrixXd rows_of(const std::vector<HeldRow>& held) {
    Eigen::MatrixXd b(static_cast<Eigen::Index>(held.size()), coordinates());
    for (std::size_t i = 0; i < held.size(); ++i)
      b.row(static_cast<Eigen::Index>(i)) = row(held[i]).transpose();
    return b;
  }

 private:
  Eigen::VectorXd largest_entries(const Eigen::VectorXd& units) {
    return (jacobian() * units.asDiagonal()).cwiseAbs().rowwise().maxCoeff();
  }

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
  Eigen::VectorXd arms() {
    Eigen::VectorXd arm = Eigen::VectorXd::Zero(arguments_.chunk.plan.body_count);
    for_each_point([&](int body, int slot) {
      if (body >= 0) arm(body) = std::max(arm(body), vector(layout_.slot + slot, 3).norm());
    });
    return arm;
  }

  // Points of bodies move by shares of the longest arm of their body, or of all, or of a metre, and
  // frames turn, so that lengths do not grow along a chain. What several have in common is
  // disturbed once.
  void disturb(std::minstd_rand& generator, const Eigen::VectorXd& units) {
    const kernels::PlanView& plan = arguments_.chunk.plan;
    Eigen::VectorXd arm = arms();
    const double longest = arm.size() > 0 ? arm.maxCoeff() : 0.0;
    for (double& length : arm)
      if (!(length > 0.0)) length = longest > 0.0 ? longest : 1.0;
    const auto random = [&] {
      return kElsewhere * (2.0 * static_cast<double>(generator()) / generator.max() - 1.0);
    };
    std::set<int> disturbed;
    const auto change = [&](int slot, double size) {
      if (!disturbed.insert(slot).second) return;
      for (double& number : vector(layout_.slot + slot, 3)) number += size * random();
    };
    const auto turn = [&](int slot) {
      if (!disturbed.insert(slot).second) return;
      const Eigen::Vector3d by{random(), random(), random()};
      double* const first = memory_.data() + layout_.slot + slot;
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> frame(first);
      frame = (frame * Eigen::AngleAxisd(by.norm(), by.normalized())).eval();
    };
    for_each_point([&](int body, int slot) {
      if (body >= 0) change(slot, arm(body));
    });
    for (int f = 0; f < plan.feature_count; ++f)
      if (plan.features[f].is_point == 0) change(plan.features[f].slot, 1.0);
    for (int i = 0; i < plan.body_count; ++i) {
      turn(plan.bodies[i].parent_frame_slot);
      turn(plan.bodies[i].child_frame_slot);
    }
    for (Eigen::Index c = 0; c < coordinates(); ++c) position()(c) += units(c) * random();
  }

  Eigen::Index coordinates() const { return arguments_.chunk.plan.coordinate_count; }
  Eigen::Index rows() const { return arguments_.chunk.plan.constraint_rows; }
  Eigen::Map<Eigen::VectorXd> vector(int offset, Eigen::Index size) {
    return {memory_.data() + offset, size};
  }

  static constexpr double kElsewhere = 0.1;  // share of its size by which a number is disturbed
  static constexpr int kDisturbances = 3;

  kernels::Launch launch_ = host_kernels();
  kernels::Layout layout_;
  std::vector<double> memory_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::KernelArguments<double, false> arguments_{};
};

// Orthonormal basis of what the rows leave free. `scale` is the length that the longest would have
// if no terms cancelled in it.
inline Eigen::MatrixXd free_motions(const Eigen::MatrixXd& rows, double scale) {
  if (rows.rows() == 0) return Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  const double least =
      AssemblyLimits::redundancy * (values(0) > AssemblyLimits::noise * scale ? values(0) : scale);
  Eigen::Index rank = 0;
  while (rank < values.size() && values(rank) > least) ++rank;
  return svd.matrixV().rightCols(rows.cols() - rank);
}

}  // namespace gradus
