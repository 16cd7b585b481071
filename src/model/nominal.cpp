// Evaluates numbers of a model at its own parameter values.
#include "src/model/nominal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/expressions/evaluate.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"

namespace gradus {
namespace {

void require_finite(double value, const std::string& text, const std::string& where) {
  if (std::isfinite(value)) return;
  reject(where, "found " + (text.empty() ? to_text(value) : in_quotes(text)),
         "its value is " + to_text(value) + " at the parameter values of the model",
         "expected a finite number");
}

// For parameter values: no names at all, and a hint for those who expected some.
class ParameterValueScope : public expression::EmptyScope {
 public:
  explicit ParameterValueScope(const Model& model) : model_(model) {}
  std::string hint(std::string_view name) const override {
    const auto is_named = [name](const auto& element) {
      return name_in_expressions(element.name) == name;
    };
    const bool known = std::any_of(model_.parameters.begin(), model_.parameters.end(), is_named) ||
                       std::any_of(model_.definitions.begin(), model_.definitions.end(), is_named);
    if (!known) return Scope::hint(name);
    return "parameter values are constant; put what depends on others under \"definitions\"";
  }

 private:
  const Model& model_;
};

}  // namespace

std::vector<double> nominal_parameters(const Model& model, const std::string& origin) {
  const ParameterValueScope scope(model);
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters)
    values.push_back(constant_value(parameter.value, scope,
                                    origin + ": /parameters/" + parameter.name + "/value"));
  return values;
}

double NodeValues::of(const expression::Graph& graph, expression::Node node) {
  const int first = static_cast<int>(results.size());
  results.resize(static_cast<std::size_t>(graph.size()));
  for (int k = first; k < graph.size(); ++k) kernels::evaluate_one(graph[k], k, inputs, results);
  return results[static_cast<std::size_t>(node)];
}

NominalValues::NominalValues(const Model& model, const std::string& origin)
    : scope_(graph_, model, origin), values_{nominal_parameters(model, origin)} {
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    require_finite(parameters()[i], parameter.value.expression(),
                   origin + ": /parameters/" + parameter.name + "/value");
  }
  for (const Definition& definition : model.definitions) {
    const expression::Value* found = scope_.find(definition.name);
    if (found == nullptr) continue;  // it depends on the motion: check_moving_definitions()
    for (const expression::Node node : found->components)
      require_finite(values_.of(graph_, node), definition.expression,
                     origin + ": /definitions/" + definition.name);
  }
}

double NominalValues::value(const Number& number, const std::string& where) {
  const double value = values_.of(graph_, gradus::number(graph_, number, scope_, where));
  require_finite(value, number.expression(), where);
  return value;
}

std::array<double, 3> NominalValues::value(const Vector3& vector, const std::string& where) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < 3; ++i) values[i] = value(vector[i], where + "/" + std::to_string(i));
  return values;
}

void check_moving_definitions(const Model& model, const NominalValues& nominal,
                              const std::string& origin) {
  expression::Graph graph;
  const MotionScope scope(graph, model, origin);
  NodeValues values{nominal.parameters()};
  values.inputs.resize(static_cast<std::size_t>(scope.input_count()),
                       std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < model.definitions.size(); ++i) {
    if (!scope.definitions().moves(i)) continue;
    const Definition& definition = model.definitions[i];
    for (const expression::Node node : scope.find(definition.name)->components) {
      const std::vector<int> inputs = graph.inputs_of(node);
      if (inputs.empty() || inputs.back() < scope.time_input())
        require_finite(values.of(graph, node), definition.expression,
                       origin + ": /definitions/" + definition.name);
    }
  }
}

LawCheck::LawCheck(const Model& model, const NominalValues& nominal, const std::string& origin,
                   LawPlace place, std::span<const std::string_view> locals)
    : scope_(graph_, model, origin, place, locals), values_{nominal.parameters()} {
  values_.inputs.resize(static_cast<std::size_t>(scope_.input_count()),
                        std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> LawCheck::nominal_value(const Number& law, const std::string& where) {
  const expression::Node node = last_ = number(graph_, law, scope_, where);
  const std::vector<int> inputs = graph_.inputs_of(node);
  last_input_ = inputs.empty() ? -1 : inputs.back();
  if (last_input_ >= scope_.time_input()) return std::nullopt;
  const double value = values_.of(graph_, node);
  require_finite(value, law.expression(), where);
  return value;
}

bool LawCheck::uses_sensors(const Number& law, const std::string& where) {
  nominal_value(law, where);
  return last_input_ > scope_.time_input();
}

}  // namespace gradus
