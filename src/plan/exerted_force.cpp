// The sum of what the actions of a force in the plan do to points, directions, bodies
// and coordinates.
#include "src/plan/exerted_force.hpp"

#include <map>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::ActionKind;
using kernels::LawInputKind;

// All that a force of the plan exerts, as nodes of one law.
class ExertedForce {
 public:
  ExertedForce(Draft& draft, LawWriter& law, const std::string& name) : draft_(draft), law_(law) {
    const Plan& plan = draft.plan;
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
    Node sum = law_zero_;
    for (const Node size : sizes_) sum = law_.add(sum, size);
    return sum;
  }

  // Of a force on a joint: one size for each slip that it acts on.
  const std::vector<Node>& on_slips() const { return sizes_; }

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

  // A body of the plan and its axes in the law; those of the ground are no inputs of laws.
  Nodes3 axis_of(int body, int k) {
    Nodes3 unit{law_zero_, law_zero_, law_zero_};
    unit[index(k)] = law_.constant(1.0);
    return body < 0 ? unit : law_.position(draft_.axis_feature(body, k));
  }

  // Along (component 0 to 2) or about an axis of the first body.
  void add_to_pose(int k, int component, Node share) {
    const kernels::PoseEntry pose = draft_.plan.poses[index(k)];
    const int first = draft_.plan.features[index(pose.from)].body;
    const int second = draft_.plan.features[index(pose.to)].body;
    const Nodes3 axis = axis_of(first, component % 3);
    const Nodes3 line = law_.difference(law_.position(pose.to), law_.position(pose.from));
    for (std::size_t i = 0; i < 3; ++i) {
      const Node push = law_.multiply(share, axis[i]);
      if (component < 3) {
        add_to(at_features_, pose.to, i, push);
        add_to(at_features_, pose.from, i, law_.negate(push));
        if (first >= 0)
          add_to(at_features_, draft_.axis_feature(first, component), i,
                 law_.multiply(share, line[i]));
        continue;
      }
      if (second >= 0) add_to(on_bodies_, second, i, push);
      if (first >= 0) add_to(on_bodies_, first, i, law_.negate(push));
    }
  }

  void add_to_line(int k, Node share) {
    const kernels::LineEntry line = draft_.plan.lines[index(k)];
    const Nodes3 along = law_.difference(law_.position(line.to), law_.position(line.from));
    const Node pull = law_.divide(share, law_.input(LawInputKind::length, k));
    for (std::size_t i = 0; i < 3; ++i) {
      const Node component = law_.multiply(pull, along[i]);
      add_to(at_features_, line.to, i, component);
      add_to(at_features_, line.from, i, law_.negate(component));
    }
    tension_ = law_.subtract(tension_, share);
  }

  void add_action(const kernels::ActionEntry& action) {
    const Node size = copied(action.size);
    sizes_.push_back(size);
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
    for (const auto& [number, slope] : law_.derivatives(work)) {
      const kernels::LawInputEntry in = law_.input_entry(number);
      const Node share = law_.multiply(size, slope);
      if (in.kind == LawInputKind::coordinate) add_to_coordinate(in.index, share);
      if (in.kind == LawInputKind::feature)
        add_to(at_features_, in.index, index(in.component), share);
      if (in.kind == LawInputKind::length) add_to_line(in.index, share);
      if (in.kind == LawInputKind::pose_work) add_to_pose(in.index, in.component, share);
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
  LawWriter& law_;
  Node law_zero_ = law_.constant(0.0);
  Node tension_ = law_zero_;
  std::vector<Node> sizes_;
  std::map<int, Nodes3> at_features_;  // what acts on points and directions
  std::map<int, Nodes3> on_bodies_;    // moments
  std::map<int, Node> on_coordinates_;
};

// The slides of a joint come before its turns. What the force leaves alone is 0.
std::vector<Node> on_slips(const Draft& draft, LawWriter& law, const ExertedForce& exerted,
                           const Force& force, bool turns) {
  const JointType type = joint_of(draft.model, force)->type;
  const std::size_t first = turns ? index(slide_count(type)) : 0;
  std::vector<Node> sizes(index(turns ? turn_count(type) : slide_count(type)), law.constant(0.0));
  for (std::size_t k = 0; k < sizes.size() && first + k < exerted.on_slips().size(); ++k)
    sizes[k] = exerted.on_slips()[first + k];
  return sizes;
}

}  // namespace

std::vector<Node> exerted_force(Draft& draft, LawWriter& law, const std::string& name) {
  ExertedForce exerted(draft, law, name);
  const Force& force = *find_force(draft.model, name);
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on == ActsOn::coordinate) return {exerted.on_coordinate()};
  if (acts_on == ActsOn::joint) return on_slips(draft, law, exerted, force, false);
  const Nodes3 load = exerted.force_at(draft.point_feature(place_of(force), "/forces/" + name));
  return {load.begin(), load.end()};
}

std::vector<Node> exerted_torque(Draft& draft, LawWriter& law, const std::string& name) {
  ExertedForce exerted(draft, law, name);
  const Force& force = *find_force(draft.model, name);
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on == ActsOn::coordinate) return {exerted.on_coordinate()};
  if (acts_on == ActsOn::joint) return on_slips(draft, law, exerted, force, true);
  const std::string& place = place_of(force);
  const std::string path = "/forces/" + name;
  const int body = acts_on == ActsOn::body ? draft.references.body(place, draft.where(path))
                                           : draft.references.point(place, draft.where(path)).body;
  const Nodes3 load = body != ground_body ? exerted.torque_on(draft.position_of(body))
                                          : exerted.torque_on_ground(
                                                draft.point_feature(text_of(force, "from"), path),
                                                draft.point_feature(place, path));
  return {load.begin(), load.end()};
}

std::vector<Node> exerted_tension(Draft& draft, LawWriter& law, const std::string& name) {
  return {ExertedForce(draft, law, name).tension()};
}

std::vector<Node> exerted_power(Draft& draft, LawWriter& law, const std::string& name) {
  return {ExertedForce(draft, law, name).power()};
}

}  // namespace gradus
