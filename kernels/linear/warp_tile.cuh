// A team on a device: a warp, or 4, 8 or 16 neighbouring lanes of one.
#pragma once

#include "kernels/linear/team.hpp"

GRADUS_KERNELS_BEGIN

// Bodies are written for host and device, so its members are as well; on the host they do nothing.
class WarpTile {
 public:
  static constexpr bool kAlone = false;

  // `width` lanes: a power of two, at most 32.
  GRADUS_INLINE explicit WarpTile(int width) : width_(width) {
#if defined(__CUDA_ARCH__)
    const unsigned lane = threadIdx.x % 32U;
    rank_ = static_cast<int>(lane) % width;
    const unsigned first = lane - static_cast<unsigned>(rank_);
    mask_ = (width < 32 ? (1U << width) - 1U : ~0U) << first;
#endif
  }

  GRADUS_INLINE int rank() const {
    return rank_;
  }
  GRADUS_INLINE int size() const {
    return width_;
  }

  GRADUS_INLINE void barrier() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(mask_);
#endif
  }

  template <class Real>
  GRADUS_INLINE PivotCandidate<Real> best(const PivotCandidate<Real>& own) const {
    PivotCandidate<Real> best = own;
#if defined(__CUDA_ARCH__)
    for (int distance = width_ / 2; distance > 0; distance /= 2) {
      PivotCandidate<Real> other{};
      other.rank = __shfl_xor_sync(mask_, best.rank, distance);
      other.row = __shfl_xor_sync(mask_, best.row, distance);
      other.value = __shfl_xor_sync(mask_, best.value, distance);
      if (other.beats(best)) best = other;
    }
#endif
    return best;
  }

  GRADUS_INLINE bool any(bool own) const {
#if defined(__CUDA_ARCH__)
    return __any_sync(mask_, own) != 0;
#else
    return own;
#endif
  }

 private:
  int width_;
  int rank_ = 0;
  unsigned mask_ = 0;
};

GRADUS_KERNELS_END
