// The forces of a model by name, and what kinds of them sensors may show.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// In the order of the types of model files.
enum class ForceType {
  spring_damper,
  torsional_spring_damper,
  force,
  torque,
  joint_force,
  bushing
};

// Nothing if there is no force of that name.
std::optional<ForceType> force_type(const Model& model, std::string_view name);

// Whether forces of the type act on a coordinate of a joint, and nowhere else.
bool acts_on_coordinate(ForceType type);

// That coordinate, "joint" or "joint.k"; "" of other forces.
std::string coordinate_of_force(const Model& model, std::string_view name);

// The names of all forces, in the order of the lists.
std::vector<std::string> force_names(const Model& model);

}  // namespace gradus
