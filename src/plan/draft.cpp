// Words for making plans.
#include "src/plan/draft.hpp"

#include <algorithm>

#include "src/model/nominal.hpp"

namespace gradus {

using expression::Node;

int SlotTable::add(std::span<const expression::Node> group) {
  const auto found = std::search(nodes_.begin(), nodes_.end(), group.begin(), group.end());
  if (found != nodes_.end()) return static_cast<int>(found - nodes_.begin());
  const int first = size();
  for (const expression::Node node : group) {
    nodes_.push_back(node);
    inputs_.push_back(graph_.inputs_of(node));
  }
  return first;
}

bool SlotTable::depends(int slot, int parameter) const {
  const std::vector<int>& inputs = inputs_[static_cast<std::size_t>(slot)];
  return std::binary_search(inputs.begin(), inputs.end(), parameter);
}

Draft::Draft(const Model& model_with_tree, Reference reference, const std::string& name_of_origin,
             ParameterInputs parameter_inputs)
    : model(model_with_tree),
      inputs(parameter_inputs),
      origin(name_of_origin),
      references(model),
      scope(graph, model, origin, inputs),
      slots(graph),
      order(order_tree(model, references)) {
  plan.reference = reference;
  plan.nominal = nominal_parameters(model, origin);
  if (inputs == ParameterInputs::along_direction) plan.nominal.resize(2 * plan.nominal.size() + 1);
}

Nodes3 Draft::nodes(const Vector3& v, const std::string& path) {
  return vector(graph, v, scope, where(path));
}

Node Draft::node(const Number& n, const std::string& path) {
  return number(graph, n, scope, where(path));
}

int Draft::add_vector(const Vector3& v, const std::string& path) {
  return slots.add(nodes(v, path));
}

int Draft::add_number(const Number& n, const std::string& path) {
  return slots.add(std::array<Node, 1>{node(n, path)});
}

int Draft::position_of(int body) const {
  return body == ground_body ? -1 : order.place[index(body)];
}

int Draft::point_slot(const PointReference& point, const std::string& path) {
  return add_vector(point.place != nullptr ? *point.place : Vector3{0, 0, 0}, path);
}

int Draft::feature(int body, int slot, bool is_point) {
  for (std::size_t f = 0; f < plan.features.size(); ++f) {
    const kernels::FeatureEntry& known = plan.features[f];
    if (known.body == body && known.slot == slot && (known.is_point != 0) == is_point)
      return static_cast<int>(f);
  }
  plan.features.push_back({body, slot, is_point ? 1 : 0});
  return static_cast<int>(plan.features.size()) - 1;
}

int Draft::point_feature(const std::string& text, const std::string& path) {
  const PointReference point = references.point(text, where(path));
  return feature(position_of(point.body), point_slot(point, path), true);
}

int Draft::vector_feature(const std::string& text, const std::string& path) {
  const VectorReference vector = references.vector(text, where(path));
  return feature(position_of(vector.body), add_vector(*vector.components, path), false);
}

int Draft::axis_feature(int body, int k) {
  Nodes3 unit{};
  for (int i = 0; i < 3; ++i) unit[index(i)] = graph.constant(i == k ? 1.0 : 0.0);
  return feature(body, slots.add(unit), false);
}

int Draft::first_coordinate(int joint) const {
  const auto body = std::find(order.joint.begin(), order.joint.end(), joint);
  return plan.bodies[static_cast<std::size_t>(body - order.joint.begin())].first_coordinate;
}

int Draft::coordinate(const std::string& text, const std::string& path) const {
  const CoordinateReference reference = references.coordinate(text, where(path));
  return first_coordinate(reference.joint) + reference.coordinate;
}

void Draft::add_constraint(kernels::ConstraintKind kind, std::array<int, 3> features,
                           const std::string& name) {
  kernels::ConstraintEntry entry{};
  entry.kind = kind;
  std::copy(features.begin(), features.end(), entry.feature);
  entry.row = plan.constraint_rows;
  entry.rows = kernels::row_count(kind);
  if (const auto own = model.analysis.penalties.find(name); own != model.analysis.penalties.end())
    entry.penalty = own->second;
  add_touches(plan, entry.feature, kernels::feature_count(kind), entry.touch_begin,
              entry.touch_end);
  plan.constraint_rows += entry.rows;
  plan.constraints.push_back(entry);
  plan.constraint_names.push_back(name);
}

}  // namespace gradus
