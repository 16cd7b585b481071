// What the kinds of sensors show: of what, how many numbers, in which unit, and which laws may use
// them.
#pragma once

#include <string>
#include <string_view>

#include "gradus/model.hpp"

namespace gradus {

enum class SensorTarget {
  point,
  vector,
  body,
  two_points,
  joint,
  joint_or_loop,
  energy,
  system,
  force,
  constraint,
  state
};

// In how many places of laws, in the order of LawPlace.
enum class SensorUse { none, forces, forces_and_constraints };

struct SensorType {
  SensorTarget target;
  int size;  // components; 0: as many as its target has
  std::string_view
      unit;  // of coordinates: what follows their own; of some it depends on the target
  SensorUse use = SensorUse::none;
  bool shows_accelerations = false;  // or the reactions that belong to them
};

const SensorType& type_of(SensorKind kind);

// The key of a model file that makes a sensor of this kind.
std::string_view key_of(SensorKind kind);

// Components of a sensor. A sensor whose target does not exist has none.
int sensor_size(const Model& model, const Sensor& sensor);

// Where a law stands: it decides which sensors it may use.
enum class LawPlace {
  force,             // positions and velocities
  constraint,        // positions
  constraint_value,  // none
};

bool is_usable_in(LawPlace place, SensorKind kind);

// "use sensors of kind ...", those that are usable there.
std::string hint_of_sensors(LawPlace place);

}  // namespace gradus
