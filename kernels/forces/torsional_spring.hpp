// Spring-damper on a joint coordinate: force - k (z - rest) - c z'. Value, derivatives by
// coordinate and rate, derivative by parameters.
#pragma once

#include "kernels/core/design.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct TorsionalState {
  Real stiffness, damping;
  Real extension;  // z - rest
  Real rate;
  Real pull;  // minus the force
};

// In the free motion.
template <class D>
GRADUS_FUNCTION TorsionalState<typename D::Real> torsional_state(const D& d,
                                                                 const TorsionalEntry& spring) {
  const auto slot = d.at(d.layout.slot + spring.slot);
  TorsionalState<typename D::Real> s;
  s.stiffness = slot[0];
  s.damping = slot[1];
  s.extension = d.at(d.layout.position)[spring.coordinate] - slot[2];
  s.rate = d.at(d.layout.free_velocity)[spring.coordinate];
  s.pull = s.stiffness * s.extension + s.damping * s.rate;
  return s;
}

// Derivative of `pull` by (stiffness, damping, rest) in the given direction.
template <class Real, class Direction>
GRADUS_FUNCTION Real torsional_partial(const TorsionalState<Real>& s, const Direction& direction) {
  return direction[0] * s.extension + direction[1] * s.rate - s.stiffness * direction[2];
}

// Potential energy, and its derivative in the same direction.
template <class Real>
GRADUS_FUNCTION Real torsional_energy(const TorsionalState<Real>& s) {
  return Real(0.5) * s.stiffness * s.extension * s.extension;
}
template <class Real, class Direction>
GRADUS_FUNCTION Real torsional_energy_partial(const TorsionalState<Real>& s,
                                              const Direction& direction) {
  return Real(0.5) * direction[0] * s.extension * s.extension -
         s.stiffness * s.extension * direction[2];
}

GRADUS_KERNELS_END
