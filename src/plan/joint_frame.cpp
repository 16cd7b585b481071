// Joint frames as expressions of parameters.
#include "src/plan/joint_frame.hpp"

#include <cmath>
#include <optional>

#include "kernels/expressions/evaluate.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using Nodes = std::array<Node, 3>;

Node dot(Graph& g, const Nodes& a, const Nodes& b) {
  return g.add(g.add(g.multiply(a[0], b[0]), g.multiply(a[1], b[1])), g.multiply(a[2], b[2]));
}

Nodes normalised(Graph& g, const Nodes& a) {
  const Node length = g.square_root(dot(g, a, a));
  return {g.divide(a[0], length), g.divide(a[1], length), g.divide(a[2], length)};
}

Nodes cross(Graph& g, const Nodes& a, const Nodes& b) {
  const auto minor = [&](int i, int j) {
    const auto k = static_cast<std::size_t>(i);
    const auto l = static_cast<std::size_t>(j);
    return g.subtract(g.multiply(a[k], b[l]), g.multiply(a[l], b[k]));
  };
  return {minor(1, 2), minor(2, 0), minor(0, 1)};
}

std::array<double, 3> values(const Graph& g, const Nodes& nodes,
                             const std::vector<double>& inputs) {
  const expression::Program program = expression::compile(g, {nodes[0], nodes[1], nodes[2]});
  std::vector<double> results(program.instructions.size());
  kernels::evaluate(program.view(), inputs, results);
  const auto at = [&](std::size_t k) {
    return results[static_cast<std::size_t>(program.outputs[k])];
  };
  return {at(0), at(1), at(2)};
}

Nodes least_aligned(Graph& g, const Nodes& axis, const std::vector<double>& nominal) {
  const std::array<double, 3> a = values(g, axis, nominal);
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(a[k]) < std::abs(a[least])) least = k;
  Nodes e{g.constant(0), g.constant(0), g.constant(0)};
  e[least] = g.constant(1);
  return e;
}

FrameNodes frame(Graph& g, const Nodes& direction, const std::optional<Nodes>& zero,
                 const std::vector<double>& nominal) {
  const Nodes axis = normalised(g, direction);
  const Nodes start = zero ? *zero : least_aligned(g, axis, nominal);
  const Node along = dot(g, start, axis);
  const Nodes normal = normalised(g, {g.subtract(start[0], g.multiply(along, axis[0])),
                                      g.subtract(start[1], g.multiply(along, axis[1])),
                                      g.subtract(start[2], g.multiply(along, axis[2]))});
  const Nodes side = cross(g, axis, normal);
  return {axis[0], normal[0], side[0], axis[1], normal[1], side[1], axis[2], normal[2], side[2]};
}

}  // namespace

namespace {

// Directions of a joint as the model gives them.
struct Directions {
  Nodes axis;
  std::optional<Nodes> zero, child_axis, child_zero;
};

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

JointFrames joint_frames(Graph& graph, const Joint& joint, const expression::Scope& scope,
                         const std::vector<double>& nominal, const std::string& where) {
  if (compares_body_axes(joint)) return {identity(graph), identity(graph)};
  const auto nodes = [&](const std::optional<Vector3>& v, const char* key) -> std::optional<Nodes> {
    if (!v) return std::nullopt;
    return vector(graph, *v, scope, where + "/" + key);
  };
  const Directions given{*nodes(joint.axis.value_or(Vector3{0, 0, 1}), "axis"),
                         nodes(joint.zero, "zero"), nodes(joint.child_axis, "child_axis"),
                         nodes(joint.child_zero, "child_zero")};
  JointFrames frames;
  frames.parent = frame(graph, given.axis, given.zero, nominal);
  const bool crossed = joint.type == JointType::cardan;
  const Nodes across = frame_column(frames.parent, 1);
  const Nodes& default_axis = crossed ? across : given.axis;
  const std::optional<Nodes> default_zero = crossed ? given.axis : given.zero;
  frames.child = frame(graph, given.child_axis.value_or(default_axis),
                       given.child_zero ? given.child_zero : default_zero, nominal);
  return frames;
}

std::array<Node, 3> frame_column(const FrameNodes& frame, int column) {
  const auto c = static_cast<std::size_t>(column);
  return {frame[c], frame[3 + c], frame[6 + c]};
}

}  // namespace gradus
