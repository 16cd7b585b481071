// What everything that parameters can change is worth to one objective: bodies, joints, features,
// springs, laws, gravity. An element costs the same whatever the number of parameters that change
// it; what parameters are worth follows from their elements once, at the end. The partials of
// partials.hpp transposed; with V the motion that the row makes of the bodies,
//   sum of row_c S_c . force on body i = V_i . force.
// docs/theory.md, section 15.
#pragma once

#include "kernels/passes/load_adjoint.hpp"

GRADUS_KERNELS_BEGIN

// Adds `value` to number k of an element for the objective at hand.
template <class D>
struct ElementSum {
  const D& d;
  int offset;
  GRADUS_FUNCTION void add(int k, const typename D::Real& value) const { d.at(offset)[k] += value; }
  GRADUS_FUNCTION void add(int k, const Vector3<typename D::Real>& v) const {
    add(k, v.x);
    add(k + 1, v.y);
    add(k + 2, v.z);
  }
};

// The motion that the row makes of the bodies.
template <class D>
GRADUS_FUNCTION void move_bodies(const D& d) {
  const ElementLayout& e = d.layout.element;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    auto v = from_parent(d, e.moved, i, zero_motion<typename D::Real>());
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
  const Matrix3<Real> spin = skew(a.w);
  for (int k = 0; k < 9; ++k) slope.m[k] += spin.m[k];
  return {a.v + cross(v.w, v.v), slope};
}

// Mass, centre of mass and inertia of body i: V . (force that the acceleration field needs) is
// m u(s) . A(s) + tr(V_w~^T slope P) with s the centre of mass, u the velocity field of V and P =
// tr(J)/2 - J.
template <class D>
GRADUS_ROUTINE void inertia_adjoint(const D& d, const ElementSum<D>& out, int i,
                                    const AccelerationField<typename D::Real>& field) {
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
  Matrix3<Real> g;
  for (int j = 0; j < 3; ++j) {
    const Vector3<Real> column_j =
        -cross(w, transposed_times(rotation, field.slope * column(rotation, j)));
    g.m[j] = column_j.x;
    g.m[3 + j] = column_j.y;
    g.m[6 + j] = column_j.z;
  }
  const Real half_trace = Real(0.5) * (g.m[0] + g.m[4] + g.m[8]);
  out.add(4, Vector3<Real>{half_trace - g.m[0], half_trace - g.m[4], half_trace - g.m[8]});
  out.add(7, Vector3<Real>{-(g.m[1] + g.m[3]), -(g.m[2] + g.m[6]), -(g.m[5] + g.m[7])});
}

// What coordinates downstream of a locked axis make of it, the row given: forces that meet its
// second rate, and moments that meet its angular part and its rate's.
template <class Real>
struct Downstream {
  Force<Real> momentum;
  Vector3<Real> turning, gyration;
};

template <class D>
GRADUS_FUNCTION Downstream<typename D::Real> load_downstream(const D& d, int array, int i) {
  const auto a = d.at(array + 12 * i);
  return {load_force(a, 0), load3(a, 2), load3(a, 3)};
}
template <class D>
GRADUS_FUNCTION void add_downstream(const D& d, int array, int i,
                                    const Downstream<typename D::Real>& x,
                                    const Vector3<typename D::Real>& arm) {
  const auto sum = load_downstream(d, array, i);
  const auto a = d.at(array + 12 * i);
  store_force(a, 0, sum.momentum + shift(x.momentum, arm));
  store3(a, 2, sum.turning + x.turning);
  store3(a, 3, sum.gyration + x.gyration);
}

// Sums over the coordinates of each sub-tree: after its own joint (`inner`) and with it (`outer`).
template <class D>
GRADUS_ROUTINE void sum_downstream(const D& d, const LoadLayout& load) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  clear(d, e.inner, 12 * d.plan.body_count);
  clear(d, e.outer, 12 * d.plan.body_count);
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const BodyEntry& body = d.plan.bodies[i];
    add_downstream(d, e.outer, i, load_downstream(d, e.inner, i), zero3<Real>());
    for (int c = body.first_coordinate; c < body.first_coordinate + body.coordinate_count; ++c) {
      const Real row = d.at(e.row)[c];
      const auto momentum = load_force(d.at(l.axis_momentum), c);
      add_downstream(d, e.outer, i,
                     {{row * momentum.f, row * momentum.n},
                      row * load3(d.at(load.turning), c),
                      row * load3(d.at(l.axis_gyration), c)},
                     zero3<Real>());
    }
    if (body.parent >= 0)
      add_downstream(d, e.inner, body.parent, load_downstream(d, e.outer, i),
                     reference_of(d, i) - reference_of(d, body.parent));
  }
}

// Forces that meet the axis, its rate and its second rate of whatever moves body i and all it
// carries: sums over features and angular velocities of the sub-tree. `levels` are two in the free
// motion, three in the motion.
template <class D>
GRADUS_ROUTINE void sum_features(const D& d, const MotionLayout& m, const int* features,
                                 const int* forces, int turns, int levels) {
  using Real = typename D::Real;
  for (int level = 0; level < levels; ++level) clear(d, forces[level], 6 * d.plan.body_count);
  const auto add = [&](int level, int i, const Force<Real>& f) {
    store_force(d.at(forces[level]), i, load_force(d.at(forces[level]), i) + f);
  };
  const auto none = zero3<Real>();
  for (int f = 0; f < d.plan.feature_count; ++f) {
    const FeatureEntry& feature = d.plan.features[f];
    if (feature.body < 0) continue;
    const bool point = feature.is_point != 0;
    const auto q = feature_position(d, f);
    const auto arm = point ? q - reference_of(d, feature.body) : q;
    const auto rate = load3(d.at(m.feature_velocity), f);
    const auto acceleration = load3(d.at(m.feature_acceleration), f);
    for (int level = 0; level < levels; ++level) {
      const auto g = load3(d.at(features[level]), f);
      add(level, feature.body, {point ? g : none, cross(arm, g)});
      if (level > 0) add(level - 1, feature.body, {none, Real(level) * cross(rate, g)});
      if (level > 1) add(level - 2, feature.body, {none, cross(acceleration, g)});
    }
  }
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const auto turn = load3(d.at(turns), i);
    add(1, i, {none, turn});
    add(0, i, {none, cross(load_motion(d.at(m.velocity), i).w, turn)});
  }
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const auto arm = reference_of(d, i) - reference_of(d, parent);
    for (int level = 0; level < levels; ++level)
      add(level, parent, shift(load_force(d.at(forces[level]), i), arm));
  }
}

// The force that meets an axis S, its rates S' = v x S and S'' = a x S + v x S' being worth `rate`
// and `acceleration`.
template <class Real>
GRADUS_FUNCTION Force<Real> axis_adjoint(const Motion<Real>& v, const Motion<Real>& a,
                                         const Force<Real>& rate, const Force<Real>& acceleration) {
  const auto turned = cross(v, acceleration);
  const Real minus(-1);
  const auto back = [&](const Force<Real>& f) { return Force<Real>{minus * f.f, minus * f.n}; };
  return back(cross(v, rate)) + back(cross(a, acceleration)) + cross(v, turned);
}

// Numbers that describe the stage a row belongs to.
struct StageOfRow {
  int number;      // 0: equations of motion, 1 and 2: projections; -1: none, constraints alone
  int multiplier;  // offset
};

template <class D>
GRADUS_FUNCTION StageOfRow stage_of_row(const D& d, int number) {
  const int multipliers[3] = {d.layout.multiplier, d.layout.velocity_multiplier,
                              d.layout.acceleration_multiplier};
  return {number, number < 0 ? -1 : multipliers[number]};
}

// What the generalised forces of a stage make of a locked axis at body j, on either side of its
// joint.
template <class D>
GRADUS_ROUTINE Force<typename D::Real> locked_force(const D& d, int j, bool parent_side,
                                                    int stage) {
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
GRADUS_FUNCTION Force<typename D::Real> locked_feature_force(const D& d, int j, bool parent_side) {
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
                                       const ElementEntry& element,
                                       const Force<typename D::Real>& g) {
  using Real = typename D::Real;
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
      const Vector3<Real> point =
          origin_of(d, body.parent) + parent * slot3(d, body.parent_point_slot);
      return out.add(0, transposed_times(parent, g.n + cross(reference_of(d, j) - point, g.f)));
    }
    default: {
      const Vector3<Real> arm = reference_of(d, j) - load3(d.at(d.layout.joint_point), j);
      return out.add(0, -transposed_times(child, g.n + cross(arm, g.f)));
    }
  }
}

// The coordinates of feature f in its body: see local_column().
template <class D>
GRADUS_ROUTINE void feature_adjoint(const D& d, const ElementSum<D>& out, const FeatureLayout& e,
                                    int f) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  Vector3<Real> sum = load3(d.at(e.own_feature), f) + load3(d.at(e.free_feature[0]), f) +
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
  for (int* offset : {&f.free_feature[0], &f.free_feature[1], &f.feature[0], &f.feature[1],
                      &f.feature[2], &f.own_feature, &f.free_turn, &f.turn, &f.law_slot})
    *offset += place;
  f.begin += place;
  return f;
}

// What features are worth to objective o, to the elements that move them: once for everything that
// stages and sensors have made of them at the state at hand.
template <class D>
GRADUS_ROUTINE void features_to_elements(const D& d, int o) {
  const Layout& l = d.layout;
  const ElementLayout& e = l.element;
  const FeatureLayout worth = features_of(d, o);
  if (d.plan.moves_elements != 0) {
    sum_features(d, l.free_motion, worth.free_feature, e.free_force, worth.free_turn, 2);
    sum_features(d, l.motion, worth.feature, e.force, worth.turn, 3);
  }
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& element = d.plan.elements[k];
    const ElementSum<D> out{d, e.gradient + o * d.plan.element_size + element.place};
    if (element.kind == PartialKind::feature) feature_adjoint(d, out, worth, element.index);
    if (is_locked_axis(element.kind)) {
      const bool parent_side =
          element.kind == PartialKind::parent_point || element.kind == PartialKind::parent_frame;
      add_locked_adjoint(d, out, element, locked_feature_force(d, element.index, parent_side));
    }
    if (element.kind != PartialKind::law) continue;
    const LawEntry& law = d.plan.laws[element.index];
    for (int i = law.input_begin; i < law.input_end; ++i)
      if (d.plan.law_inputs[i].kind == LawInputKind::slot)
        out.add(d.plan.law_inputs[i].component, d.at(worth.law_slot)[i]);
  }
  clear(d, worth.begin, worth.size);
}

template <class D>
GRADUS_FUNCTION void features_to_elements(const D& d) {
  if (d.plan.loads_elements == 0) return;
  for (int o = 0; o < d.plan.objective_count; ++o) features_to_elements(d, o);
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
    const bool parent_side =
        element.kind == PartialKind::parent_point || element.kind == PartialKind::parent_frame;
    return add_locked_adjoint(d, out, element, locked_force(d, i, parent_side, stage));
  }
  if (stage > 0) return;
  if (element.kind == PartialKind::gravity) {
    auto sum = zero3<Real>();
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      sum -= row[c] * load_force(d.at(l.axis_momentum), c).f;
    out.add(0, sum);
  } else if (element.kind == PartialKind::torsional) {
    const auto s = torsional_state(d, d.plan.torsionals[i]);
    const Real worth = row[d.plan.torsionals[i].coordinate];
    out.add(0, Vector3<Real>{worth * s.extension, worth * s.rate, -(worth * s.stiffness)});
  } else if (element.kind == PartialKind::spring) {
    const SpringEntry& spring = d.plan.springs[i];
    const auto s = spring_state(d, l.free_motion, spring);
    const Real worth =
        dot(s.direction, virtual_displacement(d, spring.to) - virtual_displacement(d, spring.from));
    out.add(0, Vector3<Real>{worth * s.extension, worth * s.length_rate, -(worth * s.stiffness)});
  }
}

// Adds for objective o what its row over the generalised forces of a stage (-1: there is none), and
// its rows over the constraints and their rates, make of the elements; features_to_elements()
// completes it.
template <class D>
GRADUS_ROUTINE void add_element_adjoint(const D& d, int stage, int o) {
  const Layout& l = d.layout;
  const StageOfRow of = stage_of_row(d, stage);
  if (stage >= 0) {
    const LoadLayout* loads[3] = {&l.load, &l.velocity_load, &l.acceleration_load};
    move_bodies(d);
    if (d.plan.moves_elements != 0) sum_downstream(d, *loads[stage]);
    const int gradient = l.element.gradient + o * d.plan.element_size;
    for (int k = 0; k < d.plan.element_count; ++k)
      stage_to_element(d, ElementSum<D>{d, gradient + d.plan.elements[k].place}, d.plan.elements[k],
                       stage);
  } else {
    clear(d, l.element.row, d.plan.coordinate_count);
    clear(d, l.element.moved, 6 * d.plan.body_count);
  }
  if (d.plan.loads_elements == 0) return;
  const FeatureLayout worth = features_of(d, o);
  if (stage == 0) {
    for (int k = 0; k < d.plan.spring_count; ++k) spring_adjoint(d, worth, d.plan.springs[k]);
    for (int k = 0; k < d.plan.action_count; ++k) action_adjoint(d, worth, d.plan.actions[k]);
  }
  for (int k = 0; k < d.plan.constraint_count; ++k)
    constraint_element_adjoint(d, worth, d.plan.constraints[k], of.multiplier);
}

GRADUS_KERNELS_END
