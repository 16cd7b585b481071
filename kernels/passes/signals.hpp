// Sensors: their values at the current motion.
#pragma once

#include "kernels/passes/energy.hpp"

GRADUS_KERNELS_BEGIN

GRADUS_FUNCTION bool is_energy(SignalKind kind) {
  return kind == SignalKind::kinetic_energy || kind == SignalKind::potential_energy ||
         kind == SignalKind::total_energy;
}

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

// All signals; energies, which cost a walk over the bodies, only on request.
template <class D>
GRADUS_FUNCTION void signals(const D& d, bool with_energy) {
  const Layout& l = d.layout;
  for (int s = 0; s < d.plan.sensor_count; ++s) {
    const SensorEntry& sensor = d.plan.sensors[s];
    const auto out = d.at(l.signal + sensor.signal);
    switch (sensor.kind) {
      case SignalKind::position:
        store3(out, 0, feature_position(d, sensor.index));
        break;
      case SignalKind::velocity:
        store3(out, 0, load3(d.at(l.motion.feature_velocity), sensor.index));
        break;
      case SignalKind::acceleration:
        store3(out, 0, load3(d.at(l.motion.feature_acceleration), sensor.index));
        break;
      case SignalKind::coordinate:
      case SignalKind::rate:
      case SignalKind::coordinate_acceleration: {
        const int source = sensor.kind == SignalKind::coordinate ? l.position
                           : sensor.kind == SignalKind::rate     ? l.velocity
                                                                 : l.acceleration;
        for (int k = 0; k < sensor.size; ++k) out[k] = d.at(source + sensor.index)[k];
        break;
      }
      default:
        break;
    }
  }
  if (with_energy) energy_signals(d);
}

GRADUS_KERNELS_END
