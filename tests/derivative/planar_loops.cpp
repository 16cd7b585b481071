// Loops that move in a plane.
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

const Vector3 kAxis{0, 0, 1};

// A bar along its x axis from its root to its tip, which may have a point beside the line.
Body bar(const std::string& name, double length, double mass, bool has_side = false) {
  Body body = make_body(name, mass, {0.45 * length, 0.05, 0.0},
                        {0.01, 0.09, 0.1 * mass * length * length, 0, 0, 0, "com"},
                        {{"root", {0, 0, 0}}, {"tip", {length, 0, 0}}});
  if (has_side) body.points["side"] = {0.4 * length, 0.3, 0};
  return body;
}

Joint cut_joint(const std::string& name, const std::string& parent, const std::string& child) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.axis = kAxis;
  return joint;
}

Joint turning(const std::string& name, const std::string& parent, const std::string& child,
              double angle, double rate) {
  return make_joint(name, JointType::revolute, parent, child, kAxis, angle, rate);
}
Joint guess(const std::string& name, const std::string& parent, const std::string& child,
            double angle) {
  return make_guess(name, JointType::revolute, parent, child, kAxis, angle);
}

void set_analysis(Model& m, double duration, double step) {
  m.gravity = {0.8, -9.7, 0};
  m.analysis.tolerance = 1e-12;
  m.analysis.duration = duration;
  m.analysis.step = step;
}

}  // namespace

// The angles below are measured from the x axis, about as in an assembled position.
Model four_bar(int cut) {
  Model m;
  m.name = "four-bar";
  m.ground.points = {{"A", {0, 0, 0}}, {"B", {1.3, 0.1, 0}}, {"wall", {0.4, 1.9, 0}}};
  m.bodies = {bar("crank", 0.5, 1.0), bar("coupler", 1.2, 1.6, true),
              bar("rocker", 0.9, 1.2, true)};
  const double crank = 1.0;
  const double coupler = 0.44;  // about
  const double rocker = 1.85;
  const auto from_a = [&] {
    m.joints.push_back(turning("A", "ground.A", "crank.root", crank, 1.5));
  };
  const auto from_b = [&](bool held) {
    m.joints.push_back(held ? turning("B", "ground.B", "rocker.root", rocker, 1.5)
                            : guess("B", "ground.B", "rocker.root", rocker));
  };
  switch (cut) {
    case 0:  // B, rocker, coupler, crank; the crank is cut off the ground
      from_b(true);
      m.joints.push_back(guess("2", "rocker.tip", "coupler.tip", coupler - rocker));
      m.joints.push_back(guess("1", "coupler.root", "crank.tip", crank - coupler));
      m.loops = {cut_joint("A", "ground.A", "crank.root")};
      break;
    case 1:
      from_a();
      from_b(false);
      m.joints.push_back(guess("2", "rocker.tip", "coupler.tip", coupler - rocker));
      m.loops = {cut_joint("1", "crank.tip", "coupler.root")};
      break;
    case 2:
      from_a();
      m.joints.push_back(guess("1", "crank.tip", "coupler.root", coupler - crank));
      from_b(false);
      m.loops = {cut_joint("2", "rocker.tip", "coupler.tip")};
      break;
    default:
      from_a();
      m.joints.push_back(guess("1", "crank.tip", "coupler.root", coupler - crank));
      m.joints.push_back(guess("2", "coupler.tip", "rocker.tip", rocker - coupler));
      m.loops = {cut_joint("B", "ground.B", "rocker.root")};
      break;
  }
  m.forces = {make_spring("s1", "ground.wall", "coupler.side", 35.0, 0.7, 0.8),
              make_spring("s2", "crank.tip", "rocker.side", 20.0, 0.4, 0.6)};
  add_objectives(m, "coupler.side", "2");
  if (cut == 2) m.sensors[3].target = m.sensors[4].target = m.sensors[5].target = "1";
  set_analysis(m, 0.5, 5e-3);
  return m;
}

Model five_bar(bool cut_in_the_middle) {
  Model m;
  m.name = "five-bar";
  m.ground.points = {{"A", {0, 0, 0}}, {"B", {1, 0, 0}}};
  m.bodies = {bar("a1", 1.4, 1.0), bar("a2", 1.8, 1.5), bar("b2", 1.8, 1.5), bar("b1", 1.4, 1.0)};
  if (cut_in_the_middle) {
    m.joints = {
        turning("A", "ground.A", "a1.root", -2.3, 0.4), guess("1", "a1.tip", "a2.root", 1.7),
        turning("B", "ground.B", "b1.root", -0.8, -0.3), guess("3", "b1.tip", "b2.root", -1.7)};
    m.loops = {cut_joint("2", "a2.tip", "b2.tip")};
  } else {
    m.joints = {turning("A", "ground.A", "a1.root", -2.3, 0.4),
                turning("1", "a1.tip", "a2.root", 1.75, -0.3), guess("2", "a2.tip", "b2.root", 1.2),
                guess("3", "b2.tip", "b1.root", 1.8)};
    m.loops = {cut_joint("B", "ground.B", "b1.tip")};
  }
  m.forces = {make_spring("s1", "ground.B", "a1.tip", 60.0, 0.5, 2.2),
              make_spring("s2", "ground.B", "a2.tip", 70.0, 0.8, 2.0)};
  add_objectives(m, "a2.tip", "1");
  set_analysis(m, 0.6, 5e-3);
  return m;
}

// Crank, rod, and a slider on an inclined rail through the ground point "rail".
Model slider_crank(JointType cut) {
  Model m;
  m.name = "slider-crank";
  m.ground.points = {{"A", {0, 0, 0}}, {"rail", {0.2, 0.15, 0}}, {"wall", {2.0, 0.5, 0}}};
  m.bodies = {bar("crank", 0.4, 1.0), bar("rod", 1.1, 1.4, true), bar("slider", 0.3, 0.8, true)};
  const Vector3 rail{1.0, 0.1, 0};
  const Vector3 slider_axis{1.0, 0, 0};
  if (cut == JointType::prismatic) {
    m.joints = {turning("A", "ground.A", "crank.root", 0.9, 2.0),
                guess("1", "crank.tip", "rod.root", -1.1),
                guess("2", "rod.tip", "slider.side", 0.3)};
    Joint joint = cut_joint("rail", "ground.rail", "slider.root");
    joint.type = JointType::prismatic;
    joint.axis = rail;
    joint.child_axis = slider_axis;
    joint.zero = kAxis;
    joint.child_zero = kAxis;
    m.loops = {joint};
  } else {
    Joint joint = make_guess("rail", JointType::prismatic, "ground.rail", "slider.root", rail, 1.0);
    joint.child_axis = slider_axis;
    joint.zero = kAxis;
    joint.child_zero = kAxis;
    m.joints = {turning("A", "ground.A", "crank.root", 0.9, 2.0),
                guess("1", "crank.tip", "rod.root", -1.1), joint};
    m.loops = {cut_joint("2", "rod.tip", "slider.side")};
  }
  m.forces = {make_spring("s1", "ground.wall", "slider.tip", 45.0, 1.1, 0.5),
              make_spring("s2", "ground.A", "rod.side", 15.0, 0.3, 0.5)};
  add_objectives(m, "slider.side", "1");
  set_analysis(m, 0.5, 5e-3);
  return m;
}

Model two_four_bars() {
  Model m = four_bar(3);
  m.name = "two four-bars";
  m.bodies.push_back(bar("link", 1.0, 0.9, true));
  m.bodies.push_back(bar("flap", 0.8, 0.7, true));
  m.ground.points["C"] = {2.2, 0.3, 0};
  m.joints.push_back(guess("4", "rocker.side", "link.root", -1.7));
  m.joints.push_back(guess("5", "link.tip", "flap.tip", 1.6));
  m.loops.push_back(cut_joint("C", "ground.C", "flap.root"));
  m.forces.push_back(make_spring("s3", "ground.wall", "flap.side", 12.0, 0.5, 1.0));
  m.forces.push_back(make_spring("s4", "crank.tip", "link.side", 9.0, 0.2, 1.1));
  m.sensors[0].target = m.sensors[1].target = m.sensors[2].target = "flap.side";
  return m;
}

Model tilted_four_bar() {
  Model m = four_bar(3);
  m.name = "tilted four-bar";
  m.parameters = {make_parameter("tilt", 0.5), make_parameter("roll", -0.4),
                  make_parameter("size", 1.0)};
  // Ground axes e1, e2, e3 of the plane of motion.
  m.definitions = {{"e1", "[cos(tilt), 0, -sin(tilt)]"},
                   {"e3", "[cos(roll)*sin(tilt), -sin(roll), cos(roll)*cos(tilt)]"},
                   {"e2", "cross(e3, e1)"}};
  const auto in_plane = [](const std::string& x, const std::string& y) {
    Vector3 v;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string c = std::string(".") + "xyz"[k];
      v[k] = Number("size*((" + x + ")*e1" + c + " + (" + y + ")*e2" + c + ")");
    }
    return v;
  };
  m.ground.points["B"] = in_plane("1.3", "0.1");
  m.ground.points["wall"] = {0.4, 1.9, 0.7};
  const Vector3 normal{"e3.x", "e3.y", "e3.z"};
  const Vector3 along{"e1.x", "e1.y", "e1.z"};
  Joint& root = m.joints[0];
  root.axis = normal;
  root.child_axis = kAxis;
  root.zero = along;
  root.child_zero = Vector3{1, 0, 0};
  Joint& cut = m.loops[0];
  cut.axis = normal;
  cut.child_axis = kAxis;
  for (Body& body : m.bodies) {
    const double length = body.points["tip"][0].value();
    body.points["tip"][0] = Number("size*" + std::to_string(length));
    body.com[2] = 0.04;
  }
  m.gravity = {0.8, -9.7, 1.4};
  return m;
}

}  // namespace gradus::derivative
