// Forces of every type, made in memory, and those of a model by name.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "gradus/model.hpp"

namespace gradus {

inline Force make_spring(const std::string& name, const std::string& from, const std::string& to,
                         Number stiffness, Number damping, Number length) {
  return {name,
          "spring-damper",
          {{"from", from},
           {"to", to},
           {"stiffness", std::move(stiffness)},
           {"damping", std::move(damping)},
           {"length", std::move(length)}}};
}

inline Force make_spring_law(const std::string& name, const std::string& from,
                             const std::string& to, const std::string& law) {
  return {name, "spring-damper", {{"from", from}, {"to", to}, {"law", law}}};
}

inline Force make_torsional_spring(const std::string& name, const std::string& joint,
                                   Number stiffness, Number damping, Number angle) {
  return {name,
          "torsional-spring-damper",
          {{"joint", joint},
           {"stiffness", std::move(stiffness)},
           {"damping", std::move(damping)},
           {"angle", std::move(angle)}}};
}

inline Force make_joint_force(const std::string& name, const std::string& joint, Number value) {
  return {name, "joint-force", {{"joint", joint}, {"value", std::move(value)}}};
}

inline Force make_force(const std::string& name, const std::string& at, Vector3 components,
                        const std::string& axes = "global") {
  return {name, "force", {{"at", at}, {"components", std::move(components)}, {"axes", axes}}};
}

inline Force make_torque(const std::string& name, const std::string& body, Vector3 components,
                         const std::string& axes = "global") {
  return {name, "torque", {{"body", body}, {"components", std::move(components)}, {"axes", axes}}};
}

inline Force make_bushing(const std::string& name, const std::string& from, const std::string& to,
                          Vector3 stiffness, Vector3 damping, Vector3 torsional_stiffness,
                          Vector3 torsional_damping) {
  return {name,
          "bushing",
          {{"from", from},
           {"to", to},
           {"stiffness", std::move(stiffness)},
           {"damping", std::move(damping)},
           {"torsional_stiffness", std::move(torsional_stiffness)},
           {"torsional_damping", std::move(torsional_damping)}}};
}

inline Force& force_of(Model& model, const std::string& name) {
  for (Force& force : model.forces)
    if (force.name == name) return force;
  throw std::logic_error("no force " + name);
}

// The springs of a model between points, whose constants are given, lose or change their damping.
inline void set_damping_of_springs(Model& model, double damping) {
  for (Force& force : model.forces)
    if (force.type == "spring-damper") force["damping"] = damping;
}

}  // namespace gradus
