// A scalar that is no number but a place in a law: a formula that is run once on it becomes the
// program that kernels run, differentiate and transpose. Written like any other number:
// `-(c * rate + d * rate * abs(rate))`.
#pragma once

#include <array>

#include "src/plan/draft.hpp"

namespace gradus {

class Recorded {
 public:
  Recorded(double value = 0.0) : value_(value) {}
  Recorded(LawWriter& law, expression::Node node) : law_(&law), node_(node) {}

  // In the law that the formula is written into.
  expression::Node in(LawWriter& law) const {
    return law_ == nullptr ? law.constant(value_) : node_;
  }

  friend Recorded operator+(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::add, a, b);
  }
  friend Recorded operator-(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::subtract, a, b);
  }
  friend Recorded operator*(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::multiply, a, b);
  }
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::divide, a, b);
  }
  friend Recorded operator-(const Recorded& a) { return apply(kernels::Operation::negate, a); }
  friend Recorded abs(const Recorded& a) { return apply(kernels::Operation::absolute, a); }
  friend Recorded sqrt(const Recorded& a) { return apply(kernels::Operation::square_root, a); }
  // The root of a sum of squares, of which there is no derivative at zero.
  friend Recorded norm(const Recorded& squares) { return apply(kernels::Operation::norm, squares); }
  friend Recorded sin(const Recorded& a) { return apply(kernels::Operation::sine, a); }
  friend Recorded cos(const Recorded& a) { return apply(kernels::Operation::cosine, a); }
  friend Recorded tan(const Recorded& a) { return apply(kernels::Operation::tangent, a); }
  friend Recorded atan(const Recorded& a) { return apply(kernels::Operation::arc_tangent, a); }
  friend Recorded atan2(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::arc_tangent2, a, b);
  }
  friend Recorded tanh(const Recorded& a) {
    return apply(kernels::Operation::hyperbolic_tangent, a);
  }
  friend Recorded exp(const Recorded& a) { return apply(kernels::Operation::exponential, a); }
  friend Recorded log(const Recorded& a) { return apply(kernels::Operation::logarithm, a); }
  friend Recorded pow(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::power, a, b);
  }
  friend Recorded min(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::minimum, a, b);
  }
  friend Recorded max(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::maximum, a, b);
  }
  // 1 where a >= b, 0 elsewhere.
  friend Recorded at_least(const Recorded& a, const Recorded& b) {
    return apply(kernels::Operation::at_least, a, b);
  }

 private:
  static Recorded apply(kernels::Operation operation, const Recorded& a) {
    return apply(operation, a, nullptr);
  }
  static Recorded apply(kernels::Operation operation, const Recorded& a, const Recorded& b) {
    return apply(operation, a, &b);
  }
  static Recorded apply(kernels::Operation operation, const Recorded& a, const Recorded* b);

  LawWriter* law_ = nullptr;  // none: the number `value_`
  expression::Node node_ = -1;
  double value_ = 0.0;
};

// A vector in global axes.
using Recorded3 = std::array<Recorded, 3>;

inline Recorded3 operator-(const Recorded3& a, const Recorded3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Recorded3 operator+(const Recorded3& a, const Recorded3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Recorded3 operator*(const Recorded& a, const Recorded3& b) {
  return {a * b[0], a * b[1], a * b[2]};
}
// Component by component.
inline Recorded3 times(const Recorded3& a, const Recorded3& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}
inline Recorded dot(const Recorded3& a, const Recorded3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Recorded3 cross(const Recorded3& a, const Recorded3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Recorded length(const Recorded3& a) {
  return norm(dot(a, a));
}

}  // namespace gradus
