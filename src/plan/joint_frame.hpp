// Joint frames: from the axis and the zero direction the user names, orthonormal frames as
// expressions of parameters.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/scope.hpp"

namespace gradus {

// Nine nodes, row-major; columns axis, zero direction, axis x zero.
using FrameNodes = std::array<expression::Node, 9>;

struct JointFrames {
  FrameNodes parent;
  FrameNodes child;
};

// Where the model names no zero direction, the coordinate axis least aligned with the joint axis is
// taken, made normal to it. `nominal` holds the parameter values at which that choice is made.
JointFrames joint_frames(expression::Graph& graph, const Joint& joint,
                         const expression::Scope& scope, const std::vector<double>& nominal,
                         const std::string& where);

// Column of a frame.
std::array<expression::Node, 3> frame_column(const FrameNodes& frame, int column);

}  // namespace gradus
