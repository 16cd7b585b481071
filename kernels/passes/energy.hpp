// Kinetic and potential energy, their derivatives by coordinates and rates (rows) and by
// parameters. The potential is that of gravity, which is zero at the global origin, and that of
// springs and bushings stated by their constants.
#pragma once

#include "kernels/passes/partials.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct Energies {
  Real kinetic, potential;
};

// Whether a body is a disc whose rate is a state: these are the last.
template <class D>
GRADUS_INLINE bool is_state(const D& d, int i) {
  return i >= d.plan.body_count - d.plan.state_count;
}

// Calls visit(number of the law) for the potential energies that are laws.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_potential(const D& d, const Visit& visit) {
  for (int k = 0; k < d.plan.potential_count; ++k) visit(d.plan.potentials[k]);
}

template <class D>
GRADUS_ROUTINE Energies<RealOf<D>> energies(const D& d) {
  using Real = typename D::Real;
  const MotionLayout& m = d.layout.motion;
  const Vector3<Real> gravity = slot3(d, d.plan.gravity_slot);
  Energies<Real> sum{Real(0), Real(0)};
  for (int i = 0; !is_state(d, i) && i < d.plan.body_count; ++i) {
    const SpatialInertia<Real> inertia = body_inertia(d, i);
    const Motion<Real> v = load_motion(d.at(m.velocity), i);
    sum.kinetic += Real(0.5) * dot(v, inertia * v);
    sum.potential -= dot(gravity, inertia.mass * reference_of(d, i) + inertia.moment);
  }
  for_each_potential(d, [&](int law) {
    sum.potential += law_value(d, m, d.plan.laws[law], d.at(d.layout.velocity));
  });
  return sum;
}

// Momentum of every sub-tree about its reference point, at the motion.
template <class D>
GRADUS_FUNCTION void sub_tree_momenta(const D& d) {
  carried_forces(d, d.layout.motion.velocity, d.layout.sub_tree_momentum);
  for (int i = d.plan.body_count - 1; is_state(d, i); --i)
    store_force(d.at(d.layout.sub_tree_momentum), i, zero_force<RealOf<D>>());
}

// Work of gravity on a sub-tree that moves along an axis, with the sign of the potential.
template <class D>
GRADUS_FUNCTION RealOf<D> weight_row(const D& d, int i, const MotionOf<D>& axis) {
  const auto inertia = composite_inertia(d, i);
  return -dot(slot3(d, d.plan.gravity_slot), inertia.mass * axis.v + cross(axis.w, inertia.moment));
}

// Rows [kinetic by position, kinetic by rate, potential by position], each [n]. After the
// composites of the position.
template <class D>
GRADUS_ROUTINE void energy_rows(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  sub_tree_momenta(d);
  const auto rows = d.at(l.energy_rows);
  for (int c = 0; c < n; ++c) {
    const int i = d.plan.coordinates[c].body;
    const auto axis = load_motion(d.at(l.axis), c);
    const auto momentum = load_force(d.at(l.sub_tree_momentum), i);
    rows[c] = dot(load_motion(d.at(l.motion.axis_rate), c), momentum);
    rows[n + c] = dot(axis, momentum);
    rows[2 * n + c] = weight_row(d, i, axis);
  }
  for_each_potential(d, [&](int number) {
    const LawEntry& law = d.plan.laws[number];
    const auto run = law_gradient(d, l.motion, law, d.at(l.velocity));
    for_each_slope(d, l.motion, law, run,
                   [&](int c, const RealOf<D>& slope) { rows[2 * n + c] += slope; });
  });
}

template <class D>
GRADUS_ROUTINE RealOf<D> elastic_energy_partial(const D& d, const PartialEntry& entry,
                                                const AxisOf<D>& axis) {
  const MotionLayout& m = d.layout.motion;
  RealOf<D> sum(0);
  for_each_potential(d, [&](int number) {
    if (law_answers(d, number, entry))
      sum += law_partial(d, m, number, entry, axis, d.at(d.layout.velocity));
  });
  return sum;
}

// Derivatives of both energies by one entry of a parameter. After `energy_rows`.
template <class D>
GRADUS_ROUTINE Energies<RealOf<D>> energy_partial(const D& d, const PartialEntry& entry) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const Vector3<Real> gravity = slot3(d, d.plan.gravity_slot);
  Energies<Real> partial{Real(0), Real(0)};
  if (entry.kind == PartialKind::inertia) {
    const int i = entry.index;
    const auto inertia = body_inertia_partial(d, i, d.at(l.direction + entry.direction));
    const Motion<Real> v = load_motion(d.at(l.motion.velocity), i);
    partial.kinetic = Real(0.5) * dot(v, inertia * v);
    partial.potential = -dot(gravity, inertia.mass * reference_of(d, i) + inertia.moment);
  } else if (entry.kind == PartialKind::gravity) {
    const Vector3<Real> direction = load3(d.at(l.direction + entry.direction), 0);
    for (int i = 0; i < d.plan.body_count; ++i) {
      const auto inertia = body_inertia(d, i);
      partial.potential -= dot(direction, inertia.mass * reference_of(d, i) + inertia.moment);
    }
  } else if (is_locked_axis(entry.kind)) {
    const LockedAxis<Real> s = locked_axis(d, entry);
    partial.kinetic = dot(s.actual.rate, load_force(d.at(l.sub_tree_momentum), s.body));
    partial.potential =
        weight_row(d, s.body, s.actual.axis) + elastic_energy_partial(d, entry, s.actual);
  } else {
    partial.potential = elastic_energy_partial(d, entry, AxisMotion<Real>{});
  }
  return partial;
}

// Momentum of the whole system, about the global origin, and its derivatives by coordinates and
// rates (rows) and by parameters. A sub-tree of momentum h that moves along the axis S gains S x h
// + I S' with S' the rate of the axis, and I S by its rate. docs/theory.md, section 12.

// A force-like quantity of body i, about the global origin.
template <class D>
GRADUS_INLINE ForceOf<D> at_origin(const D& d, int i, const ForceOf<D>& f) {
  return shift(f, reference_of(d, i));
}

template <class D>
GRADUS_FUNCTION ForceOf<D> system_momentum(const D& d) {
  auto sum = zero_force<RealOf<D>>();
  for (int i = 0; !is_state(d, i) && i < d.plan.body_count; ++i)
    sum += at_origin(d, i, body_inertia(d, i) * load_motion(d.at(d.layout.motion.velocity), i));
  return sum;
}

// Change of the momentum when the sub-tree of body i moves along an axis. After `sub_tree_momenta`
// and the composites of the position.
template <class D>
GRADUS_FUNCTION ForceOf<D> momentum_by_position(const D& d, int i, const AxisOf<D>& s) {
  const auto h = load_force(d.at(d.layout.sub_tree_momentum), i);
  return at_origin(d, i, cross(s.axis, h) + composite_inertia(d, i) * s.rate);
}

template <class D>
GRADUS_FUNCTION ForceOf<D> momentum_by_rate(const D& d, int i, const AxisOf<D>& s) {
  if (is_state(d, i)) return zero_force<RealOf<D>>();
  return at_origin(d, i, composite_inertia(d, i) * s.axis);
}

// Derivative by one entry of a parameter.
template <class D>
GRADUS_FUNCTION ForceOf<D> momentum_partial(const D& d, const PartialEntry& entry,
                                            const AxisOf<D>& s) {
  if (is_locked_axis(entry.kind)) return momentum_by_position(d, entry.index, s);
  if (entry.kind != PartialKind::inertia) return zero_force<RealOf<D>>();
  const auto inertia =
      body_inertia_partial(d, entry.index, d.at(d.layout.direction + entry.direction));
  return at_origin(d, entry.index,
                   inertia * load_motion(d.at(d.layout.motion.velocity), entry.index));
}

GRADUS_KERNELS_END
