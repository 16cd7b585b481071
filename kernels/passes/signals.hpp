// Sensors: their values at the current motion.
#pragma once

#include "kernels/passes/constraint_reactions.hpp"
#include "kernels/passes/energy.hpp"
#include "kernels/passes/law_signals.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void energy_signals(const D& d) {
  const auto energy = energies(d);
  for (int s = 0; s < d.plan.sensor_count; ++s) {
    const SensorEntry& sensor = d.plan.sensors[s];
    const auto out = d.at(d.layout.signal + sensor.signal);
    if (sensor.kind == SignalKind::kinetic_energy) out[0] = energy.kinetic;
    if (sensor.kind == SignalKind::potential_energy) out[0] = energy.potential;
    if (sensor.kind == SignalKind::total_energy) out[0] = energy.kinetic + energy.potential;
  }
}

GRADUS_FUNCTION bool is_coordinate(SignalKind kind) {
  return kind == SignalKind::coordinate || kind == SignalKind::rate ||
         kind == SignalKind::coordinate_acceleration;
}

// 0, 1, 2: of a coordinate or a feature itself, of its velocity, of its acceleration.
GRADUS_FUNCTION int level_of(SignalKind kind) {
  if (kind == SignalKind::velocity || kind == SignalKind::rate) return 1;
  return kind == SignalKind::acceleration || kind == SignalKind::coordinate_acceleration ? 2 : 0;
}

// The signals of one sensor but an energy. After `acceleration_projection_forces` if it shows a
// reaction.
template <class D>
GRADUS_ROUTINE void sensor_signal(const D& d, const SensorEntry& sensor) {
  const Layout& l = d.layout;
  const auto out = d.at(l.signal + sensor.signal);
  switch (sensor.kind) {
    case SignalKind::position:
    case SignalKind::velocity:
    case SignalKind::acceleration: {
      const int features[3] = {l.feature, l.motion.feature_velocity, l.motion.feature_acceleration};
      store3(out, 0, load3(d.at(features[level_of(sensor.kind)]), sensor.index));
      break;
    }
    case SignalKind::coordinate:
    case SignalKind::rate:
    case SignalKind::coordinate_acceleration: {
      const int coordinates[3] = {l.position, l.velocity, l.acceleration};
      const auto from = d.at(coordinates[level_of(sensor.kind)] + sensor.index);
      for (int k = 0; k < sensor.size; ++k) out[k] = from[k];
      break;
    }
    case SignalKind::angular_velocity:
      store3(out, 0,
             sensor.index < 0 ? zero3<RealOf<D>>()
                              : load_motion(d.at(l.motion.velocity), sensor.index).w);
      break;
    case SignalKind::momentum:
      store3(out, 0, system_momentum(d).f);
      break;
    case SignalKind::angular_momentum:
      store3(out, 0, system_momentum(d).n);
      break;
    case SignalKind::joint_force:
    case SignalKind::loop_force:
      store3(out, 0, reaction(d, sensor).f);
      break;
    case SignalKind::joint_moment:
    case SignalKind::loop_moment:
      store3(out, 0, reaction(d, sensor).n);
      break;
    case SignalKind::law:
      for (int k = 0; k < sensor.size; ++k) out[k] = law_signal(d, sensor.index + k);
      break;
    case SignalKind::constraint_force: {
      const auto force = constraint_force(d, sensor);
      for (int k = 0; k < sensor.size; ++k) out[k] = component(force, k);
      break;
    }
    case SignalKind::constraint_power:
      out[0] = constraint_power(d, d.plan.constraints[sensor.index]);
      break;
    default:
      break;
  }
}

// All signals; energies, which cost a walk over the bodies, only on request.
template <class D>
GRADUS_ROUTINE void signals(const D& d, bool with_energy) {
  if (has_reactions(d)) acceleration_projection_forces(d);
  for (int s = 0; s < d.plan.sensor_count; ++s) sensor_signal(d, d.plan.sensors[s]);
  if (with_energy) energy_signals(d);
}

GRADUS_KERNELS_END
