// Mechanisms with forces, constraints and sensors of every kind.
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

Body& body_of(Model& m, const std::string& name) {
  for (Body& body : m.bodies)
    if (body.name == name) return body;
  return m.bodies.front();
}

void add_sensors(Model& m) {
  const std::vector<Sensor> more{{"near", SensorKind::position, "plate.grip"},
                                 {"far", SensorKind::velocity, "plate.grip"},
                                 {"heading", SensorKind::vector, "rod.mark"},
                                 {"spin", SensorKind::angular_velocity, "knob"},
                                 {"gap", SensorKind::distance, "yoke.grip", "arm.tip"},
                                 {"slide", SensorKind::coordinate, "sleeve"},
                                 {"turns", SensorKind::rate, "cross"},
                                 {"p", SensorKind::momentum, ""},
                                 {"h", SensorKind::angular_momentum, ""},
                                 {"pull", SensorKind::reaction_force, "sleeve"},
                                 {"twist", SensorKind::reaction_moment, "sleeve"}};
  m.sensors.insert(m.sensors.end(), more.begin(), more.end());
}

// The tree of every joint with points to act on, and the sensors that laws use.
Model with_sensors() {
  Model m = every_joint();
  body_of(m, "plate").points["grip"] = {0.17, -0.08, 0.11};
  body_of(m, "yoke").points["grip"] = {-0.06, 0.15, 0.07};
  body_of(m, "rod").points["grip"] = {0.12, 0.09, -0.13};
  body_of(m, "rod").vectors["mark"] = {0.4, 0.7, -0.5};
  m.parameters = {make_parameter("lift", 1.3), make_parameter("beat", 2.7)};
  m.definitions = {{"swing", "lift*sin(beat)"}};
  add_sensors(m);
  return m;
}

}  // namespace

Model every_force() {
  Model m = with_sensors();
  m.name = "every force";
  m.ground.points["anchor"] = {0.6, -0.4, 0.3};
  body_of(m, "knob").points["grip"] = {0.04, 0.21, 0.05};
  m.springs.push_back({"muscle", "ground.anchor", "knob.grip", 0, 0, 0,
                       "9*(length - 0.4)*(1 + 0.3*sin(beat*t)) + 2*rate*length + 0.5*spin.x"});
  m.torsional_springs = {{"hinge", "pin", 3.1, 0.2, 0.4},
                         {"drift", "sleeve.0", 14.0, 0.7, 0.05},
                         {"turntable", "table.2", 2.3, 0.3, -0.1}};
  m.loads = {{"wind",
              false,
              "plate.grip",
              Axes::global,
              {"2*t - near.x*far.y", 1.3, "swing*heading.z*gap"}},
             {"thrust", false, "rod.grip", Axes::body, {3.1, "1.5*cos(3*t)*far.z", "lift*q"}},
             {"lamp", true, "ball", Axes::global, {0.7, "spin.y*gap", "-0.4*qd*lift"}},
             {"motor", true, "yoke", Axes::body, {"slide.1*lift", 0.9, "t*t + spin.z"}}};
  m.joint_forces = {{"servo", "cross.1", "-4*(turns.1 - 0.5*sin(2*t)) + lift*slide.0"},
                    {"push", "sea.1", 1.7}};
  Bushing rubber;
  rubber.name = "rubber";
  rubber.from = "yoke.grip";
  rubber.to = "plate.grip";
  rubber.stiffness = {11.0, 13.0, 17.0};
  rubber.damping = {0.4, 0.5, 0.6};
  rubber.torsional_stiffness = {1.1, 1.3, 1.7};
  rubber.torsional_damping = {0.04, 0.05, 0.06};
  Bushing mount = rubber;
  mount.name = "mount";
  mount.from = "ground.anchor";
  mount.to = "knob.grip";
  m.bushings = {rubber, mount};
  m.objectives.push_back({"mixture", ObjectiveKind::integral,
                          "dot(p, [0.3, -0.2, 0.5]) + dot(h, spin) + gap^2*heading.x", "", ""});
  m.objectives.push_back({"end mixture", ObjectiveKind::terminal,
                          "dot(cross(p, heading), h) + gap*spin.z + lift*turns.0", "", ""});
  m.analysis.duration = 0.06;
  return m;
}

Model every_constraint() {
  Model m = with_sensors();
  m.name = "every constraint";
  for (Joint& joint : m.joints)
    for (CoordinateStart& start : joint.start)
      start.position_is_guess = start.velocity_is_guess = joint.name != "sea";
  body_of(m, "puck").vectors["mark"] = {0.2, -0.3, 0.8};
  m.constraints = {
      {"rope", ConstraintKind::distance, "yoke.grip", "arm.tip", "1.1 + 0.2*sin(beat*t)*lift"},
      {"square", ConstraintKind::dot, "rod.mark", "puck.mark", "0.3*cos(beat*t)"},
      {"pinned", ConstraintKind::coincident, "rod.grip", "plate.grip", 0},
      {"drive", ConstraintKind::coordinate, "pin", "", "beat*t + 0.2*t^2"},
      {"crank", ConstraintKind::coordinate, "table.0", "", 0.3},
      {"surface", ConstraintKind::expression, "", "",
       "near.x^2 + near.y*heading.z + gap*slide.0 - swing*t^2*near.z + sin(slide.1*t)"}};
  return m;
}

Model driven_loop() {
  Model m = general_loop(JointType::revolute);
  m.name = "driven loop";
  m.parameters = {make_parameter("speed", 1.2)};
  m.constraints = {{"drive", ConstraintKind::coordinate, "j4", "", "0.9 + speed*t + 0.4*t^2"}};
  for (Joint& joint : m.joints) {
    joint.start[0].position_is_guess = true;
    joint.start[0].velocity_is_guess = true;
  }
  return m;
}

Model guided_loop() {
  Model m = double_general_loop();
  m.name = "guided loop";
  m.parameters = {make_parameter("depth", 0.21), make_parameter("beat", 9.0)};
  m.constraints = {{"guide", ConstraintKind::expression, "", "",
                    "q - 0.12 - depth*sin(beat*t)*(1 + 0.1*r.x) + 0.05*t"}};
  // What is held must not contradict the guide.
  for (Joint& joint : m.joints)
    if (joint.name == "j4")
      joint.start[0].position_is_guess = joint.start[0].velocity_is_guess = true;
  m.joint_forces = {{"servo", "k3", "-0.7*qd + depth*cos(t)"}};
  return m;
}

}  // namespace gradus::derivative
