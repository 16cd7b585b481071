// theta / sin(theta) as a function of c = cos(theta), by which the axial vector of a rotation
// matrix is to be multiplied to be its rotation vector, theta from 0 to less than pi; and its first
// two derivatives by c. It is analytic at c = 1, where formulas with roots are not.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct TurnRatio {
  Real value, slope, curvature;
};

constexpr double kSmallTurn = 0.2;   // of (1 - c) / 2: the series serves up to here
constexpr int kTurnRatioTerms = 30;  // and needs so many terms for all digits

// The sum of a_k x^k with x = (1 - c) / 2, a_0 = 1, a_k = 2 k / (2 k + 1) a_(k-1), as nested
// products.
template <class Real>
GRADUS_FUNCTION TurnRatio<Real> turn_ratio_series(const Real& x) {
  TurnRatio<Real> t{Real(1), Real(0), Real(0)};
  for (int k = kTurnRatioTerms; k > 0; --k) {
    const Real ratio(2.0 * k / (2.0 * k + 1.0));
    t = {Real(1) + ratio * x * t.value, ratio * (t.value + x * t.slope),
         ratio * (Real(2) * t.slope + x * t.curvature)};
  }
  return {t.value, Real(-0.5) * t.slope, Real(0.25) * t.curvature};
}

// (1 - c^2) f' = c f - 1, and its derivative.
template <class Real>
GRADUS_FUNCTION TurnRatio<Real> turn_ratio(const Real& c) {
  const Real x = Real(0.5) * (Real(1) - c);
  const Real y = Real(0.5) * (Real(1) + c);
  const TurnRatio<Real> near = turn_ratio_series(x);
  const Real value = atan2(sqrt(x), sqrt(y)) / sqrt(x * y);
  const Real sine2 = Real(4) * x * y;
  const Real slope = (c * value - Real(1)) / sine2;
  const Real curvature = (value + Real(3) * c * slope) / sine2;
  const auto small = x < Real(kSmallTurn);
  return {select(small, near.value, value), select(small, near.slope, slope),
          select(small, near.curvature, curvature)};
}

GRADUS_KERNELS_END
