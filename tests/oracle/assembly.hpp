// Closes the loops at the start, and brings what is driven to its place: Newton on the dependent
// joint coordinates, then a linear solve for their rates.
#pragma once

#include "tests/oracle/placement.hpp"
#include "tests/oracle/projection.hpp"

namespace oracle {

// One entry per dependent rate: the joint and the place of the rate in it.
struct DependentRate {
  std::size_t joint;
  Eigen::Index place;
};

template <typename S>
std::vector<DependentRate> dependent_rates(const Model<S>& model) {
  std::vector<DependentRate> dependent;
  for (std::size_t joint = 0; joint < model.joints.size(); ++joint) {
    if (!model.joints[joint].dependent) continue;
    for (int place = 0; place < rate_count(model.joints[joint].type); ++place)
      dependent.push_back({joint, place});
  }
  return dependent;
}

// Derivative of the loop equations with respect to the dependent coordinates. A unit rate of one
// coordinate moves the bodies with a velocity that is the derivative of their placement, so no
// further formulas are needed.
template <typename S>
MatrixX<S> loop_jacobian(const Model<S>& model, const JointValues<S>& values,
                         const std::vector<DependentRate>& columns,
                         const MatrixX<S>& cartesian_jacobian) {
  JointValues<S> unit_rates = values;
  for (VectorX<S>& rates : unit_rates.rates) rates.setZero();
  MatrixX<S> jacobian(cartesian_jacobian.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t column = 0; column < columns.size(); ++column) {
    S& rate = unit_rates.rates[columns[column].joint](columns[column].place);
    rate = S(1);
    jacobian.col(static_cast<Eigen::Index>(column)) =
        cartesian_jacobian * place_tree(model, unit_rates).velocity;
    rate = S(0);
  }
  return jacobian;
}

// The perpendicularity equations hold as well when the child is turned over; such an assembly is
// not the joint meant.
template <typename S>
void check_orientation(const Model<S>& model, const State<S>& state) {
  for (const Joint<S>& joint : model.loops) {
    const Matrix3<S> parent =
        body_motion(model, state, joint.parent).rotation * frame(joint.axis, joint.zero);
    const Matrix3<S> child =
        body_motion(model, state, joint.child).rotation * frame(joint.child_axis, joint.child_zero);
    const bool free_axis = joint.type == JointType::kSpherical ||
                           joint.type == JointType::kUniversal || joint.type == JointType::kFree;
    const bool fixed_turn = joint.type == JointType::kFixed || joint.type == JointType::kPrismatic;
    if ((!free_axis && real_part(inner(parent.col(0), child.col(0))) < 0.0) ||
        (fixed_turn && real_part(inner(parent.col(1), child.col(1))) < 0.0)) {
      throw std::runtime_error("a loop closed with its joint turned over; give a better guess");
    }
  }
}

// The start of the motion: `values` receives the joint coordinates and rates that close the loops,
// if wanted.
template <typename S>
State<S> assemble(const Model<S>& model, JointValues<S>* closed_values = nullptr) {
  JointValues<S> values = start_values(model);
  const std::vector<DependentRate> columns = dependent_rates(model);
  for (const DependentRate& column : columns) values.rates[column.joint].setZero();
  State<S> state = place_tree(model, values);
  Constraints<S> loops = evaluate_closures(model, state);

  bool converged = largest_real(loops.value) < kConstraintTolerance;
  for (int iteration = 0; !columns.empty() && iteration < kIterationLimit; ++iteration) {
    VectorX<S> change =
        consistent_solution<S>(loop_jacobian(model, values, columns, loops.jacobian), -loops.value);
    const double longest = largest_real(change);
    // Far from the solution Newton may jump into another assembly; half a radian or metre at a time
    // it follows the guess.
    if (longest > 0.5) change *= S(0.5 / longest);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto [joint, place] = columns[i];
      VectorX<S> joint_change = VectorX<S>::Zero(values.rates[joint].size());
      joint_change(place) = change(static_cast<Eigen::Index>(i));
      change_coordinates(model.joints[joint].type, joint_change, values.coordinates[joint]);
    }
    state = place_tree(model, values);
    loops = evaluate_closures(model, state);
    // As in project_positions, one iteration more than the real parts need.
    if (converged) break;
    converged = largest_real(loops.value) < kConstraintTolerance;
  }
  if (!(largest_real(loops.value) < 1e2 * kConstraintTolerance))
    throw std::runtime_error("the loops do not close");
  check_orientation(model, state);

  if (!columns.empty()) {
    const VectorX<S> rates =
        consistent_solution<S>(loop_jacobian(model, values, columns, loops.jacobian),
                               loops.velocity - loops.jacobian * state.velocity);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      values.rates[columns[i].joint](columns[i].place) = rates(static_cast<Eigen::Index>(i));
    }
    state = place_tree(model, values);
  }
  if (!(largest_real(loops.jacobian * state.velocity - loops.velocity) <
        1e-9 * (1.0 + largest_real(state.velocity)))) {
    throw std::runtime_error("the independent start rates contradict the loops");
  }
  if (closed_values != nullptr) *closed_values = values;
  return state;
}

}  // namespace oracle
