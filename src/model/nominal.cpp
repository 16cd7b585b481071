// Evaluates numbers of a model at its own parameter values.
#include "src/model/nominal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

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

namespace {

using expression::Graph;
using expression::Node;
using expression::Operation;

// Whether a denominator is an absolute value, a length or a root of a product that moves, or a
// multiple of one: what has both signs above it jumps.
template <class Moves>
bool hides_sign(const Graph& graph, Node node, const Moves& moves) {
  const kernels::Instruction& i = graph[node];
  if (!moves(node)) return false;
  switch (i.operation) {
    case Operation::absolute:
    case Operation::norm:
      return true;
    case Operation::square_root:
      return graph[i.a].operation == Operation::multiply ||
             graph[i.a].operation == Operation::power;
    case Operation::multiply:
    case Operation::divide:
      return hides_sign(graph, i.a, moves) || hides_sign(graph, i.b, moves);
    case Operation::negate:
    case Operation::power:
      return hides_sign(graph, i.a, moves);
    default:
      return false;
  }
}

// Whether the slope of a spline jumps at its knots or ends.
bool has_corners(const expression::SplineShape& shape) {
  using kernels::SplineEnds;
  using kernels::SplineKind;
  const bool is_flat = shape.kind == SplineKind::clamped && !shape.given_slopes;
  return shape.kind == SplineKind::linear || (shape.ends == SplineEnds::hold && !is_flat) ||
         (shape.ends == SplineEnds::repeat && shape.kind != SplineKind::periodic);
}

// Whether a node is a root, or a power like one, of what passes zero by its form: a product.
bool is_root_of_product(const Graph& graph, const kernels::Instruction& i) {
  const bool is_root = i.operation == Operation::square_root ||
                       (i.operation == Operation::power && graph.is_constant(i.b) &&
                        graph.constant_value(i.b) != std::floor(graph.constant_value(i.b)));
  const Operation inner = graph[i.a].operation;
  return is_root && (inner == Operation::multiply || inner == Operation::power);
}

}  // namespace

std::string LawCheck::kink() const {
  std::vector<Node> open{last_};
  std::unordered_set<Node> seen{last_};
  const auto moves = [this](Node node) {
    if (graph_.is_constant(node)) return false;
    const std::vector<int> inputs = graph_.inputs_of(node);
    return !inputs.empty() && inputs.back() >= scope_.time_input();
  };
  // At instants that parameters do not move.
  const auto is_of_time = [this](Node node) {
    return graph_.inputs_of(node) == std::vector<int>{scope_.time_input()};
  };
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const kernels::Instruction& i = graph_[node];
    if (i.operation == Operation::input || !moves(node)) continue;
    const expression::SplineCall* const spline = graph_.spline_at(node);
    if (is_of_time(node)) continue;
    if (i.operation == Operation::arc_tangent2) return "atan2";
    if (i.operation == Operation::divide && hides_sign(graph_, i.b, moves))
      return "a division by an absolute value, a length or a root";
    if (spline == nullptr &&
        (kernels::has_kink(i.operation) || i.operation == Operation::at_least ||
         i.operation == Operation::floor))
      return "min, max, abs or a choice";
    if (is_root_of_product(graph_, i)) return "a root of a product";
    if (spline != nullptr && !is_of_time(spline->x) && has_corners(spline->shape))
      return "a spline with corners";
    std::vector<Node> operands{i.a};
    if (i.b >= 0) operands.push_back(i.b);
    if (spline != nullptr) {
      operands = spline->values;
      operands.push_back(spline->x);
    }
    for (const Node operand : operands)
      if (seen.insert(operand).second) open.push_back(operand);
  }
  return "";
}

}  // namespace gradus
