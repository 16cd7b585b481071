// Valid models that tests spoil, and what is said about the result.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "gradus/error.hpp"
#include "gradus/model.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {

// Two bodies on a chain from the ground, one loop, a spring, and one of everything else.
inline const char* const small_model = R"({
  "schema": "gradus-model/1",
  "name": "small",
  "gravity": [0, 0, -9.81],
  "parameters": { "length": { "value": 2, "unit": "m", "bounds": [1, 3] }, "stiffness": 100 },
  "definitions": { "half": "length/2", "tip": ["length", 0, 0] },
  "ground": { "points": { "wall": [4, 0, 0] } },
  "bodies": {
    "arm": { "mass": 1, "com": ["half", 0, 0], "inertia": { "xx": 0.1, "yy": 0.2, "zz": 0.2 },
             "points": { "tip": ["tip.x", "tip.y", "tip.z"] } },
    "slider": { "mass": 2, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } }
  },
  "joints": {
    "hinge": { "type": "revolute", "parent": "ground", "child": "arm", "axis": [0, 1, 0],
               "initial": { "position": 0.1 } },
    "rail": { "type": "prismatic", "parent": "arm.tip", "child": "slider", "axis": [1, 0, 0],
              "initial": { "position": { "guess": 0.5 } } }
  },
  "loops": { "closing": { "type": "revolute", "parent": "ground.wall", "child": "slider", "axis": [0, 1, 0] } },
  "forces": { "spring": { "type": "spring-damper", "from": "ground", "to": "slider.com",
                          "stiffness": "stiffness", "length": 1 } },
  "sensors": { "place": { "position": "arm.tip" }, "angle": { "coordinate": "hinge" } },
  "objectives": { "cost": { "integral": "dot(place, place) + angle^2*length + t" } },
  "analysis": { "duration": 1, "step": 0.01 }
})";

// The small model with members replaced, added, or (null) removed.
inline std::string small_model_with(const std::string& patch) {
  nlohmann::json model = nlohmann::json::parse(small_model);
  model.merge_patch(nlohmann::json::parse(patch));
  return model.dump();
}

// The same of the model that says everything.
inline std::string everything_with(const std::string& patch) {
  std::ifstream file(source_path("tests/unit/model/models/everything.json"));
  nlohmann::ordered_json model = nlohmann::ordered_json::parse(file, nullptr, true, true);
  model.merge_patch(nlohmann::ordered_json::parse(patch));
  return model.dump();
}

inline std::string error_of(const std::string& text) {
  try {
    parse_model(text, "small.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace gradus
