// Dual numbers: a value and its derivatives in N directions, carried through every operation by the
// chain rule. They differentiate a kernel body itself and so check its hand-written derivatives.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

template <class T, int N>
struct Dual {
  using Mask = MaskOf<T>;
  T value;
  T derivative[N];

  Dual() = default;
  // Plain numbers at any depth of nesting.
  template <class Plain, std::enable_if_t<std::is_arithmetic<Plain>::value, int> = 0>
  GRADUS_FUNCTION Dual(Plain v) : Dual(T(v)) {}
  GRADUS_FUNCTION Dual(T v) : value(v) {
    for (int i = 0; i < N; ++i) derivative[i] = T(0);
  }

  GRADUS_FUNCTION Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int i = 0; i < N; ++i) derivative[i] += b.derivative[i];
    return *this;
  }
  GRADUS_FUNCTION Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int i = 0; i < N; ++i) derivative[i] -= b.derivative[i];
    return *this;
  }
  GRADUS_FUNCTION Dual& operator*=(const Dual& b) { return *this = *this * b; }
  GRADUS_FUNCTION Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend GRADUS_FUNCTION Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend GRADUS_FUNCTION Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend GRADUS_FUNCTION Dual operator-(Dual a) {
    a.value = -a.value;
    for (int i = 0; i < N; ++i) a.derivative[i] = -a.derivative[i];
    return a;
  }
  friend GRADUS_FUNCTION Dual operator+(const Dual& a) { return a; }
  friend GRADUS_FUNCTION Dual operator*(const Dual& a, const Dual& b) {
    Dual c;
    c.value = a.value * b.value;
    for (int i = 0; i < N; ++i)
      c.derivative[i] = a.derivative[i] * b.value + a.value * b.derivative[i];
    return c;
  }
  friend GRADUS_FUNCTION Dual operator/(const Dual& a, const Dual& b) {
    Dual c;
    const T inverse = T(1) / b.value;
    c.value = a.value * inverse;
    // By what overflows, as in 1/(1 + exp(x)), a quotient is zero and stays so.
    const auto is_finite_divisor = is_finite(b.value);
    for (int i = 0; i < N; ++i)
      c.derivative[i] =
          select(is_finite_divisor, (a.derivative[i] - c.value * b.derivative[i]) * inverse, T(0));
    return c;
  }

#define GRADUS_COMPARISON(SIGN)                                             \
  friend GRADUS_FUNCTION Mask operator SIGN(const Dual& a, const Dual& b) { \
    return a.value SIGN b.value;                                            \
  }
  GRADUS_COMPARISON(<)
  GRADUS_COMPARISON(>)
  GRADUS_COMPARISON(<=)
  GRADUS_COMPARISON(>=)
  GRADUS_COMPARISON(==)
#undef GRADUS_COMPARISON
};

template <class T, int N>
struct ScalarTraits<Dual<T, N>> {
  using Value = T;
  using Mask = MaskOf<T>;
  static constexpr int kLanes = ScalarTraits<T>::kLanes;
};

// Builds f(x) from its value and its slope at x.
template <class T, int N>
GRADUS_FUNCTION Dual<T, N> chain(const Dual<T, N>& x, T value, T slope) {
  Dual<T, N> y;
  y.value = value;
  for (int i = 0; i < N; ++i) y.derivative[i] = slope * x.derivative[i];
  return y;
}

template <class T, int N>
GRADUS_FUNCTION Dual<T, N> select(const MaskOf<T>& condition, const Dual<T, N>& a,
                                  const Dual<T, N>& b) {
  Dual<T, N> c;
  c.value = select(condition, a.value, b.value);
  for (int i = 0; i < N; ++i) c.derivative[i] = select(condition, a.derivative[i], b.derivative[i]);
  return c;
}
template <class T, int N>
GRADUS_FUNCTION T value_of(const Dual<T, N>& x) {
  return x.value;
}
// Of the values of nested ones.
template <class T, int N>
GRADUS_INLINE auto lane(const Dual<T, N>& x, int i) {
  return lane(x.value, i);
}
template <class T, int N, class Visit>
GRADUS_INLINE void for_each_number(const Dual<T, N>& index, const Visit& visit) {
  for_each_number(index.value, visit);
}
template <class T, int N>
GRADUS_FUNCTION T relative_magnitude(const Dual<T, N>& change, const Dual<T, N>& x) {
  T largest = relative_magnitude(change.value, x.value);
  for (int i = 0; i < N; ++i) {
    const T d = relative_magnitude(change.derivative[i], x.derivative[i]);
    largest = select(d > largest, d, largest);
  }
  return largest;
}
template <class T, int N>
GRADUS_FUNCTION MaskOf<T> is_finite(const Dual<T, N>& x) {
  MaskOf<T> finite = is_finite(x.value);
  for (int i = 0; i < N; ++i) finite = finite && is_finite(x.derivative[i]);
  return finite;
}
template <class T, int N>
GRADUS_FUNCTION MaskOf<T> is_zero(const Dual<T, N>& x) {
  MaskOf<T> zero = is_zero(x.value);
  for (int i = 0; i < N; ++i) zero = zero && is_zero(x.derivative[i]);
  return zero;
}

template <class T, int N>
GRADUS_FUNCTION Dual<T, N> scaled_slope(const Dual<T, N>& factor, const Dual<T, N>& slope) {
  Dual<T, N> c;
  c.value = scaled_slope(factor.value, slope.value);
  for (int i = 0; i < N; ++i)
    c.derivative[i] = scaled_slope(factor.derivative[i], slope.value) +
                      scaled_slope(factor.value, slope.derivative[i]);
  return c;
}
template <class T, int N>
GRADUS_FUNCTION Dual<T, N> product(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> c;
  c.value = product(a.value, b.value);
  for (int i = 0; i < N; ++i)
    c.derivative[i] =
        scaled_slope(b.value, a.derivative[i]) + scaled_slope(a.value, b.derivative[i]);
  return c;
}
// The same of a function whose slope may be infinite at x: what does not change there has no part
// in it.
template <class T, int N>
GRADUS_FUNCTION Dual<T, N> chain_at_edge(const Dual<T, N>& x, T value, T slope) {
  Dual<T, N> y;
  y.value = value;
  for (int i = 0; i < N; ++i) y.derivative[i] = scaled_slope(x.derivative[i], slope);
  return y;
}

// Functions by their value at v, and their slope, which may be said by the result. The square root
// of a sum of squares has no derivative where these vanish, although none of them changes: `sqrt`
// gives NaN there, and `root`, which is that of an expression, zero.
#define GRADUS_DUAL_FUNCTION(NAME, CHAIN, SLOPE)         \
  template <class T, int N>                              \
  GRADUS_FUNCTION Dual<T, N> NAME(const Dual<T, N>& x) { \
    [[maybe_unused]] const T& v = x.value;               \
    const T result = NAME(v);                            \
    return CHAIN(x, result, SLOPE);                      \
  }
GRADUS_DUAL_FUNCTION(sqrt, chain, T(0.5) / result)
GRADUS_DUAL_FUNCTION(root, chain_at_edge, T(0.5) / result)
GRADUS_DUAL_FUNCTION(sin, chain, cos(v))
GRADUS_DUAL_FUNCTION(cos, chain, -sin(v))
GRADUS_DUAL_FUNCTION(tan, chain, T(1) + result * result)
GRADUS_DUAL_FUNCTION(asin, chain_at_edge, T(1) / sqrt(T(1) - v * v))
GRADUS_DUAL_FUNCTION(acos, chain_at_edge, T(-1) / sqrt(T(1) - v * v))
GRADUS_DUAL_FUNCTION(atan, chain, T(1) / (T(1) + v * v))
GRADUS_DUAL_FUNCTION(sinh, chain, cosh(v))
GRADUS_DUAL_FUNCTION(cosh, chain, sinh(v))
GRADUS_DUAL_FUNCTION(tanh, chain, T(1) - result * result)
GRADUS_DUAL_FUNCTION(exp, chain, result)
GRADUS_DUAL_FUNCTION(log, chain, T(1) / v)
GRADUS_DUAL_FUNCTION(floor, chain, T(0))
#undef GRADUS_DUAL_FUNCTION

template <class T, int N>
GRADUS_FUNCTION Dual<T, N> absolute(const Dual<T, N>& x) {
  return select(x.value < T(0), -x, x);
}
// At the origin there is no derivative, but for what does not change there.
template <class T, int N>
GRADUS_FUNCTION Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T inverse = T(1) / (x.value * x.value + y.value * y.value);
  Dual<T, N> a;
  a.value = atan2(y.value, x.value);
  for (int i = 0; i < N; ++i)
    a.derivative[i] = select(is_zero(x.derivative[i]) && is_zero(y.derivative[i]), T(0),
                             (x.value * y.derivative[i] - y.value * x.derivative[i]) * inverse);
  return a;
}
// The derivative with respect to the base is infinite at zero for exponents below 1, and has no
// part in what does not change there: max(0, x)^0.5 below zero. That with respect to the exponent
// exists for positive bases only and is taken as zero elsewhere.
template <class T, int N>
GRADUS_FUNCTION Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& y) {
  const T p = pow(x.value, y.value);
  const T slope = select(is_zero(y.value), T(0), y.value * pow(x.value, y.value - T(1)));
  const T growth = select(x.value > T(0), p * log(x.value), T(0));
  Dual<T, N> c;
  c.value = p;
  for (int i = 0; i < N; ++i)
    c.derivative[i] = scaled_slope(x.derivative[i], slope) + growth * y.derivative[i];
  return c;
}

GRADUS_KERNELS_END
