// Draws forces and drivers.
#include <iterator>
#include <string_view>

#include "tests/support/forces.hpp"
#include "tests/support/random_forces.hpp"

#include <sstream>

namespace gradus::test {
namespace {

// offset + slope t + amplitude sin(frequency t), for both.
struct Swing {
  double offset = 0.0, slope = 0.0, amplitude = 0.0, frequency = 0.0;

  std::string expression() const {
    std::ostringstream text;
    text.precision(17);
    text << "(" << offset << ") + (" << slope << ")*t + (" << amplitude << ")*sin(" << frequency
         << "*t)";
    return text.str();
  }
  oracle::TimeFunction<double> function() const {
    return oracle::harmonic<double>(offset, slope, amplitude, frequency);
  }
};

// A coordinate of one degree, for both.
struct CoordinateName {
  std::size_t joint = 0;
  int coordinate = 0;
  std::string name;  // "joint" or "joint.k"
};

std::vector<CoordinateName> coordinates_of_one_degree(const MechanismPair& pair) {
  std::vector<CoordinateName> names;
  for (std::size_t j = 0; j < pair.reference.joints.size(); ++j) {
    const oracle::JointType type = pair.reference.joints[j].type;
    if (has_euler_parameters(type)) continue;
    const int count = oracle::coordinate_count(type);
    for (int k = 0; k < count; ++k) {
      const std::string& joint = pair.model.joints[j].name;
      names.push_back({j, k, count == 1 ? joint : joint + "." + std::to_string(k)});
    }
  }
  return names;
}

void add_bushing(MechanismPair& pair, Draw& draw, int from, int to) {
  const auto positive = [&](double size) {
    return Eigen::Vector3d(draw.vector(0.4).array() * size + 0.6 * size);
  };
  oracle::Bushing<double> bushing{from,
                                  to,
                                  draw.vector(0.5),
                                  draw.vector(0.5),
                                  positive(20.0),
                                  positive(0.8),
                                  positive(6.0),
                                  positive(0.3)};
  pair.reference.bushings.push_back(bushing);
  const std::string name = "bushing" + std::to_string(pair.model.forces.size());
  pair.model.forces.push_back(
      make_bushing(name, add_point(pair.model, from, name + "_from", bushing.from_point),
                   add_point(pair.model, to, name + "_to", bushing.to_point),
                   numbers(bushing.stiffness), numbers(bushing.damping),
                   numbers(bushing.torsional_stiffness), numbers(bushing.torsional_damping)));
}

void add_load(MechanismPair& pair, Draw& draw, int body, bool is_torque, bool in_body_axes) {
  oracle::Load<double> load;
  load.is_torque = is_torque;
  load.body = body;
  load.point = draw.vector(0.5);
  load.in_body_axes = in_body_axes;
  load.constant = draw.vector(4.0);
  load.amplitude = draw.vector(3.0);
  load.frequency = draw.between(1.0, 5.0);
  pair.reference.loads.push_back(load);
  const std::string name = "load" + std::to_string(pair.model.forces.size());
  const std::string axes = in_body_axes ? "body" : "global";
  Vector3 components;
  for (int k = 0; k < 3; ++k)
    components[static_cast<std::size_t>(k)] =
        Swing{load.constant(k), 0.0, load.amplitude(k), load.frequency}.expression();
  pair.model.forces.push_back(
      is_torque ? make_torque(name, body_name(body), components, axes)
                : make_force(name, add_point(pair.model, body, name + "_at", load.point),
                             components, axes));
}

void add_joint_spring(MechanismPair& pair, Draw& draw, const CoordinateName& at) {
  oracle::JointForce<double> force{at.joint,
                                   at.coordinate,
                                   draw.between(2.0, 9.0),
                                   draw.between(0.1, 0.6),
                                   draw.between(-1.0, 1.0),
                                   {}};
  pair.reference.joint_forces.push_back(force);
  pair.model.forces.push_back(
      make_torsional_spring("coil" + std::to_string(pair.model.forces.size()), at.name,
                            force.stiffness, force.damping, force.rest));
}

void add_joint_force(MechanismPair& pair, Draw& draw, const CoordinateName& at) {
  const Swing swing{draw.between(-3.0, 3.0), draw.between(-2.0, 2.0), draw.between(-2.0, 2.0),
                    draw.between(1.0, 5.0)};
  pair.reference.joint_forces.push_back({at.joint, at.coordinate, 0.0, 0.0, 0.0, swing.function()});
  pair.model.forces.push_back(make_joint_force("motor" + std::to_string(pair.model.forces.size()),
                                               at.name, swing.expression()));
}

// A driver, begun where the mechanism stands.
void add_driver(MechanismPair& pair, Draw& draw, oracle::Driver<double> driver,
                Constraint constraint) {
  const oracle::State<double> state =
      oracle::place_tree(pair.reference, oracle::start_values(pair.reference));
  const double now = oracle::driven_quantities(pair.reference, state, driver)[0].value;
  const Swing swing{now, draw.between(-0.3, 0.3), draw.between(-0.1, 0.1), draw.between(1.0, 5.0)};
  driver.function = swing.function();
  constraint.name = "driver" + std::to_string(pair.model.constraints.size());
  constraint.value = swing.expression();
  pair.reference.drivers.push_back(driver);
  pair.model.constraints.push_back(constraint);
}

void drive_coordinate(MechanismPair& pair, Draw& draw, const CoordinateName& at) {
  oracle::Driver<double> driver;
  driver.kind = oracle::DriverKind::kCoordinate;
  driver.joint = at.joint;
  driver.coordinate = at.coordinate;
  add_driver(pair, draw, driver, {"", "coordinate", at.name, "", 0.0});
}

void drive_distance(MechanismPair& pair, Draw& draw, int first, int second) {
  const oracle::Driver<double> driver{
      oracle::DriverKind::kDistance, first, second, draw.vector(0.5), draw.vector(0.5), 0, 0, {}};
  const std::string name = "rope" + std::to_string(pair.model.constraints.size());
  add_driver(pair, draw, driver,
             {"", "distance", add_point(pair.model, first, name + "_first", driver.first),
              add_point(pair.model, second, name + "_second", driver.second), 0.0});
}

// Adds a named direction and returns "body.vector".
std::string add_vector(Model& model, int body, const std::string& name,
                       const Eigen::Vector3d& direction) {
  Features& features = body < 0
                           ? model.ground
                           : static_cast<Features&>(model.bodies[static_cast<std::size_t>(body)]);
  features.vectors[name] = numbers(direction);
  return body_name(body) + "." + name;
}

void drive_dot(MechanismPair& pair, Draw& draw, int first, int second) {
  const oracle::Driver<double> driver{oracle::DriverKind::kDot, first, second, draw.direction(),
                                      draw.direction(),         0,     0,      {}};
  const std::string name = "tilt" + std::to_string(pair.model.constraints.size());
  add_driver(pair, draw, driver,
             {"", "dot", add_vector(pair.model, first, name + "_first", driver.first),
              add_vector(pair.model, second, name + "_second", driver.second), 0.0});
}

// Ties a point of one body to a point of another as they stand.
void tie_points(MechanismPair& pair, Draw& draw, int first, int second) {
  oracle::Joint<double> tie = random_joint(draw, first, second, oracle::JointType::kSpherical);
  fit_cut(pair, draw, tie);
  pair.reference.drivers.push_back({oracle::DriverKind::kCoincident,
                                    first,
                                    second,
                                    tie.parent_point,
                                    tie.child_point,
                                    0,
                                    0,
                                    {}});
  const std::string name = "tie" + std::to_string(pair.model.constraints.size());
  pair.model.constraints.push_back(
      {name, "coincident", add_point(pair.model, first, name + "_first", tie.parent_point),
       add_point(pair.model, second, name + "_second", tie.child_point), 0.0});
}

// A chain of all joints whose coordinates are guesses, with constraints of the given kind, and
// forces.
MechanismPair draw_driven_chain(Draw& draw, int bodies, std::string_view kind) {
  MechanismPair pair = empty_mechanism("driven chain", draw.vector(5.0));
  for (const oracle::JointType type : shuffled_types(draw, bodies)) {
    add_body(pair, draw);
    add_joint(pair, draw, pair.reference.body_count() - 2, type, true);
  }
  const std::vector<CoordinateName> names = coordinates_of_one_degree(pair);
  const int last = bodies - 1;
  if (kind == "coordinate" && !names.empty()) {
    drive_coordinate(pair, draw, names.front());
    if (names.size() > 1) drive_coordinate(pair, draw, names.back());
  }
  if (kind == "distance") drive_distance(pair, draw, oracle::kGround, last);
  if (kind == "dot") drive_dot(pair, draw, oracle::kGround, last);
  if (kind == "coincident") tie_points(pair, draw, oracle::kGround, last);
  return pair;
}

}  // namespace

void add_random_forces(MechanismPair& pair, Draw& draw) {
  const int bodies = pair.reference.body_count();
  add_bushing(pair, draw, oracle::kGround, draw.below(bodies));
  if (bodies > 1) add_bushing(pair, draw, bodies - 1, draw.below(bodies - 1));
  for (const bool is_torque : {false, true})
    for (const bool in_body_axes : {false, true})
      add_load(pair, draw, draw.below(bodies), is_torque, in_body_axes);
  const std::vector<CoordinateName> names = coordinates_of_one_degree(pair);
  if (names.empty()) return;
  const auto any = [&] {
    return names[static_cast<std::size_t>(draw.below(static_cast<int>(names.size())))];
  };
  add_joint_spring(pair, draw, any());
  add_joint_spring(pair, draw, any());
  add_joint_force(pair, draw, any());
}

static Model with_forces(MechanismPair pair, unsigned seed) {
  Draw draw(seed);
  add_random_forces(pair, draw);
  return pair.model;
}

Model random_tree_with_forces(unsigned seed) {
  return with_forces(random_tree_of_all_joints(seed, 2 + static_cast<int>(seed % 5)), seed);
}

Model random_loop_with_forces(unsigned seed) {
  using Type = oracle::JointType;
  constexpr Type cuts[] = {Type::kRevolute,    Type::kPrismatic, Type::kUniversal,
                           Type::kCylindrical, Type::kSpherical, Type::kPlanar};
  const int bodies = 4 + static_cast<int>(seed % 4);
  return with_forces(random_loop_of_all_joints(seed, bodies, cuts[seed % std::size(cuts)]), seed);
}

MechanismPair random_driven_chain(unsigned seed, int bodies, std::string_view kind) {
  Draw draw(seed);
  MechanismPair pair = draw_driven_chain(draw, bodies, kind);
  while (pair.reference.drivers.empty() || !is_well_posed(pair))
    pair = draw_driven_chain(draw, bodies, kind);
  add_random_forces(pair, draw);
  add_sensors(pair.model);
  return pair;
}

}  // namespace gradus::test
