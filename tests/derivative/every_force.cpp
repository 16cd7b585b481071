// Mechanisms with forces, constraints and sensors of every kind.
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

Body& body_of(Model& m, const std::string& name) {
  for (Body& body : m.bodies)
    if (body.name == name) return body;
  return m.bodies.front();
}

void add_sensors(Model& m) {
  const std::vector<Sensor> more{{"near", "position", "plate.grip"},
                                 {"far", "velocity", "plate.grip"},
                                 {"heading", "vector", "rod.mark"},
                                 {"spin", "angular_velocity", "knob"},
                                 {"gap", "distance", "yoke.grip", "arm.tip"},
                                 {"slide", "coordinate", "sleeve"},
                                 {"turns", "rate", "cross"},
                                 {"p", "momentum", "linear"},
                                 {"h", "momentum", "angular"},
                                 {"pull", "reaction_force", "sleeve"},
                                 {"twist", "reaction_moment", "sleeve"}};
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
  for (const Force& force : {
           make_spring_law("muscle", "ground.anchor", "knob.grip",
                           "9*(length - 0.4)*(1 + 0.3*sin(beat*t)) + 2*rate*length + 0.5*spin.x"),
           make_torsional_spring("hinge", "pin", 3.1, 0.2, 0.4),
           make_torsional_spring("drift", "sleeve.0", 14.0, 0.7, 0.05),
           make_torsional_spring("turntable", "table.2", 2.3, 0.3, -0.1),
           {"dashpot",
            "rotary-damper",
            {{"joint", "table.2"}, {"linear", 0.15}, {"quadratic", 0.3}}},
           make_force("wind", "plate.grip", {"2*t - near.x*far.y", 1.3, "swing*heading.z*gap"}),
           make_force("thrust", "rod.grip", {3.1, "1.5*cos(3*t)*far.z", "lift*q"}, "body"),
           make_torque("lamp", "ball", {0.7, "spin.y*gap", "-0.4*qd*lift"}),
           make_torque("motor", "yoke", {"slide.1*lift", 0.9, "t*t + spin.z"}, "body"),
           make_joint_force("servo", "cross.1", "-4*(turns.1 - 0.5*sin(2*t)) + lift*slide.0"),
           make_joint_force("push", "sea.1", 1.7),
           make_bushing("rubber", "yoke.grip", "plate.grip", {11.0, 13.0, 17.0}, {0.4, 0.5, 0.6},
                        {1.1, 1.3, 1.7}, {0.04, 0.05, 0.06}),
           make_bushing("mount", "ground.anchor", "knob.grip", {11.0, 13.0, 17.0}, {0.4, 0.5, 0.6},
                        {1.1, 1.3, 1.7}, {0.04, 0.05, 0.06}),
       })
    m.forces.push_back(force);
  m.states = {{"lag", "(near.x - lag)/0.05 + 0.2*wound*qd", "0.1*lift"},
              {"wound", "q - lag*beat + 0.3*sin(3*t)", 0.2}};
  force_of(m, "servo")["value"] = "-4*(turns.1 - 0.5*sin(2*t)) + lift*slide.0 + 2*wound - 0.7*lag";
  m.objectives.push_back({"mixture", ObjectiveKind::integral,
                          "dot(p, [0.3, -0.2, 0.5]) + dot(h, spin) + gap^2*heading.x + lag*wound",
                          "", ""});
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
      {"rope", "distance", "yoke.grip", "arm.tip", "1.1 + 0.2*sin(beat*t)*lift"},
      {"square", "dot", "rod.mark", "puck.mark", "0.3*cos(beat*t)"},
      {"pinned", "coincident", "rod.grip", "plate.grip", 0},
      {"drive", "coordinate", "pin", "", "beat*t + 0.2*t^2"},
      {"crank", "coordinate", "table.0", "", 0.3},
      {"surface", "expression", "", "",
       "near.x^2 + near.y*heading.z + gap*slide.0 - swing*t^2*near.z + sin(slide.1*t)"}};
  return m;
}

Model driven_loop() {
  Model m = general_loop(JointType::revolute);
  m.name = "driven loop";
  m.parameters = {make_parameter("speed", 1.2)};
  m.constraints = {{"drive", "coordinate", "j4", "", "0.9 + speed*t + 0.4*t^2"}};
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
  m.constraints = {
      {"guide", "expression", "", "", "q - 0.12 - depth*sin(beat*t)*(1 + 0.1*r.x) + 0.05*t"}};
  // What is held must not contradict the guide.
  for (Joint& joint : m.joints)
    if (joint.name == "j4")
      joint.start[0].position_is_guess = joint.start[0].velocity_is_guess = true;
  m.forces.push_back(make_joint_force("servo", "k3", "-0.7*qd + depth*cos(t)"));
  return m;
}

}  // namespace gradus::derivative
