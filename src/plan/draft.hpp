// A plan in the making: the model it is made of, the slots and features known so far, and the words
// in which its parts are added.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/model/reference.hpp"
#include "src/model/scope.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

using Nodes3 = std::array<expression::Node, 3>;

inline std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// The physical numbers of a model: groups of consecutive numbers, each an expression of parameters.
class SlotTable {
 public:
  explicit SlotTable(expression::Graph& graph) : graph_(graph) {}

  // Adds a group; returns its first slot. Equal groups share their slots.
  int add(std::span<const expression::Node> group);

  int size() const { return static_cast<int>(nodes_.size()); }
  expression::Program program() const { return expression::compile(graph_, nodes_); }
  // The parameters that a slot depends on, ascending.
  const std::vector<int>& inputs(int slot) const { return inputs_[static_cast<std::size_t>(slot)]; }
  // Whether slot depends on the parameter.
  bool depends(int slot, int parameter) const;

 private:
  expression::Graph& graph_;
  std::vector<expression::Node> nodes_;
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
  // `model_with_tree` is its own spanning tree. It and `name_of_origin` must outlive the draft.
  Draft(const Model& model_with_tree, Reference reference, const std::string& name_of_origin,
        ParameterInputs parameter_inputs);

  const Model& model;
  ParameterInputs inputs;
  const std::string& origin;
  References references;
  expression::Graph graph;  // of the slots; inputs are the parameters
  ModelScope scope;
  SlotTable slots;
  TreeOrder order;
  Plan plan;
  std::vector<std::pair<int, int>> loop_constraints;  // [loop] first, and one past the last

  std::string where(const std::string& path) const { return origin + ": " + path; }

  Nodes3 nodes(const Vector3& v, const std::string& path);
  expression::Node node(const Number& n, const std::string& path);
  int add_vector(const Vector3& v, const std::string& path);
  int add_number(const Number& n, const std::string& path);

  // Place in the plan of a body of the model, -1 for the ground.
  int position_of(int body) const;
  // Slots of a point in the axes of its body.
  int point_slot(const PointReference& point, const std::string& path);

  int feature(int body, int slot, bool is_point);
  int point_feature(const std::string& text, const std::string& path);
  int vector_feature(const std::string& text, const std::string& path);
  // Axis k of a body of the plan.
  int axis_feature(int body, int k);

  // First coordinate of a joint of the model, and that of "joint" or "joint.k".
  int first_coordinate(int joint) const;
  int coordinate(const std::string& text, const std::string& path) const;

  void add_constraint(kernels::ConstraintKind kind, std::array<int, 3> features,
                      const std::string& name);
};

// What the name of a sensor is followed by for component k of several.
std::string component_name(int size, int k);

// The loops, then the constraints of users. After the bodies.
void add_constraints(Draft& draft);

// Springs, torsional springs, loads, joint forces and bushings. After the bodies.
void add_forces(Draft& draft);

// `reversed` names the joints whose child is the parent of the model. After the constraints.
void add_sensors(Draft& draft, const std::vector<std::string>& reversed);

// Objectives, or one weighted sum of them for each moment; see Extension. After the sensors.
void add_objectives(Draft& draft, bool weighted);

// Appends the coordinates that move any of the features, with bits for which; sets the range.
void add_touches(Plan& plan, const int* features, int feature_count, int& begin, int& end);

// Fills partials and directions from what the slots depend on. Last.
void add_partials(Plan& plan, const SlotTable& slots);

}  // namespace gradus
