// Sine and cosine of an angle at once, of additions and multiplications alone: so they go through
// the lanes of a pack together, and every translation, the device's included, has the same bits.
// The reduction by multiples of pi/2 in three parts and the polynomials are those of fdlibm (Sun
// Microsystems, 1993); the error stays below 1.1 units in the last place.
#pragma once

#include "kernels/math/dual.hpp"
#include "kernels/math/pack.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct SineCosine {
  Real sine, cosine;
};

// The nearest whole number, for magnitudes below 2^51.
template <class Real>
GRADUS_INLINE Real nearest_number(const Real& x) {
  const Real shift(6755399441055744.0);  // 1.5 * 2^52
  return (x + shift) - shift;
}

// What is left of an angle: y + rest, at most pi/4, and which multiple of pi/2 was taken away,
// modulo 4, from -2 to 2.
template <class Real>
struct ReducedAngle {
  Real y, rest, quadrant;
};

template <class Real>
GRADUS_INLINE ReducedAngle<Real> reduce_angle(const Real& x) {
  const Real multiple = nearest_number(x * Real(6.36619772367581382433e-01));
  // Products with the first two parts of pi/2, of 33 bits each, are exact.
  const Real first = x - multiple * Real(1.57079632673412561417e+00);
  const Real second = multiple * Real(6.07710050630396597660e-11);
  const Real r = first - second;
  const Real w = multiple * Real(2.02226624879595063154e-21) - ((first - r) - second);
  const Real y = r - w;
  return {y, (r - y) - w, multiple - Real(4.0) * nearest_number(Real(0.25) * multiple)};
}

// Of y + rest, |y| <= pi/4.
template <class Real>
GRADUS_INLINE SineCosine<Real> sine_cosine_near_zero(const Real& y, const Real& rest) {
  const Real half(0.5);
  const Real one(1.0);
  const Real z = y * y;
  const Real v = z * y;
  const Real s =
      Real(8.33333333332248946124e-03) +
      z * (Real(-1.98412698298579493134e-04) +
           z * (Real(2.75573137070700676789e-06) +
                z * (Real(-2.50507602534068634195e-08) + z * Real(1.58969099521155010221e-10))));
  const Real sine =
      y - ((z * (half * rest - v * s) - rest) - v * Real(-1.66666666666666324348e-01));
  const Real w = z * z;
  const Real c =
      z * (Real(4.16666666666666019037e-02) +
           z * (Real(-1.38888888888741095749e-03) + z * Real(2.48015872894767294178e-05))) +
      w * w *
          (Real(-2.75573143513906633035e-07) +
           z * (Real(2.08757232129817482790e-09) + z * Real(-1.13596475577881948265e-11)));
  const Real hz = half * z;
  const Real a = one - hz;
  return {sine, a + (((one - a) - hz) + (z * c - y * rest))};
}

constexpr double kFarAngle = 1e6;  // rad; beyond it the reduction has too few digits of pi

template <class Real>
GRADUS_INLINE SineCosine<Real> sine_cosine_of_near(const Real& x) {
  const ReducedAngle<Real> angle = reduce_angle(x);
  const auto [s, c] = sine_cosine_near_zero(angle.y, angle.rest);
  const Real size = absolute(angle.quadrant);
  const auto odd = size == Real(1.0);
  const auto opposite = size == Real(2.0);
  const Real sine = select(odd, c, s);
  const Real cosine = select(odd, s, c);
  return {select(opposite || angle.quadrant == Real(-1.0), -sine, sine),
          select(opposite || angle.quadrant == Real(1.0), -cosine, cosine)};
}

GRADUS_DEVICE_CALL SineCosine<double> sine_cosine(double x) {
  if (absolute(x) < kFarAngle) return sine_cosine_of_near(x);
  return {sin(x), cos(x)};
}

#if !defined(__CUDACC__)
template <int N>
GRADUS_INLINE SineCosine<Pack<N>> sine_cosine(const Pack<N>& x) {
  SineCosine<Pack<N>> both = sine_cosine_of_near(x);
  const auto far = !(absolute(x) < Pack<N>(kFarAngle));
  if (any(far)) {
    both.sine = select(far, sin(x), both.sine);
    both.cosine = select(far, cos(x), both.cosine);
  }
  return both;
}
#endif

template <class T, int N>
GRADUS_FUNCTION SineCosine<Dual<T, N>> sine_cosine(const Dual<T, N>& x) {
  const SineCosine<T> of_value = sine_cosine(x.value);
  return {chain(x, of_value.sine, of_value.cosine), chain(x, of_value.cosine, -of_value.sine)};
}

GRADUS_KERNELS_END
