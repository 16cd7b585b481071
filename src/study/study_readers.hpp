// Reads the parts of a study file; each has a file of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gradus/study.hpp"
#include "src/model/json_element.hpp"

namespace gradus {

// Where parts of a study find the rest of it.
struct StudyContext {
  const Study& study;           // name, model and options are there
  std::vector<double> nominal;  // values of the model's parameters, with what the study sets
  // The content of a file the study names; keeps it among the files of the study. Throws FileError.
  std::function<std::string(const std::string& reference)> read_file;
};

Sweep read_sweep(const JsonElement& element, const StudyContext& context);
Optimization read_optimization(const JsonElement& element, const StudyContext& context);
Fit read_fit(const JsonElement& element, const StudyContext& context);

// Index of a parameter of the model. Throws InputError with the nearest name; `where` opens it.
std::size_t parameter_index(const Model& model, const std::string& name, const std::string& where);

// The "parameters" of optimisations and fits: a list of names, or an object of names with "start",
// "lower" and "upper". What is not said is taken from the model: its value, its bounds.
std::vector<Variable> read_variables(const JsonElement& element, const StudyContext& context);

}  // namespace gradus
