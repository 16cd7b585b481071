// A small design problem: a mass on a spring and a damper, let go.
#pragma once

#include <limits>
#include <string>

#include "gradus/study.hpp"

namespace gradus::test {

// Travel wants both stiff, effort soft.
inline Model suspension() {
  return parse_model(R"({
    "schema": "gradus-model/1",
    "name": "suspension",
    "gravity": [0, 0, 0],
    "parameters": {
      "k": { "value": 20, "unit": "N/m", "bounds": [5, 100] },
      "c": { "value": 1, "unit": "N s/m", "bounds": [0.1, 10] },
      "m": { "value": 1, "unit": "kg" }
    },
    "ground": { "points": { "a": [0, 0, 0] } },
    "bodies": {
      "mass": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 }, "points": { "p": [0, 0, 0] } }
    },
    "joints": {
      "slide": { "type": "prismatic", "parent": "ground.a", "child": "mass.p", "axis": [1, 0, 0],
                 "initial": { "position": 0.5, "velocity": 0 } }
    },
    "forces": {
      "spring": { "type": "torsional-spring-damper", "joint": "slide", "stiffness": "k", "damping": "c", "angle": 0 }
    },
    "sensors": { "x": { "coordinate": "slide" }, "v": { "rate": "slide" } },
    "objectives": {
      "travel": { "integral": "x^2", "unit": "m^2 s" },
      "effort": { "integral": "(k*x + c*v)^2", "unit": "N^2 s" },
      "late": { "value": "x", "at": [0.25, 0.5], "unit": "m" }
    },
    "analysis": { "duration": 1, "step": 0.01 }
  })",
                     "suspension.json");
}

inline Study suspension_study(const std::string& method = "slsqp") {
  Study study;
  study.name = "softer";
  study.model = suspension();
  study.options.backend = "cpu:1";
  Optimization optimization;
  optimization.objective = {{"travel", 1.0}};
  optimization.variables = {{"k", 20.0, 5.0, 100.0}, {"c", 1.0, 0.1, 10.0}};
  optimization.constraints = {{"effort", -std::numeric_limits<double>::infinity(), 20.0}};
  optimization.method = method;
  study.optimization = optimization;
  study.files = {{"study", "{}"}};
  return study;
}

}  // namespace gradus::test
