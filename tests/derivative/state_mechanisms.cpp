// Mechanisms that forces with a memory move.
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {

Model led_by_states() {
  return parse_model(R"json({
    "schema": "gradus-model/1", "name": "led", "gravity": [0, -9.81, 0],
    "parameters": {"gain": 1.5, "reach": 0.4, "s0": 0.3, "m": 2},
    "bodies": {
      "sledge": {"mass": "m", "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}},
      "bob": {"mass": 0.5, "com": [0, -0.7, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}},
    "joints": {
      "rail": {"type": "prismatic", "parent": "ground", "child": "sledge", "axis": [1, 0, 0],
               "initial": {"position": {"guess": 0}, "velocity": {"guess": 0}}},
      "hinge": {"type": "revolute", "parent": "sledge", "child": "bob",
                "initial": {"position": 0.6, "velocity": -0.2}}},
    "sensors": {"q": {"coordinate": "hinge"}, "x": {"coordinate": "rail"}},
    "states": {
      "s": {"rate": "gain*sin(q) - s", "initial": "s0"},
      "push": {"next": "gain*q + 0.1*push", "every": 0.003}},
    "constraints": {"track": {"expression": "x - reach*s"}},
    "forces": {"motor": {"type": "joint-force", "joint": "hinge", "value": "push"}},
    "objectives": {"end": {"terminal": "x"}, "turn": {"terminal": "q"}},
    "analysis": {"duration": 0.012, "step": 0.001}})json");
}

Model of_everything() {
  return parse_model(R"json({
    "schema": "gradus-model/1", "name": "everything", "gravity": [0, -9.81, 0],
    "parameters": {"mu": 0.2, "k": 30, "L": 0.5, "v": 1.5, "m": 2},
    "bodies": {
      "a": {"mass": "m", "com": ["L", 0, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.2},
            "points": {"tip": [1, 0, 0]}},
      "b": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.2},
            "points": {"tip": [1, 0, 0]}},
      "free": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 0.1, "yy": 0.2, "zz": 0.3}}},
    "joints": {
      "j": {"type": "revolute", "parent": "ground", "child": "a", "initial": {"position": 0.3}},
      "k": {"type": "revolute", "parent": "a.tip", "child": "b", "initial": {"position": 0.4}},
      "f": {"type": "floating", "parent": "ground", "child": "free"}},
    "states": {"y": {"rate": "-3*y + k*q", "initial": "v"}},
    "sensors": {"q": {"coordinate": "j"}, "w": {"rate": "j"}, "on": {"reaction_force": "j"},
                "tip": {"position": "b.tip"}},
    "forces": {
      "friction": {"type": "joint-force", "joint": "j",
                   "value": "-mu*sqrt(on.x^2 + on.y^2 + 1e-4)*tanh(w/0.1) + y"},
      "mount": {"type": "bushing", "from": "ground", "to": "free.com", "stiffness": ["k", 20, 30],
                "torsional_stiffness": [3, 4, "k"], "damping": [1, 1, 1]},
      "table": {"type": "joint-force", "joint": "k",
                "value": "spline(t, [0, 0.01, 0.02, 0.05], [0, v, 2, 1])"}},
    "objectives": {
      "top": {"maximum": "tip.x - 20*(t - 0.006)^2"}, "when": {"time_when": "q - 0.2999"},
      "mean": {"integral": "tip.y^2 + on.x"}, "end": {"terminal": "tip.x"},
      "at": {"value": "w", "at": 0.006}},
    "analysis": {"duration": 0.012, "step": 0.001}})json");
}

}  // namespace gradus::derivative
