// Motion in joint coordinates and reactions.
#include "tests/oracle/oracle.hpp"

namespace oracle {

JointMotion joint_motion(const Model<double>& model, const State<double>& state,
                         const Eigen::VectorXd& acceleration, const Joint<double>& joint,
                         int coordinate) {
  const Quantity<double> z = coordinate_quantity(model, state, joint, coordinate);
  return {z.value, z.rate, z.gradient.dot(acceleration) + z.bias};
}

Eigen::VectorXd multipliers(const Model<double>& model, const State<double>& state,
                            const Eigen::VectorXd& acceleration, double time) {
  const Eigen::MatrixXd jacobian = evaluate_constraints(model, state, time).jacobian;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(kRankThreshold);
  factors.compute(jacobian.transpose());
  return factors.solve(load_vector(model, state, time) - mass_matrix(model, state) * acceleration);
}

Wrench wrench_on_child(const Model<double>& model, const State<double>& state,
                       const Joint<double>& joint, const Eigen::VectorXd& load) {
  const bool grounded = joint.child == kGround;
  const int body = grounded ? joint.parent : joint.child;
  const double sign = grounded ? -1.0 : 1.0;
  const Vector3<double> force = sign * load.segment<3>(6 * body);
  const Vector3<double> moment = sign * load.segment<3>(6 * body + 3);
  const Vector3<double> arm = point_position(model, state, joint.child, joint.child_point) -
                              body_motion(model, state, body).position;
  return {force, moment - cross(arm, force)};
}

std::vector<Eigen::VectorXd> reaction_loads(const Model<double>& model, const State<double>& state,
                                            const Eigen::VectorXd& acceleration, double time) {
  const Eigen::MatrixXd jacobian = evaluate_constraints(model, state, time).jacobian;
  const Eigen::VectorXd forces = multipliers(model, state, acceleration, time);
  std::vector<Eigen::VectorXd> loads;
  Eigen::Index row = 0;
  for (std::size_t j = 0; j < model.joint_count(); ++j) {
    const Eigen::Index count = constraint_count(model.joint(j).type);
    loads.push_back(-jacobian.middleRows(row, count).transpose() * forces.segment(row, count));
    row += count;
  }
  return loads;
}

void add_actuator_loads(const Model<double>& model, const State<double>& state,
                        const Eigen::VectorXd& acceleration, double time,
                        std::vector<Eigen::VectorXd>& loads) {
  for (const JointForce<double>& force : model.joint_forces)
    add_joint_force(model, state, force, time, loads[force.joint]);
  const Eigen::VectorXd forces = multipliers(model, state, acceleration, time);
  const Constraints<double> drivers = evaluate_drivers(model, state, time);
  const Eigen::Index first = forces.size() - drivers.value.size();
  Eigen::Index row = 0;
  for (const Driver<double>& driver : model.drivers) {
    if (driver.kind == DriverKind::kCoordinate)
      loads[driver.joint] -= drivers.jacobian.row(row).transpose() * forces(first + row);
    row += driver_count(driver.kind);
  }
}

std::vector<Wrench> wrenches(const Model<double>& model, const State<double>& state,
                             const std::vector<Eigen::VectorXd>& loads) {
  std::vector<Wrench> result;
  for (std::size_t j = 0; j < loads.size(); ++j)
    result.push_back(wrench_on_child(model, state, model.joint(j), loads[j]));
  return result;
}

std::vector<Wrench> joint_reactions(const Model<double>& model, const State<double>& state,
                                    const Eigen::VectorXd& acceleration, double time) {
  return wrenches(model, state, reaction_loads(model, state, acceleration, time));
}

std::vector<Wrench> joint_wrenches(const Model<double>& model, const State<double>& state,
                                   const Eigen::VectorXd& acceleration, double time) {
  std::vector<Eigen::VectorXd> loads = reaction_loads(model, state, acceleration, time);
  add_actuator_loads(model, state, acceleration, time, loads);
  return wrenches(model, state, loads);
}

}  // namespace oracle
