// Reads the elements of a model file; each subject has a file of its own.
#pragma once

#include <string>

#include "gradus/model.hpp"
#include "src/model/json_element.hpp"

namespace gradus {

Joint read_joint(const std::string& name, const JsonElement& element);
Joint read_loop(const std::string& name, const JsonElement& element);
Constraint read_constraint(const std::string& name, const JsonElement& element);
Sensor read_sensor(const std::string& name, const JsonElement& element);
// Adds the force to the list of its type.
void read_force(const std::string& name, const JsonElement& element, Model& model);

// The text of a number, constants included.
std::string as_expression(const Number& number);

}  // namespace gradus
