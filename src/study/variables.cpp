// The variables of optimisations and fits.
#include "src/study/variables.hpp"

#include <cmath>
#include <set>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/study/sampling/sampler.hpp"
#include "src/study/study_keys.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

void check_variable(const Variable& variable, std::size_t starts, const std::string& where) {
  const double lower = variable.lower;
  const double upper = variable.upper;
  if (std::isnan(lower) || std::isnan(upper) || !std::isfinite(variable.start))
    reject(where, "start and bounds are not numbers",
           "found " + to_text(variable.start) + " between " + to_text(lower) + " and " +
               to_text(upper),
           "only bounds may be infinite, and only outwards");
  const std::string bounds = "[" + to_text(lower) + ", " + to_text(upper) + "]";
  if (!(lower < upper))
    reject(where, "the bounds " + bounds + " leave nothing to vary",
           "the lower one must be below the upper one",
           "remove the parameter if it should not vary");
  if (variable.start < lower || variable.start > upper)
    reject(where, "the start " + to_text(variable.start) + " is not allowed",
           "it lies outside the bounds " + bounds, R"(change "start" or the bounds)");
  if (starts > 1 && (!std::isfinite(lower) || !std::isfinite(upper)))
    reject(where, "the bounds " + bounds + " are not finite",
           std::to_string(starts) + " starts are spread between bounds",
           R"(give "lower" and "upper", or use one start)");
}

// The variable as the model and "set" define it.
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

void check_variables(const std::vector<Variable>& variables, const Model& model, std::size_t starts,
                     const std::string& where) {
  if (variables.empty())
    reject(where, "there are no parameters", "nothing could vary", "name one at least");
  std::set<std::string> names;
  for (const Variable& variable : variables) {
    parameter_index(model, variable.name, where);
    const std::string inner = where + "/" + variable.name;
    if (!names.insert(variable.name).second)
      reject(inner, "the parameter is named twice", "it has one start and one pair of bounds",
             "name it once");
    check_variable(variable, starts, inner);
  }
}

void check_fraction(double value, const std::string& where, const std::string& name) {
  if (!(value > 0.0 && value < 1.0))
    throw InputError(where + "/" + name + ": found " + to_text(value) +
                     ", expected a number between 0 and 1");
}

void check_count(std::size_t value, std::size_t most, const std::string& where,
                 const std::string& name) {
  if (value == 0 || value > most)
    throw InputError(where + "/" + name + ": found " + std::to_string(value) +
                     ", expected a whole number from 1 to " + std::to_string(most));
}

std::vector<std::size_t> variable_indices(const std::vector<Variable>& variables,
                                          const Model& model) {
  std::vector<std::size_t> indices;
  for (const Variable& variable : variables)
    indices.push_back(parameter_index(model, variable.name, model.name));
  return indices;
}

std::vector<std::vector<double>> start_points(const std::vector<Variable>& variables,
                                              std::size_t starts, std::uint64_t seed) {
  std::vector<double> first;
  for (const Variable& variable : variables) first.push_back(variable.start);
  std::vector<std::vector<double>> points = {first};
  if (starts < 2) return points;
  Sweep sweep;
  sweep.sampling = Sampling::latin_hypercube;
  sweep.designs = starts - 1;
  sweep.seed = seed;
  for (const Variable& variable : variables) {
    SweepParameter parameter;
    parameter.name = variable.name;
    parameter.distribution.from = variable.lower;
    parameter.distribution.to = variable.upper;
    sweep.parameters.push_back(parameter);
  }
  const Sampler sampler(sweep, "starts");
  for (std::size_t index = 0; index + 1 < starts; ++index) {
    points.push_back(first);
    sampler.sample(index, points.back());
  }
  return points;
}

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
