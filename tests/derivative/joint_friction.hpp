// What tests of friction in joints build it of.
#pragma once

#include <map>
#include <string>

#include "gradus/gradus.hpp"

namespace gradus::derivative {

inline void use_exact_steps(Model& m, double duration) {
  m.analysis.duration = duration;
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-13;
}

inline Force friction(const std::string& joint, const std::map<std::string, ForceValue>& more,
                      const std::string& name = "friction") {
  Force force{name, "joint-friction", {{"joint", joint}}};
  for (const auto& [key, value] : more) force[key] = value;
  return force;
}

inline CoordinateStart at(double position, double velocity) {
  return {position, velocity, false, false};
}

}  // namespace gradus::derivative
