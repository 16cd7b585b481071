// Entries of the arrays of a plan. `slot` members are offsets into a design's slots, `coordinate`,
// `body` and `feature` members are indices; -1 is the ground or none.
#pragma once

#include "kernels/base/decoration.hpp"
#include "kernels/expressions/spline_entry.hpp"

namespace gradus::kernels {

enum class JointKind : int {
  revolute,
  prismatic,
  cardan,
  cylindrical,
  spherical,
  floating,
  planar,
  fixed
};

// Bodies are numbered depth first: the sub-tree of body i is i, ..., end - 1. Body i hangs on its
// parent by joint i.
struct BodyEntry {
  int parent;
  int end;
  JointKind joint;
  int first_coordinate;
  int coordinate_count;
  int euler;                   // first of its four Euler parameters, -1 if it has none
  int upstream_coordinate;     // last coordinate before those of its joint, -1 if none
  int tip_coordinate;          // last coordinate that moves the body, -1 if none
  int mass_slot;               // 1
  int com_slot;                // 3, body axes
  int inertia_slot;            // 6, about the centre of mass, body axes: xx yy zz xy xz yz
  int inertia_tolerance_slot;  // 1, by how much its principal moments may fall below zero
  int parent_point_slot;       // 3, joint point in the axes of the parent
  int child_point_slot;        // 3, joint point in the axes of the body
  int parent_frame_slot;  // 9, joint frame in the axes of the parent, columns axis, zero, axis x
                          // zero
  int child_frame_slot;   // 9, joint frame in the axes of the body
};

struct CoordinateEntry {
  int body;
  int upstream;            // next coordinate towards the ground, -1 at the root
  int euler;               // first of the four Euler parameters it is one of, -1 if none
  int position_slot;       // start value or guess
  int velocity_slot;       // start value; of the Euler parameters e1, e2, e3: an angular velocity
  int start_rate;          // the law of positions that is its velocity at the start, -1 if none is
  int is_held = 0;         // 1: the state whose disc it moves keeps its value but for events
  int prescribed_by = -1;  // the constraint that drives it alone, by a constant slope, -1: none
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

// A line between two points, whose length forces work on.
struct LineEntry {
  int from, to;                // features
  int touch_begin, touch_end;  // bit 0: moves `from`, bit 1: moves `to`
  int column_begin;            // of its columns among those of all lines
};

// The bodies of two points, whose relative pose forces work on.
struct PoseEntry {
  int from, to;                // features
  int touch_begin, touch_end;  // bit 0: moves `from`, bit 1: moves `to`
  int column_begin;            // of its columns among those of all poses
  int reads_rotation;          // 0: no law reads how the bodies are turned against each other
};

constexpr int kPoseNumbers = 7;  // displacement, rotation vector and its turn_share()

enum class ConstraintKind : int {
  difference,     // a - b, 3 rows
  alignment,      // a x (b - c), 3 rows
  perpendicular,  // a . b
  in_plane,       // a . (b - c)
  normalisation,  // of the Euler parameters from coordinate feature[0] on: p . p - 1
  law,            // law feature[0] = 0
};

GRADUS_ALWAYS_INLINE int row_count(ConstraintKind kind) {
  return kind == ConstraintKind::difference || kind == ConstraintKind::alignment ? 3 : 1;
}

GRADUS_ALWAYS_INLINE int feature_count(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::difference:
    case ConstraintKind::perpendicular:
      return 2;
    case ConstraintKind::alignment:
    case ConstraintKind::in_plane:
      return 3;
    case ConstraintKind::normalisation:
    case ConstraintKind::law:
      break;
  }
  return 0;
}

struct ConstraintEntry {
  ConstraintKind kind;
  int feature[3];
  int row;  // the first
  int rows;
  int touch_begin, touch_end;
  double penalty;  // its own, 0: that of the settings
  // What is left where joints are eliminated one after another: the first of its rows among those
  // that tie the tree, -1 if it normalises or prescribes, or holds at the start only.
  int tie;
};

// Rows of the constraints that say that two directions are the same, and hold as well where these
// are opposite.
struct SameDirectionEntry {
  int row, rows;
  int first, second;  // features
};

// A row of the constraints in the order of their sparse factors, see stages/sparse_split.hpp.
struct SplitStepEntry {
  int row;
  int entry_begin, entry_end;  // coordinates that it depends on, among split_places
  int head;                    // the coordinate that its reflection leaves
  int place_begin, place_end;  // the others that it reflects, among split_places
  int run_begin, run_end;      // rows behind it that it changes, among split_runs
};

// Neighbours in that order.
struct SplitRunEntry {
  int begin, end;
};

// Rows of the constraints that can pass a singular configuration by themselves, and the
// coordinates that they leave to each other: see stages/row_groups.hpp.
struct RowGroupEntry {
  int rows;                     // independent ones
  int column_begin, columns;    // among group_columns
  int row_begin, number_begin;  // among what is kept of all groups
};

// What an input of a law is; `index` and `component` say which.
enum class LawInputKind : int {
  slot,              // `component` is its place among the direction numbers of the law
  time,              // s
  feature,           // component of a point or direction
  coordinate,        //
  feature_velocity,  // component
  rate,              // of a coordinate
  angular_velocity,  // component, of body `index`
  length,            // of line `index`
  length_rate,       // of line `index`
  pose,              // number `component` of pose `index`
  pose_rate,         // rate of its displacement, and relative angular velocity
  pose_work,         // of pose `index`: what forces along (`component` 0 to 2) and torques about (3
                     // to 5) the axes of its first body work on; it has no value
  sensor,            // component of sensor `index`, which accelerations or reactions decide
  algebraic,         // unknown `index`, see stages/algebraic.hpp
};

struct LawInputEntry {
  LawInputKind kind;
  int index;
  int component;
};

// A scalar function of slots, time, positions and perhaps velocities, as a program of its own whose
// last instruction is the result.
struct LawEntry {
  int instruction_begin, instruction_end;
  int input_begin, input_end;
  int moving_end;  // inputs before it may answer to coordinates, the others are slots and the time
  int touch_begin, touch_end;  // coordinates whose position or rate is felt; `moves` is not used
  int call_begin, call_end;    // its splines
  int reads_axes;              // 0: no input needs the motion of axes to answer to coordinates
  int unknown_input;  // which input is the algebraic unknown that it is linear in, -1: none is
  int vanishes;       // of an algebraic unknown: 1: which makes the law 0, 0: which is the law
};

// A generalised force Q_c = size * column_c, whose size is a law.
enum class ActionKind : int {
  effort,           // column_c = derivative of the law `work` by coordinate c
  follower_force,   // along an axis of the body, at `feature`
  follower_torque,  // about an axis of the body
  fixed_torque,     // about a global axis
};

struct ActionEntry {
  ActionKind kind;
  int size;  // law
  int work;  // law
  int body;
  int axis;     // 0, 1, 2
  int feature;  // point
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
  angular_velocity,  // of body `index`
  momentum,          // of the whole system
  angular_momentum,  // of the whole system, about the global origin
  joint_force,       // of the joint that carries body `index`, times `factor`
  joint_moment,      // the same about the point `second`
  loop_force,        // of constraints `index`, ..., `factor` - 1 on the body of the point `second`
  loop_moment,       // the same about that point
  law,               // of laws `index`, `index` + 1, ..., one for each component
  constraint_force,  // multipliers of constraint `index`, times `factor`
  constraint_power,  // what these bring in, of constraint `index`
};

GRADUS_ALWAYS_INLINE bool is_energy(SignalKind kind) {
  return kind == SignalKind::kinetic_energy || kind == SignalKind::potential_energy ||
         kind == SignalKind::total_energy;
}

GRADUS_ALWAYS_INLINE bool is_momentum(SignalKind kind) {
  return kind == SignalKind::momentum || kind == SignalKind::angular_momentum;
}

GRADUS_ALWAYS_INLINE bool is_loop_reaction(SignalKind kind) {
  return kind == SignalKind::loop_force || kind == SignalKind::loop_moment;
}

GRADUS_ALWAYS_INLINE bool is_constraint_reaction(SignalKind kind) {
  return kind == SignalKind::constraint_force || kind == SignalKind::constraint_power;
}

// Of a joint or a loop.
GRADUS_ALWAYS_INLINE bool is_joint_reaction(SignalKind kind) {
  return kind == SignalKind::joint_force || kind == SignalKind::joint_moment ||
         is_loop_reaction(kind);
}

// Whether it answers to multipliers.
GRADUS_ALWAYS_INLINE bool is_reaction(SignalKind kind) {
  return is_joint_reaction(kind) || is_constraint_reaction(kind);
}

// One sensor: `index` is a feature, a coordinate or as said above; its values start at `signal`.
struct SensorEntry {
  SignalKind kind;
  int index;
  int signal;
  int size;
  int second;
  int factor;
  int is_read;  // 1: by the law of an algebraic unknown
};

enum class ObjectiveKind : int {
  integral,   // over the motion
  terminal,   // value at its end
  value,      // value at `time`, where a step ends
  maximum,    // largest value from `from` to `to`
  minimum,    // smallest
  time_when,  // when it passes zero there
};

// Whether an objective belongs to an instant that only the motion tells.
GRADUS_ALWAYS_INLINE bool is_searched(ObjectiveKind kind) {
  return kind == ObjectiveKind::maximum || kind == ObjectiveKind::minimum ||
         kind == ObjectiveKind::time_when;
}

struct ObjectiveEntry {
  int output;  // output of the objective program
  ObjectiveKind kind;
  int sensor_begin, sensor_end;      // among objective_sensors: those it depends on
  double time;                       // s, of a value: that of the instant to the last bit
  int residual_begin, residual_end;  // among residual_outputs, if it is a sum of their squares
  int least_squares;                 // its number among such objectives
  int search;                        // its number among those whose instant is looked for, and
  double from, to;                   // when [s], where steps end
  int direction;                     // of a passage: 1 rising, -1 falling, 0 either
  int passage;                       // which of them, from 1 on
  double otherwise;                  // s, if there is none; NaN: the design fails
  double smooth;                     // not 0: an integral of which the run makes a smooth extremum
  int weight = -1;                   // number of the parameter it is multiplied by, -1: none
  int watch_begin, watch_end;        // among watched_calls: those of its splines that are open
  int kink_begin, kink_end;          // among objective_kinks: what chooses on the way to it
};

// What a parameter changes. `direction` is the offset of the derivatives of the slots concerned.
enum class PartialKind : int {
  inertia,         // of body `index`: mass 1, centre of mass 3, inertia 6
  parent_point,    // of joint `index`: 3
  child_point,     // of joint `index`: 3
  parent_frame,    // of joint `index`: 3, rotation vector in the axes of the parent
  child_frame,     // of joint `index`: 3, rotation vector in the axes of the body
  feature,         // `index`: 3
  gravity,         // 3
  start_position,  // of coordinate `index`: 1
  start_velocity,  // of coordinate `index`: 1
  law,             // `index`: the slots among its inputs
  spline,          // `index`: of knots `first`, ...: `count` values and as many slopes
};

GRADUS_ALWAYS_INLINE bool is_locked_axis(PartialKind kind) {
  return kind == PartialKind::parent_point || kind == PartialKind::child_point ||
         kind == PartialKind::parent_frame || kind == PartialKind::child_frame;
}

// Of these, whether it moves what the joint carries before the joint does.
GRADUS_ALWAYS_INLINE bool is_on_parent(PartialKind kind) {
  return kind == PartialKind::parent_point || kind == PartialKind::parent_frame;
}

struct PartialEntry {
  PartialKind kind;
  int index;
  int direction;
  int element;          // its place among the elements
  int touches_sensors;  // 0: no sensor used by an objective depends on it directly
  int first = 0;        // knots of a spline that are changed
  int count = 0;
};

// What one or more parameters change, with `count` numbers of its own, at `place` among those of
// all elements.
struct ElementEntry {
  PartialKind kind;
  int index;
  int place;
  int count;
  int touches_sensors;
  int action_begin = 0, action_end = 0;          // those that it changes, in changed_actions
  int constraint_begin = 0, constraint_end = 0;  // and in changed_constraints
};

// A state that is sampled: constant but for instants at which it becomes what a law says.
struct SampleEntry {
  int coordinate;  // whose rate it is
  int law;
};

// What a state becomes at an event.
struct ResetEntry {
  int coordinate;  // whose rate it is
  int law;
};

// A passage of a law through zero at which something changes at once, see stages/events.hpp.
struct EventEntry {
  int when;                    // the law
  int direction;               // -1: falling, 1: rising, 0: both
  int condition;               // a law that is above 0 where it counts; -1: it always does
  int reset_begin, reset_end;  // among resets
  int impulse;   // of an impact: the coordinate whose rate is its size, see impact.hpp; -1: it is
                 // none
  int closing;   // the rate of the law of positions along which it acts; -1: the impulse is given
  int amount;    // a law: the share of that rate that is left, turned round, or the impulse
  int rebounds;  // kRebounds, kBeginsAtZero or 0
};

// Of an impact: it is along `when`, which is not to go beyond zero; of other events: what is zero
// at the start and moves on has not passed.
constexpr int kRebounds = 1, kBeginsAtZero = 2;

// Source of one direction number: d slot / d parameter.
struct DirectionEntry {
  int slot;
  int parameter;
};

}  // namespace gradus::kernels
