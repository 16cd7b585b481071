// What everything that parameters can change is worth to one objective: bodies, joints, features,
// laws, gravity. An element costs the same whatever the number of parameters that change
// it; what parameters are worth follows from their elements once, at the end. The partials of
// partials.hpp transposed; with V the motion that the row makes of the bodies,
//   sum of row_c S_c . force on body i = V_i . force.
// docs/theory.md, section 15.
#pragma once

#include "kernels/passes/locked_adjoint.hpp"
#include "kernels/passes/reactions.hpp"

GRADUS_KERNELS_BEGIN

// The motion that the row makes of the bodies.
template <class D>
GRADUS_FUNCTION void move_bodies(const D& d) {
  const ElementLayout& e = d.layout.element;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    auto v = from_parent(d, e.moved, i, zero_motion<RealOf<D>>());
    for (int c = body.first_coordinate; c < body.first_coordinate + body.coordinate_count; ++c)
      v += d.at(e.row)[c] * load_motion(d.at(d.layout.axis), c);
    store_motion(d.at(e.moved), i, v);
  }
}

// Acceleration at the reference point of a body and its gradient: A(r) = at + slope r.
template <class Real>
struct AccelerationField {
  Vector3<Real> at;
  Matrix3<Real> slope;
};

template <class Real>
GRADUS_FUNCTION Matrix3<Real> skew(const Vector3<Real>& w) {
  const Real o(0);
  return {{o, -w.z, w.y, w.z, o, -w.x, -w.y, w.x, o}};
}

template <class Real>
GRADUS_FUNCTION AccelerationField<Real> acceleration_field(const Motion<Real>& v,
                                                           const Motion<Real>& a) {
  const Matrix3<Real> turn = skew(v.w);
  Matrix3<Real> slope = turn * turn;
  slope += skew(a.w);
  return {a.v + cross(v.w, v.v), slope};
}

// Mass, centre of mass and inertia of body i: V . (force that the acceleration field needs) is
// m u(s) . A(s) + tr(V_w~^T slope P) with s the centre of mass, u the velocity field of V and P =
// tr(J)/2 - J.
template <class D>
GRADUS_ROUTINE void inertia_adjoint(const D& d, const ElementSum<D>& out, int i,
                                    const AccelerationField<RealOf<D>>& field) {
  using Real = typename D::Real;
  const BodyEntry& body = d.plan.bodies[i];
  const auto v = load_motion(d.at(d.layout.element.moved), i);
  const Matrix3<Real> rotation = load9(d.at(d.layout.rotation), i);
  const Vector3<Real> s = origin_of(d, i) + rotation * slot3(d, body.com_slot) - reference_of(d, i);
  const Vector3<Real> u = v.v + cross(v.w, s);
  const Vector3<Real> a = field.at + field.slope * s;
  const Real mass = d.at(d.layout.slot)[body.mass_slot];
  out.add(0, dot(u, a));
  out.add(1, mass * transposed_times(rotation, cross(a, v.w) + transposed_times(field.slope, u)));
  // In the axes of the body.
  const Vector3<Real> w = transposed_times(rotation, v.w);
  const auto column_of = [&](int j) {
    return -cross(w, transposed_times(rotation, field.slope * column(rotation, j)));
  };
  const Matrix3<Real> g = from_columns(column_of(0), column_of(1), column_of(2));
  const Real half_trace = Real(0.5) * (g.m[0] + g.m[4] + g.m[8]);
  out.add(4, Vector3<Real>{half_trace - g.m[0], half_trace - g.m[4], half_trace - g.m[8]});
  out.add(7, Vector3<Real>{-(g.m[1] + g.m[3]), -(g.m[2] + g.m[6]), -(g.m[5] + g.m[7])});
}

// The coordinates of feature f in its body: see local_column().
template <class D>
GRADUS_ROUTINE void feature_adjoint(const D& d, const ElementSum<D>& out, const FeatureLayout& e,
                                    int f) {
  const Layout& l = d.layout;
  VectorOf<D> sum = load3(d.at(e.own_feature), f) + load3(d.at(e.free_feature[0]), f) +
                    load3(d.at(e.feature[0]), f);
  const int body = d.plan.features[f].body;
  if (body < 0) return out.add(0, sum);
  const auto w_free = load_motion(d.at(l.free_motion.velocity), body).w;
  const auto w = load_motion(d.at(l.motion.velocity), body).w;
  const auto spin = load_motion(d.at(l.motion.acceleration), body).w;
  const auto second = load3(d.at(e.feature[2]), f);
  sum += cross(load3(d.at(e.free_feature[1]), f), w_free) + cross(load3(d.at(e.feature[1]), f), w) +
         cross(second, spin) + cross(cross(second, w), w);
  out.add(0, transposed_times(rotation_of(d, body), sum));
}

// What features and what goes with them is worth to objective o.
template <class D>
GRADUS_FUNCTION FeatureLayout features_of(const D& d, int o) {
  FeatureLayout f = d.layout.element.features;
  const int place = o * f.size;
  for (int* offset :
       {&f.free_feature[0], &f.free_feature[1], &f.feature[0], &f.feature[1], &f.feature[2],
        &f.own_feature, &f.free_turn, &f.turn, &f.free_twist, &f.twist, &f.law_slot})
    *offset += place;
  f.begin += place;
  f.gradient = d.layout.element.gradient + o * d.plan.element_size;
  return f;
}

// Where what generalised forces and constraints make of the elements is found for a unit of each,
// see stages/pooled_elements.hpp.
template <class D>
GRADUS_INLINE bool pools_elements(const D& d) {
  return d.layout.element.pooled != 0;
}

// The same, for something to be added.
template <class D>
GRADUS_FUNCTION FeatureLayout touch_features(const D& d, int o) {
  if (pools_elements(d)) d.at(d.layout.element.touched)[o] = RealOf<D>(1);
  return features_of(d, o);
}

// What features are worth to objective o, to the elements that move them: once for everything that
// stages and sensors have made of them at the state at hand.
template <class D>
GRADUS_ROUTINE void features_to_elements(const D& d, int o) {
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  const FeatureLayout worth = features_of(d, o);
  if (d.plan.moves_elements != 0) {
    sum_features(d, l.free_motion, worth.free_feature, e.free_force, worth.free_twist,
                 worth.free_turn, 2);
    sum_features(d, l.motion, worth.feature, e.force, worth.twist, worth.turn, 3);
  }
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& element = d.plan.elements[k];
    const ElementSum<D> out{d, e.gradient + o * d.plan.element_size + element.place};
    if (element.kind == PartialKind::feature) feature_adjoint(d, out, worth, element.index);
    if (is_locked_axis(element.kind)) {
      const bool parent_side = is_on_parent(element.kind);
      add_locked_adjoint(d, out, element, locked_feature_force(d, element.index, parent_side));
    }
    if (element.kind != PartialKind::law) continue;
    const LawEntry& law = d.plan.laws[element.index];
    for (int i = law.input_begin; i < law.input_end; ++i)
      if (d.plan.law_inputs[i].kind == LawInputKind::slot)
        out.add(d.plan.law_inputs[i].component, d.at(worth.law_slot)[i]);
  }
  set_zero(d.at(worth.begin), worth.size);
}

template <class D>
GRADUS_FUNCTION void features_to_elements(const D& d) {
  if (d.plan.loads_elements == 0) return;
  for (int o = 0; o < d.plan.objective_count; ++o) {
    if (pools_elements(d)) {
      RealOf<D>& touched = d.at(d.layout.element.touched)[o];
      if (common(touched) == 0.0) continue;
      touched = RealOf<D>(0);
    }
    features_to_elements(d, o);
  }
}

// What the generalised forces of the stage make of one element.
template <class D>
GRADUS_ROUTINE void stage_to_element(const D& d, const ElementSum<D>& out,
                                     const ElementEntry& element, int stage) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const auto row = d.at(l.element.row);
  const int i = element.index;
  if (element.kind == PartialKind::inertia) {
    const int changes[3] = {l.free_motion.acceleration, l.velocity_change_rate,
                            l.acceleration_change_rate};
    const auto a = load_motion(d.at(changes[stage]), i);
    const auto v = stage == 0 ? load_motion(d.at(l.free_motion.velocity), i) : zero_motion<Real>();
    return inertia_adjoint(d, out, i, acceleration_field(v, a));
  }
  if (is_locked_axis(element.kind)) {
    const bool parent_side = is_on_parent(element.kind);
    return add_locked_adjoint(d, out, element, locked_force(d, i, parent_side, stage));
  }
  if (stage > 0) return;
  if (element.kind == PartialKind::gravity) {
    auto sum = zero3<Real>();
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      sum -= row[c] * load_force(d.at(l.axis_momentum), c).f;
    out.add(0, sum);
  }
}

// What the row makes of the unknowns of a step, which act with -B in the generalised forces.
template <class D>
GRADUS_ROUTINE void add_step_worth(const D& d, int o) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    for (int c = 0; c < n; ++c)
      d.at(s.step_worth)[i * d.plan.objective_count + o] -=
          d.at(s.load)[i * n + c] * d.at(d.layout.element.row)[c];
}

// Adds for objective o what its row over the generalised forces of a stage (-1: there is none), and
// its rows over the constraints and their rates, make of the elements; features_to_elements()
// completes it.
template <class D>
GRADUS_ROUTINE void add_element_adjoint(const D& d, int stage, int o) {
  const Layout& l = d.layout;
  const int multipliers[3] = {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier};
  if (stage >= 0) {
    const LoadLayout* loads[3] = {&l.load, &l.velocity_load, &l.acceleration_load};
    move_bodies(d);
    if (d.plan.moves_elements != 0) sum_downstream(d, *loads[stage]);
    const int gradient = l.element.gradient + o * d.plan.element_size;
    for (int k = 0; k < d.plan.element_count; ++k)
      stage_to_element(d, ElementSum<D>{d, gradient + d.plan.elements[k].place}, d.plan.elements[k],
                       stage);
  } else {
    set_zero(d.at(l.element.row), d.plan.coordinate_count);
    set_zero(d.at(l.element.moved), 6 * d.plan.body_count);
  }
  if (stage == 0 && has_step_unknowns(d)) add_step_worth(d, o);
  if (d.plan.loads_elements == 0) return;
  const FeatureLayout worth = features_of(d, o);
  if (stage == 0) {
    for (int k = 0; k < d.plan.action_count; ++k) action_adjoint(d, worth, k);
  }
  for (int k = 0; k < d.plan.constraint_count; ++k)
    constraint_element_adjoint(d, worth, d.plan.constraints[k],
                               stage < 0 ? -1 : multipliers[stage]);
}

GRADUS_KERNELS_END
