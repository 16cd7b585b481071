// A number that counts what is done with it, and where it lies. Kernel bodies take it as their
// scalar type and so tell their exact work.
#pragma once

#include <cmath>
#include <type_traits>

#include "bench/micro/accesses.hpp"
#include "kernels/math/sine_cosine.hpp"

namespace gradus::bench {

// What was counted since it was last set to zero. One thread only.
inline Operations& operations() {
  static Operations counted;
  return counted;
}

// Negation, comparison, rounding and absolute value are free: they are no more than a bit of
// another operation.
struct Counted {
  double value;

  Counted() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Counted(T x) : value(static_cast<double>(x)) {}
  Counted(const Counted& b) : value(b.read()) {}
  Counted& operator=(const Counted& b) {
    value = b.read();
    accesses().write(this);
    return *this;
  }

  // The value, where a formula asks for it.
  double read() const {
    accesses().read(this);
    return value;
  }

  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend Counted operator+(const Counted& a, const Counted& b) {
    ++operations().additions;
    return a.read() + b.read();
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    ++operations().additions;
    return a.read() - b.read();
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    ++operations().multiplications;
    return a.read() * b.read();
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    ++operations().divisions;
    return a.read() / b.read();
  }
  friend Counted operator-(const Counted& a) { return -a.read(); }
  friend Counted operator+(const Counted& a) { return a; }
  friend bool operator<(const Counted& a, const Counted& b) { return a.read() < b.read(); }
  friend bool operator>(const Counted& a, const Counted& b) { return a.read() > b.read(); }
  friend bool operator<=(const Counted& a, const Counted& b) { return a.read() <= b.read(); }
  friend bool operator>=(const Counted& a, const Counted& b) { return a.read() >= b.read(); }
  friend bool operator==(const Counted& a, const Counted& b) { return a.read() == b.read(); }
};

inline Counted select(bool condition, const Counted& a, const Counted& b) {
  return condition ? a : b;
}
inline double value_of(const Counted& x) {
  return x.value;
}
inline double magnitude(const Counted& x) {
  return std::fabs(x.read());
}
inline double relative_magnitude(const Counted& change, const Counted& x) {
  return std::fabs(change.read()) / (1.0 + std::fabs(x.read()));
}
inline bool is_finite(const Counted& x) {
  return std::isfinite(x.value);
}
inline bool is_zero(const Counted& x) {
  return x.value == 0.0;
}
inline Counted absolute(const Counted& x) {
  return std::fabs(x.read());
}

inline Counted floor(const Counted& x) {
  return std::floor(x.read());
}

inline Counted sqrt(const Counted& x) {
  ++operations().divisions;
  return std::sqrt(x.read());
}

#define GRADUS_COUNTED_FUNCTION(NAME)     \
  inline Counted NAME(const Counted& x) { \
    ++operations().functions;             \
    return std::NAME(x.read());           \
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
  return std::atan2(y.read(), x.read());
}
inline Counted pow(const Counted& x, const Counted& y) {
  ++operations().functions;
  return std::pow(x.read(), y.read());
}

}  // namespace gradus::bench

GRADUS_KERNELS_BEGIN

template <>
struct ScalarTraits<bench::Counted> {
  using Value = double;
  using Mask = bool;
  static constexpr int kLanes = 1;
};

GRADUS_KERNELS_END

namespace gradus::bench {

inline kernels::SineCosine<Counted> sine_cosine(const Counted& x) {
  return kernels::sine_cosine_of_near(x);
}

}  // namespace gradus::bench
