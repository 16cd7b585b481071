// What the files of this folder share: the key by which a vector is given in global axes or in
// those of its body.
#pragma once

#include <array>
#include <string_view>

#include "src/model/force_kind.hpp"

namespace gradus::forces {

inline constexpr std::array<std::string_view, 2> axes{"global", "body"};
inline constexpr ForceKey axes_key{
    .name = "axes", .unit = "", .content = ForceContent::choice, .choices = axes};

}  // namespace gradus::forces
