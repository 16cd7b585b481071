// Reads the elements of a model file; each subject has a file of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/json_element.hpp"

namespace gradus {

// Adds the parameter, or the elements of an array.
void read_parameter(const std::string& name, const JsonElement& element,
                    std::vector<Parameter>& parameters);
Joint read_joint(const std::string& name, const JsonElement& element);
Joint read_loop(const std::string& name, const JsonElement& element);
Constraint read_constraint(const std::string& name, const JsonElement& element);
Sensor read_sensor(const std::string& name, const JsonElement& element);
// Adds the force to the list of its type.
void read_force(const std::string& name, const JsonElement& element, Model& model);

// The text of a number, constants included.
std::string as_expression(const Number& number);
// The text under a key, "" if it is absent.
std::string text_or_nothing(const JsonElement& object, std::string_view key);

}  // namespace gradus
