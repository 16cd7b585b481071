// What drawings say by directions: that two stay across each other, or parallel.
#pragma once

#include <string>

#include "gradus/drawing.hpp"
#include "src/model/drawing/drawn_geometry.hpp"
#include "src/model/drawing/drawn_joints.hpp"

namespace gradus {

// A spherical joint whose bodies have directions that a "dot" constraint keeps across each other,
// as they are drawn, is a cardan joint: the constraint becomes a part of it. Not where something
// else names the constraint.
void make_cardan(Joint& joint, const DrawnPair& pair, const DrawnGeometry& geometry, Model& model,
                 const std::string& origin);

// Bodies that have directions in common and no place: they turn together about all directions but
// that one, if it is one. Adds constraints that say so.
void add_parallel(const DrawnPair& pair, const DrawnGeometry& geometry, Model& model);

}  // namespace gradus
