// Floating joints for bodies, loops for joints.
#include "src/model/reference_points.hpp"

#include <algorithm>
#include <unordered_set>

#include "src/model/constraint_kind.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/model/reference.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/states.hpp"

namespace gradus {
namespace {

bool is_floating_on_ground(const References& references, const Joint& joint) {
  return joint.type == JointType::floating &&
         references.point(joint.parent, "").body == ground_body &&
         references.point(joint.child, "").body != ground_body;
}

bool is_floating_on_ground(const Model& model, const std::string& name) {
  const References references(model);
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
    return joint.name == name && is_floating_on_ground(references, joint);
  });
}

// What acts on the coordinates of the joint themselves, for people; "" if nothing does.
std::string load_on_coordinates(const Model& model, const std::string& joint) {
  for (const Force& force : model.forces) {
    const ActsOn acts_on = kind_of(force).acts_on;
    if ((acts_on == ActsOn::coordinate || acts_on == ActsOn::joint) &&
        joint_name_of(place_of(force)) == joint)
      return "the force " + in_quotes(force.name);
  }
  for (const Constraint& constraint : model.constraints)
    if (kind_of(constraint).of == ConstraintOf::coordinate && !constraint.at_start &&
        joint_name_of(constraint.first) == joint)
      return "the constraint " + in_quotes(constraint.name);
  return "";
}

// Reactions in the tree are all that a joint hands on; of a joint that is cut they are what its
// constraints exert.
void reject_sensors(const Model& model, const std::string& origin) {
  for (const Sensor& sensor : model.sensors) {
    const std::string where = origin + ": /sensors/" + sensor.name + "/" + sensor.type;
    if (sensor.type == "coordinate_acceleration" && !is_floating_on_ground(model, sensor.target))
      reject(where, "found " + in_quotes(sensor.target),
             "in reference-point coordinates joints have no accelerations of their own",
             "use joint coordinates, or sensors of accelerations of points");
    if (kind_of(sensor).of != SensorOf::joint_or_loop || sensor.is_added) continue;
    const std::string load = load_on_coordinates(model, sensor.target);
    if (!load.empty())
      reject(where, "found " + in_quotes(sensor.target),
             load + " is a part of this reaction, which reference-point coordinates do not show",
             "use joint coordinates, or remove the sensor");
  }
}

// All laws and objectives that may name sensors, with their places.
std::vector<std::pair<Number, std::string>> expressions_of(const Model& model) {
  std::vector<std::pair<Number, std::string>> all;
  for (const Objective& objective : model.objectives) {
    all.emplace_back(Number(objective.expression), "/objectives/" + objective.name);
    for (const std::string& residual : objective.residuals)
      all.emplace_back(Number(residual), "/objectives/" + objective.name);
  }
  for (const State& state : model.states)
    for (const Number& law : {state.rate, state.next})
      all.emplace_back(law, "/states/" + state.name);
  for (const Force& force : model.forces)
    for (const auto& [key, value] : force.values)
      for (const Number& law : value.vector()) all.emplace_back(law, "/forces/" + force.name);
  return all;
}

// Reactions that friction reads are not all that the joint hands on here.
void reject_added_reactions(const Model& model, const std::string& origin) {
  for (const Sensor& sensor : model.sensors) {
    if (!sensor.is_added) continue;
    for (const auto& [law, path] : expressions_of(model))
      if (mentions(model, law, sensor.name))
        reject(origin + ": " + path, "found " + in_quotes(sensor.name),
               "friction is a part of this reaction, which reference-point coordinates do not show",
               "use joint coordinates, or the sensors \"normal_force\" and \"applied_force\"");
  }
}

// How often an angle has turned is known of motions, and not where positions are looked for.
void reject_constraints(const Model& model, const std::string& origin) {
  const auto reject_angles = [&](const Number& law, const std::string& path) {
    for (const Sensor& sensor : model.sensors) {
      if (sensor.type != "coordinate" || is_floating_on_ground(model, sensor.target)) continue;
      const auto joint =
          std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const Joint& candidate) { return candidate.name == sensor.target; });
      const bool turns = joint != model.joints.end() &&
                         std::ranges::any_of(coordinates_of(joint->type),
                                             [](const auto& name) { return name.unit == "rad"; });
      if (turns && mentions(model, law, sensor.name))
        reject(origin + ": " + path, "found " + in_quotes(sensor.name),
               "in reference-point coordinates constraints know no angles of joints",
               "use joint coordinates, a constraint of a \"coordinate\", or points and vectors");
    }
  };
  for (const Constraint& constraint : model.constraints)
    if (kind_of(constraint).of == ConstraintOf::expression)
      reject_angles(constraint.value, "/constraints/" + constraint.name + "/expression");
  for (const State& state : model.states)
    if (state.is_followed) reject_angles(state.rate, "/states/" + state.name + "/rate");
}

class Rewriter {
 public:
  Rewriter(const Model& model, const SpanningTree& tree, const TreeStart& start)
      : model_(model), tree_(tree), start_(start), references_(model) {
    for (const std::string& state : states_of(model)) discs_.insert(disc_of_state(state));
  }

  SpanningTree rewrite() {
    result_.model = model_;
    result_.model.joints.clear();
    result_.start = start_.held;
    for (const Joint& joint : model_.joints) add(joint);
    // What nothing connects with the ground has its floating joint in the tree.
    for (const std::string& name : tree_.added) keep(*find(tree_.model.joints, name));
    for (std::size_t body = 0; body < model_.bodies.size(); ++body)
      if (placed_.count(static_cast<int>(body)) == 0) add_floating(body);
    count_turns();
    return std::move(result_);
  }

 private:
  static const Joint* find(const std::vector<Joint>& joints, const std::string& name) {
    const auto found = std::find_if(joints.begin(), joints.end(),
                                    [&](const Joint& joint) { return joint.name == name; });
    return found == joints.end() ? nullptr : &*found;
  }

  int body_at(const std::string& place) const { return references_.point(place, "").body; }

  void add(const Joint& joint) {
    if (discs_.count(joint.child) > 0) {
      result_.model.joints.push_back(joint);
      placed_.insert(body_at(joint.child));
      return;
    }
    if (is_floating_on_ground(references_, joint)) return keep(joint);
    result_.model.loops.push_back(joint);
    result_.model.loops.back().cut.reset();
    result_.cut.push_back(joint.name);
  }

  // A floating joint on the ground. Its start stays if it says all; otherwise it begins with
  // guesses, and what is held of them is held as that of joints that are cut.
  void keep(Joint joint) {
    placed_.insert(body_at(joint.child));
    const auto is_own = [&](const JointStart& held) { return held.joint == joint.name; };
    const auto own = std::count_if(result_.start.begin(), result_.start.end(), is_own);
    const bool is_stated =
        std::all_of(result_.start.begin(), result_.start.end(),
                    [&](const JointStart& held) { return !is_own(held) || held.is_stated; });
    if (own == kMotions && is_stated) {
      std::erase_if(result_.start, is_own);
      joint.start = start_of(joint);
      for (CoordinateStart& start : joint.start)
        start.position_is_guess = start.velocity_is_guess = false;
    } else {
      const std::vector<double>& here = coordinates_of_tree(joint.name);
      joint.start.clear();
      for (const double coordinate : here) joint.start.push_back({coordinate, 0, true, true});
    }
    result_.model.joints.push_back(std::move(joint));
  }

  const std::vector<double>& coordinates_of_tree(const std::string& name) const {
    return start_.coordinates[static_cast<std::size_t>(find(tree_.model.joints, name) -
                                                       tree_.model.joints.data())];
  }

  void add_floating(std::size_t body) {
    Joint joint;
    joint.type = JointType::floating;
    joint.parent = "ground";
    joint.child = model_.bodies[body].name;
    joint.name = joint.child;
    while (find(result_.model.joints, joint.name) != nullptr ||
           find(result_.model.loops, joint.name) != nullptr)
      joint.name += "'";
    for (const double coordinate : start_.poses[body])
      joint.start.push_back({coordinate, 0, true, true});
    result_.added.push_back(joint.name);
    result_.model.joints.push_back(std::move(joint));
  }

  void count_turns() {
    const std::vector<Joint> loops = result_.model.loops;
    for (const Joint& joint : loops) {
      const auto names = coordinates_of(joint.type);
      for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string coordinate =
            names.size() == 1 ? joint.name : joint.name + "." + std::to_string(k);
        if (names[k].unit == "rad" && is_read(joint, coordinate))
          add_turn_count(coordinate, start_of_angle(joint, k), result_.model);
      }
    }
  }

  bool is_read(const Joint& joint, const std::string& coordinate) const {
    return std::any_of(model_.sensors.begin(), model_.sensors.end(),
                       [&](const Sensor& sensor) {
                         const SensorKind& kind = kind_of(sensor);
                         return kind.of == SensorOf::joint && kind.level == MotionLevel::position &&
                                sensor.target == joint.name;
                       }) ||
           std::any_of(model_.forces.begin(), model_.forces.end(), [&](const Force& force) {
             const ForceKind& kind = kind_of(force);
             return kind.acts_on == ActsOn::coordinate && kind.reads_place &&
                    place_of(force) == coordinate;
           });
  }

  Number start_of_angle(const Joint& joint, std::size_t k) const {
    for (const JointStart& held : start_.held)
      if (held.joint == joint.name && held.coordinate == static_cast<int>(k) && held.turn < 0)
        return held.position[0];
    const Joint* const in_tree = find(tree_.model.joints, joint.name);
    return in_tree == nullptr ? Number(0) : coordinates_of_tree(joint.name)[k];
  }

  static constexpr std::ptrdiff_t kMotions = 6;  // of a free body

  const Model& model_;
  const SpanningTree& tree_;
  const TreeStart& start_;
  const References references_;
  std::unordered_set<std::string> discs_;
  std::unordered_set<int> placed_;  // bodies that have a joint of their own
  SpanningTree result_;
};

}  // namespace

SpanningTree reference_points(const Model& model, const SpanningTree& tree, const TreeStart& start,
                              const std::string& origin) {
  reject_sensors(model, origin);
  reject_added_reactions(model, origin);
  reject_constraints(model, origin);
  return Rewriter(model, tree, start).rewrite();
}

}  // namespace gradus
