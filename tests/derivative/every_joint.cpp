// Mechanisms with joints of every kind, in the tree and cut.
#include <set>

#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

// Starts of the coordinates of a joint: positions and velocities, held.
std::vector<CoordinateStart> held(const std::vector<double>& positions,
                                  const std::vector<double>& velocities) {
  std::vector<CoordinateStart> start;
  for (std::size_t k = 0; k < positions.size(); ++k)
    start.push_back({positions[k], velocities[k], false, false});
  return start;
}

Joint free_joint(const std::string& name, JointType type, const std::string& parent,
                 const std::string& child, std::vector<CoordinateStart> start) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.start = std::move(start);
  return joint;
}

Joint aligned_joint(const std::string& name, JointType type, const std::string& parent,
                    const std::string& child, std::vector<CoordinateStart> start) {
  Joint joint = free_joint(name, type, parent, child, std::move(start));
  joint.axis = Vector3{0.3, -0.5, 0.9};
  joint.zero = Vector3{1.0, 0.2, -0.1};
  joint.child_axis = Vector3{-0.2, 0.7, 0.6};
  joint.child_zero = Vector3{0.8, 0.3, 0.2};
  return joint;
}

Body branch(const std::string& name, double mass, double side) {
  return make_body(name, mass, {0.11, 0.06 * side, -0.05},
                   {0.031, 0.042, 0.037, 0.004 * side, -0.003, 0.002, "com"},
                   {{"root", {-0.1, 0.03, 0.02 * side}},
                    {"tip", {0.32, 0.1 * side, -0.06}},
                    {"hook", {0.05, -0.2, 0.12 * side}}});
}

// Takes away the points that nothing refers to, so that every number does something.
Model without_unused_points(Model m) {
  std::set<std::string> used;
  for (const auto* joints : {&m.joints, &m.loops})
    for (const Joint& joint : *joints) used.insert({joint.parent, joint.child});
  for (const Force& force : m.forces)
    used.insert({force.find("from")->text(), force.find("to")->text()});
  for (const Sensor& sensor : m.sensors) used.insert(sensor.target);
  const auto clean = [&](Features& features, const std::string& owner) {
    std::erase_if(features.points,
                  [&](const auto& point) { return !used.contains(owner + "." + point.first); });
  };
  for (Body& body : m.bodies) clean(body, body.name);
  clean(m.ground, "ground");
  return m;
}

Model tree() {
  Model m;
  m.name = "every joint";
  m.gravity = {0.7, -9.6, 1.3};
  m.ground.points = {{"base", {0.1, 0.2, -0.1}}, {"wall", {1.4, 0.3, 0.8}}};
  m.bodies = {branch("raft", 2.1, 1.0),  branch("yoke", 0.9, -0.7), branch("ball", 1.1, 0.5),
              branch("rod", 0.7, -0.4),  branch("puck", 0.8, 0.9),  branch("plate", 0.6, 0.3),
              branch("knob", 0.5, -0.6), branch("arm", 0.4, 0.8)};
  m.joints = {
      free_joint("sea", JointType::floating, "ground.base", "raft.root",
                 held({0.2, -0.1, 0.3, 0.7, 0.4, -0.3, 0.5}, {0.4, 0.3, -0.2, 0, 0.9, -0.8, 0.7})),
      aligned_joint("cross", JointType::cardan, "raft.tip", "yoke.root",
                    held({0.4, -0.3}, {0.8, -1.1})),
      free_joint("socket", JointType::spherical, "yoke.tip", "ball.root",
                 held({0.8, -0.2, 0.4, 0.3}, {0, 1.2, 0.6, -0.9})),
      aligned_joint("sleeve", JointType::cylindrical, "ball.tip", "rod.root",
                    held({0.15, 0.6}, {-0.4, 1.3})),
      aligned_joint("table", JointType::planar, "raft.hook", "puck.root",
                    held({0.1, -0.2, 0.5}, {0.3, 0.5, -0.9})),
      aligned_joint("weld", JointType::fixed, "puck.tip", "plate.root", {}),
      free_joint("eye", JointType::spherical, "plate.tip", "knob.root",
                 held({0.6, 0.5, -0.1, 0.4}, {0, -0.7, 0.8, 0.5})),
      aligned_joint("pin", JointType::revolute, "knob.tip", "arm.root", held({0.7}, {1.4})),
  };
  m.forces = {make_spring("s1", "ground.wall", "rod.tip", 31.0, 0.4, 0.6),
              make_spring("s2", "arm.tip", "ball.hook", 17.0, 0.3, 0.45),
              make_spring("s3", "ground.base", "knob.hook", 12.0, 0.2, 0.5)};
  add_objectives(m, "arm.tip", "pin");
  m.analysis.duration = 0.2;
  m.analysis.step = 4e-3;
  m.analysis.tolerance = 1e-12;
  return m;
}

}  // namespace

Model every_joint() {
  return without_unused_points(tree());
}

Model every_closure() {
  Model m = tree();
  m.name = "every closure";
  for (Joint& joint : m.joints)
    for (CoordinateStart& start : joint.start)
      start.position_is_guess = start.velocity_is_guess = joint.name != "sea";
  const char* ends[][2] = {{"rod.tip", "arm.hook"},     {"rod.hook", "knob.tip"},
                           {"ground.wall", "rod.tip"},  {"raft.tip", "arm.tip"},
                           {"yoke.hook", "plate.hook"}, {"ground.base", "arm.root"},
                           {"ball.hook", "arm.tip"}};
  const JointType types[] = {JointType::revolute,    JointType::prismatic, JointType::cardan,
                             JointType::cylindrical, JointType::spherical, JointType::planar,
                             JointType::fixed};
  for (std::size_t k = 0; k < 7; ++k)
    m.loops.push_back(
        aligned_joint("cut " + std::to_string(k), types[k], ends[k][0], ends[k][1], {}));
  for (Joint& loop : m.loops)
    if (loop.type == JointType::spherical)
      loop = free_joint(loop.name, loop.type, loop.parent, loop.child, {});
  return without_unused_points(m);
}

Model closed_by(JointType cut) {
  Model m = tree();
  m.name = "closed";
  // A chain of eight bodies whose last is joined to the ground: a twelve-legged freedom less.
  m.joints[4].parent = "rod.tip";
  for (Joint& joint : m.joints) {
    if (joint.name == "sea") {
      joint = aligned_joint("sea", JointType::cardan, "ground.base", "raft.root",
                            held({0.4, -0.3}, {0.5, -0.6}));
    }
    if (joint.name != "socket" && joint.name != "sea")
      for (CoordinateStart& start : joint.start)
        start.position_is_guess = start.velocity_is_guess = true;
  }
  m.bodies.back().points["end"] = {0.3, 0.05, 0.1};
  m.ground.points["end"] = {0.9, 0.6, 0.2};
  Joint loop = aligned_joint("cut", cut, "ground.end", "arm.end", {});
  if (cut == JointType::spherical) loop = free_joint("cut", cut, "ground.end", "arm.end", {});
  m.loops = {loop};
  return without_unused_points(m);
}

}  // namespace gradus::derivative
