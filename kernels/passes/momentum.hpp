// Momentum of the whole system, about the global origin, and its derivatives by coordinates and
// rates (rows) and by parameters. A sub-tree of momentum h that moves along the axis S gains S x h
// + I S' with S' the rate of the axis, and I S by its rate. docs/theory.md, section 12.
#pragma once

#include "kernels/passes/energy.hpp"

GRADUS_KERNELS_BEGIN

// A force-like quantity of body i, about the global origin.
template <class D>
GRADUS_INLINE Force<typename D::Real> at_origin(const D& d, int i,
                                                const Force<typename D::Real>& f) {
  return shift(f, reference_of(d, i));
}

template <class D>
GRADUS_FUNCTION Force<typename D::Real> system_momentum(const D& d) {
  auto sum = zero_force<typename D::Real>();
  for (int i = 0; i < d.plan.body_count; ++i)
    sum += at_origin(d, i, body_inertia(d, i) * load_motion(d.at(d.layout.motion.velocity), i));
  return sum;
}

// Change of the momentum when the sub-tree of body i moves along an axis. After `sub_tree_momenta`
// and the composites of the position.
template <class D>
GRADUS_FUNCTION Force<typename D::Real> momentum_by_position(
    const D& d, int i, const AxisMotion<typename D::Real>& s) {
  const auto h = load_force(d.at(d.layout.sub_tree_momentum), i);
  return at_origin(d, i, cross(s.axis, h) + composite_inertia(d, i) * s.rate);
}

template <class D>
GRADUS_FUNCTION Force<typename D::Real> momentum_by_rate(const D& d, int i,
                                                         const AxisMotion<typename D::Real>& s) {
  return at_origin(d, i, composite_inertia(d, i) * s.axis);
}

// Derivative by one entry of a parameter.
template <class D>
GRADUS_FUNCTION Force<typename D::Real> momentum_partial(const D& d, const PartialEntry& entry,
                                                         const AxisMotion<typename D::Real>& s) {
  if (is_locked_axis(entry.kind)) return momentum_by_position(d, entry.index, s);
  if (entry.kind != PartialKind::inertia) return zero_force<typename D::Real>();
  const auto inertia =
      body_inertia_partial(d, entry.index, d.at(d.layout.direction + entry.direction));
  return at_origin(d, entry.index,
                   inertia * load_motion(d.at(d.layout.motion.velocity), entry.index));
}

GRADUS_KERNELS_END
