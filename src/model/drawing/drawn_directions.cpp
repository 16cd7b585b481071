// Directions that are kept across each other, or parallel.
#include "src/model/drawing/drawn_directions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/model/drawing/drawn_features.hpp"
#include "src/model/reference.hpp"

namespace gradus {
namespace {

bool is_named(const Model& model, const std::string& constraint) {
  const auto names = [&](const Sensor& sensor) { return sensor.target == constraint; };
  return std::any_of(model.sensors.begin(), model.sensors.end(), names) ||
         model.analysis.penalties.count(constraint) > 0;
}

bool keeps_across(const Model& model, const Constraint& constraint) {
  return constraint.type == "dot" && !constraint.at_start && !constraint.value.is_expression() &&
         constraint.value.value() == 0.0 && !is_named(model, constraint.name);
}

bool are_across(const Vector3& first, const Vector3& second, const DrawnGeometry& geometry,
                const std::string& where) {
  const auto a = geometry.of(first, where), b = geometry.of(second, where);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(std::abs(a[k].dot(b[k])) <= kDrawnExact * a[k].norm() * b[k].norm())) return false;
  return true;
}

// "PARENT-CHILD, 1", or the next number that is free.
std::string free_name_for(const DrawnPair& pair, Model& model) {
  const std::string name = name_of_body(model, pair.parent) + "-" + name_of_body(model, pair.child);
  for (int number = 1;; ++number) {
    std::string free = name + ", " + std::to_string(number);
    const auto bears = [&](const Constraint& constraint) { return constraint.name == free; };
    if (std::none_of(model.constraints.begin(), model.constraints.end(), bears) &&
        features_of(model, pair.parent).vectors.count(free) == 0 &&
        features_of(model, pair.child).vectors.count(free) == 0)
      return free;
  }
}

}  // namespace

void make_cardan(Joint& joint, const DrawnPair& pair, const DrawnGeometry& geometry, Model& model,
                 const std::string& origin) {
  if (joint.type != JointType::spherical) return;
  const References references(model);
  for (auto constraint = model.constraints.begin(); constraint != model.constraints.end();
       ++constraint) {
    if (!keeps_across(model, *constraint)) continue;
    const std::string where = origin + ": /constraints/" + constraint->name + "/dot";
    VectorReference own = references.vector(constraint->first, where);
    VectorReference other = references.vector(constraint->second, where);
    if (place_of(own.body) == pair.child) std::swap(own, other);
    if (place_of(own.body) != pair.parent || place_of(other.body) != pair.child ||
        !are_across(*own.components, *other.components, geometry, where))
      continue;
    joint.type = JointType::cardan;
    joint.axis = joint.child_zero = *own.components;
    joint.zero = joint.child_axis = *other.components;
    model.constraints.erase(constraint);
    return;
  }
}

void add_parallel(const DrawnPair& pair, const DrawnGeometry& geometry, Model& model) {
  const std::vector<DrawnElement> shared = geometry.of(pair.shared).front();
  const std::string parent = name_of_body(model, pair.parent);
  const std::string child = name_of_body(model, pair.child);
  const auto unit = [](const std::string& vector) {
    return "((" + vector + ")/norm(" + vector + "))";
  };
  // As unit vectors: constraints are as long as what they are made of.
  const auto keep_across = [&](const std::string& of_child, const std::string& across) {
    const std::string feature = free_name_for(pair, model);
    features_of(model, pair.parent).vectors[feature] = components_of(unit(across));
    features_of(model, pair.child).vectors[feature] = components_of(unit(of_child));
    model.constraints.push_back({feature, "dot", parent + "." + feature, child + "." + feature, 0});
  };
  // Two directions across the first, made of it and the axis that is the farthest from it.
  int axis = 0;
  shared[0].along.cwiseAbs().minCoeff(&axis);
  const std::string first = unit(pair.shared[0]);
  const std::string fixed = axis == 0 ? "[1, 0, 0]" : axis == 1 ? "[0, 1, 0]" : "[0, 0, 1]";
  const std::string across = "cross(" + first + ", " + fixed + ")";
  keep_across(pair.shared[0], across);
  keep_across(pair.shared[0], "cross(" + first + ", " + across + ")");
  for (std::size_t s = 1; s < shared.size(); ++s)
    if (shared[s].along.cross(shared[0].along).norm() > kDrawnDistinct) {
      keep_across(pair.shared[s], "cross(" + first + ", " + unit(pair.shared[s]) + ")");
      return;
    }
}

}  // namespace gradus
