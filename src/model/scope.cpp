// Resolves parameters, definitions and sensors for expressions.
#include "src/model/scope.hpp"

#include <algorithm>
#include <utility>

#include "src/model/constraint_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/states.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using expression::Scope;
using expression::Value;

const Sensor* sensor_named(const Model& model, std::string_view name) {
  const auto found = std::find_if(model.sensors.begin(), model.sensors.end(),
                                  [name](const Sensor& sensor) { return sensor.name == name; });
  return found == model.sensors.end() ? nullptr : &*found;
}

// The force of a nonholonomic constraint is found with accelerations, from no sensor.
bool shows_nonholonomic_force(const Model& model, const Sensor& sensor) {
  return kind_of(sensor).of == SensorOf::constraint &&
         std::any_of(model.constraints.begin(), model.constraints.end(),
                     [&](const Constraint& constraint) {
                       return constraint.name == sensor.target &&
                              kind_of(constraint).of == ConstraintOf::rates;
                     });
}

}  // namespace

ModelScope::ModelScope(Graph& graph, const Model& model, const std::string& origin,
                       ParameterInputs inputs)
    : model_(model), definitions_(model, origin) {
  add_parameters(graph, inputs);
  for (const std::size_t i : definitions_.order())
    if (!definitions_.moves(i)) add_definition(graph, i, origin);
}

void ModelScope::add_definition(Graph& graph, std::size_t definition, const std::string& origin) {
  const auto& [name, text] = model_.definitions[definition];
  in_definition_ = true;
  add(name, expression::parse(graph, text, *this, origin + ": /definitions/" + name));
  in_definition_ = false;
}

void ModelScope::add_parameters(Graph& graph, ParameterInputs inputs) {
  const int count = static_cast<int>(model_.parameters.size());
  parameter_inputs_ = inputs.count(count);
  int input = 0;
  for (const Parameter& parameter : model_.parameters) {
    Node node = graph.input(input);
    if (inputs.directions > 0) {
      const Node length = graph.input(2 * count + inputs.direction_of(input, count));
      node = graph.add(node, graph.multiply(graph.input(count + input), length));
    }
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
  std::vector<std::string> names = names_;
  if (in_definition_)
    for (const Sensor& sensor : model_.sensors) names.push_back(sensor.name);
  return names;
}

namespace {

bool any_sensor(const std::string&) {
  return true;
}

}  // namespace

std::string ModelScope::refusal(std::string_view name) const {
  const std::vector<std::string> way = definitions_.way(name, any_sensor);
  return way.empty() ? "" : "it depends on " + told(way);
}

std::string ModelScope::hint(std::string_view name) const {
  if (sensor_named(model_, name) != nullptr || name == "t" ||
      !definitions_.way(name, any_sensor).empty())
    return "sensors and the time t can be used in objectives, constraints, forces and states "
           "only";
  return Scope::hint(name);
}

MotionScope::MotionScope(Graph& graph, const Model& model, const std::string& origin,
                         std::optional<LawPlace> place, std::span<const std::string_view> locals,
                         ParameterInputs inputs)
    : ModelScope(graph, model, origin, inputs), place_(place) {
  std::unordered_map<std::string, int> joint_sizes;
  for (const auto* const joints : {&model.joints, &model.loops})
    for (const Joint& joint : *joints)
      joint_sizes.emplace(joint.name, coordinate_count(joint.type));

  int input = time_input();
  add("t", {{graph.input(input++)}});
  for (const Sensor& sensor : model.sensors) {
    sensor_inputs_.push_back(input);
    const SensorKind& kind = kind_of(sensor);
    int size = kind.size;
    if (kind.of != SensorOf::joint)
      size = sensor_size(model, sensor);
    else if (const auto joint = joint_sizes.find(sensor.target); joint != joint_sizes.end())
      size = joint->second;
    Value value;
    for (int i = 0; i < size; ++i) value.components.push_back(graph.input(input++));
    if (size > 0 && is_usable(sensor)) add(sensor.name, std::move(value));
  }
  for (const std::size_t i : definitions().order())
    if (definitions().moves(i) && finds_all_of(i)) add_definition(graph, i, origin);
  first_local_ = input;
  for (const std::string_view local : locals) add(std::string(local), {{graph.input(input++)}});
  input_count_ = input;
}

bool MotionScope::is_usable(const Sensor& sensor) const {
  if (!place_) return true;
  if (!is_usable_in(*place_, kind_of(sensor)) || shows_nonholonomic_force(model(), sensor))
    return false;
  return sensor.type != "state" || !reads_positions(*place_) ||
         can_be_followed(model(), sensor.target);
}

bool MotionScope::finds_all_of(std::size_t definition) const {
  const std::vector<std::string>& sensors = definitions().sensors(definition);
  const std::vector<std::size_t>& needs = definitions().needs(definition);
  return std::all_of(sensors.begin(), sensors.end(),
                     [this](const std::string& name) { return find(name) != nullptr; }) &&
         std::all_of(needs.begin(), needs.end(), [this](std::size_t need) {
           return find(model().definitions[need].name) != nullptr;
         });
}

std::vector<std::string> MotionScope::way_to_unusable(std::string_view definition) const {
  if (!place_) return {};
  return definitions().way(definition, [this](const std::string& name) {
    const Sensor* sensor = sensor_named(model(), name);
    return sensor != nullptr && !is_usable(*sensor);
  });
}

std::string MotionScope::refusal(std::string_view name) const {
  if (!place_) return "";
  constexpr std::array reasons{
      "forces depend on positions, velocities, accelerations and reactions only",
      "samples depend on positions and velocities only",
      "constraints hold positions and states only",
      "the value of a constraint depends on parameters and the time t only",
      "the rate of a state that a constraint reads depends on positions, states and the time t "
      "only",
      "a nonholonomic constraint depends on positions and velocities of bodies only"};
  const std::string reason = reasons[static_cast<std::size_t>(*place_)];
  const auto which = [this](const Sensor& sensor) -> std::string {
    if (shows_nonholonomic_force(model(), sensor)) return ", of a nonholonomic constraint";
    if (sensor.type != "state" || !reads_positions(*place_)) return "";
    return find_state(model(), sensor.target) == nullptr ? ", which is one of a force"
                                                         : ", which jumps when it is sampled";
  };
  if (const Sensor* sensor = sensor_named(model(), name))
    return reason + " and it is a sensor of kind " + in_quotes(sensor->type) + which(*sensor);
  const std::vector<std::string> way = way_to_unusable(name);
  if (way.empty()) return "";
  const Sensor& met = *sensor_named(model(), way.back());
  return reason + " and it depends on " + told(way, met.type) + which(met);
}

std::string MotionScope::hint(std::string_view name) const {
  if (!place_) return Scope::hint(name);
  const Sensor* sensor = sensor_named(model(), name);
  const std::vector<std::string> way = way_to_unusable(name);
  if (sensor == nullptr && way.empty()) return Scope::hint(name);
  if (sensor == nullptr) sensor = sensor_named(model(), way.back());
  if (reads_positions(*place_) && sensor->type == "state")
    return std::string(*place_ == LawPlace::constraint ? "put two states between, the first with"
                                                       : "put a state between, with") +
           " a rate such as (" + sensor->name +
           " - y)/T, or let a body follow it (docs/model.md, \"Constraints that follow a state\")";
  if (*place_ == LawPlace::followed_rate && kind_of(*sensor).level == MotionLevel::velocity)
    return "use a state that follows the velocity, such as one with the rate (" + sensor->name +
           " - y)/T, or let the constraint read the coordinate of a body (docs/model.md, "
           "\"Constraints that follow a state\")";
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
