// Loops in general position: seven joints each, closed where the tree happens to stand.
#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "kernels/passes/rates.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/design_fixture.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

using Vector = kernels::Vector3<double>;

// Where the bodies of an open model stand at their start.
class Pose {
 public:
  explicit Pose(const Model& model) : fixture_(model) {
    const auto d = fixture_.design();
    for (int c = 0; c < fixture_.view().coordinate_count; ++c)
      fixture_.at(d.layout.position, c) =
          fixture_.at(d.layout.slot, d.plan.coordinates[c].position_slot);
    kernels::positions(d);
  }
  Vector to_global(const std::string& body, const Vector& local) const {
    return kernels::rotation_of(fixture_.design(), index(body)) * local;
  }
  Vector to_local(const std::string& body, const Vector& global) const {
    return kernels::transposed_times(kernels::rotation_of(fixture_.design(), index(body)), global);
  }
  Vector origin(const std::string& body) const {
    return kernels::origin_of(fixture_.design(), index(body));
  }

 private:
  int index(const std::string& body) const {
    if (body == "ground") return -1;
    const auto& names = fixture_.plan().body_names;
    return static_cast<int>(std::find(names.begin(), names.end(), body) - names.begin());
  }
  support::DesignFixture<double> fixture_;
};

Vector numbers(const Vector3& v) {
  return {v[0].value(), v[1].value(), v[2].value()};
}
Vector3 constants(const Vector& v) {
  return {v.x, v.y, v.z};
}

// Closes a loop between the tip of `child` and `parent` as they stand: the parent gets the point
// "closure", the joint its axes on both sides.
void close_loop(Model& m, const Pose& pose, const std::string& name, JointType type,
                const std::string& parent, const std::string& child, const Vector3& child_axis,
                const Vector3& child_zero) {
  const auto body = std::find_if(m.bodies.begin(), m.bodies.end(),
                                 [&](const Body& b) { return b.name == child; });
  const Vector axis = pose.to_global(child, numbers(child_axis));
  Vector point = pose.origin(child) + pose.to_global(child, numbers(body->points.at("tip")));
  if (type == JointType::prismatic) point += 0.3 * axis;
  const Vector3 place = constants(pose.to_local(parent, point - pose.origin(parent)));
  if (parent == "ground")
    m.ground.points["closure"] = place;
  else
    std::find_if(m.bodies.begin(), m.bodies.end(), [&](const Body& b) {
      return b.name == parent;
    })->points["closure"] = place;
  Joint loop;
  loop.name = name;
  loop.type = type;
  loop.parent = parent + ".closure";
  loop.child = child + ".tip";
  loop.axis = constants(pose.to_local(parent, axis));
  loop.child_axis = child_axis;
  if (type == JointType::prismatic) {
    loop.zero = constants(pose.to_local(parent, pose.to_global(child, numbers(child_zero))));
    loop.child_zero = child_zero;
  }
  m.loops.push_back(loop);
}

// All joints but those named become guesses, a little wrong.
void release(Model& m, const std::set<std::string>& held) {
  for (Joint& joint : m.joints) {
    if (held.count(joint.name) != 0) continue;
    CoordinateStart& start = joint.start[0];
    start.position = start.position.value() + 0.01;
    start.velocity = 0;
    start.position_is_guess = true;
    start.velocity_is_guess = true;
  }
}

Body link(const std::string& name, double size, double turn) {
  const double l = 0.45 * size;
  return make_body(name, 0.8 * size, {0.5 * l, 0.06 * turn, -0.04},
                   {0.02 * size, 0.03 * size, 0.026 * size, 0.002 * turn, -0.0015, 0.0012, "com"},
                   {{"tip", {l, 0.12 * turn, 0.09 - 0.05 * turn}}});
}

Model open_six() {
  Model m;
  m.gravity = {0.6, -9.5, -1.1};
  m.ground.points = {{"base", {0.1, -0.05, 0.15}}, {"wall", {0.9, 0.8, -0.5}}};
  m.bodies = {link("b1", 1.0, 0.7),  link("b2", 1.2, -0.5), link("b3", 0.9, 1.0),
              link("b4", 1.1, -0.8), link("b5", 0.8, 0.4),  link("b6", 1.0, -1.0)};
  m.joints = {make_joint("j1", JointType::revolute, "ground.base", "b1", {0.2, 0.1, 1.0}, 0.3),
              make_joint("j2", JointType::revolute, "b1.tip", "b2", {0.5, 0.8, 0.3}, -0.6),
              make_joint("j3", JointType::prismatic, "b2.tip", "b3", {0.9, -0.2, 0.4}, 0.12),
              make_joint("j4", JointType::revolute, "b3.tip", "b4", {-0.3, 0.4, 0.8}, 0.9, 1.2),
              make_joint("j5", JointType::revolute, "b4.tip", "b5", {0.2, 0.9, -0.4}, -0.8),
              make_joint("j6", JointType::revolute, "b5.tip", "b6", {0.8, 0.1, 0.5}, 1.1)};
  m.joints[3].child_axis = Vector3{0.5, -0.2, 0.7};
  m.joints[3].zero = Vector3{0.9, 0.3, 0.1};
  m.forces = {make_spring("s1", "ground.wall", "b3.tip", 25.0, 0.6, 0.5),
              make_spring("s2", "b1.tip", "b5.tip", 18.0, 3.0, 0.4)};
  m.analysis.tolerance = 1e-12;
  return m;
}

}  // namespace

Model general_loop(JointType cut) {
  Model m = open_six();
  m.name = "general loop";
  const Pose pose(m);
  close_loop(m, pose, "cut", cut, "ground", "b6", {0.3, 0.7, -0.4}, {1.0, 0.2, 0.1});
  release(m, {"j4"});
  add_objectives(m, "b4.tip", "j3");
  m.analysis.duration = 0.2;
  m.analysis.step = 5e-3;
  return m;
}

Model double_general_loop() {
  Model m = open_six();
  m.name = "double general loop";
  for (const auto& [name, size, turn] :
       {std::tuple{"c1", 0.9, 0.6}, std::tuple{"c2", 1.1, -0.7}, std::tuple{"c3", 0.8, 0.9},
        std::tuple{"c4", 1.0, -0.3}, std::tuple{"c5", 0.9, 0.5}, std::tuple{"c6", 0.7, -0.6}})
    m.bodies.push_back(link(name, size, turn));
  const auto add = [&](const char* name, JointType type, const char* parent, const char* child,
                       Vector3 axis, double position, double velocity = 0) {
    m.joints.push_back(make_joint(name, type, parent, child, axis, position, velocity));
  };
  add("k1", JointType::revolute, "b2.tip", "c1", {0.4, -0.6, 0.7}, 0.5);
  add("k2", JointType::revolute, "c1.tip", "c2", {0.1, 0.9, 0.2}, 0.7);
  add("k3", JointType::revolute, "c2.tip", "c3", {0.8, 0.3, -0.5}, -0.9, 0.7);
  add("k4", JointType::prismatic, "c3.tip", "c4", {0.3, 0.5, 0.9}, 0.1);
  add("k5", JointType::revolute, "c4.tip", "c5", {-0.6, 0.2, 0.8}, 0.8);
  add("k6", JointType::revolute, "c5.tip", "c6", {0.2, 0.7, 0.5}, -0.4);
  const Pose pose(m);
  close_loop(m, pose, "cut 1", JointType::revolute, "ground", "b6", {0.3, 0.7, -0.4},
             {1.0, 0.2, 0.1});
  close_loop(m, pose, "cut 2", JointType::prismatic, "b4", "c6", {0.6, -0.3, 0.5}, {0.1, 1.0, 0.3});
  // Twelve coordinates, ten equations: one held coordinate in each loop.
  release(m, {"j4", "k3"});
  add_objectives(m, "c4.tip", "j3");
  m.analysis.duration = 0.08;
  m.analysis.step = 4e-3;
  return m;
}

Model bennett_linkage() {
  Model m;
  m.name = "Bennett linkage";
  m.gravity = {0.5, -9.4, 1.2};
  m.parameters = {make_parameter("length", 1.1), make_parameter("twist1", 0.6),
                  make_parameter("twist2", 1.1)};
  m.definitions = {{"other", "length*sin(twist2)/sin(twist1)"}};
  const Vector3 first{0, "-sin(twist1)", "cos(twist1)"};
  const Vector3 second{0, "-sin(twist2)", "cos(twist2)"};
  const auto bar = [](const char* name, const char* length, double mass) {
    const std::string half = std::string(length) + "/2";
    return make_body(name, mass, {half, 0.04, -0.03},
                     {0.01, 0.09, 0.1, 0.002, -0.003, 0.001, "com"}, {{"tip", {length, 0, 0}}});
  };
  m.bodies = {bar("b1", "length", 1.2), bar("b2", "other", 1.5), bar("b3", "length", 0.9)};
  m.ground.points = {{"first", {"other", 0, 0}}, {"last", {0, 0, 0}}, {"wall", {0.4, 1.5, 0.6}}};
  const auto common = [](Joint joint) {
    joint.child_axis = Vector3{0, 0, 1};
    joint.zero = Vector3{1, 0, 0};
    joint.child_zero = Vector3{1, 0, 0};
    return joint;
  };
  m.joints = {common(make_joint("j1", JointType::revolute, "ground.first", "b1", second, 0.9, 1.2)),
              common(make_guess("j2", JointType::revolute, "b1.tip", "b2", first, 1.9)),
              common(make_guess("j3", JointType::revolute, "b2.tip", "b3", second, -0.9))};
  Joint cut;
  cut.name = "cut";
  cut.parent = "ground.last";
  cut.child = "b3.tip";
  cut.axis = {0, 0, 1};
  cut.child_axis = first;
  m.loops = {cut};
  m.forces = {make_spring("s1", "ground.wall", "b2.tip", 30.0, 0.5, 0.7)};
  add_objectives(m, "b2.tip", "j2");
  m.analysis.tolerance = 1e-12;
  m.analysis.duration = 0.4;
  m.analysis.step = 5e-3;
  return m;
}

}  // namespace gradus::derivative
