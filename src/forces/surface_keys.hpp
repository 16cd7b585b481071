// The keys of forces that are about a surface, a plane or a height above one.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"

namespace gradus::forces {

// What the height of a surface may depend on beside parameters and time: where it is.
inline constexpr std::array<std::string_view, 2> surface_locals{"surface_x", "surface_y"};

inline constexpr ForceKey normal_key{.name = "normal", .unit = "", .size = 3};
inline constexpr ForceKey height_key{
    .name = "height", .unit = "m", .content = ForceContent::law, .locals = surface_locals};

// Of a direction that is stated by numbers.
inline void check_direction(const Force& force, std::string_view key, const std::string& where) {
  const ForceValue* const value = force.find(key);
  if (value == nullptr || !value->is_vector()) return;
  for (const Number& component : value->vector())
    if (component.is_expression() || component.value() != 0.0) return;
  reject(where + "/" + std::string(key), "found [0, 0, 0]", "it has no direction",
         "state a vector that is not zero");
}

inline void check_surface(const Force& force, const std::string& where) {
  if (force.find("normal") != nullptr && force.find("height") != nullptr)
    reject(where + "/height", "found the keys \"normal\" and \"height\"",
           "heights are along the z axis of the body of \"from\"", "remove one of them");
  check_direction(force, "normal", where);
}

}  // namespace gradus::forces
