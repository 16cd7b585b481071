// A number that writes down what is done with it. Kernel bodies take it as their scalar type, as
// they take packs of lanes: a choice that depends on data is a node, and a branch that depends on
// data takes for granted what the sample at hand says.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/cut.hpp"
#include "kernels/math/scalar.hpp"
#include "src/specialise/recording.hpp"

namespace gradus::specialise {

inline Graph& graph() {
  return current_recording->graph;
}

template <class T>
Sample<T> in_all_lanes(T value) {
  Sample<T> all;
  for (T& lane : all.lane) lane = value;
  return all;
}
// What `of(lane)` is in each lane of the recording.
template <class Of>
auto by_lane(const Of& of) {
  Sample<decltype(of(0))> all{};
  for (int k = 0; k < current_recording->lanes; ++k) all.lane[k] = of(k);
  return all;
}

struct RecordedMask {
  int node;
  Sample<bool> value;

  RecordedMask() = default;
  RecordedMask(bool all) : node(graph().constant(all ? 1.0 : 0.0)), value(in_all_lanes(all)) {}
  RecordedMask(int n, const Sample<bool>& v) : node(n), value(v) {}

  friend RecordedMask operator&&(const RecordedMask& a, const RecordedMask& b) {
    return {graph().add(NodeKind::both, a.node, b.node),
            by_lane([&](int k) { return a.value.lane[k] && b.value.lane[k]; })};
  }
  friend RecordedMask operator||(const RecordedMask& a, const RecordedMask& b) {
    return {graph().add(NodeKind::either, a.node, b.node),
            by_lane([&](int k) { return a.value.lane[k] || b.value.lane[k]; })};
  }
  friend RecordedMask operator!(const RecordedMask& a) {
    return {graph().add(NodeKind::opposite, a.node),
            by_lane([&](int k) { return !a.value.lane[k]; })};
  }
};

// See Recording::take_for_sound().
inline void take_for_sound(const RecordedMask& is_sound) {
  bool all = true;
  for (int k = 0; k < current_recording->lanes; ++k) all = all && is_sound.value.lane[k];
  current_recording->take_for_sound(is_sound.node, all);
}

struct Recorded {
  int node;
  Sample<double> value;

  Recorded() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Recorded(T x)
      : node(current_recording->plain(static_cast<double>(x))),
        value(in_all_lanes(current_recording->sample_of_plain(static_cast<double>(x)))) {}
  Recorded(int n, const Sample<double>& v) : node(n), value(v) {}

  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

#define GRADUS_RECORDED_ARITHMETIC(SIGN, KIND)                                     \
  friend Recorded operator SIGN(const Recorded& a, const Recorded& b) {            \
    return {graph().add(NodeKind::KIND, a.node, b.node),                           \
            by_lane([&](int k) { return a.value.lane[k] SIGN b.value.lane[k]; })}; \
  }
  GRADUS_RECORDED_ARITHMETIC(+, add)
  GRADUS_RECORDED_ARITHMETIC(-, subtract)
  GRADUS_RECORDED_ARITHMETIC(*, multiply)
#undef GRADUS_RECORDED_ARITHMETIC
  friend Recorded operator-(const Recorded& a) {
    return {graph().add(NodeKind::negate, a.node),
            by_lane([&](int k) { return -a.value.lane[k]; })};
  }
  friend Recorded operator+(const Recorded& a) {
    return a;
  }

#define GRADUS_RECORDED_COMPARISON(SIGN, KIND, FIRST, SECOND)                      \
  friend RecordedMask operator SIGN(const Recorded& a, const Recorded& b) {        \
    return {graph().add(NodeKind::KIND, FIRST.node, SECOND.node),                  \
            by_lane([&](int k) { return a.value.lane[k] SIGN b.value.lane[k]; })}; \
  }
  GRADUS_RECORDED_COMPARISON(<, less, a, b)
  GRADUS_RECORDED_COMPARISON(>, less, b, a)
  GRADUS_RECORDED_COMPARISON(<=, less_equal, a, b)
  GRADUS_RECORDED_COMPARISON(>=, less_equal, b, a)
  GRADUS_RECORDED_COMPARISON(==, equal, a, b)
#undef GRADUS_RECORDED_COMPARISON

  friend RecordedMask is_finite(const Recorded& x) {
    return {graph().add(NodeKind::finite, x.node),
            by_lane([&](int k) { return std::isfinite(x.value.lane[k]); })};
  }
  // Zero over what is not zero is folded, too.
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    const Recorded quotient{graph().add(NodeKind::divide, a.node, b.node),
                            by_lane([&](int k) { return a.value.lane[k] / b.value.lane[k]; })};
    const Recorded zero(0.0);
    take_for_sound(graph().is_constant(a.node, 0.0) ? b < zero || zero < b : is_finite(quotient));
    return quotient;
  }
};

// What may be infinite, or no number, where its operands are finite.
inline const Recorded& sound(const Recorded& x) {
  take_for_sound(is_finite(x));
  return x;
}

// What a branch asks for. The instant, a plain number in kernels, is compared without it.
inline bool any(const RecordedMask& mask) {
  bool found = false;
  for (int k = 0; k < current_recording->lanes; ++k) found = found || mask.value.lane[k];
  current_recording->take_for_granted(mask.node, found ? 1.0 : 0.0, found);
  return found;
}
// Kernels take what is recorded for one design: lanes that differ here cannot be recorded together.
template <class T>
T same_in_all(const Sample<T>& sample) {
  for (int k = 1; k < current_recording->lanes; ++k)
    if (!(sample.lane[k] == sample.lane[0])) current_recording->is_split = true;
  return sample.lane[0];
}
inline bool lane(const RecordedMask& mask, int) {
  const bool value = same_in_all(mask.value);
  current_recording->take_for_granted(mask.node, value ? 1.0 : 0.0);
  return value;
}
inline double lane(const Recorded& x, int) {
  const double value = same_in_all(x.value);
  current_recording->take_for_granted(x.node, value);
  return value;
}
// What is handed on as a plain number. The instant stays the one that it came in as.
inline double common(const Recorded& x) {
  return graph().is_time(x.node) ? current_recording->mark_of_time : lane(x, 0);
}
// Nothing but messages depends on it.
inline double plain_time(const Recorded& x) {
  return graph().is_time(x.node) ? current_recording->mark_of_time : x.value.lane[0];
}
inline void set_lane(RecordedMask& mask, int, bool value) {
  mask = RecordedMask(value);
}
inline void set_lane(Recorded& x, int, double value) {
  x = Recorded(value);
}

// Of numbers of which nothing is known, those of all lanes; that there are no others is taken for
// granted.
template <class Visit>
void for_each_number(const Recorded& index, const Visit& visit) {
  const auto visit_all = [&](const std::vector<double>& numbers) {
    for (const double number : numbers) visit(static_cast<int>(number), index == Recorded(number));
  };
  const auto known = current_recording->numbers_of.find(index.node);
  if (known != current_recording->numbers_of.end()) return visit_all(known->second);
  std::vector<double> numbers;
  for (int k = 0; k < current_recording->lanes; ++k)
    if (std::find(numbers.begin(), numbers.end(), index.value.lane[k]) == numbers.end())
      numbers.push_back(index.value.lane[k]);
  if (numbers.size() == 1) return visit(static_cast<int>(lane(index, 0)), RecordedMask(true));
  std::sort(numbers.begin(), numbers.end());
  RecordedMask all(false);
  for (const double number : numbers) all = all || index == Recorded(number);
  current_recording->take_for_granted(all.node, 1.0);
  visit_all(numbers);
}

inline Recorded select(const RecordedMask& where, const Recorded& a, const Recorded& b) {
  return {graph().add(NodeKind::select, where.node, a.node, b.node),
          by_lane([&](int k) { return where.value.lane[k] ? a.value.lane[k] : b.value.lane[k]; })};
}
inline RecordedMask select(const RecordedMask& where, const RecordedMask& a,
                           const RecordedMask& b) {
  return {graph().add(NodeKind::select, where.node, a.node, b.node),
          by_lane([&](int k) { return where.value.lane[k] ? a.value.lane[k] : b.value.lane[k]; })};
}

inline constexpr int most_choices_of_a_cut = 8;

// What a kernel keeps at a cut. Choices are part of the cut, and constants behind it, or numbers.
class CutNumbers {
 public:
  void take(Recorded& number) { kept_.push_back({&number.node, number.value}); }
  void take(bool choice) { choices_ = 2 * choices_ + (choice ? 1 : 0); }
  void take(RecordedMask& choice) {
    if (current_recording->lanes == 1) return take(any(choice));
    auto number = std::make_unique<Recorded>(select(choice, Recorded(1.0), Recorded(0.0)));
    take(*number);
    masks_.push_back(std::move(number));
  }
  void cut(kernels::Cut where) const {
    (*current_recording->on_cut)(
        ((static_cast<int>(where) + 1) << most_choices_of_a_cut) + choices_, kept_);
  }
  // In the same order, behind the cut.
  void restate(const Recorded&) {}
  void restate(bool) {}
  void restate(RecordedMask& choice) {
    choice = current_recording->lanes == 1 ? RecordedMask(choice.value.lane[0])
                                           : Recorded(0.0) < *masks_[restated_++];
  }

 private:
  std::vector<KeptNumber> kept_;
  std::vector<std::unique_ptr<Recorded>> masks_;
  std::size_t restated_ = 0;
  int choices_ = 0;
};

template <class... Numbers>
requires((std::is_same_v<Numbers, Recorded> || std::is_same_v<Numbers, RecordedMask>) ||
         ...) void cut_here(kernels::Cut where, Numbers&... numbers) {
  if (current_recording->on_cut == nullptr) return;
  CutNumbers kept;
  (kept.take(numbers), ...);
  kept.cut(where);
  (kept.restate(numbers), ...);
}

// Rows that are the same constant in all columns stay so.
template <class At>
void treat_alike(const Recorded& first, const At& at, int columns) {
  if (!current_recording->has_loops_over_columns) return;
  const auto is_first = [&](int c) { return at(c).node == first.node; };
  const auto is_memory = [&](int c) { return graph().is_memory(at(c).node); };
  bool is_same = graph().is_constant(first.node), lies_in_memory = true;
  for (int c = 0; c < columns; ++c) {
    is_same = is_same && is_first(c);
    lies_in_memory = lies_in_memory && is_memory(c);
  }
  if (is_same || lies_in_memory) return;
  for (int c = 0; c < columns; ++c) at(c).node = graph().add(NodeKind::keep, at(c).node);
}

inline Recorded value_of(const Recorded& x) {
  return x;
}
inline RecordedMask is_zero(const Recorded& x) {
  return x == Recorded(0.0);
}
// As far as it is the same in all steps.
inline bool is_known_zero(const Recorded& x) {
  return graph().is_constant(x.node, 0.0);
}

#define GRADUS_RECORDED_FUNCTION(NAME, KIND)                                   \
  inline Recorded NAME(const Recorded& x) {                                    \
    return {graph().add(NodeKind::KIND, x.node), by_lane([&](int k) {          \
              return value_of_node(NodeKind::KIND, x.value.lane[k], 0.0, 0.0); \
            })};                                                               \
  }
#define GRADUS_RECORDED_SOUND_FUNCTION(NAME, KIND)                                   \
  inline Recorded NAME(const Recorded& x) {                                          \
    return sound({graph().add(NodeKind::KIND, x.node), by_lane([&](int k) {          \
                    return value_of_node(NodeKind::KIND, x.value.lane[k], 0.0, 0.0); \
                  })});                                                              \
  }
GRADUS_RECORDED_FUNCTION(absolute, absolute)
GRADUS_RECORDED_FUNCTION(floor, floor)
GRADUS_RECORDED_SOUND_FUNCTION(sqrt, sqrt)
GRADUS_RECORDED_FUNCTION(sin, sin)
GRADUS_RECORDED_FUNCTION(cos, cos)
GRADUS_RECORDED_SOUND_FUNCTION(tan, tan)
GRADUS_RECORDED_SOUND_FUNCTION(asin, asin)
GRADUS_RECORDED_SOUND_FUNCTION(acos, acos)
GRADUS_RECORDED_FUNCTION(atan, atan)
GRADUS_RECORDED_SOUND_FUNCTION(sinh, sinh)
GRADUS_RECORDED_SOUND_FUNCTION(cosh, cosh)
GRADUS_RECORDED_FUNCTION(tanh, tanh)
GRADUS_RECORDED_SOUND_FUNCTION(exp, exp)
GRADUS_RECORDED_SOUND_FUNCTION(log, log)
#undef GRADUS_RECORDED_FUNCTION
#undef GRADUS_RECORDED_SOUND_FUNCTION

// Half a turn to the one side or the other, by the sign of a zero.
inline Recorded atan2(const Recorded& y, const Recorded& x) {
  take_for_sound(!(y == Recorded(0.0) && x <= Recorded(0.0)));
  return {graph().add(NodeKind::atan2, y.node, x.node),
          by_lane([&](int k) { return std::atan2(y.value.lane[k], x.value.lane[k]); })};
}
inline Recorded pow(const Recorded& x, const Recorded& y) {
  return sound({graph().add(NodeKind::pow, x.node, y.node),
                by_lane([&](int k) { return std::pow(x.value.lane[k], y.value.lane[k]); })});
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
