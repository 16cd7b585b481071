// A plan in the making: the model it is made of, the slots and features known so far, and the words
// in which its parts are added.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/model/reference.hpp"
#include "src/model/scope.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/model/states.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/time_laws.hpp"

namespace gradus {

using Nodes3 = std::array<expression::Node, 3>;

inline std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// Words for vectors of nodes.
inline expression::Node dot(expression::Graph& g, const Nodes3& a, const Nodes3& b) {
  return g.add(g.add(g.multiply(a[0], b[0]), g.multiply(a[1], b[1])), g.multiply(a[2], b[2]));
}
inline Nodes3 difference(expression::Graph& g, const Nodes3& a, const Nodes3& b) {
  return {g.subtract(a[0], b[0]), g.subtract(a[1], b[1]), g.subtract(a[2], b[2])};
}

// The physical numbers of a model: groups of consecutive numbers, each an expression of parameters.
class SlotTable {
 public:
  explicit SlotTable(expression::Graph& graph) : graph_(graph) {}

  // Adds a group; returns its first slot. Equal groups share their slots, others none: a number of
  // one may be changed alone (StartConstraints).
  int add(std::span<const expression::Node> group);

  int size() const { return static_cast<int>(nodes_.size()); }
  expression::Program program() const { return expression::compile(graph_, nodes_); }
  // The parameters that a slot depends on, ascending.
  const std::vector<int>& inputs(int slot) const { return inputs_[static_cast<std::size_t>(slot)]; }

 private:
  expression::Graph& graph_;
  std::vector<expression::Node> nodes_;
  std::map<std::vector<expression::Node>, int> groups_;  // and where they begin
  std::vector<std::vector<int>> inputs_;  // [slot] parameters it depends on, ascending
};

// The spanning tree: bodies in depth-first order, each after its parent and before the rest of its
// branch.
struct TreeOrder {
  std::vector<int> body;    // [position] place in Model::bodies
  std::vector<int> joint;   // [position] place in Model::joints of the joint that carries it
  std::vector<int> parent;  // [position] position of the parent, -1 for the ground
  std::vector<int> end;     // [position] one past the last body of its sub-tree
  std::vector<int> place;   // [body of the model] its position
};

TreeOrder order_tree(const Model& model, const References& references);

struct Draft {
  // The tree and `name_of_origin` must outlive the draft.
  Draft(const SpanningTree& tree, Reference reference, const std::string& name_of_origin,
        ParameterInputs parameter_inputs);

  const Model& model;                           // its own spanning tree
  const std::vector<std::string>& reversed;     // joints whose child was the parent
  const std::vector<JointStart>& joint_starts;  // what holds at the start beside coordinates
  ParameterInputs inputs;
  const std::string& origin;
  References references;
  expression::Graph graph;  // of the slots; inputs are the parameters
  ModelScope scope;
  SlotTable slots;
  TreeOrder order;
  Plan plan;
  std::vector<std::pair<int, int>> loop_constraints;  // [loop] first, and one past the last
  std::vector<int> constraint_places;                 // [constraint of the model] its place
  // [name of a force, kind of sensor] the first of the laws that the sensor shows of the force
  std::map<std::pair<std::string, std::string>, int> shown;
  std::map<std::string, int> normal_constraints;  // [name of a force] whose multiplier presses
  // Sensors of accelerations that follow those of the model: what they show, and of what.
  std::vector<std::pair<kernels::SignalKind, int>> acceleration_sensors;
  TimeLawWriter time_laws;

  std::string where(const std::string& path) const { return origin + ": " + path; }

  Nodes3 nodes(const Vector3& v, const std::string& path) {
    return vector(graph, v, scope, where(path));
  }
  expression::Node node(const Number& n, const std::string& path) {
    return number(graph, n, scope, where(path));
  }
  int add_vector(const Vector3& v, const std::string& path) { return slots.add(nodes(v, path)); }
  int add_number(const Number& n, const std::string& path) {
    return slots.add(std::array{node(n, path)});
  }

  // Place in the plan of a body of the model, -1 for the ground.
  int position_of(int body) const { return body == ground_body ? -1 : order.place[index(body)]; }
  // Slots of a point in the axes of its body.
  int point_slot(const PointReference& point, const std::string& path) {
    return add_vector(point.place != nullptr ? *point.place : Vector3{0, 0, 0}, path);
  }

  // The number of a spline whose values, nodes of `of`, depend on parameters alone; -1 if they do
  // not.
  int spline(const expression::Graph& of, const expression::SplineCall& call);

  int feature(int body, int slot, bool is_point);
  int point_feature(const std::string& text, const std::string& path);
  int vector_feature(const std::string& text, const std::string& path);
  // Axis k of a body of the plan.
  int axis_feature(int body, int k);
  // Between two features that are points.
  int line(int from, int to);
  // Of the bodies of two points.
  int pose(int from, int to);

  // First coordinate of a joint of the model, and that of "joint" or "joint.k".
  int first_coordinate(int joint) const;
  int coordinate(const std::string& text, const std::string& path) const;
  // Its rate is the state, or it is the state itself: see is_followed().
  int coordinate_of_state(const std::string& state) const;
  std::string unit_of_state(const std::string& state) const;
  // The number of a sensor of the plan that shows the acceleration of a feature or a coordinate.
  int acceleration_sensor(kernels::SignalKind kind, int of);
  // Whether a constraint reads the state, which then is that coordinate rather than its rate.
  bool is_followed(std::string_view state) const {
    const State* const found = find_state(model, state);
    return found != nullptr && found->is_followed;
  }

  void add_constraint(kernels::ConstraintKind kind, std::array<int, 3> features,
                      const std::string& name);
};

// Nine nodes, row-major; columns axis, zero direction, axis x zero.
using FrameNodes = std::array<expression::Node, 9>;

inline Nodes3 frame_column(const FrameNodes& frame, std::size_t column) {
  return {frame[column], frame[3 + column], frame[6 + column]};
}

struct JointFrames {
  FrameNodes parent;
  FrameNodes child;
};

// A frame whose first column is along `axis`, and the others chosen for the nominal parameters.
FrameNodes frame_about(Draft& draft, const Nodes3& axis);

// Where the model names no zero direction, the coordinate axis least aligned with the joint axis is
// taken, made normal to it, as chosen at the nominal parameters. `path` is that of the joint.
JointFrames joint_frames(Draft& draft, const Joint& joint, const std::string& path);

// Writes a law, a program of its own, into a plan. What depends on parameters alone is a slot;
// everything else is an input or computed from inputs.
class LawWriter : public expression::Graph {
 public:
  explicit LawWriter(Draft& draft) : draft_(draft) {}

  // Nodes of the law.
  expression::Node input(kernels::LawInputKind kind, int index, int component = 0);
  expression::Node coordinate(int c) { return input(kernels::LawInputKind::coordinate, c); }
  Nodes3 position(int feature) { return vector(kernels::LawInputKind::feature, feature); }
  Nodes3 velocity(int feature) { return vector(kernels::LawInputKind::feature_velocity, feature); }
  Nodes3 vector(kernels::LawInputKind kind, int index);
  // The value of a node of the draft that depends on parameters alone.
  expression::Node slot(expression::Node node);
  // The value of any node of the draft, `signal(i)` yielding what its input i beyond the parameters
  // is in the law. Splines that are not looked up are made of operations.
  expression::Node lowered(expression::Node root,
                           const std::function<expression::Node(int)>& signal,
                           bool looks_splines_up = true);

  // The derivative of a node with respect to the time: `other` yields the rates of inputs that are
  // neither numbers nor the time nor positions, whose rates are known.
  expression::Node rate(expression::Node node,
                        const std::function<expression::Node(kernels::LawInputEntry)>& other);

  Nodes3 difference(const Nodes3& a, const Nodes3& b) { return gradus::difference(*this, a, b); }
  expression::Node dot(const Nodes3& a, const Nodes3& b) { return gradus::dot(*this, a, b); }

  // What an input of the graph shows.
  const kernels::LawInputEntry& input_entry(int input) const { return inputs_[index(input)]; }

  // Adds the law to the plan; returns its number.
  int finish(expression::Node result, const std::string& name);
  // The same for what laws read as an algebraic unknown, whose number it returns.
  int finish_unknown(expression::Node value, const std::string& name);
  // The same for a law that the unknown makes 0.
  int finish_vanishing(expression::Node value, const std::string& name);
  // The same for the size of a force: if the law reads accelerations or reactions, the size is an
  // algebraic unknown that the law determines.
  int finish_size(expression::Node size, const std::string& name);

 private:
  Draft& draft_;
  std::vector<kernels::LawInputEntry> inputs_;  // [input of the graph]
};

// Expressions of users in a place of laws, such as the components of a force.
class LawReader {
 public:
  LawReader(Draft& draft, LawPlace place, std::span<const std::string_view> locals = {})
      : draft_(draft),
        scope_(draft.graph, draft.model, draft.origin, place, locals, draft.inputs) {}

  // The expression in a law; `locals` are the nodes of its local names.
  expression::Node read(LawWriter& law, const Number& number, const std::string& path,
                        std::span<const expression::Node> locals = {}) const {
    return lowered(law, node(number, path), locals);
  }

  // The same in two steps: the expression as a node of the draft, and such a node in a law. Inputs
  // beyond those of expressions are those of local names, declared or not.
  expression::Node node(const Number& number, const std::string& path) const {
    return gradus::number(draft_.graph, number, scope_, draft_.where(path));
  }
  expression::Node lowered(LawWriter& law, expression::Node root,
                           std::span<const expression::Node> locals,
                           bool looks_splines_up = true) const;
  int local_input(std::size_t local) const { return scope_.local_input(local); }
  int time_input() const { return scope_.time_input(); }
  int sensor_input(std::size_t sensor) const { return scope_.sensor_input(sensor); }

 private:
  Draft& draft_;
  MotionScope scope_;
};

// Notes that a spline belongs to a law or an objective of that name, perhaps among others.
void note_owner(Plan& plan, std::size_t spline, const std::string& name);

// Notes the operands of products and quotients that are functions of time alone, see Instruction.
void note_factors_of_time(expression::Program& program,
                          const std::function<bool(int input)>& is_time);

// Lists the splines that a program looks up; they belong to `name` unless that is empty.
void note_splines(Plan& plan, const expression::Program& program, const std::string& name,
                  std::vector<kernels::SplineCallEntry>& calls);

// What the name of a sensor is followed by for component k of several.
std::string component_name(int size, int k);

// The loops, then the constraints of users. After the bodies.
void add_constraints(Draft& draft);

// After the bodies.
void add_forces(Draft& draft);

// What forces hold besides. Before what holds at the start only.
void constrain_by_forces(Draft& draft);

// Whether a node of a law is the constant 0.
bool is_zero(const LawWriter& law, expression::Node value);

// Adds a force `value` that works on the scalar `scalar`, unless it is zero.
void add_effort(Draft& draft, LawWriter& work, expression::Node scalar, LawWriter& size,
                expression::Node value, const std::string& name);

// What sampled states become. After the bodies.
void add_samples(Draft& draft);

// What comes at events. After the constraints and forces.
void add_events(Draft& draft);

// Accelerations of states that constraints read, and the rates with which they start. After the
// constraints.
void add_followed_states(Draft& draft);

// The rates of states that count the turns of cut joints. After the bodies.
void add_turn_counts(Draft& draft);

// Which states keep their initial values at an equilibrium. After the constraints and forces.
void add_resting_states(Draft& draft);

// After the constraints and forces.
void add_sensors(Draft& draft);

// Objectives, or one weighted sum of them for each moment; see Extension. After the sensors.
void add_objectives(Draft& draft, bool weighted);

// Appends the coordinates that move any of the features, with bits for which; sets the range.
void add_touches(Plan& plan, const int* features, int feature_count, int& begin, int& end);

// Fills partials and directions from what the slots depend on. Last.
void add_partials(Plan& plan, const SlotTable& slots);

}  // namespace gradus
