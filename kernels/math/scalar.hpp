// What a kernel body may ask of its scalar type: arithmetic, the functions below, comparison to a
// mask, and `select`. `double` and `float` are served here, `Dual` in dual.hpp. Choices that depend
// on data are written with `select`, so that a scalar may later be a pack of lanes.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/core/decoration.hpp"

GRADUS_KERNELS_BEGIN

// The plain floating-point number that carries the value of a scalar.
template <class Real>
struct ScalarTraits {
  using Value = Real;
  using Mask = bool;
};

GRADUS_FUNCTION double select(bool condition, double a, double b) {
  return condition ? a : b;
}
GRADUS_FUNCTION float select(bool condition, float a, float b) {
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
