// Euler parameters in the recursions. The four of a joint turn the child together, so the axis of
// one answers to all:
//   dS_k/dp_j = 1/2 S_j x S_k - (p_j S_k + p_k S_j) / p.p
// where coordinates that act one after another have S_j x S_k or 0. docs/theory.md, section 2.
// They are the last coordinates of their joint.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE EulerParameters<RealOf<D>> euler_parameters(const D& d, int c) {
  return load_euler(d.at(d.layout.position + c));
}

// sum of x_k S_k over the group that begins at coordinate c.
template <class D, class Vector>
GRADUS_FUNCTION MotionOf<D> euler_sum(const D& d, int c, int axes, const Vector& x) {
  auto sum = x[c] * load_motion(d.at(axes), c);
  for (int k = c + 1; k < c + 4; ++k) sum += x[k] * load_motion(d.at(axes), k);
  return sum;
}

// Stores the rates of the axes, S'_k = (v + r/2) x S_k - s S_k - p_k r / p.p with r the velocity
// that the group adds to v and s = p.p' / p.p. Returns r.
template <class D, class Rates>
GRADUS_ROUTINE MotionOf<D> euler_velocity(const D& d, int axis_rates, int c, const MotionOf<D>& v,
                                          const Rates& rate) {
  const auto p = euler_parameters(d, c);
  const auto relative = euler_sum(d, c, d.layout.axis, rate);
  const auto middle = v + RealOf<D>(0.5) * relative;
  const RealOf<D> inverse = RealOf<D>(1) / dot(p, p);
  const RealOf<D> growth = inverse * dot(p, load_euler(rate.from(c)));
  for (int k = 0; k < 4; ++k) {
    const auto axis = load_motion(d.at(d.layout.axis), c + k);
    store_motion(d.at(axis_rates), c + k,
                 cross(middle, axis) + (-growth) * axis + (-(inverse * p[k])) * relative);
  }
  return relative;
}

// The same once more differentiated: stores S''_k, returns r'.
template <class D, class Rates, class Accelerations>
GRADUS_ROUTINE MotionOf<D> euler_acceleration(const D& d, const MotionLayout& m, int c,
                                              const MotionOf<D>& v, const MotionOf<D>& a,
                                              const Rates& rate,
                                              const Accelerations& acceleration) {
  using Real = typename D::Real;
  const auto p = euler_parameters(d, c);
  const auto p_rate = load_euler(rate.from(c));
  const auto relative = euler_sum(d, c, d.layout.axis, rate);
  const auto relative_rate =
      euler_sum(d, c, d.layout.axis, acceleration) + euler_sum(d, c, m.axis_rate, rate);
  const auto middle = v + Real(0.5) * relative;
  const auto middle_rate = a + Real(0.5) * relative_rate;
  const Real inverse = Real(1) / dot(p, p);
  const Real growth = inverse * dot(p, p_rate);
  const Real growth_rate =
      inverse * (dot(p_rate, p_rate) + dot(p, load_euler(acceleration.from(c)))) -
      Real(2) * growth * growth;
  for (int k = 0; k < 4; ++k) {
    const auto axis = load_motion(d.at(d.layout.axis), c + k);
    const auto axis_rate = load_motion(d.at(m.axis_rate), c + k);
    const Real share = inverse * p[k];
    const Real share_rate = inverse * p_rate[k] - Real(2) * growth * share;
    store_motion(d.at(m.axis_acceleration), c + k,
                 cross(middle_rate, axis) + cross(middle, axis_rate) + (-growth_rate) * axis +
                     (-growth) * axis_rate + (-share_rate) * relative + (-share) * relative_rate);
  }
  return relative_rate;
}

// What the tangents of a group lack when its coordinates are taken to act one after another:
// adds (dS_k/dp_j less S_j x S_k for j before k) . F to matrix [n, n], F the wrench of the sub-tree
// about the reference point of its body.
template <class D>
GRADUS_ROUTINE void add_euler_tangent(const D& d, int c, const ForceOf<D>& wrench, int matrix) {
  using Real = typename D::Real;
  const int n = d.plan.coordinate_count;
  const auto p = euler_parameters(d, c);
  const Real inverse = Real(1) / dot(p, p);
  const auto stiffness = d.at(matrix);
  for (int k = 0; k < 4; ++k) {
    const auto axis_k = load_motion(d.at(d.layout.axis), c + k);
    const Real work_k = dot(axis_k, wrench);
    stiffness[(c + k) * n + c + k] -= Real(2) * inverse * p[k] * work_k;
    for (int j = 0; j < k; ++j) {
      const auto axis_j = load_motion(d.at(d.layout.axis), c + j);
      const Real share = -inverse * (p[j] * work_k + p[k] * dot(axis_j, wrench)) -
                         Real(0.5) * dot(cross(axis_j, axis_k), wrench);
      stiffness[(c + k) * n + c + j] += share;
      stiffness[(c + j) * n + c + k] += share;
    }
  }
}

GRADUS_KERNELS_END
