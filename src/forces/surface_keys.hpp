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

inline void check_surface(const Force& force, const std::string& where) {
  if (force.find("normal") != nullptr && force.find("height") != nullptr)
    reject(where + "/height", "found the keys \"normal\" and \"height\"",
           "heights are along the z axis of the body of \"from\"", "remove one of them");
}

}  // namespace gradus::forces
