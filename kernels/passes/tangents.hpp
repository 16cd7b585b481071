// Derivatives of the generalised forces D = M z'' - Q + Phi_z^T multiplier by coordinates and
// rates, in closed form from the composite quantities of the sub-trees: no recursion, no
// third-order tensor. For a coordinate k and one j upstream of it (or k itself), with I, B, f the
// composite inertia, turning inertia and force of the sub-tree of k and g its turning vector:
//   dD_k/dz_j  = S_k.(I S''_j + 2B S'_j) + g_k.W_j
//   dD_j/dz_k  = S_j.(I S''_k + 2B S'_k + S_k x f) + g_k.W_j
//   dD_k/dz'_j = S_k.(2 I S'_j + 2B S_j)
//   dD_j/dz'_k = S_j.(2 I S'_k + 2B S_k)
// docs/theory.md, section 5.
#pragma once

#include "kernels/passes/composites.hpp"
#include "kernels/passes/jacobians.hpp"

GRADUS_KERNELS_BEGIN

// 2B w: the change of the inertial force of sub-tree i when it is turned with the angular velocity
// w from upstream.
template <class D>
GRADUS_FUNCTION ForceOf<D> turning_force(const D& d, int i, const VectorOf<D>& w) {
  return {RealOf<D>(-2) * cross(load3(d.at(d.layout.momentum), i), w),
          load9(d.at(d.layout.turning_inertia), i) * w};
}

// (2B)^T S, which meets angular parts only.
template <class D>
GRADUS_FUNCTION VectorOf<D> gyration_of(const D& d, int i, const MotionOf<D>& s) {
  return RealOf<D>(-2) * cross(s.v, load3(d.at(d.layout.momentum), i)) +
         transposed_times(load9(d.at(d.layout.turning_inertia), i), s.w);
}

// Mass matrix alone, and what the parameter partials need of the axes.
template <class D>
GRADUS_ROUTINE void mass_matrix(const D& d) {
  const int n = d.plan.coordinate_count;
  set_zero(d.at(d.layout.mass_matrix), n * n);
  const auto mass = d.at(d.layout.mass_matrix);
  for (int k = 0; k < n; ++k) {
    int i = d.plan.coordinates[k].body;
    ForceOf<D> push = composite_inertia(d, i) * load_motion(d.at(d.layout.axis), k);
    store_force(d.at(d.layout.axis_momentum), k, push);
    for (int j = k; j >= 0; j = d.plan.coordinates[j].upstream) {
      const int body = d.plan.coordinates[j].body;
      if (body != i) {
        push = shift(push, reference_of(d, i) - reference_of(d, body));
        i = body;
      }
      const RealOf<D> entry = dot(load_motion(d.at(d.layout.axis), j), push);
      mass[k * n + j] = entry;
      mass[j * n + k] = entry;
    }
  }
}

// What Euler parameters add beyond coordinates that act one after another.
template <class D>
GRADUS_FUNCTION void add_euler_tangents(const D& d, const LoadLayout& load, int matrix) {
  for (int i = 0; i < d.plan.body_count; ++i) {
    const int c = d.plan.bodies[i].euler;
    if (c >= 0) add_euler_tangent(d, c, whole_wrench(d, load, i), matrix);
  }
}

// Adds what a product of features has in d(Phi_z^T multiplier)/dz beyond the turning of these:
// each of what moves the first factor with each of what moves the second.
template <class D, class Array>
GRADUS_ROUTINE void add_bilinear_stiffness(const D& d, const MotionLayout& m,
                                           const ConstraintEntry& e, const VectorOf<D>& multiplier,
                                           const Array& stiffness) {
  constexpr int kFirst = 1;  // feature 0, of `moves`
  const int n = d.plan.coordinate_count;
  for (int b = e.touch_begin; b < e.touch_end; ++b) {
    const TouchEntry& tb = d.plan.touches[b];
    if ((tb.moves & ~kFirst) == 0) continue;
    const auto second =
        position_columns(d, e, tb.moves & ~kFirst, axis_motion(d, m, tb.coordinate)).second;
    const VectorOf<D> worth = first_factor_adjoint(e, multiplier, second);
    for (int a = e.touch_begin; a < e.touch_end; ++a) {
      const TouchEntry& ta = d.plan.touches[a];
      if ((ta.moves & kFirst) == 0) continue;
      const RealOf<D> entry =
          dot(worth, position_column(d, e.feature[0], axis_motion(d, m, ta.coordinate)));
      stiffness[ta.coordinate * n + tb.coordinate] += entry;
      stiffness[tb.coordinate * n + ta.coordinate] += entry;
    }
  }
}

// Adds the part of d(Phi_z^T multiplier)/dz that bilinear constraints have beyond the turning of
// their features.
template <class D, class Multipliers>
GRADUS_ROUTINE void add_constraint_tangents(const D& d, const MotionLayout& m, int matrix,
                                            const Multipliers& multiplier) {
  const int n = d.plan.coordinate_count;
  const auto stiffness = d.at(matrix);
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind == ConstraintKind::difference) continue;
    const auto l = load_rows(multiplier, e);
    if (e.kind == ConstraintKind::law) {
      add_law_stiffness(d, m, d.plan.laws[e.feature[0]], l.x, matrix);
      continue;
    }
    if (e.kind == ConstraintKind::normalisation) {
      for (int c = e.feature[0]; c < e.feature[0] + 4; ++c)
        stiffness[c * n + c] += RealOf<D>(2) * l.x;
      continue;
    }
    add_bilinear_stiffness(d, m, e, l, stiffness);
  }
}

// Mass matrix M, stiffness dD/dz and damping dD/dz' at the free motion, the load carrying forces
// and multipliers.
template <class D>
GRADUS_ROUTINE void tangents(const D& d) {
  using Real = typename D::Real;
  const int n = d.plan.coordinate_count;
  const MotionLayout& m = d.layout.free_motion;
  set_zero(d.at(d.layout.mass_matrix), n * n);
  set_zero(d.at(d.layout.stiffness), n * n);
  set_zero(d.at(d.layout.damping), n * n);
  const auto mass = d.at(d.layout.mass_matrix);
  const auto stiffness = d.at(d.layout.stiffness);
  const auto damping = d.at(d.layout.damping);

  for (int k = 0; k < n; ++k) {
    int i = d.plan.coordinates[k].body;
    const Motion<Real> s = load_motion(d.at(d.layout.axis), k);
    const Motion<Real> s_rate = load_motion(d.at(m.axis_rate), k);
    const Motion<Real> s_acceleration = load_motion(d.at(m.axis_acceleration), k);
    const SpatialInertia<Real> inertia = composite_inertia(d, i);

    Force<Real> push = inertia * s;
    Force<Real> by_position = inertia * s_acceleration + turning_force(d, i, s_rate.w) +
                              cross(s, load_force(d.at(d.layout.load.wrench), i));
    Force<Real> by_velocity = inertia * (Real(2) * s_rate) + turning_force(d, i, s.w);
    const Vector3<Real> gyration = gyration_of(d, i, s);
    const Vector3<Real> turning = turning_of(d, d.layout.load, i, s);
    store_force(d.at(d.layout.axis_momentum), k, push);
    store3(d.at(d.layout.axis_gyration), k, gyration);
    store3(d.at(d.layout.load.turning), k, turning);

    mass[k * n + k] = dot(s, push);
    stiffness[k * n + k] = dot(s_acceleration, push) + dot(gyration, s_rate.w) + dot(turning, s.w);
    damping[k * n + k] = Real(2) * dot(s_rate, push) + dot(gyration, s.w);
    for (int j = d.plan.coordinates[k].upstream; j >= 0; j = d.plan.coordinates[j].upstream) {
      const int body = d.plan.coordinates[j].body;
      if (body != i) {
        const Vector3<Real> arm = reference_of(d, i) - reference_of(d, body);
        push = shift(push, arm);
        by_position = shift(by_position, arm);
        by_velocity = shift(by_velocity, arm);
        i = body;
      }
      const Motion<Real> up = load_motion(d.at(d.layout.axis), j);
      const Motion<Real> up_rate = load_motion(d.at(m.axis_rate), j);
      const Real turned = dot(turning, up.w);
      const Real entry = dot(up, push);
      mass[k * n + j] = entry;
      mass[j * n + k] = entry;
      stiffness[k * n + j] =
          dot(load_motion(d.at(m.axis_acceleration), j), push) + dot(gyration, up_rate.w) + turned;
      stiffness[j * n + k] = dot(up, by_position) + turned;
      damping[k * n + j] = Real(2) * dot(up_rate, push) + dot(gyration, up.w);
      damping[j * n + k] = dot(up, by_velocity);
    }
  }
  add_euler_tangents(d, d.layout.load, d.layout.stiffness);
  add_action_tangents(d, m);
  add_constraint_tangents(d, m, d.layout.stiffness, d.at(d.layout.multiplier));
}

// d(M x + Phi_z^T multiplier)/dz of a projection: `carried` are the axes carried by the motions R
// x.
template <class D, class Multipliers>
GRADUS_ROUTINE void projection_tangent(const D& d, int carried, const LoadLayout& load, int matrix,
                                       const Multipliers& multiplier) {
  const int n = d.plan.coordinate_count;
  set_zero(d.at(matrix), n * n);
  const auto stiffness = d.at(matrix);
  for (int k = 0; k < n; ++k) {
    int i = d.plan.coordinates[k].body;
    const MotionOf<D> s = load_motion(d.at(d.layout.axis), k);
    const MotionOf<D> s_carried = load_motion(d.at(carried), k);
    ForceOf<D> push = load_force(d.at(d.layout.axis_momentum), k);
    ForceOf<D> by_position =
        composite_inertia(d, i) * s_carried + cross(s, load_force(d.at(load.wrench), i));
    const VectorOf<D> turning = turning_of(d, load, i, s);
    store3(d.at(load.turning), k, turning);
    stiffness[k * n + k] = dot(s_carried, push) + dot(turning, s.w);
    for (int j = d.plan.coordinates[k].upstream; j >= 0; j = d.plan.coordinates[j].upstream) {
      const int body = d.plan.coordinates[j].body;
      if (body != i) {
        const VectorOf<D> arm = reference_of(d, i) - reference_of(d, body);
        push = shift(push, arm);
        by_position = shift(by_position, arm);
        i = body;
      }
      const MotionOf<D> up = load_motion(d.at(d.layout.axis), j);
      const RealOf<D> turned = dot(turning, up.w);
      stiffness[k * n + j] = dot(load_motion(d.at(carried), j), push) + turned;
      stiffness[j * n + k] = dot(up, by_position) + turned;
    }
  }
  add_euler_tangents(d, load, matrix);
  add_constraint_tangents(d, d.layout.motion, matrix, multiplier);
}

GRADUS_KERNELS_END
