// A four-bar linkage whose coupler hangs on a spring, at rest but for the rate of its crank.
#pragma once

namespace gradus::derivative {

inline constexpr const char* kFourBar = R"json({ "schema": "gradus-model/1", "name": "four-bar",
  "gravity": [0, -9.81, 0],
  "parameters": { "m": 1.2, "a": 0.3, "b": 0.8, "c": 0.6, "e": 0.9, "k": 60, "l0": 0.35, "v": 0.4 },
  "ground": { "points": { "A": [0, 0, 0], "D": ["e", 0, 0], "S": [0.2, 0.9, 0] } },
  "bodies": {
    "crank": { "mass": "m", "com": ["a/2", 0, 0], "inertia": { "xx": 0.01, "yy": 0.01, "zz": 0.01 },
               "points": { "B": ["a", 0, 0] } },
    "coupler": { "mass": "2*m", "com": ["b/2", 0.05, 0],
                 "inertia": { "xx": 0.05, "yy": 0.05, "zz": 0.05 },
                 "points": { "C": ["b", 0, 0], "P": ["b/2", 0.1, 0] } },
    "rocker": { "mass": "m", "com": ["c/2", 0, 0],
                "inertia": { "xx": 0.02, "yy": 0.02, "zz": 0.02 }, "points": { "C": ["c", 0, 0] } } },
  "joints": {
    "A": { "type": "revolute", "parent": "ground.A", "child": "crank",
           "initial": { "position": 1.0, "velocity": "v" } },
    "B": { "type": "revolute", "parent": "crank.B", "child": "coupler",
           "initial": { "position": { "guess": -0.6 } } },
    "D": { "type": "revolute", "parent": "ground.D", "child": "rocker",
           "initial": { "position": { "guess": 2.0 } } } },
  "loops": { "C": { "type": "revolute", "parent": "coupler.C", "child": "rocker.C" } },
  "forces": { "spring": { "type": "spring-damper", "from": "ground.S", "to": "coupler.P",
                          "stiffness": "k", "damping": 1, "length": "l0" } },
  "start": "equilibrium",
  "sensors": { "q": { "coordinate": "A" }, "P": { "position": "coupler.P" } },
  "objectives": { "end": { "terminal": "P.x + q" }, "path": { "integral": "dot(P, P)" } },
  "analysis": { "duration": 0.04, "step": 0.01 } })json";

}  // namespace gradus::derivative
