// The plan as kernels see it: the model compiled to flat arrays, the same for all designs,
// immutable. `slot` members are offsets into a design's slots, `coordinate`, `body` and `feature`
// members are indices; -1 is the ground or none.
#pragma once

#include "kernels/expressions/program.hpp"

namespace gradus::kernels {

enum class JointKind : int { revolute, prismatic };

// Bodies are numbered depth first: the sub-tree of body i is i, ..., end - 1. Body i hangs on its
// parent by joint i.
struct BodyEntry {
  int parent;
  int end;
  JointKind joint;
  int first_coordinate;
  int coordinate_count;
  int upstream_coordinate;  // last coordinate before those of its joint, -1 if none
  int tip_coordinate;       // last coordinate that moves the body, -1 if none
  int mass_slot;            // 1
  int com_slot;             // 3, body axes
  int inertia_slot;         // 6, about the centre of mass, body axes: xx yy zz xy xz yz
  int parent_point_slot;    // 3, joint point in the axes of the parent
  int child_point_slot;     // 3, joint point in the axes of the body
  int parent_frame_slot;    // 9, joint frame in the axes of the parent, columns axis, zero, axis x
                            // zero
  int child_frame_slot;     // 9, joint frame in the axes of the body
};

struct CoordinateEntry {
  int body;
  int upstream;       // next coordinate towards the ground, -1 at the root
  int independent;    // number among the held coordinates, -1 if the loops determine it
  int position_slot;  // start value or guess
  int velocity_slot;  // start value, -1 where the loops determine it
};

// A point or direction fixed in a body, used by forces, constraints and sensors.
struct FeatureEntry {
  int body;
  int slot;  // 3, body axes
  int is_point;
};

// A coordinate that moves features of an element; bit k of `moves` says whether it moves feature k.
struct TouchEntry {
  int coordinate;
  int moves;
};

struct SpringEntry {
  int from, to;  // features
  int slot;      // stiffness, damping, natural length
  int touch_begin, touch_end;
};

enum class ConstraintKind : int {
  difference,  // a - b
  alignment,   // a x (b - c)
};

struct ConstraintEntry {
  ConstraintKind kind;
  int feature[3];
  int row;  // first of 3
  int touch_begin, touch_end;
};

enum class SignalKind : int {
  position,
  velocity,
  acceleration,
  coordinate,
  rate,
  coordinate_acceleration,
  kinetic_energy,
  potential_energy,
  total_energy,
};

// One sensor: `index` is a feature or a coordinate; its values start at `signal`.
struct SensorEntry {
  SignalKind kind;
  int index;
  int signal;
  int size;
};

struct ObjectiveEntry {
  int output;                    // output of the objective program
  int terminal;                  // 1: value at the end; 0: integral
  int sensor_begin, sensor_end;  // among objective_sensors: those it depends on
};

// What a parameter changes. `direction` is the offset of the derivatives of the slots concerned.
enum class PartialKind : int {
  inertia,         // of body `index`: mass 1, centre of mass 3, inertia 6
  parent_point,    // of joint `index`: 3
  child_point,     // of joint `index`: 3
  parent_frame,    // of joint `index`: 3, rotation vector in the axes of the parent
  child_frame,     // of joint `index`: 3, rotation vector in the axes of the body
  feature,         // `index`: 3
  spring,          // `index`: stiffness, damping, natural length
  gravity,         // 3
  start_position,  // of coordinate `index`: 1
  start_velocity,  // of coordinate `index`: 1
};

struct PartialEntry {
  PartialKind kind;
  int index;
  int direction;
  int touches_sensors;  // 0: no sensor used by an objective depends on it directly
};

// Source of one direction number: d slot / d parameter.
struct DirectionEntry {
  int slot;
  int parameter;
};

struct PlanView {
  int body_count;
  int coordinate_count;
  int independent_count;
  int constraint_rows;
  int constraint_rank;  // coordinate_count - independent_count
  int feature_count;
  int spring_count;
  int constraint_count;
  int sensor_count;
  int signal_count;
  int objective_count;
  int parameter_count;
  int slot_count;
  int gravity_slot;
  int direction_count;
  int moment_at_origin;  // 1: reference points at the global origin (RTdyn1), 0: at the centres of
                         // mass (RTdyn0)
  int uses_energy;       // 1: some objective depends on an energy

  const BodyEntry* bodies;
  const CoordinateEntry* coordinates;
  const FeatureEntry* features;
  const TouchEntry* touches;
  const SpringEntry* springs;
  const ConstraintEntry* constraints;
  const SensorEntry* sensors;
  const ObjectiveEntry* objectives;
  const int* objective_sensors;
  const PartialEntry* partials;
  const int* partial_begin;  // [parameter_count + 1]
  const DirectionEntry* directions;

  ProgramView slot_program;       // inputs: parameters
  ProgramView objective_program;  // inputs: parameters, time, signals
};

}  // namespace gradus::kernels
