// A plan in the making: the model it is made of, the slots and features known so far, and the words
// in which its parts are added.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "src/model/reference.hpp"
#include "src/model/scope.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/slot_table.hpp"
#include "src/plan/tree_order.hpp"

namespace gradus {

using Nodes3 = std::array<expression::Node, 3>;

inline std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

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

}  // namespace gradus
