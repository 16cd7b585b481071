// Reads the "parameters" of optimisations and fits.
#include "src/study/optimization/optimization_keys.hpp"
#include "src/study/study_readers.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

// As the model has it, with what the study sets.
Variable variable_of(const std::string& name, const JsonElement& element,
                     const StudyContext& context) {
  const std::size_t index = parameter_index(context.study.model, name, element.where());
  Variable variable;
  variable.name = name;
  variable.start = context.nominal[index];
  if (const auto& bounds = context.study.model.parameters[index].bounds) {
    variable.lower = (*bounds)[0];
    variable.upper = (*bounds)[1];
  }
  return variable;
}

}  // namespace

std::vector<Variable> read_variables(const JsonElement& element, const StudyContext& context) {
  std::vector<Variable> variables;
  if (element.is_array()) {
    for (const JsonElement& name : element.elements())
      variables.push_back(variable_of(name.text(), name, context));
  } else if (element.is_object()) {
    for (const auto& [name, object] : element.named()) {
      Variable variable = variable_of(name, element, context);
      object.require_keys(keys::variable);
      if (const auto start = object.find("start")) variable.start = start->constant();
      if (const auto lower = object.find("lower")) variable.lower = lower->constant();
      if (const auto upper = object.find("upper")) variable.upper = upper->constant();
      variables.push_back(std::move(variable));
    }
  } else {
    element.reject_value(
        R"(a list of parameters, or an object of them with "start", "lower" and "upper")");
  }
  check_variables(variables, context.study.model, 1, element.where());
  return variables;
}

}  // namespace gradus
