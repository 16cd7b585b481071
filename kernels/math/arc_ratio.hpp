// atan2(sqrt(a), b) / sqrt(a), by which the vector part of Euler parameters (b its real part, a the
// square of the vector part, of any common length) is to be multiplied to be half the rotation
// vector. It is analytic at a = 0 where b is positive, which roots are not.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kSmallArcSquare = 0.25;  // of a / b^2: the series serves up to here
constexpr int kArcTerms = 32;             // and needs so many terms, with two more derivatives

// arctan(sqrt(x)) / sqrt(x) = sum of (-x)^k / (2 k + 1), and its derivative.
template <class Real>
struct ArcSeries {
  Real value, slope;
};

template <class Real>
GRADUS_FUNCTION ArcSeries<Real> arc_series(const Real& x) {
  ArcSeries<Real> s{Real(0), Real(0)};
  for (int k = kArcTerms; k >= 0; --k) {
    s.slope = -(s.value + x * s.slope);
    s.value = Real(1.0 / (2.0 * k + 1.0)) - x * s.value;
  }
  return s;
}

template <class Real>
GRADUS_FUNCTION Real arc_ratio(const Real& a, const Real& b) {
  const Real x = a / (b * b);
  const Real length = sqrt(a);
  return select(x < Real(kSmallArcSquare), arc_series(x).value / b, atan2(length, b) / length);
}

// Derivative by a, given the ratio.
template <class Real>
GRADUS_FUNCTION Real arc_ratio_by_square(const Real& a, const Real& b, const Real& ratio) {
  const Real x = a / (b * b);
  return select(x < Real(kSmallArcSquare), arc_series(x).slope / (b * b * b),
                Real(0.5) * (b / (a + b * b) - ratio) / a);
}

GRADUS_KERNELS_END
