// Accelerations of an open tree without its mass matrix: from the leaves to the ground each
// coordinate is expressed by the acceleration before it, and the other way round they follow. The
// coordinates of a joint act one after another as if a massless body stood between any two.
// docs/theory.md, section 14.
#pragma once

#include "kernels/bodies/rigid_body.hpp"
#include "kernels/math/articulated_inertia.hpp"
#include "kernels/passes/composites.hpp"
#include "kernels/passes/rates.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kSmallestPivot = 1e-15;  // of the largest; below it some motion moves no inertia

// Whether the coordinate is given by a constraint that reads nothing else, and not eliminated.
template <class D>
GRADUS_INLINE bool is_prescribed(const D& d, int c) {
  return d.plan.coordinates[c].prescribed_by >= 0;
}

// Inertia of what hangs on a body, joints giving way, and the wrench it needs if the body itself
// has no acceleration.
template <class Real>
struct ArticulatedBody {
  ArticulatedInertia<Real> inertia;
  Force<Real> bias;
};

// Which pivots there have been.
template <class Value>
struct PivotReport {
  Value largest;
  MaskOf<Value> regular;

  GRADUS_FUNCTION void see(const Value& pivot) {
    largest = select(pivot > largest, pivot, largest);
    regular = regular && pivot > Value(kSmallestPivot) * largest;
  }
};

// The bodies alone, at the motion m, with the loads on them, which are not summed over the
// sub-trees.
template <class D>
GRADUS_FUNCTION void articulated_bodies(const D& d, const MotionLayout& m) {
  const LoadLayout& load = d.layout.load;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const auto inertia = body_inertia(d, i);
    const auto v = load_motion(d.at(m.velocity), i);
    store_articulated(d.at(d.layout.articulated.inertia), i, articulated(inertia));
    store_force(d.at(load.wrench), i, cross(v, inertia * v) + load_wrench(d, load, i));
  }
  add_follower_wrenches(d, m, load);
}

// Lets the joint give way along an axis S, the force `direct` acting on its coordinate: S . (A (a +
// S x) + b) + direct = 0 gives x = -(u . a + S . b + direct) / (S . u) with u = A S. Keeps what x
// needs as number k; the pivot is S . u.
template <class D>
GRADUS_ROUTINE void give_way(const D& d, int k, const MotionOf<D>& axis, const RealOf<D>& direct,
                             ArticulatedBody<RealOf<D>>& body,
                             PivotReport<typename D::Value>& report) {
  const ForceOf<D> push = body.inertia * axis;
  const RealOf<D> pivot = dot(axis, push);
  report.see(value_of(pivot));
  const RealOf<D> inverse = RealOf<D>(1) / pivot;
  const RealOf<D> alone = -inverse * (dot(axis, body.bias) + direct);
  store_force(d.at(d.layout.articulated.answer), k, -inverse * push);
  d.at(d.layout.articulated.alone)[k] = alone;
  d.at(d.layout.articulated.pivot)[k] = pivot;
  add_square(body.inertia, -inverse, push);
  body.bias += alone * push;
}

// x of the above, `a` the acceleration before.
template <class D>
GRADUS_FUNCTION RealOf<D> given_way(const D& d, int k, const MotionOf<D>& a) {
  return dot(a, load_force(d.at(d.layout.articulated.answer), k)) +
         d.at(d.layout.articulated.alone)[k];
}

// What a coordinate needs whose acceleration x is prescribed: its residual, S . (A (a + S x) + b) +
// direct, takes the place of x as number k.
template <class D>
GRADUS_FUNCTION void follow(const D& d, int k, const MotionOf<D>& axis, const RealOf<D>& direct,
                            const RealOf<D>& x, ArticulatedBody<RealOf<D>>& body) {
  const ForceOf<D> push = body.inertia * axis;
  body.bias += x * push;
  store_force(d.at(d.layout.articulated.answer), k, push);
  d.at(d.layout.articulated.alone)[k] = dot(axis, body.bias) + direct;
}

// What makes coordinate c follow: the multiplier of the constraint that prescribes it, with its
// slope in the place of a pivot; `a` is the acceleration before.
template <class D, class Multipliers>
GRADUS_FUNCTION void hold_prescribed(const D& d, int c, const MotionOf<D>& a,
                                     const Multipliers& multiplier) {
  const ConstraintEntry& e = d.plan.constraints[d.plan.coordinates[c].prescribed_by];
  multiplier[e.row] = -given_way(d, c, a) / d.at(d.layout.articulated.pivot)[c];
}

// Euler parameters turn the child about three axes at once, for which those of the global frame
// serve: axis k at the reference point of body i.
template <class D>
GRADUS_FUNCTION MotionOf<D> turn_axis(const D& d, int i, int k) {
  using Real = typename D::Real;
  const Vector3<Real> w{Real(k == 0 ? 1 : 0), Real(k == 1 ? 1 : 0), Real(k == 2 ? 1 : 0)};
  return rotation_about(w, reference_of(d, i) - load3(d.at(d.layout.joint_point), i));
}

// Lets the Euler parameters of body i give way. With G the angular parts of their axes, G G^T = 4 /
// p.p, forces f on them are a moment G f p.p / 4.
template <class D>
GRADUS_FUNCTION void give_way_to_turn(const D& d, int i, ArticulatedBody<RealOf<D>>& body,
                                      PivotReport<typename D::Value>& report) {
  const int c = d.plan.bodies[i].euler;
  const auto p = euler_parameters(d, c);
  const VectorOf<D> moment =
      (RealOf<D>(0.25) * dot(p, p)) * euler_sum(d, c, d.layout.axis, d.at(d.layout.load.direct)).w;
  give_way(d, c + 2, turn_axis(d, i, 2), moment.z, body, report);
  give_way(d, c + 1, turn_axis(d, i, 1), moment.y, body, report);
  give_way(d, c, turn_axis(d, i, 0), moment.x, body, report);
}

// The acceleration that the velocities alone give, S' z', of one coordinate or of four Euler
// parameters.
template <class D>
GRADUS_FUNCTION MotionOf<D> drift(const D& d, const MotionLayout& m, int i, int c) {
  const auto rate = d.at(d.layout.velocity);
  if (c == d.plan.bodies[i].euler) return euler_sum(d, c, m.axis_rate, rate);
  return rate[c] * load_motion(d.at(m.axis_rate), c);
}

// What acts one after another in a joint: its coordinates, Euler parameters counting as one.
GRADUS_FUNCTION int acting_count(const BodyEntry& body) {
  return body.euler < 0 ? body.coordinate_count : body.euler - body.first_coordinate + 1;
}

// Lets the joint of body i give way, from its last coordinate to its first.
template <class D>
GRADUS_ROUTINE void give_way_at_joint(const D& d, const MotionLayout& m, int i,
                                      ArticulatedBody<RealOf<D>>& body,
                                      PivotReport<typename D::Value>& report) {
  const BodyEntry& entry = d.plan.bodies[i];
  for (int k = acting_count(entry) - 1; k >= 0; --k) {
    const int c = entry.first_coordinate + k;
    body.bias += body.inertia * drift(d, m, i, c);
    if (c == entry.euler) {
      give_way_to_turn(d, i, body, report);
      continue;
    }
    const auto axis = load_motion(d.at(d.layout.axis), c);
    const RealOf<D>& direct = d.at(d.layout.load.direct)[c];
    if (is_prescribed(d, c))
      follow(d, c, axis, direct, RealOf<D>(d.at(d.layout.acceleration)[c]), body);
    else
      give_way(d, c, axis, direct, body, report);
  }
}

// From the leaves to the ground, at the motion m, with the accelerations that are prescribed and
// the slopes of what prescribes them, in the place of pivots. Returns where every motion moves some
// inertia.
template <class D>
GRADUS_ROUTINE typename D::Mask articulate(const D& d, const MotionLayout& m) {
  const auto inertias = d.at(d.layout.articulated.inertia);
  const auto biases = d.at(d.layout.load.wrench);
  PivotReport<typename D::Value> report{typename D::Value(0.0), typename D::Mask(true)};
  articulated_bodies(d, m);
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    ArticulatedBody<RealOf<D>> body{load_articulated(inertias, i), load_force(biases, i)};
    give_way_at_joint(d, m, i, body, report);
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const auto arm = reference_of(d, i) - reference_of(d, parent);
    auto sum = load_articulated(inertias, parent);
    sum += shift(body.inertia, arm);
    store_articulated(inertias, parent, sum);
    store_force(biases, parent, load_force(biases, parent) + shift(body.bias, arm));
  }
  return report.regular;
}

// Accelerations of the Euler parameters of body i from that of their turn, w: G^T w p.p / 4 turns
// the body, and p . p'' = -p' . p' keeps their length. Adds the turn to `a`, the acceleration
// before.
template <class D, class Accelerations>
GRADUS_ROUTINE void turn_accelerations(const D& d, int i, MotionOf<D>& a,
                                       const Accelerations& acceleration) {
  using Real = typename D::Real;
  const int c = d.plan.bodies[i].euler;
  Vector3<Real> w = zero3<Real>();
  for (int k = 0; k < 3; ++k) {
    const auto axis = given_way(d, c + k, a) * turn_axis(d, i, k);
    a += axis;
    w += axis.w;
  }
  const auto p = euler_parameters(d, c);
  const auto rate = load_euler(d.at(d.layout.velocity + c));
  const Real norm2 = dot(p, p);
  const Real quarter = Real(0.25) * norm2;
  const Real inwards = dot(rate, rate) / norm2;
  for (int k = 0; k < 4; ++k)
    acceleration[c + k] =
        quarter * dot(load_motion(d.at(d.layout.axis), c + k).w, w) - inwards * p[k];
}

// From the ground outwards: the accelerations, `ground` being that of the ground, and the
// multipliers of what prescribes some. After `articulate`; leaves those of the bodies in m.
template <class D, class Array>
GRADUS_ROUTINE void articulated_accelerations(const D& d, const MotionLayout& m,
                                              const MotionOf<D>& ground, const Array& acceleration,
                                              const Array& multiplier) {
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    auto a = from_parent(d, m.acceleration, i, ground);
    for (int k = 0; k < acting_count(body); ++k) {
      const int c = body.first_coordinate + k;
      if (c == body.euler) {
        turn_accelerations(d, i, a, acceleration);
      } else {
        if (is_prescribed(d, c))
          hold_prescribed(d, c, a, multiplier);
        else
          acceleration[c] = given_way(d, c, a);
        a += acceleration[c] * load_motion(d.at(d.layout.axis), c);
      }
      a += drift(d, m, i, c);
    }
    store_motion(d.at(m.acceleration), i, a);
  }
}

template <class D>
GRADUS_ROUTINE void answer_along(const D& d, int k, const MotionOf<D>& axis,
                                 const RealOf<D>& direct, ForceOf<D>& bias) {
  const auto answer = load_force(d.at(d.layout.articulated.answer), k);
  const RealOf<D> pivot = d.at(d.layout.articulated.pivot)[k];
  const RealOf<D> push = dot(axis, bias) + direct;
  d.at(d.layout.articulated.alone)[k] = -push / pivot;
  bias += push * answer;
}

template <class D>
GRADUS_ROUTINE void answer_at_joint(const D& d, int i, const LoadLayout& load, ForceOf<D>& bias) {
  const BodyEntry& entry = d.plan.bodies[i];
  for (int k = acting_count(entry) - 1; k >= 0; --k) {
    const int c = entry.first_coordinate + k;
    if (is_prescribed(d, c)) {
      d.at(d.layout.articulated.alone)[c] =
          dot(load_motion(d.at(d.layout.axis), c), bias) + d.at(load.direct)[c];
      continue;
    }
    if (c != entry.euler) {
      answer_along(d, c, load_motion(d.at(d.layout.axis), c), d.at(load.direct)[c], bias);
      continue;
    }
    const auto p = euler_parameters(d, c);
    const VectorOf<D> moment =
        (RealOf<D>(0.25) * dot(p, p)) * euler_sum(d, c, d.layout.axis, d.at(load.direct)).w;
    for (int t = 2; t >= 0; --t)
      answer_along(d, c + t, turn_axis(d, i, t), component(moment, t), bias);
  }
}

// What a generalised force alone makes of accelerations, without velocities and weight, and of the
// multipliers of what prescribes some, if these are wanted: the same two walks with the inertias
// that articulate() has left. Forces are in load.direct, with the sign of inertia, wrenches of what
// hangs on a body in load.wrench.
template <class D>
GRADUS_ROUTINE void articulated_answer(const D& d, const LoadLayout& load, int acceleration,
                                       int multiplier = -1) {
  const auto biases = d.at(load.wrench);
  set_zero(biases, 6 * d.plan.body_count);
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    ForceOf<D> bias = load_force(biases, i);
    answer_at_joint(d, i, load, bias);
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const auto arm = reference_of(d, i) - reference_of(d, parent);
    store_force(biases, parent, load_force(biases, parent) + shift(bias, arm));
  }
  const auto x = d.at(acceleration);
  const int motions = d.layout.acceleration_change_rate;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    MotionOf<D> a = from_parent(d, motions, i, zero_motion<RealOf<D>>());
    for (int k = 0; k < acting_count(body); ++k) {
      const int c = body.first_coordinate + k;
      if (is_prescribed(d, c)) {
        x[c] = RealOf<D>(0);
        if (multiplier >= 0) hold_prescribed(d, c, a, d.at(multiplier));
        continue;
      }
      if (c != body.euler) {
        x[c] = given_way(d, c, a);
        a += x[c] * load_motion(d.at(d.layout.axis), c);
        continue;
      }
      Vector3<RealOf<D>> w = zero3<RealOf<D>>();
      for (int t = 0; t < 3; ++t) {
        const auto turn = given_way(d, c + t, a) * turn_axis(d, i, t);
        a += turn;
        w += turn.w;
      }
      const auto p = euler_parameters(d, c);
      const RealOf<D> quarter = RealOf<D>(0.25) * dot(p, p);
      for (int t = 0; t < 4; ++t)
        x[c + t] = quarter * dot(load_motion(d.at(d.layout.axis), c + t).w, w);
    }
    store_motion(d.at(motions), i, a);
  }
}

GRADUS_KERNELS_END
