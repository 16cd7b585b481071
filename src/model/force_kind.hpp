// The kinds of forces that there are. Each is one file of src/forces, or belongs to a plug-in: it
// says what its keys are, what it acts on, and writes it into a plan; reading, checks, sensors and
// pages go by that.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/reference.hpp"

namespace gradus {

class ForceDraft;  // src/plan/force_draft.hpp

// Decides which keys say where the force acts, and what sensors show of it.
enum class ActsOn {
  line,        // the places "from" and "to", along the line between them
  bodies,      // the bodies of the places "from" and "to"
  surface,     // likewise, where a place "to" of a body touches a surface through "from"
  point,       // the place "at"
  body,        // "body"
  coordinate,  // "joint", no Euler parameter
  joint,       // "joint", a joint or a loop
};

enum class ForceContent {
  number,  // of parameters
  law,     // of time and motion, too
  choice,  // the first of `choices` if it is not said
};

// A key beside those of where a force acts.
struct ForceKey {
  std::string_view name;
  std::string_view unit;  // "" where it depends on the coordinate
  ForceContent content = ForceContent::number;
  int size = 1;  // 1, or 3 of vectors
  bool required = false;
  bool is_positive = false;      // of numbers: above 0
  bool is_not_negative = false;  // of numbers: 0 or above
  bool is_at_least_one = false;  // of numbers: 1 or above
  bool is_at_most_one = false;   // of numbers: 1 or below
  std::span<const std::string_view> choices = {};
  // What the force calls its own length and its time derivative in this law.
  std::span<const std::string_view> locals = {};
};

// A first-order state of a force, such as what a controller has integrated; "FORCE.NAME" in
// sensors. Its rate is written with the force.
struct ForceState {
  std::string_view name;
  std::string_view key;        // without which the force does not have it; "": it always has it
  std::string_view initial;    // the key of its value at time 0; "": it is 0
  std::string_view unit = "";  // "": that of the force on its coordinate
  bool is_held = false;        // nothing drives it: events set it
};

// What forces on joints say besides, each for a joint of the type.
struct JointForce {
  // What the keys do not say without the type: throws InputError, beginning with `where`.
  void (*check)(const Force& force, JointType type, const std::string& where);
  // The names of its states, in the place of ForceKind::states.
  std::vector<ForceState> (*states)(const Force& force, JointType type);
  // The kinds of sensors of the joint that it reads, which are added where the model has none.
  std::vector<std::string_view> (*reads)(const Force& force, JointType type);
  // How many numbers a sensor of the kind shows of it, "sliding_speed" or "normal_force".
  int (*shown)(const Force& force, JointType type, std::string_view sensor);
};

struct ForceKind {
  std::string_view type;  // of model files
  ActsOn acts_on;
  std::span<const ForceKey> keys;
  void (*write)(ForceDraft& force);
  // What the keys alone do not say: throws InputError, beginning with `where`.
  void (*check)(const Force& force, const std::string& where) = nullptr;
  std::span<const ForceState> states = {};
  std::string_view origin = {};  // the file of its plug-in, if it is of one
  // Of forces on joints.
  const JointForce* on_joint = nullptr;
  // Of forces on coordinates: whether the formula reads the coordinate, not only its rate.
  bool reads_place = true;
  // Of what also holds positions, as a wheel that stays on the ground: adds the constraints, before
  // forces are written.
  void (*constrain)(ForceDraft& force) = nullptr;
};

// Those of src/forces, by type: the build makes the table of the files.
std::span<const ForceKind* const> built_in_force_kinds();
// These, and those of the plug-ins that are loaded. What a call returns never changes.
std::span<const ForceKind* const> force_kinds();
// Adds kinds that live as long as the process, all of them or none: throws InputError, beginning
// with `origin`, if there is a type of that name. Safe while other threads read models.
void add_force_kinds(std::span<const ForceKind* const> kinds, const std::string& origin);

// Null if there is no such type.
const ForceKind* find_force_kind(std::string_view type);
// Of a force that was checked.
const ForceKind& kind_of(const Force& force);

// The keys that say where a force acts: their values are texts.
std::span<const std::string_view> place_keys(ActsOn acts_on);

// The place, body or coordinate on which a force that was checked acts: of two, that of "to".
const std::string& place_of(const Force& force);

// The states that a force has; none if it is of no kind, or acts on no joint that there is.
std::vector<ForceState> states_of(const Model& model, const Force& force);

// The joint or loop on which a force acts, checked or not; null if there is none.
const Joint* joint_of(const Model& model, const Force& force);

// The text under a key, "" if there is none.
const std::string& text_of(const Force& force, std::string_view key);

// Null if there is no force of that name.
const Force* find_force(const Model& model, std::string_view name);

}  // namespace gradus
