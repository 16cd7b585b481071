// Arrays of dual numbers in the memory of a design.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/base/decoration.hpp"

GRADUS_KERNELS_BEGIN

// Numbers that consist of several reals, in an array of reals: one after another, real by real, so
// that designs are interleaved as in all their arrays.
template <class Number, class Array>
struct NumberArray {
  using Real = std::decay_t<decltype(std::declval<Array>()[0])>;
  static constexpr int kReals = sizeof(Number) / sizeof(Real);
  Array reals;

  GRADUS_INLINE Number operator[](int i) const {
    Number x;
    Real* const parts = reinterpret_cast<Real*>(&x);
    for (int k = 0; k < kReals; ++k) parts[k] = reals[i * kReals + k];
    return x;
  }
  GRADUS_INLINE void set(int i, const Number& x) const {
    const Real* const parts = reinterpret_cast<const Real*>(&x);
    for (int k = 0; k < kReals; ++k) reals[i * kReals + k] = parts[k];
  }
  GRADUS_INLINE NumberArray from(int i) const { return {reals.from(i * kReals)}; }
};

template <class Number, class Array>
GRADUS_INLINE void set_entry(NumberArray<Number, Array>& values, int k, const Number& x) {
  values.set(k, x);
}

GRADUS_KERNELS_END
