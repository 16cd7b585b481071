// Rotation vectors of 0 to 180 degrees, the angle times the axis: of a rotation matrix, and how
// they answer to a turn. docs/theory.md, section 4.
#pragma once

#include "kernels/math/euler_parameters.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kSmallArcSquare = 0.25;  // of a / b^2: the series serves up to here
constexpr int kArcTerms = 32;             // and needs so many terms, with two more derivatives

// atan2(sqrt(a), b) / sqrt(a), by which the vector part of Euler parameters (b its real part, a the
// square of the vector part, of any common length) is to be multiplied to be half the rotation
// vector. It is analytic at a = 0 where b is positive, which roots are not: there it is the series
// of arctan(sqrt(x)) / sqrt(x), sum of (-x)^k / (2 k + 1).
template <class Real>
GRADUS_FUNCTION Real arc_ratio(const Real& a, const Real& b) {
  const Real x = a / (b * b);
  Real series(0);
  for (int k = kArcTerms; k >= 0; --k) series = Real(1.0 / (2.0 * k + 1.0)) - x * series;
  const Real length = sqrt(a);
  const auto is_small = x < Real(kSmallArcSquare);
  return select(is_small, series / b, atan2(length, b) / select(is_small, Real(1), length));
}

// Column k of 4 p p^T, p the Euler parameters of a rotation.
template <class Real>
GRADUS_FUNCTION EulerParameters<Real> euler_column(const Matrix3<Real>& r, int k) {
  const Vector3<Real> diagonal{r.m[0], r.m[4], r.m[8]};
  const Real trace = diagonal.x + diagonal.y + diagonal.z;
  const Vector3<Real> axis{r.m[7] - r.m[5], r.m[2] - r.m[6], r.m[3] - r.m[1]};
  if (k == 0) return {Real(1) + trace, axis};
  const Real own = Real(1) - trace + Real(2) * component(diagonal, k - 1);
  const Real xy = r.m[1] + r.m[3];
  const Real xz = r.m[2] + r.m[6];
  const Real yz = r.m[5] + r.m[7];
  if (k == 1) return {axis.x, {own, xy, xz}};
  if (k == 2) return {axis.y, {xy, own, yz}};
  return {axis.z, {xz, yz, own}};
}

// Of a rotation. The first of the columns up to 120 degrees, or else the one with the largest
// diagonal entry, so that no digits are lost; which it is changes nothing.
template <class Real>
GRADUS_FUNCTION Vector3<Real> rotation_vector(const Matrix3<Real>& r) {
  const auto is_far = r.m[0] + r.m[4] + r.m[8] < Real(0);
  EulerParameters<Real> p = euler_column(r, 0);
  Real largest(-2);
  for (int k = 1; k < 4; ++k) {
    const EulerParameters<Real> q = euler_column(r, k);
    const Real size = r.m[4 * (k - 1)];
    const auto better = is_far && size > largest;
    largest = select(better, size, largest);
    p = {select(better, q.scalar, p.scalar),
         {select(better, q.vector.x, p.vector.x), select(better, q.vector.y, p.vector.y),
          select(better, q.vector.z, p.vector.z)}};
  }
  const Real factor = Real(2) * arc_ratio(dot(p.vector, p.vector), absolute(p.scalar));
  return select(p.scalar < Real(0), -factor, factor) * p.vector;
}

// s(x) = (1 - h cot h) / x, h = sqrt(x) / 2, with its slope, x the square of a rotation vector phi:
// a turn by w changes phi by w - phi x w / 2 + s phi x (phi x w). It is the sum over n of
// 2 / (4 n^2 pi^2 - x), of which the first term is taken as it is and the others in powers of x,
// up to half a turn.
template <class Real>
struct TurnShare {
  Real value, slope;
};

template <class Real>
GRADUS_FUNCTION TurnShare<Real> turn_share(const Real& x) {
  constexpr double pi = 3.14159265358979323846;
  constexpr int terms = 14;
  const double rest[terms] = {
      // of zeta(2 k + 2), beyond 1
      0.644934066848226436,   0.0823232337111381915,   0.0173430619844491397,
      0.00407735619794433938, 0.000994575127818085337, 0.000246086553308048299,
      6.12481350587048293e-5, 1.52822594086518717e-5,  3.81729326499983986e-6,
      9.53962033872796113e-7, 2.38450502727732990e-7,  5.96081890512594796e-8,
      1.49015548283650412e-8, 3.72533402478845705e-9};
  const Real u = Real(1.0 / (4.0 * pi * pi)) * x;
  TurnShare<Real> sum{Real(0), Real(0)};
  for (int k = terms - 1; k >= 0; --k) {
    sum.slope = sum.value + u * sum.slope;
    sum.value = Real(rest[k]) + u * sum.value;
  }
  const Real first = Real(1) / (Real(1) - u);
  return {Real(1.0 / (2.0 * pi * pi)) * (first + sum.value),
          Real(1.0 / (8.0 * pi * pi * pi * pi)) * (first * first + sum.slope)};
}

// What is worth m on changes of the rotation vector phi is worth on turns: m + phi x m / 2 + s phi
// x (phi x m).
template <class Real>
GRADUS_FUNCTION Vector3<Real> worth_of_turn(const Vector3<Real>& phi, const Real& share,
                                            const Vector3<Real>& m) {
  const Vector3<Real> once = cross(phi, m);
  return m + Real(0.5) * once + share * cross(phi, once);
}

GRADUS_KERNELS_END
