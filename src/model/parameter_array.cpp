// Names of elements, and the making of arrays.
#include "src/model/parameter_array.hpp"

#include <charconv>
#include <system_error>

#include "gradus/model.hpp"

namespace gradus {

std::optional<ArrayElement> array_element(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos || name.back() != ']') return std::nullopt;
  ArrayElement element{name.substr(0, bracket)};
  const std::string_view digits = name.substr(bracket + 1, name.size() - bracket - 2);
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, element.index);
  const bool is_plain = problem == std::errc() && stop == end &&
                        (digits[0] != '0' || digits.size() == 1);  // "k[03]" is not written so
  return is_plain ? std::optional(element) : std::nullopt;
}

std::string_view name_in_expressions(std::string_view parameter) {
  const std::optional<ArrayElement> element = array_element(parameter);
  return element ? element->array : parameter;
}

std::string element_name(std::string_view array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

std::vector<Parameter> parameter_array(const Parameter& common, std::size_t size) {
  std::vector<Parameter> elements(size, common);
  for (std::size_t k = 0; k < size; ++k) elements[k].name = element_name(common.name, k);
  return elements;
}

}  // namespace gradus
