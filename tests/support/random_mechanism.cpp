// Draws trees and loops.
#include "tests/support/random_mechanism.hpp"
#include "tests/support/forces.hpp"

#include <algorithm>

namespace gradus::test {
namespace {

// A positive definite inertia that a real body could have.
Eigen::Matrix3d random_inertia(Draw& draw) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (int k = 0; k < 4; ++k) {
    const Eigen::Vector3d s = draw.vector(0.3);
    inertia += s.squaredNorm() * Eigen::Matrix3d::Identity() - s * s.transpose();
  }
  return inertia;
}

// A connection of both descriptions; the caller decides whether it is a joint or a loop. Joints
// with Euler parameters have no directions: their axes are those of the bodies.
Joint describe_connection(MechanismPair& pair, const std::string& name,
                          const oracle::Joint<double>& joint) {
  Joint j;
  j.name = name;
  j.type = joint_type(joint.type);
  j.parent = add_point(pair.model, joint.parent, name + "_parent", joint.parent_point);
  j.child = add_point(pair.model, joint.child, name + "_child", joint.child_point);
  if (has_euler_parameters(joint.type)) return j;
  j.axis = numbers(joint.axis);
  j.zero = numbers(joint.zero);
  j.child_axis = numbers(joint.child_axis);
  j.child_zero = numbers(joint.child_zero);
  return j;
}

// Coordinates within 1 of zero, Euler parameters of unit length, rates within 1.
void draw_start(Draw& draw, oracle::Joint<double>& joint) {
  joint.coordinates.resize(oracle::coordinate_count(joint.type));
  for (double& coordinate : joint.coordinates) coordinate = draw.between(-1.0, 1.0);
  if (has_euler_parameters(joint.type)) {
    const Eigen::Vector3d turn = draw.direction() * draw.between(0.3, 0.9);
    joint.coordinates.tail<4>() << std::sqrt(1.0 - turn.squaredNorm()), turn;
  }
  joint.rates.resize(oracle::rate_count(joint.type));
  for (double& rate : joint.rates) rate = draw.between(-1.0, 1.0);
}

// The start of an oracle's joint as gradus reads it: the angular velocity stands at the last three
// Euler parameters.
std::vector<CoordinateStart> described_start(const oracle::Joint<double>& joint) {
  std::vector<CoordinateStart> start;
  const Eigen::Index count = joint.coordinates.size(), lead = count - joint.rates.size();
  const Eigen::Index first_parameter = has_euler_parameters(joint.type) ? count - 4 : count;
  for (Eigen::Index k = 0; k < count; ++k) {
    CoordinateStart entry;
    entry.position = joint.coordinates(k);
    if (k != first_parameter) entry.velocity = joint.rates(k < first_parameter ? k : k - lead);
    entry.position_is_guess = joint.dependent;
    entry.velocity_is_guess = joint.dependent;
    start.push_back(entry);
  }
  return start;
}

void add_spring(MechanismPair& pair, Draw& draw, int from, int to) {
  oracle::SpringDamper<double> spring;
  spring.from = from;
  spring.to = to;
  spring.from_point = draw.vector(0.6);
  spring.to_point = draw.vector(0.6);
  spring.stiffness = draw.between(5.0, 30.0);
  spring.damping = draw.between(0.1, 1.0);
  spring.natural_length = draw.between(0.3, 0.8);
  pair.reference.springs.push_back(spring);
  const std::string name = "s" + std::to_string(pair.model.forces.size());
  pair.model.forces.push_back(
      make_spring(name, add_point(pair.model, from, name + "_from", spring.from_point),
                  add_point(pair.model, to, name + "_to", spring.to_point), spring.stiffness,
                  spring.damping, spring.natural_length));
}

void add_cut(MechanismPair& pair, const oracle::Joint<double>& cut) {
  pair.model.loops.push_back(describe_connection(pair, "cut", cut));
  pair.reference.loops.push_back(cut);
}

// How the loops of a mechanism answer to the rates of the joints that are guesses.
Eigen::MatrixXd closure_jacobian(const MechanismPair& pair) {
  const oracle::JointValues<double> values = oracle::start_values(pair.reference);
  const oracle::State<double> state = oracle::place_tree(pair.reference, values);
  return oracle::loop_jacobian<double>(pair.reference, values,
                                       oracle::dependent_rates(pair.reference),
                                       oracle::evaluate_closures(pair.reference, state).jacobian);
}

// Lets one joint of one coordinate that the loops leave free keep a start velocity, if there is
// one.
void hold_a_moving_joint(MechanismPair& pair, Draw& draw) {
  const Eigen::MatrixXd free = closure_jacobian(pair).fullPivLu().kernel();
  const Eigen::MatrixXd basis =
      free.householderQr().householderQ() * Eigen::MatrixXd::Identity(free.rows(), free.cols());
  const auto columns = oracle::dependent_rates(pair.reference);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    oracle::Joint<double>& joint = pair.reference.joints[columns[i].joint];
    if (joint.coordinates.size() != 1 || basis.row(static_cast<Eigen::Index>(i)).norm() < 0.4)
      continue;
    joint.dependent = false;
    joint.rates(0) = draw.between(0.3, 1.0);
    pair.model.joints[columns[i].joint].start = described_start(joint);
    return;
  }
}

// A chain of all joints, closed on the ground or on its own first body; a larger one carries
// branches. The start closes the loop; all coordinates of the chain are guesses.
MechanismPair draw_loop(Draw& draw, int bodies, oracle::JointType cut_type) {
  MechanismPair pair = empty_mechanism("loop of all joints", draw.vector(5.0));
  const int branches = bodies > 6 ? 2 : 0, chain = bodies - branches;
  const std::vector<oracle::JointType> types = shuffled_types(draw, bodies);
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    add_joint(pair, draw, i < chain ? i - 1 : draw.below(chain), types[static_cast<std::size_t>(i)],
              i < chain);
  }
  const int parent = chain > 4 && draw.below(2) == 0 ? 0 : oracle::kGround;
  oracle::Joint<double> cut = random_joint(draw, parent, chain - 1, cut_type);
  fit_cut(pair, draw, cut);
  add_cut(pair, cut);
  return pair;
}

}  // namespace

Vector3 numbers(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

void add_body(MechanismPair& pair, Draw& draw) {
  Body body;
  body.name = "b" + std::to_string(pair.model.bodies.size());
  const double mass = draw.between(0.5, 2.0);
  const Eigen::Vector3d com = draw.vector(0.3);
  const Eigen::Matrix3d inertia = random_inertia(draw);
  body.mass = mass;
  body.com = numbers(com);
  body.inertia = {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                  inertia(0, 2), inertia(1, 2), "com"};
  body.points["p1"] = numbers(draw.vector(0.5));
  pair.model.bodies.push_back(body);
  pair.reference.bodies.push_back({mass, com, inertia});
}

std::string body_name(int body) {
  return body < 0 ? "ground" : "b" + std::to_string(body);
}

std::string add_point(Model& model, int body, const std::string& name,
                      const Eigen::Vector3d& place) {
  Features& features = body < 0
                           ? model.ground
                           : static_cast<Features&>(model.bodies[static_cast<std::size_t>(body)]);
  features.points[name] = numbers(place);
  return body_name(body) + "." + name;
}

JointType joint_type(oracle::JointType type) {
  switch (type) {
    case oracle::JointType::kFixed:
      return JointType::fixed;
    case oracle::JointType::kRevolute:
      return JointType::revolute;
    case oracle::JointType::kPrismatic:
      return JointType::prismatic;
    case oracle::JointType::kCylindrical:
      return JointType::cylindrical;
    case oracle::JointType::kUniversal:
      return JointType::cardan;
    case oracle::JointType::kSpherical:
      return JointType::spherical;
    case oracle::JointType::kPlanar:
      return JointType::planar;
    case oracle::JointType::kFree:
      return JointType::floating;
  }
  throw std::logic_error("unknown joint type");
}

bool has_euler_parameters(oracle::JointType type) {
  return type == oracle::JointType::kSpherical || type == oracle::JointType::kFree;
}

oracle::Joint<double> random_joint(Draw& draw, int parent, int child, oracle::JointType type) {
  const Eigen::Vector3d parent_point = draw.vector(0.5), child_point = draw.vector(0.5);
  if (has_euler_parameters(type))
    return oracle::make_joint<double>(type, parent, parent_point, child, child_point);
  const Eigen::Vector3d axis = draw.direction(), child_axis = draw.direction();
  return oracle::make_joint<double>(type, parent, parent_point, child, child_point, axis,
                                    draw.direction().cross(axis).normalized(), child_axis,
                                    draw.direction().cross(child_axis).normalized());
}

void add_joint(MechanismPair& pair, Draw& draw, int parent, oracle::JointType type, bool guess) {
  const int child = static_cast<int>(pair.reference.joints.size());
  oracle::Joint<double> joint = random_joint(draw, parent, child, type);
  draw_start(draw, joint);
  joint.dependent = guess;
  if (guess) joint.rates.setZero();
  Joint j = describe_connection(pair, "j" + std::to_string(child), joint);
  j.start = described_start(joint);
  pair.model.joints.push_back(j);
  pair.reference.joints.push_back(joint);
}

void add_sensors(Model& model) {
  for (const Body& body : model.bodies) {
    const std::string point = body.name + ".p1";
    model.sensors.push_back({body.name + "_r", "position", point, ""});
    model.sensors.push_back({body.name + "_v", "velocity", point, ""});
    model.sensors.push_back({body.name + "_a", "acceleration", point, ""});
  }
  model.sensors.push_back({"energy", "energy", "total", ""});
}

MechanismPair empty_mechanism(const std::string& name, const Eigen::Vector3d& gravity) {
  MechanismPair pair;
  pair.model.name = name;
  pair.model.gravity = numbers(gravity);
  pair.reference.gravity = gravity;
  return pair;
}

void fit_cut(const MechanismPair& pair, Draw& draw, oracle::Joint<double>& cut) {
  const oracle::State<double> state =
      oracle::place_tree(pair.reference, oracle::start_values(pair.reference));
  const auto parent = oracle::body_motion(pair.reference, state, cut.parent);
  const auto child = oracle::body_motion(pair.reference, state, cut.child);
  const Eigen::Matrix3d turn = child.rotation.transpose() * parent.rotation;
  const Eigen::Matrix3d axes = oracle::frame(cut.axis, cut.zero);
  Eigen::Vector3d gap = Eigen::Vector3d::Zero();
  if (cut.type == oracle::JointType::kPrismatic || cut.type == oracle::JointType::kCylindrical)
    gap = axes.col(0) * draw.between(-0.3, 0.3);
  if (cut.type == oracle::JointType::kPlanar)
    gap = axes.rightCols<2>() * draw.vector(0.3).head<2>();
  const Eigen::Vector3d place = oracle::point_motion(child, cut.child_point).position;
  cut.parent_point = parent.com + parent.rotation.transpose() * (place - parent.position) - gap;
  if (has_euler_parameters(cut.type)) return;
  const bool crossed = cut.type == oracle::JointType::kUniversal;
  cut.child_axis = turn * (crossed ? cut.zero : cut.axis);
  cut.child_zero = turn * (crossed ? cut.axis : cut.zero);
}

MechanismPair random_tree(unsigned seed, int bodies, double prismatic_share) {
  Draw draw(seed);
  MechanismPair pair = empty_mechanism("tree", draw.vector(10.0));
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    const int parent = draw.below(i + 1) - 1;
    const bool prismatic = draw.between(0, 1) < prismatic_share;
    add_joint(pair, draw, parent,
              prismatic ? oracle::JointType::kPrismatic : oracle::JointType::kRevolute, false);
  }
  for (int k = 0; k < bodies / 2; ++k)
    add_spring(pair, draw, draw.below(bodies + 1) - 1, draw.below(bodies));
  add_sensors(pair.model);
  return pair;
}

MechanismPair random_loop(unsigned seed, int bodies, bool prismatic_cut) {
  Draw draw(seed);
  MechanismPair pair = empty_mechanism("loop", draw.vector(5.0));
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    add_joint(pair, draw, i - 1,
              i % 3 == 2 ? oracle::JointType::kPrismatic : oracle::JointType::kRevolute,
              i >= bodies - 5);
  }
  oracle::Joint<double> cut =
      random_joint(draw, oracle::kGround, bodies - 1,
                   prismatic_cut ? oracle::JointType::kPrismatic : oracle::JointType::kRevolute);
  fit_cut(pair, draw, cut);
  add_cut(pair, cut);
  add_spring(pair, draw, oracle::kGround, bodies / 2);
  add_sensors(pair.model);
  return pair;
}

const std::vector<oracle::JointType>& all_joint_types() {
  using Type = oracle::JointType;
  static const std::vector<Type> types{Type::kFixed,     Type::kRevolute,  Type::kPrismatic,
                                       Type::kUniversal, Type::kSpherical, Type::kCylindrical,
                                       Type::kPlanar,    Type::kFree};
  return types;
}

std::vector<oracle::JointType> shuffled_types(Draw& draw, int count) {
  std::vector<oracle::JointType> types;
  while (static_cast<int>(types.size()) < count) {
    std::vector<oracle::JointType> round = all_joint_types();
    for (std::size_t k = round.size(); k > 1; --k)
      std::swap(round[k - 1], round[static_cast<std::size_t>(draw.below(static_cast<int>(k)))]);
    types.insert(types.end(), round.begin(), round.end());
  }
  types.resize(static_cast<std::size_t>(count));
  return types;
}

MechanismPair random_tree_of_all_joints(unsigned seed, int bodies) {
  Draw draw(seed);
  MechanismPair pair = empty_mechanism("tree of all joints", draw.vector(10.0));
  std::vector<oracle::JointType> types = shuffled_types(draw, bodies);
  const auto bring = [&](oracle::JointType type, std::size_t place) {
    const auto found = std::find(types.begin(), types.end(), type);
    if (found != types.end())
      std::iter_swap(types.begin() + static_cast<std::ptrdiff_t>(place), found);
    else
      types[place] = type;
  };
  if (seed % 4 == 0) bring(oracle::JointType::kFree, 0);
  if (seed % 4 == 1) bring(oracle::JointType::kSpherical, 1);
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    const int parent = draw.between(0, 1) < 0.6 ? i - 1 : draw.below(i + 1) - 1;
    add_joint(pair, draw, parent, types[static_cast<std::size_t>(i)], false);
  }
  for (int k = 0; k < bodies / 2; ++k)
    add_spring(pair, draw, draw.below(bodies + 1) - 1, draw.below(bodies));
  add_sensors(pair.model);
  return pair;
}

bool is_well_posed(const MechanismPair& pair) {
  const Eigen::MatrixXd jacobian = closure_jacobian(pair);
  if (jacobian.cols() <= jacobian.rows()) return false;
  const Eigen::VectorXd values = jacobian.jacobiSvd().singularValues();
  return values(jacobian.rows() - 1) > 0.08;
}

MechanismPair random_loop_of_all_joints(unsigned seed, int bodies, oracle::JointType cut_type) {
  Draw draw(seed);
  MechanismPair pair = draw_loop(draw, bodies, cut_type);
  while (!is_well_posed(pair)) pair = draw_loop(draw, bodies, cut_type);
  hold_a_moving_joint(pair, draw);
  add_spring(pair, draw, oracle::kGround, bodies / 2);
  add_spring(pair, draw, bodies / 2, bodies - 1);
  add_sensors(pair.model);
  return pair;
}

}  // namespace gradus::test
