// A number that writes down what is done with it. Kernel bodies take it as their scalar type, as
// they take packs of lanes: a choice that depends on data is a node, and a branch that depends on
// data takes for granted what the sample at hand says.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/math/scalar.hpp"
#include "src/specialise/recording.hpp"

namespace gradus::specialise {

inline Graph& graph() {
  return current_recording->graph;
}

// Its value is that of the sample.
struct RecordedMask {
  int node;
  bool value;

  RecordedMask() = default;
  RecordedMask(bool all) : node(graph().constant(all ? 1.0 : 0.0)), value(all) {}
  RecordedMask(int n, bool v) : node(n), value(v) {}

  friend RecordedMask operator&&(const RecordedMask& a, const RecordedMask& b) {
    return {graph().add(NodeKind::both, a.node, b.node), a.value && b.value};
  }
  friend RecordedMask operator||(const RecordedMask& a, const RecordedMask& b) {
    return {graph().add(NodeKind::either, a.node, b.node), a.value || b.value};
  }
  friend RecordedMask operator!(const RecordedMask& a) {
    return {graph().add(NodeKind::opposite, a.node), !a.value};
  }
};

struct Recorded {
  int node;
  double value;

  Recorded() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Recorded(T x)
      : node(current_recording->plain(static_cast<double>(x))), value(static_cast<double>(x)) {}
  Recorded(int n, double v) : node(n), value(v) {}

  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

#define GRADUS_RECORDED_ARITHMETIC(SIGN, KIND)                                  \
  friend Recorded operator SIGN(const Recorded& a, const Recorded& b) {         \
    return {graph().add(NodeKind::KIND, a.node, b.node), a.value SIGN b.value}; \
  }
  GRADUS_RECORDED_ARITHMETIC(+, add)
  GRADUS_RECORDED_ARITHMETIC(-, subtract)
  GRADUS_RECORDED_ARITHMETIC(*, multiply)
  GRADUS_RECORDED_ARITHMETIC(/, divide)
#undef GRADUS_RECORDED_ARITHMETIC
  friend Recorded operator-(const Recorded& a) {
    return {graph().add(NodeKind::negate, a.node), -a.value};
  }
  friend Recorded operator+(const Recorded& a) {
    return a;
  }

#define GRADUS_RECORDED_COMPARISON(SIGN, KIND, FIRST, SECOND)                            \
  friend RecordedMask operator SIGN(const Recorded& a, const Recorded& b) {              \
    return {graph().add(NodeKind::KIND, FIRST.node, SECOND.node), a.value SIGN b.value}; \
  }
  GRADUS_RECORDED_COMPARISON(<, less, a, b)
  GRADUS_RECORDED_COMPARISON(>, less, b, a)
  GRADUS_RECORDED_COMPARISON(<=, less_equal, a, b)
  GRADUS_RECORDED_COMPARISON(>=, less_equal, b, a)
  GRADUS_RECORDED_COMPARISON(==, equal, a, b)
#undef GRADUS_RECORDED_COMPARISON
};

// What a branch asks for. The instant, a plain number in kernels, is compared without it.
inline bool any(const RecordedMask& mask) {
  current_recording->take_for_granted(mask.node, mask.value ? 1.0 : 0.0);
  return mask.value;
}
inline bool lane(const RecordedMask& mask, int) {
  return any(mask);
}
inline double lane(const Recorded& x, int) {
  current_recording->take_for_granted(x.node, x.value);
  return x.value;
}
inline void set_lane(RecordedMask& mask, int, bool value) {
  mask = RecordedMask(value);
}
inline void set_lane(Recorded& x, int, double value) {
  x = Recorded(value);
}
template <class Visit>
void for_each_number(const Recorded& index, const Visit& visit) {
  visit(static_cast<int>(lane(index, 0)), RecordedMask(true));
}

inline Recorded select(const RecordedMask& where, const Recorded& a, const Recorded& b) {
  return {graph().add(NodeKind::select, where.node, a.node, b.node),
          where.value ? a.value : b.value};
}
inline RecordedMask select(const RecordedMask& where, const RecordedMask& a,
                           const RecordedMask& b) {
  return {graph().add(NodeKind::select, where.node, a.node, b.node),
          where.value ? a.value : b.value};
}

inline Recorded value_of(const Recorded& x) {
  return x;
}
inline RecordedMask is_finite(const Recorded& x) {
  return {graph().add(NodeKind::finite, x.node), std::isfinite(x.value)};
}
inline RecordedMask is_zero(const Recorded& x) {
  return x == Recorded(0.0);
}

#define GRADUS_RECORDED_FUNCTION(NAME, KIND)                   \
  inline Recorded NAME(const Recorded& x) {                    \
    return {graph().add(NodeKind::KIND, x.node),               \
            value_of_node(NodeKind::KIND, x.value, 0.0, 0.0)}; \
  }
GRADUS_RECORDED_FUNCTION(absolute, absolute)
GRADUS_RECORDED_FUNCTION(floor, floor)
GRADUS_RECORDED_FUNCTION(sqrt, sqrt)
GRADUS_RECORDED_FUNCTION(sin, sin)
GRADUS_RECORDED_FUNCTION(cos, cos)
GRADUS_RECORDED_FUNCTION(tan, tan)
GRADUS_RECORDED_FUNCTION(asin, asin)
GRADUS_RECORDED_FUNCTION(acos, acos)
GRADUS_RECORDED_FUNCTION(atan, atan)
GRADUS_RECORDED_FUNCTION(sinh, sinh)
GRADUS_RECORDED_FUNCTION(cosh, cosh)
GRADUS_RECORDED_FUNCTION(tanh, tanh)
GRADUS_RECORDED_FUNCTION(exp, exp)
GRADUS_RECORDED_FUNCTION(log, log)
#undef GRADUS_RECORDED_FUNCTION

inline Recorded atan2(const Recorded& y, const Recorded& x) {
  return {graph().add(NodeKind::atan2, y.node, x.node), std::atan2(y.value, x.value)};
}
inline Recorded pow(const Recorded& x, const Recorded& y) {
  return {graph().add(NodeKind::pow, x.node, y.node), std::pow(x.value, y.value)};
}
inline Recorded relative_magnitude(const Recorded& change, const Recorded& x) {
  return absolute(change) / (Recorded(1.0) + absolute(x));
}

}  // namespace gradus::specialise

GRADUS_KERNELS_BEGIN

template <>
struct ScalarTraits<specialise::Recorded> {
  using Value = specialise::Recorded;
  using Mask = specialise::RecordedMask;
  static constexpr int kLanes = 1;
};

GRADUS_KERNELS_END

#include "kernels/math/sine_cosine.hpp"

namespace gradus::specialise {

inline kernels::SineCosine<Recorded> sine_cosine(const Recorded& x) {
  if (any(!(absolute(x) < Recorded(kernels::kFarAngle)))) return {sin(x), cos(x)};
  return kernels::sine_cosine_of_near(x);
}

}  // namespace gradus::specialise
