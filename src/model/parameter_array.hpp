// Arrays of parameters: parameters called "k[0]", "k[1]", ... that follow each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gradus {

inline constexpr std::size_t longest_array = 100'000;

// An element of an array by its name.
struct ArrayElement {
  std::string_view array;
  std::size_t index = 0;
};

// "k[3]" is element 3 of "k"; nothing for names of other kinds.
std::optional<ArrayElement> array_element(std::string_view name);

// What expressions call the parameter: the array, if it is an element of one.
std::string_view name_in_expressions(std::string_view parameter);

std::string element_name(std::string_view array, std::size_t index);

}  // namespace gradus
