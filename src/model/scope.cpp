// Resolves parameters, definitions and sensors for expressions.
#include "src/model/scope.hpp"

#include <algorithm>
#include <utility>

#include "src/model/joint_types.hpp"
#include "src/model/lexer.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using expression::Scope;
using expression::Value;

std::string where_of(const Definition& definition, const std::string& origin) {
  return origin + ": /definitions/" + definition.name;
}

// Which definitions each definition mentions.
std::vector<std::vector<std::size_t>> dependencies(const std::vector<Definition>& definitions,
                                                   const std::string& origin) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < definitions.size(); ++i) index.emplace(definitions[i].name, i);
  std::vector<std::vector<std::size_t>> needs(definitions.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    for (const std::string& name :
         expression::names_in(definitions[i].expression, where_of(definitions[i], origin))) {
      const auto found = index.find(name);
      if (found != index.end()) needs[i].push_back(found->second);
    }
  }
  return needs;
}

[[noreturn]] void reject_circle(const std::vector<Definition>& definitions,
                                const std::vector<std::vector<std::size_t>>& needs,
                                const std::vector<bool>& done, const std::string& origin) {
  // Every definition left over needs another one left over: walking on must come back to where it
  // has been.
  std::vector<std::size_t> way;
  std::size_t next = static_cast<std::size_t>(
      std::distance(done.begin(), std::find(done.begin(), done.end(), false)));
  std::vector<bool> seen(definitions.size(), false);
  while (!seen[next]) {
    seen[next] = true;
    way.push_back(next);
    next = *std::find_if(needs[next].begin(), needs[next].end(),
                         [&done](std::size_t need) { return !done[need]; });
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), next));
  std::string circle;
  constexpr std::size_t longest = 8;
  for (std::size_t i = 0; i < std::min(way.size(), longest); ++i)
    circle += in_quotes(definitions[way[i]].name) + " needs ";
  if (way.size() > longest) circle += "... needs ";
  circle += in_quotes(definitions[next].name);
  reject(where_of(definitions[next], origin), "cyclic definition", circle,
         "express one of them by parameters and numbers only");
}

// The definitions, each after those it needs.
std::vector<std::size_t> resolution_order(const std::vector<Definition>& definitions,
                                          const std::string& origin) {
  const std::vector<std::vector<std::size_t>> needs = dependencies(definitions, origin);
  std::vector<std::vector<std::size_t>> needed_by(definitions.size());
  std::vector<std::size_t> missing(definitions.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    missing[i] = needs[i].size();
    for (const std::size_t need : needs[i]) needed_by[need].push_back(i);
  }
  std::vector<std::size_t> order;
  std::vector<bool> done(definitions.size(), false);
  for (std::size_t i = 0; i < definitions.size(); ++i)
    if (missing[i] == 0) order.push_back(i);
  for (std::size_t k = 0; k < order.size(); ++k) {
    done[order[k]] = true;
    for (const std::size_t user : needed_by[order[k]])
      if (--missing[user] == 0) order.push_back(user);
  }
  if (order.size() < definitions.size()) reject_circle(definitions, needs, done, origin);
  return order;
}

const Sensor* sensor_named(const Model& model, std::string_view name) {
  const auto found = std::find_if(model.sensors.begin(), model.sensors.end(),
                                  [name](const Sensor& sensor) { return sensor.name == name; });
  return found == model.sensors.end() ? nullptr : &*found;
}

}  // namespace

ModelScope::ModelScope(Graph& graph, const Model& model, const std::string& origin,
                       ParameterInputs inputs)
    : model_(model) {
  add_parameters(graph, inputs);
  for (const std::size_t i : resolution_order(model.definitions, origin)) {
    const Definition& definition = model.definitions[i];
    add(definition.name,
        expression::parse(graph, definition.expression, *this, where_of(definition, origin)));
  }
}

void ModelScope::add_parameters(Graph& graph, ParameterInputs inputs) {
  const int count = static_cast<int>(model_.parameters.size());
  const bool directed = inputs == ParameterInputs::along_direction;
  parameter_inputs_ = directed ? 2 * count + 1 : count;
  int input = 0;
  for (const Parameter& parameter : model_.parameters) {
    Node node = graph.input(input);
    if (directed)
      node = graph.add(node, graph.multiply(graph.input(count + input), graph.input(2 * count)));
    ++input;
    if (const auto element = array_element(parameter.name)) {
      const std::string array(element->array);
      if (element->index == 0) add(array, {{}, true});
      values_[array].components.push_back(node);
    } else {
      add(parameter.name, {{node}});
    }
  }
}

void ModelScope::add(const std::string& name, Value value) {
  if (values_.emplace(name, std::move(value)).second) names_.push_back(name);
}

const Value* ModelScope::find(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string> ModelScope::names() const {
  return names_;
}

std::string ModelScope::hint(std::string_view name) const {
  if (sensor_named(model_, name) != nullptr || name == "t")
    return "sensors and the time t can be used in objectives, constraints, loads and laws of "
           "forces only";
  return Scope::hint(name);
}

MotionScope::MotionScope(Graph& graph, const Model& model, const std::string& origin,
                         std::optional<LawPlace> place, std::span<const std::string_view> locals,
                         ParameterInputs inputs)
    : ModelScope(graph, model, origin, inputs), place_(place) {
  std::unordered_map<std::string, int> joint_sizes;
  for (const Joint& joint : model.joints)
    joint_sizes.emplace(joint.name, coordinate_count(joint.type));

  int input = time_input();
  add("t", {{graph.input(input++)}});
  for (const Sensor& sensor : model.sensors) {
    sensor_inputs_.push_back(input);
    int size = type_of(sensor.kind).size;
    if (const auto joint = joint_sizes.find(sensor.target); size == 0 && joint != joint_sizes.end())
      size = joint->second;
    Value value;
    for (int i = 0; i < size; ++i) value.components.push_back(graph.input(input++));
    const bool usable = !place || is_usable_in(*place, sensor.kind);
    if (size > 0 && usable) add(sensor.name, std::move(value));
  }
  first_local_ = input;
  for (const std::string_view local : locals) add(std::string(local), {{graph.input(input++)}});
  input_count_ = input;
}

std::string MotionScope::refusal(std::string_view name) const {
  const Sensor* sensor = sensor_named(model(), name);
  if (!place_ || sensor == nullptr) return "";
  constexpr std::array reasons{
      "forces depend on positions and velocities only", "constraints hold positions only",
      "the value of a constraint depends on parameters and the time t only"};
  return reasons[static_cast<std::size_t>(*place_)] + std::string(" and it is a sensor of kind ") +
         in_quotes(key_of(sensor->kind));
}

std::string MotionScope::hint(std::string_view name) const {
  if (!place_) return ModelScope::hint(name);
  if (sensor_named(model(), name) == nullptr) return Scope::hint(name);
  return *place_ == LawPlace::constraint_value ? "write the whole constraint as \"expression\""
                                               : hint_of_sensors(*place_);
}

Node number(Graph& graph, const Number& number, const Scope& scope, const std::string& where) {
  if (!number.is_expression()) return graph.constant(number.value());
  return expression::parse_scalar(graph, number.expression(), scope, where);
}

std::array<Node, 3> vector(Graph& graph, const Vector3& vector, const Scope& scope,
                           const std::string& where) {
  std::array<Node, 3> nodes{};
  for (std::size_t i = 0; i < 3; ++i)
    nodes[i] = number(graph, vector[i], scope, where + "/" + std::to_string(i));
  return nodes;
}

std::vector<expression::Node> residuals(expression::Graph& graph, const Objective& objective,
                                        const expression::Scope& scope, const std::string& where) {
  std::vector<expression::Node> nodes;
  for (std::size_t k = 0; k < objective.residuals.size(); ++k) {
    const expression::Value value =
        expression::parse(graph, objective.residuals[k], scope, where + "/" + std::to_string(k));
    nodes.insert(nodes.end(), value.components.begin(), value.components.end());
  }
  return nodes;
}

double constant_value(const Number& constant, const Scope& scope, const std::string& where) {
  Graph graph;
  return graph.constant_value(number(graph, constant, scope, where));
}

}  // namespace gradus
