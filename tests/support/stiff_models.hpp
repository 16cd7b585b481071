// Mechanisms and reactions whose motions are far slower than what they could do: stiff problems.
#pragma once

#include <string>

#include "gradus/gradus.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::test {

// H. H. Robertson, The solution of a set of reaction rate equations, 1966; to t = 1e4.
inline Model robertson() {
  Model m = one_body("carrier", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  m.parameters = {{"k1", 0.04, "", {}, ""}, {"k2", 1e4, "", {}, ""}, {"k3", 3e7, "", {}, ""}};
  m.states = {{"y1", "-k1*y1 + k2*y2*y3", 1},
              {"y2", "k1*y1 - k2*y2*y3 - k3*y2^2", 0},
              {"y3", "k3*y2^2", 0}};
  m.objectives = {{"y1", ObjectiveKind::terminal, "y1", "", ""},
                  {"y2", ObjectiveKind::terminal, "y2", "", ""},
                  {"y3", ObjectiveKind::terminal, "y3", "", ""},
                  {"area", ObjectiveKind::integral, "y1", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.controls_error = true;
  m.analysis.duration = 1e4;
  m.analysis.atol = 1e-14;
  return m;
}

// A pendulum whose pin sits in a bushing of 1e9 N/m, hung where it rests: explicit methods must
// follow 3e4 rad/s.
inline Model pendulum_on_bushing() {
  Model m = one_body("pin", 1.0, "along", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  m.gravity = {0, -9.81, 0};
  m.parameters = {{"k", 1e9, "N/m", {}, ""},
                  {"c", 3e4, "N s/m", {}, ""},
                  {"m", 2.0, "kg", {}, ""},
                  {"L", 0.4, "m", {}, ""},
                  {"a", 0.7, "rad", {}, ""}};
  Body slider = m.bodies[0];
  slider.name = "slider";
  Body rod = m.bodies[0];
  rod.name = "rod";
  rod.mass = "m";
  rod.com = {0, "-L", 0};
  m.bodies.insert(m.bodies.end(), {slider, rod});
  Joint across = m.joints[0];
  across.name = "across";
  across.parent = "pin";
  across.child = "slider";
  across.axis = {0, 1, 0};
  across.start = {{"-9.81*(m*cos(a)^2 + 2)/k", 0.0, false, false}};
  Joint hinge = across;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.parent = "slider";
  hinge.child = "rod";
  hinge.axis = {0, 0, 1};
  hinge.start = {{"a", 0.0, false, false}};
  m.joints.insert(m.joints.end(), {across, hinge});
  m.sensors = {{"x", "coordinate", "along"},  {"vx", "rate", "along"},
               {"y", "coordinate", "across"}, {"vy", "rate", "across"},
               {"q", "coordinate", "hinge"},  {"w", "rate", "hinge"}};
  m.forces = {make_joint_force("bushing x", "along", "-k*x - c*vx"),
              make_joint_force("bushing y", "across", "-k*y - c*vy")};
  m.objectives = {{"q", ObjectiveKind::terminal, "q", "", ""},
                  {"w", ObjectiveKind::terminal, "w", "", ""},
                  {"load", ObjectiveKind::integral, "(k*x)^2 + (k*y)^2", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 0.2;
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-14;
  m.analysis.controls_error = true;
  return m;
}

// A flyball governor of the benchmark collection of IFToMM: rods of 1 m with balls of 5 kg on a
// spindle, coupled to a sleeve by springs of 8e5 N/m and 4e4 N s/m.
inline Model governor() {
  return parse_model(R"json({
    "schema": "gradus-model/1", "name": "governor", "gravity": [0, 0, -9.81],
    "parameters": {"k": 8e5, "c": 4e4, "m": 5, "w": 6.283185307179586},
    "definitions": {"J": "0.025 + 0.075*m/(0.3 + m)", "centre": "(0.15 + m)/(0.3 + m)"},
    "bodies": {
      "spindle": {"mass": 0.3, "com": [0, 0, 0.5], "inertia": {"xx": 0.025, "yy": 0.025, "zz": 5e-6},
                  "points": {"top": [0, 0, 1]}},
      "rod1": {"mass": "0.3 + m", "com": ["centre", 0, 0], "inertia": {"xx": 5e-6, "yy": "J", "zz": "J"},
               "points": {"middle": [0.5, 0, 0]}},
      "rod2": {"mass": "0.3 + m", "com": ["centre", 0, 0], "inertia": {"xx": 5e-6, "yy": "J", "zz": "J"},
               "points": {"middle": [0.5, 0, 0]}},
      "sleeve": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1e-3, "yy": 1e-3, "zz": 1e-3}}
    },
    "joints": {
      "bearing": {"type": "revolute", "parent": "ground", "child": "spindle",
                  "initial": {"position": 0, "velocity": "w"}},
      "hinge1": {"type": "revolute", "parent": "spindle.top", "child": "rod1", "axis": [0, 1, 0],
                 "initial": {"position": "pi/3"}},
      "hinge2": {"type": "revolute", "parent": "spindle.top", "child": "rod2", "axis": [0, 1, 0],
                 "initial": {"position": "2*pi/3"}},
      "slide": {"type": "prismatic", "parent": "spindle", "child": "sleeve", "axis": [0, 0, 1],
                "initial": {"position": "1 - sqrt(3)/2"}}
    },
    "forces": {
      "coupler1": {"type": "spring-damper", "from": "rod1.middle", "to": "sleeve.com",
                   "stiffness": "k", "damping": "c", "length": 0.5},
      "coupler2": {"type": "spring-damper", "from": "rod2.middle", "to": "sleeve.com",
                   "stiffness": "k", "damping": "c", "length": 0.5}
    },
    "sensors": {"s": {"coordinate": "slide"}, "v": {"rate": "slide"}},
    "objectives": {"s": {"terminal": "s"}, "mean": {"integral": "s"}, "work": {"integral": "v^2"}},
    "analysis": {"duration": 0.5, "rtol": 1e-10, "atol": 1e-12}
  })json");
}

// A mass that a spring of stiffness k and damping c makes follow cos(w t).
inline Model follower(const std::string& k, const std::string& c) {
  Model m = one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 1.0, 0.0, "z");
  m.parameters = {{"w", 1.0, "rad/s", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.objectives = {{"z", ObjectiveKind::terminal, "z", "m", ""},
                  {"v", ObjectiveKind::terminal, "v", "m/s", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 10.0;
  m.analysis.controls_error = true;
  m.forces = {make_joint_force(
      "follow", "rail", "-" + k + "*(z - cos(w*t)) - " + c + "*(v + w*sin(w*t)) - w^2*cos(w*t)")};
  return m;
}

}  // namespace gradus::test
