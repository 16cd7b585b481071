// Checks a model as a whole; the subjects have files of their own.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

void require_known(const std::string& name, std::span<const std::string_view> known,
                   const std::string& where) {
  const std::vector<std::string> names(known.begin(), known.end());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  reject(where, "found " + in_quotes(name), "there is none of that name", suggestion(name, names));
}

void require_positive(double value, const std::string& where) {
  if (std::isfinite(value) && value > 0.0) return;
  reject(where, "found " + to_text(value), "it must be positive and finite",
         "choose a value above 0");
}

}  // namespace

void check_parameters(const Model& model, const NominalValues& nominal, const std::string& origin) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    if (!parameter.bounds) continue;
    const auto [low, high] = *parameter.bounds;
    const std::string where = origin + ": /parameters/" + parameter.name;
    const std::string bounds = "[" + to_text(low) + ", " + to_text(high) + "]";
    if (!std::isfinite(low) || !std::isfinite(high) || low > high) {
      reject(where + "/bounds", "found " + bounds, "bounds are finite and ascend",
             "write [smallest, largest]");
    }
    const double value = nominal.parameters()[i];
    if (value < low || value > high) {
      reject(where + "/value", "found " + to_text(value), "it lies outside its bounds " + bounds,
             "change the value or the bounds");
    }
  }
}

void check_objectives(const Model& model, const std::string& origin) {
  expression::Graph graph;
  const ObjectiveScope scope(graph, model, origin);
  for (const Objective& objective : model.objectives) {
    const bool is_integral = objective.kind == ObjectiveKind::integral;
    const std::string where =
        origin + ": /objectives/" + objective.name + (is_integral ? "/integral" : "/terminal");
    const expression::Node node =
        expression::parse_scalar(graph, objective.expression, scope, where);
    if (graph.is_constant(node) && !std::isfinite(graph.constant_value(node))) {
      reject(where, "found " + in_quotes(objective.expression),
             "its value is " + to_text(graph.constant_value(node)), "expected a finite number");
    }
  }
}

void check_analysis(const Analysis& analysis, const std::string& origin) {
  const std::string where = origin + ": /analysis/";
  require_known(analysis.formulation, keys::formulations, where + "formulation");
  require_known(analysis.reference, keys::references, where + "reference");
  require_positive(analysis.duration, where + "duration");
  require_positive(analysis.step, where + "step");
  require_positive(analysis.tolerance, where + "tolerance");
  constexpr double most_steps = 1e9;
  if (!(analysis.duration / analysis.step <= most_steps)) {
    reject(where + "step", "found " + to_text(analysis.step),
           "a duration of " + to_text(analysis.duration) + " s would take " +
               to_text(analysis.duration / analysis.step) + " steps",
           "at most " + to_text(most_steps) + " are possible");
  }
}

void validate(const Model& model, const std::string& origin) {
  check_names(model, origin);
  const References references(model);
  check_references(model, references, origin);
  check_tree(model, references, origin);
  NominalValues nominal(model, origin);
  check_parameters(model, nominal, origin);
  check_bodies(model, references, nominal, origin);
  check_joints(model, nominal, origin);
  check_forces(model, nominal, origin);
  check_objectives(model, origin);
  check_analysis(model.analysis, origin);
}

}  // namespace gradus
