// Reads states of the oracle from trajectories.
#include "tests/support/mechanism_state.hpp"

#include <cctype>
#include <stdexcept>

namespace gradus::test {
namespace {

// The columns of a joint's coordinates in a trajectory: those named as it, or "joint.something".
std::vector<std::size_t> coordinate_columns(const Result& result, const std::string& joint) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < result.coordinates.size(); ++c) {
    const std::string& name = result.coordinates[c].name;
    const bool begins = name.compare(0, joint.size(), joint) == 0;
    const bool ends = name.size() == joint.size() ||
                      (begins && std::isalnum(static_cast<unsigned char>(name[joint.size()])) == 0);
    if (begins && ends) columns.push_back(c);
  }
  return columns;
}

// Angular velocity, in the axes in which the Euler parameters turn, from the parameters and their
// rates: omega = 2 [-e, skew(e) + e0 I] dp/dt.
Eigen::Vector3d angular_velocity(const Eigen::Vector4d& p, const Eigen::Vector4d& rate) {
  const Eigen::Vector3d e = p.tail<3>(), e_rate = rate.tail<3>();
  return 2.0 * (p(0) * e_rate - rate(0) * e + e.cross(e_rate)) / p.squaredNorm();
}

// Rates of the oracle's joint from coordinates and their derivatives.
Eigen::VectorXd joint_rates(oracle::JointType type, const Eigen::VectorXd& coordinates,
                            const Eigen::VectorXd& derivatives) {
  if (!has_euler_parameters(type)) return derivatives;
  Eigen::VectorXd rates(oracle::rate_count(type));
  rates << derivatives.head(derivatives.size() - 4),
      angular_velocity(coordinates.tail<4>(), derivatives.tail<4>());
  return rates;
}

// Coordinates and rates of all tree joints at a recorded time.
oracle::JointValues<double> joint_values(const MechanismPair& pair, const Result& result,
                                         std::size_t time) {
  oracle::JointValues<double> values;
  const Trajectory& trajectory = result.trajectories[0];
  const std::size_t row = time * result.coordinates.size();
  for (std::size_t j = 0; j < pair.reference.joints.size(); ++j) {
    const oracle::JointType type = pair.reference.joints[j].type;
    const auto columns = coordinate_columns(result, pair.model.joints[j].name);
    if (static_cast<int>(columns.size()) != oracle::coordinate_count(type))
      throw std::runtime_error("joint " + pair.model.joints[j].name + " has " +
                               std::to_string(columns.size()) + " coordinates");
    Eigen::VectorXd coordinates(columns.size()), derivatives(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      coordinates(static_cast<Eigen::Index>(k)) = trajectory.coordinates[row + columns[k]];
      derivatives(static_cast<Eigen::Index>(k)) = trajectory.rates[row + columns[k]];
    }
    values.coordinates.push_back(coordinates);
    values.rates.push_back(joint_rates(type, coordinates, derivatives));
  }
  return values;
}

}  // namespace

oracle::State<double> oracle_state(const MechanismPair& pair, const Result& result,
                                   std::size_t time) {
  return oracle::place_tree(pair.reference, joint_values(pair, result, time));
}

void start_as_recorded(MechanismPair& pair, const Result& result, std::size_t time) {
  const oracle::JointValues<double> values = joint_values(pair, result, time);
  for (std::size_t j = 0; j < pair.reference.joints.size(); ++j) {
    oracle::Joint<double>& joint = pair.reference.joints[j];
    joint.coordinates = values.coordinates[j];
    joint.rates = values.rates[j];
    joint.dependent = false;
  }
}

}  // namespace gradus::test
