// A sledge that a state leads, and a sampled one that drives the pendulum on it.
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

}  // namespace gradus::derivative
