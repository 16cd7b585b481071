// A pack of lanes: one number of N designs, which go through the same instruction stream. Every
// lane meets the same operations in the same order as it would alone, so that a design has the same
// bits in whatever lane it travels. Vectors of the compiler rather than a library: five operations,
// one square root and a choice are all that is asked of them, and functions such as sin are those
// of the plain number, lane by lane.
#pragma once

#if !defined(__CUDACC__)

#include <type_traits>

#include "kernels/math/scalar.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

GRADUS_KERNELS_BEGIN

// Which lanes: all bits set, or none.
template <int N>
struct PackMask {
  typedef long long Vector __attribute__((vector_size(N * sizeof(long long))));
  Vector v;

  PackMask() = default;
  GRADUS_INLINE PackMask(bool all) : v(Vector{} - static_cast<long long>(all)) {}
  GRADUS_INLINE explicit PackMask(Vector lanes) : v(lanes) {}

  friend GRADUS_INLINE PackMask operator&&(const PackMask& a, const PackMask& b) {
    return PackMask(a.v & b.v);
  }
  friend GRADUS_INLINE PackMask operator||(const PackMask& a, const PackMask& b) {
    return PackMask(a.v | b.v);
  }
  friend GRADUS_INLINE PackMask operator!(const PackMask& a) { return PackMask(~a.v); }
};

template <int N>
struct alignas(N * sizeof(double)) Pack {
  typedef double Vector __attribute__((vector_size(N * sizeof(double))));
  using Mask = PackMask<N>;
  Vector v;

  Pack() = default;
  // The difference keeps the sign of a zero.
  template <class Plain, std::enable_if_t<std::is_arithmetic<Plain>::value, int> = 0>
  GRADUS_INLINE Pack(Plain x) : v(static_cast<double>(x) - Vector{}) {}
  GRADUS_INLINE explicit Pack(Vector lanes) : v(lanes) {}

#define GRADUS_PACK_ARITHMETIC(SIGN)                                      \
  friend GRADUS_INLINE Pack operator SIGN(const Pack& a, const Pack& b) { \
    return Pack(a.v SIGN b.v);                                            \
  }                                                                       \
  GRADUS_INLINE Pack& operator SIGN##=(const Pack& b) {                   \
    v SIGN## = b.v;                                                       \
    return *this;                                                         \
  }
  GRADUS_PACK_ARITHMETIC(+)
  GRADUS_PACK_ARITHMETIC(-)
  GRADUS_PACK_ARITHMETIC(*)
  GRADUS_PACK_ARITHMETIC(/)
#undef GRADUS_PACK_ARITHMETIC
  friend GRADUS_INLINE Pack operator-(const Pack& a) {
    return Pack(-a.v);
  }
  friend GRADUS_INLINE Pack operator+(const Pack& a) {
    return a;
  }
  friend GRADUS_INLINE Mask operator<(const Pack& a, const Pack& b) {
    return Mask(a.v < b.v);
  }
  friend GRADUS_INLINE Mask operator>(const Pack& a, const Pack& b) {
    return Mask(a.v > b.v);
  }
  friend GRADUS_INLINE Mask operator<=(const Pack& a, const Pack& b) {
    return Mask(a.v <= b.v);
  }
  friend GRADUS_INLINE Mask operator>=(const Pack& a, const Pack& b) {
    return Mask(a.v >= b.v);
  }
  friend GRADUS_INLINE Mask operator==(const Pack& a, const Pack& b) {
    return Mask(a.v == b.v);
  }
};

template <int N>
struct ScalarTraits<Pack<N>> {
  using Value = Pack<N>;
  using Mask = PackMask<N>;
  static constexpr int kLanes = N;
};

// One bit for each lane.
template <int N>
GRADUS_INLINE int bits(const PackMask<N>& mask) {
#if defined(__AVX512DQ__)
  if constexpr (N == 8) return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask.v));
#endif
#if defined(__AVX__)
  if constexpr (N == 4) return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask.v));
#endif
#if defined(__SSE2__)
  if constexpr (N == 2) return _mm_movemask_pd(reinterpret_cast<__m128d>(mask.v));
#endif
  int found = 0;
  for (int i = 0; i < N; ++i) found |= mask.v[i] != 0 ? 1 << i : 0;
  return found;
}
template <int N>
GRADUS_INLINE bool any(const PackMask<N>& mask) {
  return bits(mask) != 0;
}
template <int N>
GRADUS_INLINE bool lane(const PackMask<N>& mask, int i) {
  return mask.v[i] != 0;
}
template <int N>
GRADUS_INLINE double lane(const Pack<N>& x, int i) {
  return x.v[i];
}
template <int N>
GRADUS_INLINE void set_lane(Pack<N>& x, int i, double value) {
  x.v[i] = value;
}
template <int N>
GRADUS_INLINE void set_lane(PackMask<N>& mask, int i, bool value) {
  mask.v[i] = -static_cast<long long>(value);
}

template <int N>
GRADUS_INLINE Pack<N> select(const PackMask<N>& where, const Pack<N>& a, const Pack<N>& b) {
  return Pack<N>(where.v ? a.v : b.v);
}
template <int N>
GRADUS_INLINE PackMask<N> select(const PackMask<N>& where, const PackMask<N>& a,
                                 const PackMask<N>& b) {
  return PackMask<N>((where.v & a.v) | (~where.v & b.v));
}

template <int N>
GRADUS_INLINE Pack<N> value_of(const Pack<N>& x) {
  return x;
}
template <int N>
GRADUS_INLINE PackMask<N> is_finite(const Pack<N>& x) {
  return x - x == Pack<N>(0.0);
}
template <int N>
GRADUS_INLINE PackMask<N> is_zero(const Pack<N>& x) {
  return x == Pack<N>(0.0);
}

// Without the sign bit.
template <int N>
GRADUS_INLINE Pack<N> absolute(const Pack<N>& x) {
  using Bits = typename PackMask<N>::Vector;
  using Vector = typename Pack<N>::Vector;
  const Bits rest = Bits{} + 0x7fffffffffffffffLL;
  return Pack<N>(reinterpret_cast<Vector>(reinterpret_cast<Bits>(x.v) & rest));
}
template <int N>
GRADUS_INLINE Pack<N> relative_magnitude(const Pack<N>& change, const Pack<N>& x) {
  return absolute(change) / (Pack<N>(1.0) + absolute(x));
}

template <int N>
GRADUS_INLINE Pack<N> sqrt(const Pack<N>& x) {
#if defined(__AVX512F__)
  if constexpr (N == 8) return Pack<N>(_mm512_maskz_sqrt_pd(0xff, x.v));
#endif
#if defined(__AVX__)
  if constexpr (N == 4) return Pack<N>(_mm256_sqrt_pd(x.v));
#endif
#if defined(__SSE2__)
  if constexpr (N == 2) return Pack<N>(_mm_sqrt_pd(x.v));
#endif
  Pack<N> root;
  for (int i = 0; i < N; ++i) root.v[i] = ::sqrt(x.v[i]);
  return root;
}

#define GRADUS_LANE_BY_LANE(NAME)                        \
  template <int N>                                       \
  GRADUS_FUNCTION Pack<N> NAME(const Pack<N>& x) {       \
    Pack<N> y;                                           \
    for (int i = 0; i < N; ++i) y.v[i] = ::NAME(x.v[i]); \
    return y;                                            \
  }
GRADUS_LANE_BY_LANE(sin)
GRADUS_LANE_BY_LANE(cos)
GRADUS_LANE_BY_LANE(tan)
GRADUS_LANE_BY_LANE(asin)
GRADUS_LANE_BY_LANE(acos)
GRADUS_LANE_BY_LANE(atan)
GRADUS_LANE_BY_LANE(sinh)
GRADUS_LANE_BY_LANE(cosh)
GRADUS_LANE_BY_LANE(tanh)
GRADUS_LANE_BY_LANE(exp)
GRADUS_LANE_BY_LANE(floor)
GRADUS_LANE_BY_LANE(log)
#undef GRADUS_LANE_BY_LANE

template <int N>
GRADUS_FUNCTION Pack<N> atan2(const Pack<N>& y, const Pack<N>& x) {
  Pack<N> angle;
  for (int i = 0; i < N; ++i) angle.v[i] = ::atan2(y.v[i], x.v[i]);
  return angle;
}
template <int N>
GRADUS_FUNCTION Pack<N> pow(const Pack<N>& x, const Pack<N>& y) {
  Pack<N> power;
  for (int i = 0; i < N; ++i) power.v[i] = ::pow(x.v[i], y.v[i]);
  return power;
}

// Calls visit(number, lanes) for every whole number that some lane of `index` holds.
template <int N, class Visit>
GRADUS_INLINE void for_each_number(const Pack<N>& index, const Visit& visit) {
  const Pack<N> first(index.v[0]);
  const PackMask<N> agree = index == first;
  if (!any(!agree)) return visit(static_cast<int>(index.v[0]), PackMask<N>(true));
  PackMask<N> rest(true);
  for (int i = 0; i < N; ++i) {
    if (!lane(rest, i)) continue;
    const PackMask<N> here = rest && index == Pack<N>(index.v[i]);
    visit(static_cast<int>(index.v[i]), here);
    rest = rest && !here;
  }
}

GRADUS_KERNELS_END

#endif
