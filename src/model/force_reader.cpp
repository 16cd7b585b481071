// Forces from JSON, each type with its own keys.
#include "src/model/message.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

void read_number(const JsonElement& object, std::string_view key, Number& number) {
  if (const auto element = object.find(key)) number = element->number();
}

// Returns whether it is there.
bool read_vector(const JsonElement& object, std::string_view key, Vector3& vector) {
  const auto element = object.find(key);
  if (element) vector = element->vector();
  return element.has_value();
}

void require_stiffness_or_damping(const JsonElement& element) {
  if (element.find("stiffness") || element.find("damping")) return;
  reject(element.where(), "neither \"stiffness\" nor \"damping\"", "there is no force without",
         "add one of them");
}

SpringDamper read_spring(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::spring_damper);
  SpringDamper spring;
  spring.name = name;
  spring.from = element.at("from").text();
  spring.to = element.at("to").text();
  if (const auto law = element.find("law")) {
    for (const char* key : {"stiffness", "damping", "length"}) {
      if (!element.find(key)) continue;
      reject(element.where(), "found the keys \"law\" and " + in_quotes(key),
             "the law states the whole tension", "remove one of them");
    }
    spring.law = as_expression(law->number());
    return spring;
  }
  require_stiffness_or_damping(element);
  if (element.find("stiffness") && !element.find("length")) {
    reject(element.where(), "the key \"length\" is missing",
           "a spring needs its natural length in metres", "add it");
  }
  read_number(element, "stiffness", spring.stiffness);
  read_number(element, "damping", spring.damping);
  read_number(element, "length", spring.length);
  return spring;
}

TorsionalSpringDamper read_torsional_spring(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::torsional_spring_damper);
  require_stiffness_or_damping(element);
  TorsionalSpringDamper spring;
  spring.name = name;
  spring.joint = element.at("joint").text();
  read_number(element, "stiffness", spring.stiffness);
  read_number(element, "damping", spring.damping);
  read_number(element, "angle", spring.angle);
  return spring;
}

Load read_load(const std::string& name, const JsonElement& element, bool is_torque) {
  if (is_torque) {
    element.require_keys(keys::torque);
  } else {
    element.require_keys(keys::force);
  }
  Load load;
  load.name = name;
  load.is_torque = is_torque;
  load.at = element.at(is_torque ? "body" : "at").text();
  load.components = element.at("components").vector();
  if (const auto axes = element.find("axes"))
    load.axes = axes->name_among(keys::axes) == "body" ? Axes::body : Axes::global;
  return load;
}

JointForce read_joint_force(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::joint_force);
  return {name, element.at("joint").text(), element.at("value").number()};
}

Bushing read_bushing(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::bushing);
  Bushing bushing;
  bushing.name = name;
  bushing.from = element.at("from").text();
  bushing.to = element.at("to").text();
  const int count = read_vector(element, "stiffness", bushing.stiffness) +
                    read_vector(element, "damping", bushing.damping) +
                    read_vector(element, "torsional_stiffness", bushing.torsional_stiffness) +
                    read_vector(element, "torsional_damping", bushing.torsional_damping);
  if (count == 0) {
    reject(element.where(), "no stiffness and no damping", "there is no force without",
           "add \"stiffness\", \"damping\", \"torsional_stiffness\" or \"torsional_damping\"");
  }
  return bushing;
}

}  // namespace

void read_force(const std::string& name, const JsonElement& element, Model& model) {
  const std::string type = element.at("type").name_among(keys::force_types);
  if (type == "spring-damper") {
    model.springs.push_back(read_spring(name, element));
  } else if (type == "torsional-spring-damper") {
    model.torsional_springs.push_back(read_torsional_spring(name, element));
  } else if (type == "joint-force") {
    model.joint_forces.push_back(read_joint_force(name, element));
  } else if (type == "bushing") {
    model.bushings.push_back(read_bushing(name, element));
  } else {
    model.loads.push_back(read_load(name, element, type == "torque"));
  }
}

}  // namespace gradus
