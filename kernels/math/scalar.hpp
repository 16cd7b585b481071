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

GRADUS_FUNCTION bool select(bool condition, bool a, bool b) {
  return condition ? a : b;
}

// Of plain numbers. The magnitude of a change is relative to 1 + |x|, of what is changed; for dual
// numbers it is the largest among the value's and the derivatives': iterations stop on this. Zero
// is what is zero with all that it carries.
#define GRADUS_PLAIN_NUMBER(NUMBER, ABSOLUTE)                          \
  GRADUS_FUNCTION NUMBER select(bool condition, NUMBER a, NUMBER b) {  \
    return condition ? a : b;                                          \
  }                                                                    \
  GRADUS_FUNCTION NUMBER value_of(NUMBER x) {                          \
    return x;                                                          \
  }                                                                    \
  GRADUS_FUNCTION NUMBER absolute(NUMBER x) {                          \
    return ABSOLUTE(x);                                                \
  }                                                                    \
  GRADUS_FUNCTION NUMBER relative_magnitude(NUMBER change, NUMBER x) { \
    return ABSOLUTE(change) / (NUMBER(1) + ABSOLUTE(x));               \
  }                                                                    \
  GRADUS_FUNCTION bool is_finite(NUMBER x) {                           \
    return x - x == NUMBER(0);                                         \
  }                                                                    \
  GRADUS_FUNCTION bool is_zero(NUMBER x) {                             \
    return x == NUMBER(0);                                             \
  }
GRADUS_PLAIN_NUMBER(double, ::fabs)
GRADUS_PLAIN_NUMBER(float, ::fabsf)
#undef GRADUS_PLAIN_NUMBER

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
using ::floor;
using ::log;
using ::pow;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;

template <class Real>
GRADUS_FUNCTION Real square(Real x) {
  return x * x;
}

// Whether a number is 0 in all lanes, so that what it multiplies may be left out.
template <class Real>
GRADUS_FUNCTION bool is_known_zero(const Real& x) {
  return !any(!is_zero(x));
}

// Product of two expressions, and of a factor with a slope. A factor of zero makes nothing of an
// infinite slope: where f(0) = 0 and g is continuous, f g has the derivative f'(0) g(0), whether g
// has one or not. So has what a choice leaves out.
template <class Real>
GRADUS_FUNCTION Real product(const Real& a, const Real& b) {
  return a * b;
}
template <class Real>
GRADUS_FUNCTION Real scaled_slope(const Real& factor, const Real& slope) {
  return select(is_zero(factor), Real(0), factor * slope);
}

// The square root of what need not be a sum of squares.
template <class Real>
GRADUS_FUNCTION Real root(const Real& x) {
  return sqrt(x);
}

template <class Array>
GRADUS_FUNCTION void set_zero(const Array& a, int count) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 0; i < count; ++i) a[i] = Real(0);
}

GRADUS_KERNELS_END
