// Reactions as generalised forces of virtual axes, and what these do to features, laws and actions.
// docs/theory.md, section 12.
#pragma once

#include "kernels/passes/reactions.hpp"
#include "kernels/passes/tangents.hpp"

GRADUS_KERNELS_BEGIN

// The sum of the components of a reaction, each times its adjoint, is the generalised force of one
// axis. It acts just before the joint that carries `body` and moves the sub-tree of it; that of a
// loop moves `body` alone.
template <class Real>
struct VirtualAxis {
  int body;
  int point;           // where moments are taken
  AxisMotion<Real> s;  // without rates
};

GRADUS_FUNCTION bool is_loop_reaction(SignalKind kind) {
  return kind == SignalKind::loop_force || kind == SignalKind::loop_moment;
}

template <class D, class Adjoint>
GRADUS_FUNCTION VirtualAxis<RealOf<D>> virtual_axis(const D& d, const SensorEntry& sensor,
                                                    const Adjoint& adjoint) {
  using Real = typename D::Real;
  const bool loop = is_loop_reaction(sensor.kind);
  const int body = loop ? d.plan.features[sensor.second].body : sensor.index;
  const Real sign(loop ? 1.0 : static_cast<double>(sensor.factor));
  const Vector3<Real> y = sign * load3(adjoint, 0);
  const Vector3<Real> at = reference_of(d, body);
  Motion<Real> axis{y, zero3<Real>()};
  if (sensor.kind == SignalKind::joint_moment || sensor.kind == SignalKind::loop_moment)
    axis = {cross(y, at - feature_position(d, sensor.second)), y};
  return {body, sensor.second, {axis, zero_motion<Real>(), zero_motion<Real>(), at}};
}

// What the axis does to a feature.
template <class D>
GRADUS_FUNCTION VectorOf<D> virtual_column(const D& d, const VirtualAxis<RealOf<D>>& v, int f) {
  const int owner = d.plan.features[f].body;
  const bool moved = owner >= v.body && owner < d.plan.bodies[v.body].end;
  return moved ? position_column(d, f, v.s) : zero3<RealOf<D>>();
}

// And to an input of a law: loads of laws act on bodies by their features alone.
template <class D>
GRADUS_FUNCTION RealOf<D> virtual_input(const D& d, const VirtualAxis<RealOf<D>>& v,
                                        const LawInputEntry& in) {
  if (in.kind != LawInputKind::feature) return RealOf<D>(0);
  return component(virtual_column(d, v, in.index), in.component);
}

// Features of a constraint under a change `moved(f)` of them.
template <class Moved>
GRADUS_FUNCTION auto features_moved(const ConstraintEntry& e, const Moved& moved) {
  using Real = decltype(moved(0).x);
  ConstraintColumn<Real> q{zero3<Real>(), zero3<Real>()};
  for (int k = 0; k < feature_count(e.kind); ++k) add_feature(q, e, k, moved(e.feature[k]));
  return q;
}

template <class Array, class Real>
GRADUS_FUNCTION void add_to_rows(const Array& a, const ConstraintEntry& e, const Vector3<Real>& v) {
  a[e.row] += v.x;
  if (e.rows == 1) return;
  a[e.row + 1] += v.y;
  a[e.row + 2] += v.z;
}

// Both multipliers of a constraint, whose forces add up in reactions.
template <class D>
GRADUS_FUNCTION VectorOf<D> both_multipliers(const D& d, const ConstraintEntry& e) {
  return load_rows(d.at(d.layout.multiplier), e) +
         load_rows(d.at(d.layout.acceleration_multiplier), e);
}

// Wrench of a sub-tree, loads included.
template <class D>
GRADUS_FUNCTION ForceOf<D> whole_wrench(const D& d, const LoadLayout& load, int i) {
  return load_force(d.at(load.wrench), i) + load_wrench(d, load, i);
}

// What the axis itself does when something moves the point of the moment by `dq`, and the whole is
// not carried along.
template <class Real>
GRADUS_INLINE Motion<Real> turned_axis(const VirtualAxis<Real>& v, const Vector3<Real>& dq) {
  return {cross(dq, v.s.axis.w), zero3<Real>()};
}

// Derivative of a law along the axis.
template <class D>
GRADUS_FUNCTION RealOf<D> law_along(const D& d, const VirtualAxis<RealOf<D>>& v,
                                    const LawEntry& law) {
  const auto run = law_gradient(d, d.layout.free_motion, law, d.at(d.layout.free_velocity));
  RealOf<D> sum(0);
  for (int i = 0; i < input_count(law); ++i)
    sum += run.input[i] * virtual_input(d, v, d.plan.law_inputs[law.input_begin + i]);
  return sum;
}

// What an action of unit size does along the axis.
template <class D>
GRADUS_FUNCTION RealOf<D> action_along(const D& d, const VirtualAxis<RealOf<D>>& v,
                                       const ActionEntry& action) {
  if (action.kind == ActionKind::effort) return law_along(d, v, d.plan.laws[action.work]);
  if (action.body < v.body || action.body >= d.plan.bodies[v.body].end) return RealOf<D>(0);
  const bool at_point = action.kind == ActionKind::follower_force;
  return dot(action_axis(d, action), at_point ? virtual_column(d, v, action.feature) : v.s.axis.w);
}

GRADUS_KERNELS_END
