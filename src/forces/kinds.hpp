// What the files of this folder share: keys in the words of which of them are positive, and the
// key by which a vector is given in global axes or in those of its body.
#pragma once

#include <array>
#include <string_view>

#include "src/model/force_kind.hpp"

namespace gradus::forces {

inline constexpr std::array<std::string_view, 2> axes{"global", "body"};
inline constexpr ForceKey axes_key{
    .name = "axes", .unit = "", .content = ForceContent::choice, .choices = axes};

constexpr ForceKey positive_key(std::string_view name, std::string_view unit,
                                bool required = false) {
  return {.name = name, .unit = unit, .required = required, .is_positive = true};
}
constexpr ForceKey not_negative_key(std::string_view name, std::string_view unit,
                                    bool required = false) {
  return {.name = name, .unit = unit, .required = required, .is_not_negative = true};
}
constexpr ForceKey at_least_one_key(std::string_view name, std::string_view unit) {
  return {.name = name, .unit = unit, .is_at_least_one = true};
}
constexpr ForceKey share_key(std::string_view name) {
  return {.name = name, .unit = "", .is_positive = true, .is_at_most_one = true};
}
constexpr ForceKey choice_key(std::string_view name, std::span<const std::string_view> choices) {
  return {.name = name, .unit = "", .content = ForceContent::choice, .choices = choices};
}

}  // namespace gradus::forces
