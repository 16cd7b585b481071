// Plans, and the words for making them.
#include "src/plan/draft.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_set>

#include "src/model/force_kind.hpp"
#include "src/model/nominal.hpp"
#include "src/model/states.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus {

void Plan::hold(const std::vector<HeldRow>& rows) {
  held_rows.insert(held_rows.end(), rows.begin(), rows.end());
  std::sort(held_rows.begin(), held_rows.end(), [](const HeldRow& a, const HeldRow& b) {
    return std::tie(a.coordinate, a.turn) < std::tie(b.coordinate, b.turn);
  });
  guess.resize(coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  held.clear();
  for (const HeldRow& row : held_rows)
    held.push_back(row.turn < 0 ? row.coordinate
                                : coordinate_count() + 3 * row.coordinate + row.turn);
}

kernels::PlanView Plan::view() const {
  kernels::PlanView v{};
  static_cast<kernels::PlanNumbers&>(v) = *this;
#define GRADUS_ARRAY(TYPE, NAME, COUNT) \
  v.NAME = NAME.data();                 \
  v.COUNT = static_cast<int>(NAME.size());
  GRADUS_PLAN_ARRAYS(GRADUS_ARRAY)
#undef GRADUS_ARRAY
#define GRADUS_PROGRAM(NAME) v.NAME = NAME.view();
  GRADUS_PLAN_PROGRAMS(GRADUS_PROGRAM)
#undef GRADUS_PROGRAM
  v.independent_count = v.held_count;
  v.constraint_rank = v.coordinate_count - v.held_count;
  v.parameter_count = parameter_count();
  v.column_count = parameter_count();
  v.moment_at_origin = reference == Reference::rtdyn1 ? 1 : 0;
  for (const kernels::LawEntry& law : laws) {
    v.longest_law = std::max(v.longest_law, law.instruction_end - law.instruction_begin);
    v.widest_law = std::max(v.widest_law, law.input_end - law.input_begin);
  }
  for (const kernels::SplineEntry& spline : splines) {
    v.polynomial_numbers += 4 * (spline.knots + 1);
    if (kernels::extrapolates(spline.ends)) ++v.extrapolating_splines;
    v.most_polynomials = std::max(v.most_polynomials, spline.knots + 1);
  }
  for (const kernels::ElementEntry& element : elements) {
    v.element_size += element.count;
    if (element.touches_sensors != 0) v.sensors_touched = 1;
    const bool moves = kernels::is_locked_axis(element.kind);
    if (moves) v.moves_elements = 1;
    if (moves || element.kind == kernels::PartialKind::feature ||
        element.kind == kernels::PartialKind::law || element.kind == kernels::PartialKind::spline)
      v.loads_elements = 1;
  }
  return v;
}

int SlotTable::add(std::span<const expression::Node> group) {
  const int first = size();
  const auto [known, is_new] = groups_.try_emplace({group.begin(), group.end()}, first);
  if (!is_new) return known->second;
  for (const expression::Node node : group) {
    nodes_.push_back(node);
    inputs_.push_back(graph_.inputs_of(node));
  }
  return first;
}

// Depth-first.
TreeOrder order_tree(const Model& model, const References& references) {
  // children[b + 1]: joints hanging on body b, the ground first
  std::vector<std::vector<int>> children(model.bodies.size() + 1);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const int parent = references.point(joint.parent, "/joints/" + joint.name + "/parent").body;
    children[index(parent + 1)].push_back(static_cast<int>(j));
  }
  // Discs of states are the last bodies: see PlanNumbers::state_count.
  std::unordered_set<std::string> discs;
  for (const std::string& state : states_of(model)) discs.insert(disc_of_state(state));
  std::stable_partition(children[0].begin(), children[0].end(), [&](int joint) {
    return discs.count(model.joints[index(joint)].child) == 0;
  });
  TreeOrder order;
  order.place.assign(model.bodies.size(), -1);
  struct Visit {
    int joint, parent;
  };
  std::vector<Visit> stack;
  const auto push = [&](int body, int position) {
    const std::vector<int>& joints = children[index(body + 1)];
    for (auto j = joints.rbegin(); j != joints.rend(); ++j) stack.push_back({*j, position});
  };
  push(ground_body, -1);
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const Joint& joint = model.joints[index(visit.joint)];
    const int body = references.point(joint.child, "/joints/" + joint.name + "/child").body;
    const int position = static_cast<int>(order.body.size());
    order.body.push_back(body);
    order.joint.push_back(visit.joint);
    order.parent.push_back(visit.parent);
    order.place[index(body)] = position;
    push(body, position);
  }
  const int count = static_cast<int>(order.body.size());
  order.end.assign(index(count), 0);
  for (int i = count - 1; i >= 0; --i) {
    int& end = order.end[index(i)];
    if (end == 0) end = i + 1;
    const int parent = order.parent[index(i)];
    if (parent >= 0 && order.end[index(parent)] < end) order.end[index(parent)] = end;
  }
  return order;
}

Draft::Draft(const SpanningTree& tree, Reference reference, const std::string& name_of_origin,
             ParameterInputs parameter_inputs)
    : model(tree.model),
      reversed(tree.reversed),
      joint_starts(tree.start),
      inputs(parameter_inputs),
      origin(name_of_origin),
      references(model),
      scope(graph, model, origin, inputs),
      slots(graph),
      order(order_tree(model, references)) {
  plan.reference = reference;
  plan.nominal = nominal_parameters(model, origin);
  plan.nominal.resize(index(inputs.count(static_cast<int>(plan.nominal.size()))));
  for (const Parameter& parameter : model.parameters)
    plan.parameter_names.push_back(parameter.name);
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

namespace {

// The number of what lies between two points among `known`, to which it is added if it is new.
template <class Entry>
int between(Plan& plan, std::vector<Entry>& known, int from, int to) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const Entry& entry) {
    return entry.from == from && entry.to == to;
  });
  if (found != known.end()) return static_cast<int>(found - known.begin());
  Entry entry{};
  entry.from = from;
  entry.to = to;
  const int ends[2] = {from, to};
  add_touches(plan, ends, 2, entry.touch_begin, entry.touch_end);
  if (!known.empty()) {
    const Entry& last = known.back();
    entry.column_begin = last.column_begin + last.touch_end - last.touch_begin;
  }
  known.push_back(entry);
  return static_cast<int>(known.size()) - 1;
}

}  // namespace

int Draft::line(int from, int to) {
  return between(plan, plan.lines, from, to);
}
int Draft::pose(int from, int to) {
  return between(plan, plan.poses, from, to);
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

int Draft::coordinate_of_state(const std::string& state) const {
  const std::string disc = disc_of_state(state);
  return first_coordinate(references.joint(disc, where("/states/" + state)));
}

std::string Draft::unit_of_state(const std::string& name) const {
  for (const State& state : model.states)
    if (state.name == name) return state.unit.empty() ? "1" : state.unit;
  for (const Force& force : model.forces)
    for (const ForceState& state : states_of(model, force)) {
      if (force.name + "." + std::string(state.name) != name) continue;
      if (!state.unit.empty()) return std::string(state.unit);
      const std::string path = "/forces/" + force.name + "/joint";
      return unit_of_coordinate(*this, place_of(force), path) == "m" ? "N" : "N m";
    }
  return "1";
}

int Draft::coordinate(const std::string& text, const std::string& path) const {
  const CoordinateReference reference = references.coordinate(text, where(path));
  return first_coordinate(reference.joint) + reference.coordinate;
}

int Draft::acceleration_sensor(kernels::SignalKind kind, int of) {
  auto& all = acceleration_sensors;
  const auto known = std::find(all.begin(), all.end(), std::pair{kind, of});
  const auto place = static_cast<int>(model.sensors.size() + (known - all.begin()));
  if (known == all.end()) all.emplace_back(kind, of);
  return place;
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
