// Joint frames: from the axis and the zero direction the user names, orthonormal frames as
// expressions of parameters.
#include <cmath>
#include <optional>

#include "kernels/expressions/evaluate.hpp"
#include "src/plan/draft.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;

Nodes3 normalised(Graph& g, const Nodes3& a) {
  const Node length = g.norm(dot(g, a, a));
  return {g.divide(a[0], length), g.divide(a[1], length), g.divide(a[2], length)};
}

Nodes3 cross(Graph& g, const Nodes3& a, const Nodes3& b) {
  const auto minor = [&](std::size_t i, std::size_t j) {
    return g.subtract(g.multiply(a[i], b[j]), g.multiply(a[j], b[i]));
  };
  return {minor(1, 2), minor(2, 0), minor(0, 1)};
}

// The coordinate axis that is least aligned with another at these parameters.
Nodes3 least_aligned(Graph& g, const Nodes3& axis, const std::vector<double>& nominal) {
  const expression::Program program = expression::compile(g, {axis[0], axis[1], axis[2]});
  std::vector<double> values(program.instructions.size());
  kernels::evaluate(program.view(), nominal, values);
  const auto size = [&](std::size_t k) { return std::abs(values[index(program.outputs[k])]); };
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (size(k) < size(least)) least = k;
  Nodes3 e{g.constant(0), g.constant(0), g.constant(0)};
  e[least] = g.constant(1);
  return e;
}

FrameNodes frame(Graph& g, const Nodes3& direction, const std::optional<Nodes3>& zero,
                 const std::vector<double>& nominal) {
  const Nodes3 axis = normalised(g, direction);
  const Nodes3 start = zero ? *zero : least_aligned(g, axis, nominal);
  const Node along = dot(g, start, axis);
  const Nodes3 normal = normalised(g, {g.subtract(start[0], g.multiply(along, axis[0])),
                                       g.subtract(start[1], g.multiply(along, axis[1])),
                                       g.subtract(start[2], g.multiply(along, axis[2]))});
  const Nodes3 side = cross(g, axis, normal);
  return {axis[0], normal[0], side[0], axis[1], normal[1], side[1], axis[2], normal[2], side[2]};
}

FrameNodes identity(Graph& g) {
  const Node one = g.constant(1);
  const Node zero = g.constant(0);
  return {one, zero, zero, zero, one, zero, zero, zero, one};
}

// Whole orientations are compared: without directions the joint axes are the body axes.
bool compares_body_axes(const Joint& joint) {
  if (joint.type == JointType::spherical || joint.type == JointType::floating) return true;
  return joint.type == JointType::fixed && !joint.axis && !joint.zero && !joint.child_axis &&
         !joint.child_zero;
}

}  // namespace

FrameNodes frame_about(Draft& draft, const Nodes3& axis) {
  return frame(draft.graph, axis, std::nullopt, draft.plan.nominal);
}

JointFrames joint_frames(Draft& draft, const Joint& joint, const std::string& path) {
  Graph& graph = draft.graph;
  if (compares_body_axes(joint)) return {identity(graph), identity(graph)};
  const auto nodes = [&](const std::optional<Vector3>& v, const char* key) {
    return v ? std::optional(draft.nodes(*v, path + "/" + key)) : std::nullopt;
  };
  const Nodes3 axis = draft.nodes(joint.axis.value_or(Vector3{0, 0, 1}), path + "/axis");
  const std::optional<Nodes3> zero = nodes(joint.zero, "zero");
  const std::optional<Nodes3> child_axis = nodes(joint.child_axis, "child_axis");
  const std::optional<Nodes3> child_zero = nodes(joint.child_zero, "child_zero");
  const std::vector<double>& nominal = draft.plan.nominal;
  JointFrames frames;
  frames.parent = frame(graph, axis, zero, nominal);
  const bool crossed = joint.type == JointType::cardan;
  const Nodes3 default_axis = crossed ? frame_column(frames.parent, 1) : axis;
  const std::optional<Nodes3> default_zero = crossed ? axis : zero;
  frames.child = frame(graph, child_axis.value_or(default_axis),
                       child_zero ? child_zero : default_zero, nominal);
  return frames;
}

}  // namespace gradus
