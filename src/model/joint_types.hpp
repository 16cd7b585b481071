// What the types of joints have: coordinates and their units, velocities, start values, and how
// they can be used to span a tree.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// A coordinate of a joint, for people.
struct CoordinateName {
  std::string_view name;  // "angle"
  std::string_view unit;  // "rad", "m" or "1"
};

// How model files call the type.
std::string_view name_of(JointType type);

// The coordinates of a joint in the tree, in their order.
std::span<const CoordinateName> coordinates_of(JointType type);
int coordinate_count(JointType type);

// Place of the scalar Euler parameter e0 among the coordinates; -1 if there are none.
int first_euler_parameter(JointType type);
bool is_euler_parameter(JointType type, int coordinate);

// How the bodies of a joint slide (m) and turn (rad) on each other, slides first: what friction
// works on. Those of joints without Euler parameters are their coordinates. None of a floating
// joint, whose bodies do not touch, nor of a fixed one.
std::span<const CoordinateName> slips_of(JointType type);
inline bool is_slide(const CoordinateName& slip) {
  return slip.unit == "m";
}
int slide_count(JointType type);
int turn_count(JointType type);

// How many numbers make a start velocity: an angular velocity has 3, Euler parameters are 4.
int velocity_count(JointType type);
// The entry of Joint::start that keeps start velocity number `velocity`.
int coordinate_of_velocity(JointType type, int velocity);

// Joints that compare the whole orientations of two axes systems: spherical, floating, fixed.
bool compares_orientations(JointType type);

// Whether swapping parent and child can leave all coordinates as they are.
bool is_reversible(JointType type);

// Equations that close a loop with such a joint; none exist for a floating one.
int closure_equation_count(JointType type);

// What is assumed of the start where a model says nothing: guesses of zero, and no rotation.
std::vector<CoordinateStart> guessed_start(JointType type);
// One entry per coordinate: what the joint states, or the guesses.
std::vector<CoordinateStart> start_of(const Joint& joint);

}  // namespace gradus
