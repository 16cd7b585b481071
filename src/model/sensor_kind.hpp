// The kinds of sensors that there are. Each is one file of src/sensors, which says of what it is,
// how many numbers it shows, and writes it into a plan; reading, checks, laws and pages go by that.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gradus/model.hpp"
#include "src/model/reference.hpp"

namespace gradus {

class Recorded;       // src/plan/recorded.hpp
class SensorDraft;    // src/plan/sensor_draft.hpp
class SensorFormula;  // beside it

// What a sensor names: one thing, or two.
enum class SensorOf {
  point,
  two_points,
  vector,
  two_vectors,
  body,
  joint,
  joint_or_loop,
  force,
  constraint,
  state,
  system,  // one of `choices`
};

// The highest derivative of the motion that a sensor shows; reactions belong to accelerations.
enum class MotionLevel { position, velocity, acceleration };

struct SensorKind {
  std::string_view key;  // of model files, and Sensor::type
  SensorOf of;
  MotionLevel level;
  int size = 0;                // components; 0: as many as what it is of has
  std::string_view unit = {};  // of joints: what follows that of the coordinate
  // Component k of what it shows, for laws; null: none can use it. Of accelerations and reactions
  // laws of forces read the signal.
  Recorded (*formula)(const SensorFormula& f, int k) = nullptr;
  // Null: what the formula says becomes laws of the plan.
  void (*write)(SensorDraft& sensor) = nullptr;
  std::span<const std::string_view> choices = {};
  // What SensorOf alone does not say: throws InputError, beginning with `where`.
  void (*check)(const Model& model, const References& references, const Sensor& sensor,
                const std::string& where) = nullptr;
};

// All of them, by key. The build makes the table of the files in src/sensors.
std::span<const SensorKind* const> sensor_kinds();

// Of a sensor that was checked.
const SensorKind& kind_of(const Sensor& sensor);

// Components of a sensor. A sensor whose target does not exist has none.
int sensor_size(const Model& model, const Sensor& sensor);

// Where a law stands: it decides which sensors it may use.
enum class LawPlace {
  force,             // positions, velocities, accelerations and reactions
  sample,            // positions and velocities
  constraint,        // positions and states
  constraint_value,  // none
  followed_rate,     // of a state that a constraint reads: positions and states
  rate_constraint,   // of velocities: positions and velocities, but no states
};

// Whether velocities are none of what a law may use, but for states.
inline bool reads_positions(LawPlace place) {
  return place == LawPlace::constraint || place == LawPlace::followed_rate;
}

bool is_usable_in(LawPlace place, const SensorKind& kind);

// "use sensors of kind ...", those that are usable there.
std::string hint_of_sensors(LawPlace place);

}  // namespace gradus
