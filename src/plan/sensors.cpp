// What each sensor shows, and its names and units.
#include "src/plan/draft.hpp"

#include <algorithm>

#include "src/model/states.hpp"

namespace gradus {
namespace {

using kernels::SensorEntry;
using kernels::SignalKind;

// In the plan a joint may be followed from its child to its parent; what it puts on the child of
// the model is then the opposite.
void aim_reaction(Draft& draft, SensorEntry& entry, const Sensor& sensor, const std::string& path) {
  const bool is_force = sensor.kind == SensorKind::reaction_force;
  const JointReference place = draft.references.joint_or_loop(sensor.target, draft.where(path));
  if (place.is_loop) {
    const auto [first, end] = draft.loop_constraints[index(place.place)];
    entry.kind = is_force ? SignalKind::loop_force : SignalKind::loop_moment;
    entry.index = first;
    entry.factor = end;
    entry.second = draft.point_feature(draft.model.loops[index(place.place)].child, path);
    return;
  }
  const Joint& joint = draft.model.joints[index(place.place)];
  const bool is_reversed =
      std::find(draft.reversed.begin(), draft.reversed.end(), joint.name) != draft.reversed.end();
  const std::vector<int>& order = draft.order.joint;
  entry.kind = is_force ? SignalKind::joint_force : SignalKind::joint_moment;
  entry.index =
      static_cast<int>(std::find(order.begin(), order.end(), place.place) - order.begin());
  entry.factor = is_reversed ? -1 : 1;
  entry.second = draft.point_feature(is_reversed ? joint.parent : joint.child, path);
}

// Kind of the signal, and what it is of.
void aim(Draft& draft, SensorEntry& entry, const Sensor& sensor, const std::string& path) {
  switch (type_of(sensor.kind).target) {
    case SensorTarget::point:
      entry.kind = static_cast<SignalKind>(sensor.kind);
      entry.index = draft.point_feature(sensor.target, path);
      return;
    case SensorTarget::vector:  // a direction answers as a point does
      entry.kind = SignalKind::position;
      entry.index = draft.vector_feature(sensor.target, path);
      return;
    case SensorTarget::two_points:
      entry.kind = SignalKind::distance;
      entry.index = draft.point_feature(sensor.target, path);
      entry.second = draft.point_feature(sensor.second, path);
      return;
    case SensorTarget::joint:
      entry.kind = static_cast<SignalKind>(sensor.kind);
      entry.index =
          draft.first_coordinate(draft.references.joint(sensor.target, draft.where(path)));
      return;
    case SensorTarget::state:
      entry.kind = SignalKind::rate;
      entry.index = draft.coordinate_of_state(sensor.target);
      return;
    case SensorTarget::body:
      entry.kind = SignalKind::angular_velocity;
      entry.index = draft.position_of(draft.references.body(sensor.target, draft.where(path)));
      return;
    case SensorTarget::energy:
      entry.kind = sensor.target == "kinetic"     ? SignalKind::kinetic_energy
                   : sensor.target == "potential" ? SignalKind::potential_energy
                                                  : SignalKind::total_energy;
      return;
    case SensorTarget::system:
      entry.kind =
          sensor.kind == SensorKind::momentum ? SignalKind::momentum : SignalKind::angular_momentum;
      return;
    case SensorTarget::joint_or_loop:
      return aim_reaction(draft, entry, sensor, path);
    case SensorTarget::force:
      return aim_at_force(draft, entry, sensor, path);
    case SensorTarget::constraint:
      return aim_at_constraint(draft, entry, sensor);
  }
}

std::string unit_of(const Draft& draft, const Sensor& sensor, const SensorEntry& entry) {
  const SensorType& type = type_of(sensor.kind);
  if (sensor.kind == SensorKind::constraint_force) return unit_of_constraint_force(draft, sensor);
  if (type.target == SensorTarget::state) return draft.unit_of_state(sensor.target);
  const std::string unit(type.unit);
  if (type.target != SensorTarget::joint) return unit;
  return (entry.size > 0 ? draft.plan.coordinate_names[index(entry.index)].unit : "1") + unit;
}

}  // namespace

std::string component_name(int size, int k) {
  if (size == 3) return std::string(".") + "xyz"[k];
  return size == 1 ? "" : "." + std::to_string(k);
}

void add_sensors(Draft& draft) {
  Plan& plan = draft.plan;
  for (const Sensor& sensor : draft.model.sensors) {
    SensorEntry entry{};
    entry.signal = plan.signal_count;
    entry.size = sensor_size(draft.model, sensor);
    aim(draft, entry, sensor, "/sensors/" + sensor.name);
    const std::string unit = unit_of(draft, sensor, entry);
    for (int k = 0; k < entry.size; ++k)
      plan.signal_names.push_back({sensor.name + component_name(entry.size, k), unit});
    plan.signal_count += entry.size;
    plan.sensor_names.push_back(sensor.name);
    plan.sensors.push_back(entry);
  }
}

}  // namespace gradus
