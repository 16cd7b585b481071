// What a kernel body may ask of its scalar type: arithmetic, the functions below, comparison to a
// mask, and `select`. `double` and `float` are served here, `Dual` in dual.hpp, packs of lanes in
// pack.hpp. Choices that depend on data are written with masks and `select`, because the lanes of a
// pack may choose differently; loops go on while any lane asks for it, and keep what the others
// have.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/base/decoration.hpp"

GRADUS_KERNELS_BEGIN

// The number that carries the value of a scalar, what comparisons of it yield, and how many designs
// it stands for.
template <class Real>
struct ScalarTraits {
  using Value = Real;
  using Mask = bool;
  static constexpr int kLanes = 1;
};
template <class D>
using RealOf = typename D::Real;  // of a design
template <class Real>
using ValueOf = typename ScalarTraits<Real>::Value;
template <class Real>
using MaskOf = typename ScalarTraits<Real>::Mask;

// Whether the condition holds in some lane, or in one of them.
GRADUS_INLINE bool any(bool mask) {
  return mask;
}
GRADUS_INLINE bool lane(bool mask, int) {
  return mask;
}
GRADUS_INLINE double lane(double x, int) {
  return x;
}
GRADUS_INLINE void set_lane(bool& mask, int, bool value) {
  mask = value;
}

GRADUS_FUNCTION double select(bool condition, double a, double b) {
  return condition ? a : b;
}
GRADUS_FUNCTION float select(bool condition, float a, float b) {
  return condition ? a : b;
}
GRADUS_FUNCTION bool select(bool condition, bool a, bool b) {
  return condition ? a : b;
}

GRADUS_FUNCTION double value_of(double x) {
  return x;
}
GRADUS_FUNCTION float value_of(float x) {
  return x;
}

// The largest magnitude among the value and, for dual numbers, its derivatives. Iterations stop on
// this norm.
GRADUS_FUNCTION double magnitude(double x) {
  return ::fabs(x);
}
GRADUS_FUNCTION float magnitude(float x) {
  return ::fabsf(x);
}

// Size of a change relative to 1 + |x|, of what is changed; for dual numbers the derivatives count
// likewise.
GRADUS_FUNCTION double relative_magnitude(double change, double x) {
  return ::fabs(change) / (1.0 + ::fabs(x));
}
GRADUS_FUNCTION float relative_magnitude(float change, float x) {
  return ::fabsf(change) / (1.0F + ::fabsf(x));
}

GRADUS_FUNCTION bool is_finite(double x) {
  return x - x == 0.0;
}
GRADUS_FUNCTION bool is_finite(float x) {
  return x - x == 0.0F;
}

// Whether it is zero with all that it carries.
GRADUS_FUNCTION bool is_zero(double x) {
  return x == 0.0;
}
GRADUS_FUNCTION bool is_zero(float x) {
  return x == 0.0F;
}

// Calls visit(number, lanes) for every whole number that some lane of `index` holds.
template <class Visit>
GRADUS_INLINE void for_each_number(double index, const Visit& visit) {
  visit(static_cast<int>(index), true);
}

using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cos;
using ::cosh;
using ::exp;
using ::log;
using ::pow;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;

GRADUS_FUNCTION double absolute(double x) {
  return ::fabs(x);
}
GRADUS_FUNCTION float absolute(float x) {
  return ::fabsf(x);
}

template <class Real>
GRADUS_FUNCTION Real square(Real x) {
  return x * x;
}

GRADUS_KERNELS_END
