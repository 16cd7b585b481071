// What the geometry of joints is worth to one objective: axes that never move, which meet the
// forces downstream of them. The partials of locked axes transposed; with V the motion that the
// row makes of the bodies, sum of row_c S_c . force on body i = V_i . force. docs/theory.md,
// section 15.
#pragma once

#include "kernels/passes/load_adjoint.hpp"

GRADUS_KERNELS_BEGIN

// Adds `value` to number k of an element for the objective at hand.
template <class D>
struct ElementSum {
  const D& d;
  int offset;
  GRADUS_FUNCTION void add(int k, const RealOf<D>& value) const { d.at(offset)[k] += value; }
  GRADUS_FUNCTION void add(int k, const VectorOf<D>& v) const {
    add(k, v.x);
    add(k + 1, v.y);
    add(k + 2, v.z);
  }
};

// What coordinates downstream of a locked axis make of it, the row given: forces that meet its
// second rate, and moments that meet its angular part and its rate's.
template <class Real>
struct Downstream {
  Force<Real> momentum;
  Vector3<Real> turning, gyration;
};

template <class D>
GRADUS_FUNCTION Downstream<RealOf<D>> load_downstream(const D& d, int array, int i) {
  const auto a = d.at(array + 12 * i);
  return {load_force(a, 0), load3(a, 2), load3(a, 3)};
}
template <class D>
GRADUS_FUNCTION void add_downstream(const D& d, int array, int i, const Downstream<RealOf<D>>& x,
                                    const VectorOf<D>& arm) {
  const auto sum = load_downstream(d, array, i);
  const auto a = d.at(array + 12 * i);
  store_force(a, 0, sum.momentum + shift(x.momentum, arm));
  store3(a, 2, sum.turning + x.turning);
  store3(a, 3, sum.gyration + x.gyration);
}

// Sums over the coordinates of each sub-tree: after its own joint (`inner`) and with it (`outer`).
template <class D>
GRADUS_ROUTINE void sum_downstream(const D& d, const LoadLayout& load) {
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  set_zero(d.at(e.inner), 12 * d.plan.body_count);
  set_zero(d.at(e.outer), 12 * d.plan.body_count);
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const BodyEntry& body = d.plan.bodies[i];
    add_downstream(d, e.outer, i, load_downstream(d, e.inner, i), zero3<RealOf<D>>());
    for (int c = body.first_coordinate; c < body.first_coordinate + body.coordinate_count; ++c) {
      const RealOf<D> row = d.at(e.row)[c];
      const auto momentum = load_force(d.at(l.axis_momentum), c);
      add_downstream(d, e.outer, i,
                     {row * momentum, row * load3(d.at(load.turning), c),
                      row * load3(d.at(l.axis_gyration), c)},
                     zero3<RealOf<D>>());
    }
    if (body.parent >= 0)
      add_downstream(d, e.inner, body.parent, load_downstream(d, e.outer, i),
                     reference_of(d, i) - reference_of(d, body.parent));
  }
}

// Forces that meet the axis, its rate and its second rate of whatever moves body i and all it
// carries: sums over features, turns and angular velocities of the sub-tree. `levels` are two in
// the free motion, three in the motion.
template <class D>
GRADUS_ROUTINE void sum_features(const D& d, const MotionLayout& m, const int* features,
                                 const int* forces, int twists, int turns, int levels) {
  for (int level = 0; level < levels; ++level) set_zero(d.at(forces[level]), 6 * d.plan.body_count);
  const auto add = [&](int level, int i, const ForceOf<D>& f) {
    store_force(d.at(forces[level]), i, load_force(d.at(forces[level]), i) + f);
  };
  const auto none = zero3<RealOf<D>>();
  for (int f = 0; f < d.plan.feature_count; ++f) {
    const FeatureEntry& feature = d.plan.features[f];
    if (feature.body < 0) continue;
    const bool point = feature.is_point != 0;
    const auto q = feature_position(d, f);
    const auto arm = point ? q - reference_of(d, feature.body) : q;
    const auto rate = load3(d.at(m.feature_velocity), f);
    const auto acceleration = load3(d.at(m.feature_acceleration), f);
    const auto worth = [&](int level) { return load3(d.at(features[level]), f); };
    for (int level = 0; level < levels; ++level) {
      const auto g = worth(level);
      auto moment = cross(arm, g);
      if (level + 1 < levels) moment += RealOf<D>(level + 1) * cross(rate, worth(level + 1));
      if (level + 2 < levels) moment += cross(acceleration, worth(level + 2));
      add(level, feature.body, {point ? g : none, moment});
    }
  }
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const auto turn = load3(d.at(turns), i);
    add(1, i, {none, turn});
    add(0, i, {none, load3(d.at(twists), i) + cross(load_motion(d.at(m.velocity), i).w, turn)});
  }
  for_each_child(d, [&](int i, int parent, const VectorOf<D>& arm) {
    for (int level = 0; level < levels; ++level)
      add(level, parent, shift(load_force(d.at(forces[level]), i), arm));
  });
}

// The force that meets an axis S, its rates S' = v x S and S'' = a x S + v x S' being worth `rate`
// and `acceleration`.
template <class Real>
GRADUS_FUNCTION Force<Real> axis_adjoint(const Motion<Real>& v, const Motion<Real>& a,
                                         const Force<Real>& rate, const Force<Real>& acceleration) {
  const Real minus(-1);
  return minus * cross(v, rate) + minus * cross(a, acceleration) + cross(v, cross(v, acceleration));
}

// What the generalised forces of a stage make of a locked axis at body j, on either side of its
// joint.
template <class D>
GRADUS_ROUTINE ForceOf<D> locked_force(const D& d, int j, bool parent_side, int stage) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  const LoadLayout* loads[3] = {&l.load, &l.velocity_load, &l.acceleration_load};
  const LoadLayout& load = *loads[stage];
  const auto none = zero_motion<Real>();
  const auto up = carrier(d, e.moved, j, parent_side, none);
  const auto down = load_downstream(d, parent_side ? e.outer : e.inner, j);
  const auto carried = down.momentum + composite_inertia(d, j) * up;
  const auto turned = cross(up, load_force(d.at(load.wrench), j));
  const Matrix3<Real> virial = load9(d.at(load.virial), j);
  const Real trace = virial.m[0] + virial.m[4] + virial.m[8];
  Force<Real> sum{cross(load3(d.at(load.force), j), up.w) - turned.f,
                  down.turning + virial * up.w - trace * up.w - turned.n};
  const auto nothing = zero_force<Real>();
  if (stage > 0) {
    const int changes[2] = {l.velocity_change_rate, l.acceleration_change_rate};
    const auto x = carrier(d, changes[stage - 1], j, parent_side, none);
    return sum + axis_adjoint(none, x, nothing, carried);
  }
  const Force<Real> rate{zero3<Real>(), down.gyration + gyration_of(d, j, up)};
  const auto v = carrier(d, l.free_motion.velocity, j, parent_side, none);
  const auto a = carrier(d, l.free_motion.acceleration, j, parent_side, weight(d));
  return sum + axis_adjoint(v, a, rate, carried);
}

// What features and angular velocities make of it.
template <class D>
GRADUS_FUNCTION ForceOf<D> locked_feature_force(const D& d, int j, bool parent_side) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  const auto none = zero_motion<Real>();
  const auto at = [&](int forces) { return load_force(d.at(forces), j); };
  const auto v = carrier(d, l.motion.velocity, j, parent_side, none);
  const auto a = carrier(d, l.motion.acceleration, j, parent_side, none);
  const auto v_free = carrier(d, l.free_motion.velocity, j, parent_side, none);
  return at(e.free_force[0]) + axis_adjoint(v_free, none, at(e.free_force[1]), zero_force<Real>()) +
         at(e.force[0]) + axis_adjoint(v, a, at(e.force[1]), at(e.force[2]));
}

// A locked axis in the numbers of its element: see locked_direction().
template <class D>
GRADUS_ROUTINE void add_locked_adjoint(const D& d, const ElementSum<D>& out,
                                       const ElementEntry& element, const ForceOf<D>& g) {
  const int j = element.index;
  const BodyEntry& body = d.plan.bodies[j];
  const auto parent = rotation_of(d, body.parent);
  const auto child = rotation_of(d, j);
  switch (element.kind) {
    case PartialKind::parent_point:
      return out.add(0, transposed_times(parent, g.f));
    case PartialKind::child_point:
      return out.add(0, -transposed_times(child, g.f));
    case PartialKind::parent_frame: {
      const VectorOf<D> point =
          origin_of(d, body.parent) + parent * slot3(d, body.parent_point_slot);
      return out.add(0, transposed_times(parent, g.n + cross(reference_of(d, j) - point, g.f)));
    }
    default: {
      const VectorOf<D> arm = reference_of(d, j) - load3(d.at(d.layout.joint_point), j);
      return out.add(0, -transposed_times(child, g.n + cross(arm, g.f)));
    }
  }
}

GRADUS_KERNELS_END
