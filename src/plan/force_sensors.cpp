// Sensors of forces and constraints. What a force element exerts is a law: the sum of what its
// springs and actions in the plan do to points, directions, bodies and coordinates. What
// constraints exert are multipliers.
#include <algorithm>
#include <map>

#include "src/model/force_kind.hpp"
#include "src/plan/draft.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::ActionKind;
using kernels::LawInputKind;
using kernels::SensorEntry;
using kernels::SignalKind;

// All that a force of the plan exerts, as nodes of one graph.
class ExertedForce {
 public:
  ExertedForce(Draft& draft, const std::string& name) : draft_(draft), law_(draft), name_(name) {
    const Plan& plan = draft.plan;
    for (std::size_t k = 0; k < plan.springs.size(); ++k)
      if (plan.spring_names[k] == name) add_spring(plan.springs[k]);
    for (std::size_t k = 0; k < plan.torsionals.size(); ++k)
      if (plan.torsional_names[k] == name) add_torsional(plan.torsionals[k]);
    for (std::size_t k = 0; k < plan.actions.size(); ++k)
      if (plan.law_names[index(plan.actions[k].size)] == name) add_action(plan.actions[k]);
  }

  Nodes3 force_at(int feature) const { return found(at_features_, feature); }

  // The moment on a body beyond that of forces at its points.
  Nodes3 torque_on(int body) {
    Nodes3 sum = found(on_bodies_, body);
    for (const auto& [f, load] : at_features_) {
      const kernels::FeatureEntry& feature = draft_.plan.features[index(f)];
      if (feature.is_point != 0 || feature.body != body) continue;
      add_moment(sum, law_.position(f), load);
    }
    return sum;
  }

  // The same on the ground about its point `to`, of what acts between that and a point `from` of a
  // body: opposite to the moment there. The axes of the ground are no inputs of laws.
  Nodes3 torque_on_ground(int from, int to) {
    Nodes3 sum = torque_on(draft_.plan.features[index(from)].body);
    add_moment(sum, law_.difference(law_.position(from), law_.position(to)), force_at(from));
    for (Node& component : sum) component = law_.negate(component);
    return sum;
  }

  Node on_coordinate() {
    return on_coordinates_.empty() ? law_.constant(0.0) : on_coordinates_.begin()->second;
  }

  // Of a spring between two points.
  Node tension() const { return tension_; }

  // What the force delivers to the mechanism.
  Node power() {
    Node sum = law_.constant(0.0);
    for (const auto& [f, load] : at_features_)
      sum = law_.add(sum, law_.dot(load, law_.velocity(f)));
    for (const auto& [body, load] : on_bodies_)
      sum = law_.add(sum, law_.dot(load, law_.vector(LawInputKind::angular_velocity, body)));
    for (const auto& [c, load] : on_coordinates_)
      sum = law_.add(sum, law_.multiply(load, law_.input(LawInputKind::rate, c)));
    return sum;
  }

  int finish(Node node) { return law_.finish(node, name_); }

 private:
  Nodes3 found(const std::map<int, Nodes3>& loads, int place) const {
    const auto load = loads.find(place);
    const Node zero = law_zero_;
    return load == loads.end() ? Nodes3{zero, zero, zero} : load->second;
  }

  void add_moment(Nodes3& sum, const Nodes3& arm, const Nodes3& load) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3;
      const std::size_t j = (k + 2) % 3;
      sum[k] = law_.add(
          sum[k], law_.subtract(law_.multiply(arm[i], load[j]), law_.multiply(arm[j], load[i])));
    }
  }

  void add_to(std::map<int, Nodes3>& loads, int place, std::size_t k, Node share) {
    Nodes3& load = loads.try_emplace(place, Nodes3{law_zero_, law_zero_, law_zero_}).first->second;
    load[k] = law_.add(load[k], share);
  }

  void add_to_coordinate(int c, Node share) {
    Node& load = on_coordinates_.try_emplace(c, law_zero_).first->second;
    load = law_.add(load, share);
  }

  // stiffness (value - rest) + damping rate, the three numbers beginning at a slot.
  Node pull(int slot, Node value, Node rate) {
    const auto number = [&](int k) { return law_.input(LawInputKind::slot, slot + k); };
    return law_.add(law_.multiply(number(0), law_.subtract(value, number(2))),
                    law_.multiply(number(1), rate));
  }

  void add_spring(const kernels::SpringEntry& spring) {
    const Nodes3 line = law_.difference(law_.position(spring.to), law_.position(spring.from));
    const Nodes3 relative = law_.difference(law_.velocity(spring.to), law_.velocity(spring.from));
    const Node length = law_.length(line);
    const Node rate = law_.divide(law_.dot(line, relative), length);
    add_effort(law_.negate(pull(spring.slot, length, rate)), length);
  }

  void add_torsional(const kernels::TorsionalEntry& spring) {
    const Node rate = law_.input(LawInputKind::rate, spring.coordinate);
    add_to_coordinate(spring.coordinate,
                      law_.negate(pull(spring.slot, law_.coordinate(spring.coordinate), rate)));
  }

  void add_action(const kernels::ActionEntry& action) {
    const Node size = copied(action.size);
    if (action.kind == ActionKind::effort) return add_effort(size, copied(action.work));
    const auto axis = index(action.axis);
    if (action.kind == ActionKind::fixed_torque) return add_to(on_bodies_, action.body, axis, size);
    const Nodes3 direction = law_.position(draft_.axis_feature(action.body, action.axis));
    const bool at_point = action.kind == ActionKind::follower_force;
    for (std::size_t k = 0; k < 3; ++k)
      add_to(at_point ? at_features_ : on_bodies_, at_point ? action.feature : action.body, k,
             law_.multiply(size, direction[k]));
  }

  // A force that works on a law of positions acts on all of its inputs.
  void add_effort(Node size, Node work) {
    tension_ = law_.negate(size);
    for (const auto& [number, slope] : law_.derivatives(work)) {
      const kernels::LawInputEntry in = law_.input_entry(number);
      const Node share = law_.multiply(size, slope);
      if (in.kind == LawInputKind::coordinate) add_to_coordinate(in.index, share);
      if (in.kind == LawInputKind::feature)
        add_to(at_features_, in.index, index(in.component), share);
    }
  }

  // A law of the plan in this graph.
  Node copied(int number) {
    const kernels::LawEntry law = draft_.plan.laws[index(number)];
    std::vector<Node> nodes;
    for (int k = law.instruction_begin; k < law.instruction_end; ++k) {
      const kernels::Instruction i = draft_.plan.law_instructions[index(k)];
      if (i.operation == kernels::Operation::constant) {
        nodes.push_back(law_.constant(i.value));
      } else if (i.operation == kernels::Operation::input) {
        const kernels::LawInputEntry in = draft_.plan.law_inputs[index(law.input_begin + i.a)];
        const bool is_slot = in.kind == LawInputKind::slot;  // whose place is another in each law
        nodes.push_back(law_.input(in.kind, in.index, is_slot ? 0 : in.component));
      } else if (i.operation == kernels::Operation::spline) {
        nodes.push_back(law_.spline(nodes[index(i.a)], static_cast<int>(i.value)));
      } else {
        nodes.push_back(
            law_.apply(i.operation, nodes[index(i.a)], i.b < 0 ? -1 : nodes[index(i.b)]));
      }
    }
    return nodes.back();
  }

  Draft& draft_;
  LawWriter law_;
  std::string name_;
  Node law_zero_ = law_.constant(0.0);
  Node tension_ = law_zero_;
  std::map<int, Nodes3> at_features_;  // what acts on points and directions
  std::map<int, Nodes3> on_bodies_;    // moments
  std::map<int, Node> on_coordinates_;
};

std::vector<Node> shown(Draft& draft, ExertedForce& force, const Sensor& sensor,
                        const std::string& path) {
  const Force& shown_force = *find_force(draft.model, sensor.target);
  const ActsOn acts_on = kind_of(shown_force).acts_on;
  if (sensor.kind == SensorKind::power) return {force.power()};
  if (sensor.kind == SensorKind::tension) return {force.tension()};
  if (acts_on == ActsOn::coordinate) return {force.on_coordinate()};
  const std::string& place = place_of(shown_force);
  Nodes3 load{};
  const std::string where = draft.where(path);
  if (sensor.kind == SensorKind::applied_force) {
    load = force.force_at(draft.point_feature(place, path));
  } else if (acts_on == ActsOn::body) {
    load = force.torque_on(draft.position_of(draft.references.body(place, where)));
  } else if (const int body = draft.references.point(place, where).body; body != ground_body) {
    load = force.torque_on(draft.position_of(body));
  } else {
    load = force.torque_on_ground(draft.point_feature(text_of(shown_force, "from"), path),
                                  draft.point_feature(place, path));
  }
  return {load.begin(), load.end()};
}

std::size_t place_of_constraint(const Model& model, const std::string& name) {
  std::size_t place = 0;
  while (model.constraints[place].name != name) ++place;
  return place;
}

// Whether the force is shown against the derivative of what is kept, as the one that pulls the ends
// of a distance together, or that acts on the second of two places; others work on what is kept.
bool is_against(ConstraintKind kind) {
  return kind == ConstraintKind::distance || kind == ConstraintKind::coincident;
}

}  // namespace

void aim_at_force(Draft& draft, SensorEntry& entry, const Sensor& sensor, const std::string& path) {
  ExertedForce force(draft, sensor.target);
  entry.kind = SignalKind::law;
  entry.index = static_cast<int>(draft.plan.laws.size());
  for (const Node node : shown(draft, force, sensor, path)) force.finish(node);
}

void aim_at_constraint(Draft& draft, SensorEntry& entry, const Sensor& sensor) {
  const std::size_t place = place_of_constraint(draft.model, sensor.target);
  entry.index = draft.constraint_places[place];
  if (sensor.kind == SensorKind::constraint_power) {
    entry.kind = SignalKind::constraint_power;
    return;
  }
  entry.kind = SignalKind::constraint_force;
  entry.factor = is_against(draft.model.constraints[place].kind) ? 1 : -1;
}

std::string unit_of_constraint_force(const Draft& draft, const Sensor& sensor) {
  const Constraint& constraint =
      draft.model.constraints[place_of_constraint(draft.model, sensor.target)];
  if (is_against(constraint.kind)) return "N";
  if (constraint.kind == ConstraintKind::dot) return "N m";
  if (constraint.kind == ConstraintKind::expression) return "J/unit";
  const std::string path = "/constraints/" + constraint.name + "/coordinate";
  const int c = draft.coordinate(constraint.first, path);
  const std::string& unit = draft.plan.coordinate_names[index(c)].unit;
  return unit == "m" ? "N" : unit == "rad" ? "N m" : "J";
}

}  // namespace gradus
