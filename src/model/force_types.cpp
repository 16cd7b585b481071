// Looks forces up by name.
#include "src/model/force_types.hpp"

#include <algorithm>

namespace gradus {
namespace {

// Calls visit(force, type of it) for all forces.
template <class Visit>
void for_each_force(const Model& model, const Visit& visit) {
  for (const SpringDamper& spring : model.springs) visit(spring, ForceType::spring_damper);
  for (const TorsionalSpringDamper& spring : model.torsional_springs)
    visit(spring, ForceType::torsional_spring_damper);
  for (const Load& load : model.loads)
    visit(load, load.is_torque ? ForceType::torque : ForceType::force);
  for (const JointForce& force : model.joint_forces) visit(force, ForceType::joint_force);
  for (const Bushing& bushing : model.bushings) visit(bushing, ForceType::bushing);
}

template <class Force>
const Force* named_force(const std::vector<Force>& forces, std::string_view name) {
  const auto found = std::find_if(forces.begin(), forces.end(),
                                  [name](const Force& force) { return force.name == name; });
  return found == forces.end() ? nullptr : &*found;
}

}  // namespace

std::optional<ForceType> force_type(const Model& model, std::string_view name) {
  std::optional<ForceType> found;
  for_each_force(model, [&](const auto& force, ForceType type) {
    if (force.name == name) found = type;
  });
  return found;
}

bool acts_on_coordinate(ForceType type) {
  return type == ForceType::torsional_spring_damper || type == ForceType::joint_force;
}

std::string coordinate_of_force(const Model& model, std::string_view name) {
  if (const auto* spring = named_force(model.torsional_springs, name)) return spring->joint;
  if (const auto* force = named_force(model.joint_forces, name)) return force->joint;
  return "";
}

std::vector<std::string> force_names(const Model& model) {
  std::vector<std::string> names;
  for_each_force(model, [&](const auto& force, ForceType) { names.push_back(force.name); });
  return names;
}

}  // namespace gradus
