// The names that expressions of a model may use, shared by the validator and the plan builder.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/definitions.hpp"
#include "src/model/expression.hpp"
#include "src/model/sensor_kind.hpp"

namespace gradus {

// What parameters are to a graph: themselves, or p + d s along directions that share them in order:
// then inputs are all p, all d and the s of each direction, whose derivative is that along d.
struct ParameterInputs {
  int directions = 0;

  int count(int parameters) const {
    return directions == 0 ? parameters : 2 * parameters + directions;
  }
  int direction_of(int parameter, int parameters) const {
    return static_cast<int>(static_cast<long long>(parameter) * directions / parameters);
  }
};

// Parameters, arrays of them, and the definitions that depend on nothing else. Parameter i is input
// i of the graph; definitions are resolved whatever their order. The graph and the model must
// outlive the scope.
class ModelScope : public expression::Scope {
 public:
  // Throws InputError if a definition is wrong or definitions depend on each other in a circle.
  ModelScope(expression::Graph& graph, const Model& model, const std::string& origin,
             ParameterInputs inputs = {});

  const expression::Value* find(std::string_view name) const override;
  std::vector<std::string> names() const override;
  std::string hint(std::string_view name) const override;
  std::string refusal(std::string_view name) const override;
  const DefinitionUses& definitions() const { return definitions_; }

 protected:
  void add(const std::string& name, expression::Value value);
  void add_definition(expression::Graph& graph, std::size_t definition, const std::string& origin);
  const Model& model() const { return model_; }
  int parameter_inputs() const { return parameter_inputs_; }

 private:
  void add_parameters(expression::Graph& graph, ParameterInputs inputs);

  const Model& model_;
  DefinitionUses definitions_;
  int parameter_inputs_ = 0;
  bool in_definition_ = false;  // being read, which may name sensors: those are suggested too
  std::unordered_map<std::string, expression::Value> values_;
  std::vector<std::string> names_;  // in model order
};

// What objectives and laws of forces and constraints may use: the above, the time t, the sensors
// and the definitions that depend on these. Inputs are the parameters, then t, then the sensor
// components, all in model order; then those of `locals`, names of scalars that only this law
// knows.
class MotionScope : public ModelScope {
 public:
  // Of an objective.
  MotionScope(expression::Graph& graph, const Model& model, const std::string& origin,
              ParameterInputs inputs = {})
      : MotionScope(graph, model, origin, std::nullopt, {}, inputs) {}
  // Of a law: only sensors that its place may use get a name, and definitions that use no others;
  // the inputs are the same everywhere.
  MotionScope(expression::Graph& graph, const Model& model, const std::string& origin,
              std::optional<LawPlace> place, std::span<const std::string_view> locals = {},
              ParameterInputs inputs = {});

  int time_input() const { return parameter_inputs(); }
  // Input of the first component of a sensor.
  int sensor_input(std::size_t sensor) const { return sensor_inputs_[sensor]; }
  int local_input(std::size_t local) const { return first_local_ + static_cast<int>(local); }
  int input_count() const { return input_count_; }
  std::string hint(std::string_view name) const override;
  std::string refusal(std::string_view name) const override;

 private:
  bool is_usable(const Sensor& sensor) const;
  // Whether what a definition mentions can be used here.
  bool finds_all_of(std::size_t definition) const;
  // From a definition to a sensor that cannot be used here; empty if there is none.
  std::vector<std::string> way_to_unusable(std::string_view definition) const;

  std::optional<LawPlace> place_;
  std::vector<int> sensor_inputs_;
  int first_local_ = 0, input_count_ = 0;
};

// Nodes of the numbers of a model; `where` opens error messages.
expression::Node number(expression::Graph& graph, const Number& number,
                        const expression::Scope& scope, const std::string& where);
std::array<expression::Node, 3> vector(expression::Graph& graph, const Vector3& vector,
                                       const expression::Scope& scope, const std::string& where);

// Nodes of the residuals of an objective, component by component; none if it is no sum of squares.
std::vector<expression::Node> residuals(expression::Graph& graph, const Objective& objective,
                                        const expression::Scope& scope, const std::string& where);

// Value of a number that must be constant; the scope decides what is said about names in it.
double constant_value(const Number& number, const expression::Scope& scope,
                      const std::string& where);

}  // namespace gradus
