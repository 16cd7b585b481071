// Spring-dampers: values, derivatives by coordinates and rates, derivatives by parameters.
// docs/theory.md, section 5.
#pragma once

#include "kernels/bodies/features.hpp"

GRADUS_KERNELS_BEGIN

// Between two points: tension F = k (l - L) + c l' along the line between them.
template <class Real>
struct SpringState {
  Vector3<Real> direction;  // unit, from `from` to `to`
  Vector3<Real> relative;   // velocity of `to` relative to `from`
  Real length, inverse_length;
  Real stiffness, damping;
  Real extension;  // length minus natural length
  Real rate;       // of the length
  Real tension;
};

template <class D>
GRADUS_ROUTINE SpringState<RealOf<D>> spring_state(const D& d, const MotionLayout& m,
                                                   const SpringEntry& spring) {
  const auto slot = d.at(d.layout.slot + spring.slot);
  const VectorOf<D> line = feature_position(d, spring.to) - feature_position(d, spring.from);
  SpringState<RealOf<D>> s;
  s.length = sqrt(dot(line, line));
  s.inverse_length = RealOf<D>(1) / s.length;
  s.direction = s.inverse_length * line;
  s.relative =
      load3(d.at(m.feature_velocity), spring.to) - load3(d.at(m.feature_velocity), spring.from);
  s.rate = dot(s.direction, s.relative);
  s.stiffness = slot[0];
  s.damping = slot[1];
  s.extension = s.length - slot[2];
  s.tension = s.stiffness * s.extension + s.damping * s.rate;
  return s;
}

// How the line of the spring answers to a coordinate or parameter that moves its ends by dq, with
// velocity dq_rate.
template <class Real>
struct SpringColumn {
  Vector3<Real> line;
  Real length, length_rate;
};

template <class Real>
GRADUS_FUNCTION SpringColumn<Real> spring_column(const SpringState<Real>& s,
                                                 const Vector3<Real>& dq,
                                                 const Vector3<Real>& dq_rate) {
  SpringColumn<Real> c;
  c.line = dq;
  c.length = dot(s.direction, dq);
  c.length_rate =
      s.inverse_length * (dot(dq, s.relative) - c.length * s.rate) + dot(s.direction, dq_rate);
  return c;
}

// Under a coordinate that moves its ends.
template <class D>
GRADUS_ROUTINE SpringColumn<RealOf<D>> spring_column(const D& d, const MotionLayout& m,
                                                     const SpringEntry& spring,
                                                     const SpringState<RealOf<D>>& state,
                                                     const TouchEntry& touch) {
  const auto s = axis_motion(d, m, touch.coordinate);
  auto dq = zero3<RealOf<D>>();
  auto dq_rate = dq;
  if ((touch.moves & 2) != 0) {
    dq += position_column(d, spring.to, s);
    dq_rate += velocity_column(d, m, spring.to, s);
  }
  if ((touch.moves & 1) != 0) {
    dq -= position_column(d, spring.from, s);
    dq_rate -= velocity_column(d, m, spring.from, s);
  }
  return spring_column(state, dq, dq_rate);
}

// Derivative of the generalised load of coordinate column a by column b, the points' second
// derivatives left out (they are in the turning terms of the composite load).
template <class Real>
GRADUS_FUNCTION Real spring_stiffness(const SpringState<Real>& s, const SpringColumn<Real>& a,
                                      const SpringColumn<Real>& b) {
  return a.length * (s.stiffness * b.length + s.damping * b.length_rate) +
         s.tension * s.inverse_length * (dot(a.line, b.line) - a.length * b.length);
}

// Of springs of both kinds: derivative of the tension by (stiffness, damping, natural length) in
// the given direction; potential energy, and its derivative in the same direction.
template <class State, class Direction>
GRADUS_FUNCTION auto spring_partial(const State& s, const Direction& direction) {
  return direction[0] * s.extension + direction[1] * s.rate - s.stiffness * direction[2];
}
template <class State>
GRADUS_FUNCTION auto spring_energy(const State& s) {
  return decltype(s.rate)(0.5) * s.stiffness * s.extension * s.extension;
}
template <class State, class Direction>
GRADUS_FUNCTION auto spring_energy_partial(const State& s, const Direction& direction) {
  return decltype(s.rate)(0.5) * direction[0] * s.extension * s.extension -
         s.stiffness * s.extension * direction[2];
}

// On a joint coordinate: force - k (z - rest) - c z'.
template <class Real>
struct TorsionalState {
  Real stiffness, damping;
  Real extension;  // z - rest
  Real rate;
  Real pull;  // minus the force
};

// In the free motion.
template <class D>
GRADUS_FUNCTION TorsionalState<RealOf<D>> torsional_state(const D& d,
                                                          const TorsionalEntry& spring) {
  const auto slot = d.at(d.layout.slot + spring.slot);
  TorsionalState<RealOf<D>> s;
  s.stiffness = slot[0];
  s.damping = slot[1];
  s.extension = d.at(d.layout.position)[spring.coordinate] - slot[2];
  s.rate = d.at(d.layout.free_velocity)[spring.coordinate];
  s.pull = s.stiffness * s.extension + s.damping * s.rate;
  return s;
}

GRADUS_KERNELS_END
