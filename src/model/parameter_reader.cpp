// Reads parameters, and arrays of them element by element.
#include <cmath>

#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

using Bounds = std::array<double, 2>;

Bounds read_bounds(const JsonElement& element) {
  const std::vector<JsonElement> ends = element.elements(2);
  return {ends[0].constant(), ends[1].constant()};
}

std::size_t read_size(const JsonElement& element, std::size_t taken) {
  const double size = element.constant();
  if (!(size >= 1.0 && size <= static_cast<double>(longest_array)) || size != std::floor(size))
    element.reject_value("a whole number from 1 to " + std::to_string(longest_array));
  if (taken + static_cast<std::size_t>(size) > most_values)
    element.reject_value("at most " + std::to_string(most_values) + " parameters in all");
  return static_cast<std::size_t>(size);
}

// One value for all, or a list.
void read_values(const JsonElement& element, std::vector<Parameter>& array) {
  if (!element.is_array()) {
    for (Parameter& parameter : array) parameter.value = element.number();
    return;
  }
  const std::vector<JsonElement> values = element.elements(array.size());
  for (std::size_t k = 0; k < array.size(); ++k) array[k].value = values[k].number();
}

// One pair for all, or a list of pairs.
void read_bounds_of_all(const JsonElement& element, std::vector<Parameter>& array) {
  const bool is_list = element.is_array() && !element.json().elements.empty() &&
                       element.json().elements[0].kind == JsonValue::Kind::array;
  if (!is_list) {
    const Bounds bounds = read_bounds(element);
    for (Parameter& parameter : array) parameter.bounds = bounds;
    return;
  }
  const std::vector<JsonElement> pairs = element.elements(array.size());
  for (std::size_t k = 0; k < array.size(); ++k) array[k].bounds = read_bounds(pairs[k]);
}

}  // namespace

void read_parameter(const std::string& name, const JsonElement& element,
                    std::vector<Parameter>& parameters) {
  Parameter parameter;
  parameter.name = name;
  if (array_element(name)) {
    reject(element.where(), "found the name " + in_quotes(name),
           "it is that of an element of an array", "write the array once, with a \"size\"");
  }
  if (!element.is_object()) {
    parameter.value = element.number();
    parameters.push_back(parameter);
    return;
  }
  element.require_keys(keys::parameter);
  parameter.unit = text_or_nothing(element, "unit");
  parameter.description = text_or_nothing(element, "description");
  const JsonElement value = element.at("value");
  const auto bounds = element.find("bounds");
  const auto size = element.find("size");
  if (!size) {
    if (value.is_array()) value.reject_value("a number; an array of parameters has a \"size\"");
    parameter.value = value.number();
    if (bounds) parameter.bounds = read_bounds(*bounds);
    parameters.push_back(parameter);
    return;
  }
  std::vector<Parameter> array = parameter_array(parameter, read_size(*size, parameters.size()));
  read_values(value, array);
  if (bounds) read_bounds_of_all(*bounds, array);
  parameters.insert(parameters.end(), array.begin(), array.end());
}

}  // namespace gradus
