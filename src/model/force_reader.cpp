// Forces from JSON, each type with its own keys.
#include "src/model/message.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

void require_stiffness_or_damping(const JsonElement& element) {
  if (element.find("stiffness") || element.find("damping")) return;
  reject(element.where(), "neither \"stiffness\" nor \"damping\"", "there is no force without",
         "add one of them");
}

SpringDamper read_spring(const JsonElement& element) {
  element.require_keys(keys::spring_damper);
  SpringDamper spring;
  element.read("from", spring.from);
  element.read("to", spring.to);
  if (const auto law = element.find("law")) {
    for (const char* key : {"stiffness", "damping", "length"})
      if (element.find(key))
        reject(element.where(), "found the keys \"law\" and " + in_quotes(key),
               "the law states the whole tension", "remove one of them");
    spring.law = as_expression(law->number());
    return spring;
  }
  require_stiffness_or_damping(element);
  const bool is_elastic = element.read("stiffness", spring.stiffness);
  element.read("damping", spring.damping);
  if (!element.read("length", spring.length) && is_elastic)
    reject(element.where(), "the key \"length\" is missing",
           "a spring needs its natural length in metres", "add it");
  return spring;
}

TorsionalSpringDamper read_torsional_spring(const JsonElement& element) {
  element.require_keys(keys::torsional_spring_damper);
  require_stiffness_or_damping(element);
  TorsionalSpringDamper spring;
  element.read("joint", spring.joint);
  element.read("stiffness", spring.stiffness);
  element.read("damping", spring.damping);
  element.read("angle", spring.angle);
  return spring;
}

Load read_load(const JsonElement& element, bool is_torque) {
  element.require_keys(is_torque ? keys::torque : keys::force);
  Load load;
  load.is_torque = is_torque;
  element.read(is_torque ? "body" : "at", load.at);
  element.read("components", load.components);
  if (const auto axes = element.find("axes"))
    load.axes = static_cast<Axes>(axes->place_among(keys::axes));
  return load;
}

JointForce read_joint_force(const JsonElement& element) {
  element.require_keys(keys::joint_force);
  return {"", element.at("joint").text(), element.at("value").number()};
}

Bushing read_bushing(const JsonElement& element) {
  element.require_keys(keys::bushing);
  Bushing bushing;
  element.read("from", bushing.from);
  element.read("to", bushing.to);
  const int count = element.read("stiffness", bushing.stiffness) +
                    element.read("damping", bushing.damping) +
                    element.read("torsional_stiffness", bushing.torsional_stiffness) +
                    element.read("torsional_damping", bushing.torsional_damping);
  if (count == 0)
    reject(element.where(), "no stiffness and no damping", "there is no force without",
           "add \"stiffness\", \"damping\", \"torsional_stiffness\" or \"torsional_damping\"");
  return bushing;
}

}  // namespace

void read_force(const std::string& name, const JsonElement& element, Model& model) {
  const auto add = [&name](auto& forces, auto force) {
    force.name = name;
    forces.push_back(std::move(force));
  };
  const std::string type = element.at("type").name_among(keys::force_types);
  if (type == "spring-damper") return add(model.springs, read_spring(element));
  if (type == "torsional-spring-damper")
    return add(model.torsional_springs, read_torsional_spring(element));
  if (type == "joint-force") return add(model.joint_forces, read_joint_force(element));
  if (type == "bushing") return add(model.bushings, read_bushing(element));
  add(model.loads, read_load(element, type == "torque"));
}

}  // namespace gradus
