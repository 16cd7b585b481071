// A tree that constraints of every kind tie, with sensors of what they exert.
#pragma once

#include <string>

#include "gradus/model.hpp"

namespace gradus::derivative {

// Ten coordinates and Euler parameters in general position, of which three are left free.
// Parameters are of bodies, joints, points, directions, springs, gravity, and of what is kept.
inline Model tied_bodies() {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "tied bodies", "gravity": ["0.3*g", "-g", "0.1*g"],
  "parameters": { "g": 9.81, "m": 1.3, "L": 0.5, "px": 0.21, "beat": 3.0, "depth": 0.12, "k": 40,
                  "c": 0.8, "tilt": 0.3, "side": 0.15 },
  "ground": { "points": { "wall": ["side", 0.7, 0.2] } },
  "bodies": {
    "arm": { "mass": "m", "com": ["L/2", 0.02, "0.1*px"],
             "inertia": { "xx": 0.02, "yy": "0.05*m", "zz": 0.06, "xy": 0.003 },
             "points": { "tip": ["L", 0.05, "px"] }, "vectors": { "mark": ["tilt", 1, 0.2] } },
    "block": { "mass": 0.9, "com": [0.03, "0.2*side", 0.01],
               "inertia": { "xx": 0.03, "yy": 0.02, "zz": 0.025, "yz": -0.002 },
               "points": { "p": ["px", 0.1, 0.2], "q": [-0.1, "side", 0.05] },
               "vectors": { "mark": [0.5, "tilt", -0.4] } },
    "bar": { "mass": "0.4*m", "com": ["0.4*L", 0, 0.01],
             "inertia": { "xx": 0.004, "yy": 0.01, "zz": 0.011 },
             "points": { "tip": ["0.8*L", "0.2*px", 0.02] } },
    "cart": { "mass": 0.7, "com": [0, 0.01, 0.02],
              "inertia": { "xx": 0.01, "yy": 0.01, "zz": 0.01 }, "points": { "hook": [0.1, "px", 0] } }
  },
  "joints": {
    "socket": { "type": "spherical", "parent": "ground", "child": "arm",
                "initial": { "position": [{ "guess": 1 }, { "guess": 0.1 }, { "guess": 0 }, { "guess": 0.2 }],
                             "velocity": [{ "guess": 0.3 }, { "guess": -0.2 }, { "guess": 0.4 }] } },
    "free": { "type": "floating", "parent": "ground", "child": "block" },
    "crank": { "type": "revolute", "parent": "ground.wall", "child": "bar", "axis": ["tilt", 0.2, 1],
               "initial": { "position": { "guess": 0.4 } } },
    "rail": { "type": "prismatic", "parent": "arm.tip", "child": "cart", "axis": [0.2, "tilt", 1],
              "initial": { "position": { "guess": 0.05 } } }
  },
  "constraints": {
    "rope": { "distance": ["arm.tip", "block.p"], "value": "L + depth*sin(beat*t)" },
    "square": { "dot": ["arm.mark", "block.mark"], "value": "0.2 + depth*sin(beat*t)" },
    "pin": { "coincident": ["bar.tip", "block.q"] },
    "drive": { "coordinate": "crank", "value": "0.4 + beat*t + depth*t^2" },
    "lift": { "coordinate": "rail", "value": "0.05 + depth*sin(beat*t)" },
    "surface": { "expression":
      "tip.y^2 + side*tip.x*heading.z - 0.1 - depth*sin(beat*t)*(1 + hook.z) + 0.2*max(spread, 0.1)" }
  },
  "forces": {
    "strut": { "type": "spring-damper", "from": "ground.wall", "to": "arm.tip", "stiffness": "k",
               "damping": "c", "length": "L" },
    "drag": { "type": "torque", "body": "block",
              "components": ["-0.05*c*w.x", "-0.05*w.y", "-0.05*w.z"] }
  },
  "sensors": {
    "tip": { "position": "arm.tip" }, "hook": { "position": "cart.hook" },
    "heading": { "vector": "block.mark" }, "spread": { "distance": ["arm.tip", "ground.wall"] },
    "w": { "angular_velocity": "block" },
    "kinetic": { "energy": "kinetic" }, "momentum": { "momentum": "linear" },
    "f_rope": { "constraint_force": "rope" }, "f_square": { "constraint_force": "square" },
    "f_pin": { "constraint_force": "pin" }, "f_drive": { "constraint_force": "drive" },
    "f_lift": { "constraint_force": "lift" }, "f_surface": { "constraint_force": "surface" },
    "p_rope": { "constraint_power": "rope" }, "p_square": { "constraint_power": "square" },
    "p_pin": { "constraint_power": "pin" }, "p_drive": { "constraint_power": "drive" },
    "p_lift": { "constraint_power": "lift" }, "p_surface": { "constraint_power": "surface" },
    "p_strut": { "power": "strut" }, "p_drag": { "power": "drag" }, "n_strut": { "tension": "strut" }
  },
  "objectives": {
    "forces": { "integral": "0.01*f_rope^2*(1 + t) + 0.1*f_square^2 + 0.01*dot(f_pin, f_pin)" },
    "drivers": { "integral": "f_drive*f_lift + 0.1*f_drive^2 + f_surface" },
    "powers": { "integral": "p_rope + 2*p_square + 0.1*p_drive^2 + p_lift*n_strut + p_surface" },
    "pinned": { "integral": "dot(f_pin, [1, 2, -1])*p_drag + p_strut + p_pin" },
    "end": { "terminal": "f_rope*p_surface + dot(f_pin, [2, -1, 0.5]) + p_square*f_drive + f_lift" }
  },
  "analysis": { "duration": 0.02, "step": 0.004 }
})json");
}

}  // namespace gradus::derivative
