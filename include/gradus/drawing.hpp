// Mechanisms that are drawn: points, directions, lines and planes in global axes, all at one pose,
// and which of them are fixed in which bodies. What bodies have in common says how they are joined.
// The section "Drawings" of docs/model.md describes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// Of a line `along` is its direction, of a plane its normal, both of any length.
struct DrawnSurface {
  Vector3 through;  // a point of it [m]
  Vector3 along;
};

// A name for the joint of two bodies, which has no type of its own.
struct DrawnJoint {
  std::string name, parent, child;
  std::optional<bool> cut = std::nullopt;  // see Joint
};

struct Drawing {
  std::map<std::string, Vector3> points;   // m
  std::map<std::string, Vector3> vectors;  // of any length
  std::map<std::string, DrawnSurface> lines, planes;
  // [body, or "ground"] the names of those that are fixed in it.
  std::map<std::string, std::vector<std::string>> bodies;
  std::vector<DrawnJoint> joints;

  bool is_empty() const {
    return points.empty() && vectors.empty() && lines.empty() && planes.empty() && bodies.empty() &&
           joints.empty();
  }
};

// Adds to a model what the drawing says of its bodies, whose axes are those of the drawing:
// points and vectors under their names, to bodies and as definitions for expressions; then joints,
// which begin with guesses of 0, the pose that is drawn: first those that have a name there, in
// that order, then the others, called "PARENT-CHILD". A "dot" constraint of 0 between two
// directions of bodies that have a point in common makes a cardan joint of that, and is removed.
// The parameters, definitions, bodies, sensors and constraints of the model are complete. Throws
// InputError, beginning with `origin`, where the drawing contradicts itself or the model, and where
// it depends on parameters how two bodies are joined; then the model is as it was.
void add_drawing(const Drawing& drawing, Model& model, const std::string& origin = "model");

}  // namespace gradus
