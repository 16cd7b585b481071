// The numbers that the formula of a plug-in computes with. A formula is a template of its scalar:
// with `Recorded` it is run once and becomes the list of operations that gradus runs and
// differentiates; with `double` it is an ordinary function, for tests of one's own.
#pragma once

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "gradus/plugin_interface.h"

namespace gradus::plugin {

// What a formula has done so far.
class Tape {
 public:
  static constexpr std::size_t longest = 100000;

  int add(int operation, int a, int b, double value = 0.0) {
    if (instructions_.size() == longest)
      throw std::length_error("it has more than 100000 operations");
    instructions_.push_back({operation, a, b, value});
    return static_cast<int>(instructions_.size()) - 1;
  }
  const std::vector<gradus_plugin_instruction>& instructions() const { return instructions_; }

 private:
  std::vector<gradus_plugin_instruction> instructions_;
};

// A number that is not known yet: a place on a tape, or a constant.
class Recorded {
 public:
  Recorded(double value = 0.0) : value_(value) {}
  Recorded(Tape& tape, int operation, int a = -1, int b = -1)
      : tape_(&tape), place_(tape.add(operation, a, b)) {}

  int on(Tape& tape) const {
    return tape_ == nullptr ? tape.add(GRADUS_PLUGIN_CONSTANT, -1, -1, value_) : place_;
  }
  Tape* tape() const { return tape_; }
  double value() const { return value_; }  // of a constant

  friend Recorded operator+(const Recorded& a, const Recorded& b) {
    return a.of(GRADUS_PLUGIN_ADD, b, a.value_ + b.value_);
  }
  friend Recorded operator-(const Recorded& a, const Recorded& b) {
    return a.of(GRADUS_PLUGIN_SUBTRACT, b, a.value_ - b.value_);
  }
  friend Recorded operator*(const Recorded& a, const Recorded& b) {
    return a.of(GRADUS_PLUGIN_MULTIPLY, b, a.value_ * b.value_);
  }
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    return a.of(GRADUS_PLUGIN_DIVIDE, b, a.value_ / b.value_);
  }
  friend Recorded operator+(const Recorded& a) { return a; }
  friend Recorded operator-(const Recorded& a) { return a.of(GRADUS_PLUGIN_NEGATE, -a.value_); }
  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

  // Which of two numbers is larger changes during the motion, and no branch of C++ can follow it.
  friend bool operator<(const Recorded&, const Recorded&) = delete;   // use select, min or max
  friend bool operator>(const Recorded&, const Recorded&) = delete;   // use select, min or max
  friend bool operator<=(const Recorded&, const Recorded&) = delete;  // use select, min or max
  friend bool operator>=(const Recorded&, const Recorded&) = delete;  // use select, min or max
  friend bool operator==(const Recorded&, const Recorded&) = delete;  // use select, min or max
  friend bool operator!=(const Recorded&, const Recorded&) = delete;  // use select, min or max

  // The operation, or `value` where it is one of constants.
  Recorded of(int operation, double value) const {
    return tape_ == nullptr ? Recorded(value) : Recorded(*tape_, operation, place_);
  }
  Recorded of(int operation, const Recorded& b, double value) const {
    Tape* const tape = tape_ != nullptr ? tape_ : b.tape_;
    if (tape == nullptr) return value;
    const int first = on(*tape);
    return {*tape, operation, first, b.on(*tape)};
  }

 private:
  Tape* tape_ = nullptr;
  int place_ = -1;
  double value_ = 0.0;
};

template <class Scalar>
using Vector = std::array<Scalar, 3>;

// A force and a torque.
template <class Scalar>
struct Wrench {
  Vector<Scalar> force{}, torque{};
};

// The functions that formulas may use; every force has them for members.
struct Functions {
#define GRADUS_PLUGIN_FUNCTION(NAME, OPERATION)                   \
  static double NAME(double x) {                                  \
    return std::NAME(x);                                          \
  }                                                               \
  static Recorded NAME(const Recorded& x) {                       \
    return x.of(GRADUS_PLUGIN_##OPERATION, std::NAME(x.value())); \
  }
#define GRADUS_PLUGIN_FUNCTION_OF_TWO(NAME, OPERATION, VALUE)              \
  static double NAME(double a, double b) {                                 \
    return VALUE;                                                          \
  }                                                                        \
  static Recorded NAME(const Recorded& a, const Recorded& b) {             \
    return a.of(GRADUS_PLUGIN_##OPERATION, b, NAME(a.value(), b.value())); \
  }
  GRADUS_PLUGIN_FUNCTION(sqrt, SQRT)
  GRADUS_PLUGIN_FUNCTION(sin, SIN)
  GRADUS_PLUGIN_FUNCTION(cos, COS)
  GRADUS_PLUGIN_FUNCTION(tan, TAN)
  GRADUS_PLUGIN_FUNCTION(asin, ASIN)
  GRADUS_PLUGIN_FUNCTION(acos, ACOS)
  GRADUS_PLUGIN_FUNCTION(atan, ATAN)
  GRADUS_PLUGIN_FUNCTION(sinh, SINH)
  GRADUS_PLUGIN_FUNCTION(cosh, COSH)
  GRADUS_PLUGIN_FUNCTION(tanh, TANH)
  GRADUS_PLUGIN_FUNCTION(exp, EXP)
  GRADUS_PLUGIN_FUNCTION(log, LOG)
  GRADUS_PLUGIN_FUNCTION(abs, ABS)
  GRADUS_PLUGIN_FUNCTION_OF_TWO(pow, POWER, std::pow(a, b))
  GRADUS_PLUGIN_FUNCTION_OF_TWO(atan2, ATAN2, std::atan2(a, b))
  // A number that is none stays none.
  GRADUS_PLUGIN_FUNCTION_OF_TWO(min, MIN, a <= b ? a : b < a ? b : a + b)
  GRADUS_PLUGIN_FUNCTION_OF_TWO(max, MAX, a >= b ? a : b > a ? b : a + b)
  // 1 where a >= b, else 0. Its derivatives are 0.
  GRADUS_PLUGIN_FUNCTION_OF_TWO(at_least, AT_LEAST, a >= b ? 1.0 : 0.0)
#undef GRADUS_PLUGIN_FUNCTION
#undef GRADUS_PLUGIN_FUNCTION_OF_TWO

  // `a` where the condition is 1, `b` where it is 0: select(at_least(x, 0), x, 0). Both are
  // computed everywhere, and both must be finite numbers.
  static double select(double condition, double a, double b) {
    return condition * a + (1.0 - condition) * b;
  }
  static Recorded select(const Recorded& condition, const Recorded& a, const Recorded& b) {
    return condition * a + (1.0 - condition) * b;
  }

  template <class Scalar>
  static Scalar dot(const Vector<Scalar>& a, const Vector<Scalar>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  template <class Scalar>
  static Vector<Scalar> cross(const Vector<Scalar>& a, const Vector<Scalar>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  // Has no derivative where it is 0.
  static double norm(const Vector<double>& a) {
    return std::sqrt(dot(a, a));
  }
  static Recorded norm(const Vector<Recorded>& a) {
    const Recorded square = dot(a, a);
    return square.of(GRADUS_PLUGIN_NORM, std::sqrt(square.value()));
  }
};

}  // namespace gradus::plugin
