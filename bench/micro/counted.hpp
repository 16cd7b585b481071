// A number that counts what is done with it. Kernel bodies take it as their scalar type and so tell
// their exact work.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/math/scalar.hpp"

namespace gradus::bench {

struct Operations {
  long long additions = 0;  // and subtractions
  long long multiplications = 0;
  long long divisions = 0;  // and square roots
  long long functions = 0;  // sine, power, ...

  long long total() const { return additions + multiplications + divisions + functions; }
};

// What was counted since it was last set to zero. One thread only.
inline Operations& operations() {
  static Operations counted;
  return counted;
}

// Negation, comparison and absolute value are free: they are no more than a bit of another
// operation.
struct Counted {
  double value;

  Counted() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Counted(T x) : value(static_cast<double>(x)) {}

  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend Counted operator+(const Counted& a, const Counted& b) {
    ++operations().additions;
    return a.value + b.value;
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    ++operations().additions;
    return a.value - b.value;
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    ++operations().multiplications;
    return a.value * b.value;
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    ++operations().divisions;
    return a.value / b.value;
  }
  friend Counted operator-(const Counted& a) { return -a.value; }
  friend Counted operator+(const Counted& a) { return a; }
  friend bool operator<(const Counted& a, const Counted& b) { return a.value < b.value; }
  friend bool operator>(const Counted& a, const Counted& b) { return a.value > b.value; }
  friend bool operator<=(const Counted& a, const Counted& b) { return a.value <= b.value; }
  friend bool operator>=(const Counted& a, const Counted& b) { return a.value >= b.value; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.value == b.value; }
};

inline Counted select(bool condition, const Counted& a, const Counted& b) {
  return condition ? a : b;
}
inline double value_of(const Counted& x) {
  return x.value;
}
inline double magnitude(const Counted& x) {
  return std::fabs(x.value);
}
inline double relative_magnitude(const Counted& change, const Counted& x) {
  return std::fabs(change.value) / (1.0 + std::fabs(x.value));
}
inline bool is_finite(const Counted& x) {
  return std::isfinite(x.value);
}
inline bool is_zero(const Counted& x) {
  return x.value == 0.0;
}
inline Counted absolute(const Counted& x) {
  return std::fabs(x.value);
}

inline Counted sqrt(const Counted& x) {
  ++operations().divisions;
  return std::sqrt(x.value);
}

#define GRADUS_COUNTED_FUNCTION(NAME)     \
  inline Counted NAME(const Counted& x) { \
    ++operations().functions;             \
    return std::NAME(x.value);            \
  }
GRADUS_COUNTED_FUNCTION(sin)
GRADUS_COUNTED_FUNCTION(cos)
GRADUS_COUNTED_FUNCTION(tan)
GRADUS_COUNTED_FUNCTION(asin)
GRADUS_COUNTED_FUNCTION(acos)
GRADUS_COUNTED_FUNCTION(atan)
GRADUS_COUNTED_FUNCTION(sinh)
GRADUS_COUNTED_FUNCTION(cosh)
GRADUS_COUNTED_FUNCTION(tanh)
GRADUS_COUNTED_FUNCTION(exp)
GRADUS_COUNTED_FUNCTION(log)
#undef GRADUS_COUNTED_FUNCTION

inline Counted atan2(const Counted& y, const Counted& x) {
  ++operations().functions;
  return std::atan2(y.value, x.value);
}
inline Counted pow(const Counted& x, const Counted& y) {
  ++operations().functions;
  return std::pow(x.value, y.value);
}

}  // namespace gradus::bench

GRADUS_KERNELS_BEGIN

template <>
struct ScalarTraits<bench::Counted> {
  using Value = double;
  using Mask = bool;
};

GRADUS_KERNELS_END
