// What each sensor shows, and its names and units.
#include "src/plan/draft.hpp"

#include <algorithm>

namespace gradus {
namespace {

using kernels::SensorEntry;
using kernels::SignalKind;

class SensorWriter {
 public:
  SensorWriter(Draft& draft, const std::vector<std::string>& reversed)
      : draft_(draft), reversed_(reversed) {}

  void add(const Sensor& sensor) {
    Plan& plan = draft_.plan;
    SensorEntry entry{};
    entry.signal = plan.signal_count;
    entry.size = sensor_size(draft_.model, sensor);
    aim(entry, sensor, "/sensors/" + sensor.name);
    const std::string unit = unit_of(sensor, entry);
    for (int k = 0; k < entry.size; ++k)
      plan.signal_names.push_back({sensor.name + component_name(entry.size, k), unit});
    plan.signal_count += entry.size;
    plan.sensor_names.push_back(sensor.name);
    plan.sensors.push_back(entry);
  }

 private:
  // Kind of the signal, and what it is of.
  void aim(SensorEntry& entry, const Sensor& sensor, const std::string& path) {
    switch (sensor.kind) {
      case SensorKind::position:
      case SensorKind::velocity:
      case SensorKind::acceleration:
        entry.kind = static_cast<SignalKind>(sensor.kind);
        entry.index = draft_.point_feature(sensor.target, path);
        return;
      case SensorKind::coordinate:
      case SensorKind::rate:
      case SensorKind::coordinate_acceleration:
        entry.kind = static_cast<SignalKind>(sensor.kind);
        entry.index =
            draft_.first_coordinate(draft_.references.joint(sensor.target, draft_.where(path)));
        return;
      case SensorKind::energy:
        entry.kind = sensor.target == "kinetic"     ? SignalKind::kinetic_energy
                     : sensor.target == "potential" ? SignalKind::potential_energy
                                                    : SignalKind::total_energy;
        return;
      case SensorKind::vector:  // a direction answers as a point does
        entry.kind = SignalKind::position;
        entry.index = draft_.vector_feature(sensor.target, path);
        return;
      case SensorKind::angular_velocity:
        entry.kind = SignalKind::angular_velocity;
        entry.index = draft_.position_of(draft_.references.body(sensor.target, draft_.where(path)));
        return;
      case SensorKind::distance:
        entry.kind = SignalKind::distance;
        entry.index = draft_.point_feature(sensor.target, path);
        entry.second = draft_.point_feature(sensor.second, path);
        return;
      case SensorKind::momentum:
        entry.kind = SignalKind::momentum;
        return;
      case SensorKind::angular_momentum:
        entry.kind = SignalKind::angular_momentum;
        return;
      case SensorKind::reaction_force:
      case SensorKind::reaction_moment:
        return aim_reaction(entry, sensor, path);
    }
  }

  // In the plan a joint may be followed from its child to its parent; what it puts on the child of
  // the model is then the opposite.
  void aim_reaction(SensorEntry& entry, const Sensor& sensor, const std::string& path) {
    const bool is_force = sensor.kind == SensorKind::reaction_force;
    const JointReference place = draft_.references.joint_or_loop(sensor.target, draft_.where(path));
    if (place.is_loop) {
      const auto [first, end] = draft_.loop_constraints[index(place.place)];
      entry.kind = is_force ? SignalKind::loop_force : SignalKind::loop_moment;
      entry.index = first;
      entry.factor = end;
      entry.second = draft_.point_feature(draft_.model.loops[index(place.place)].child, path);
      return;
    }
    const Joint& joint = draft_.model.joints[index(place.place)];
    const bool is_reversed =
        std::find(reversed_.begin(), reversed_.end(), joint.name) != reversed_.end();
    const std::vector<int>& order = draft_.order.joint;
    entry.kind = is_force ? SignalKind::joint_force : SignalKind::joint_moment;
    entry.index =
        static_cast<int>(std::find(order.begin(), order.end(), place.place) - order.begin());
    entry.factor = is_reversed ? -1 : 1;
    entry.second = draft_.point_feature(is_reversed ? joint.parent : joint.child, path);
  }

  std::string unit_of(const Sensor& sensor, const SensorEntry& entry) const {
    const SensorType& type = type_of(sensor.kind);
    const std::string unit(type.unit);
    if (type.target != SensorTarget::joint) return unit;
    return (entry.size > 0 ? draft_.plan.coordinate_names[index(entry.index)].unit : "1") + unit;
  }

  Draft& draft_;
  const std::vector<std::string>& reversed_;
};

}  // namespace

std::string component_name(int size, int k) {
  if (size == 3) return std::string(".") + "xyz"[k];
  return size == 1 ? "" : "." + std::to_string(k);
}

void add_sensors(Draft& draft, const std::vector<std::string>& reversed) {
  SensorWriter writer(draft, reversed);
  for (const Sensor& sensor : draft.model.sensors) writer.add(sensor);
}

}  // namespace gradus
