// The host launchers of kernel bodies: loops over designs, over packs of designs, or over the
// places of a chunk whose designs are interleaved. Included by the sources that
// cmake/GradusKernels.cmake makes, one for each header of bodies, which are compiled several times:
// GRADUS_LAUNCHES_{ALONE,PACKS,INTERLEAVED,DUAL} say which launchers a translation has.
#pragma once

#include "kernels/launch/host.hpp"
#include "kernels/launch/places.hpp"
#include "kernels/math/pack.hpp"

GRADUS_KERNELS_BEGIN

// `lanes` designs go into one run of the body.
template <class Body>
void loop_over_designs(const LaunchArguments& arguments, int lanes = 1) {
  const Body body{arguments};
  const std::ptrdiff_t count = arguments.chunk.design_count / lanes;
  for (std::ptrdiff_t place = 0; place < count; ++place) body(place);
}

// As a device would: designs, or slices of their columns.
template <class Body>
void loop_over_places(const LaunchArguments& arguments) {
  const Body body{arguments};
  const std::ptrdiff_t count = place_count<Body>(arguments.chunk);
  for (std::ptrdiff_t place = 0; place < count; ++place) body(place);
}

GRADUS_KERNELS_END

#if GRADUS_LAUNCHES_ALONE
#define GRADUS_ALONE(NAME, BODY)                         \
  void launch_##NAME(const LaunchArguments& arguments) { \
    loop_over_designs<BODY<double, false>>(arguments);   \
  }
#else
#define GRADUS_ALONE(NAME, BODY)
#endif
#if GRADUS_LAUNCHES_PACKS
#define GRADUS_PACKS(NAME, BODY)                                                 \
  void launch_packs_##NAME(const LaunchArguments& arguments) {                   \
    loop_over_designs<BODY<Pack<GRADUS_LANES>, false>>(arguments, GRADUS_LANES); \
  }
#else
#define GRADUS_PACKS(NAME, BODY)
#endif
#if GRADUS_LAUNCHES_INTERLEAVED
#define GRADUS_INTERLEAVED(NAME, BODY)                               \
  void launch_interleaved_##NAME(const LaunchArguments& arguments) { \
    loop_over_places<BODY<double, true>>(arguments);                 \
  }
#else
#define GRADUS_INTERLEAVED(NAME, BODY)
#endif
#if GRADUS_LAUNCHES_DUAL
#define GRADUS_DUAL(NAME, BODY)                               \
  void launch_dual_##NAME(const LaunchArguments& arguments) { \
    loop_over_designs<BODY<DualNumber, false>>(arguments);    \
  }
#else
#define GRADUS_DUAL(NAME, BODY)
#endif

#define GRADUS_HOST_KERNEL_slices(NAME, BODY) GRADUS_INTERLEAVED(NAME, BODY)
#define GRADUS_HOST_KERNEL_alone(NAME, BODY) \
  GRADUS_HOST_KERNEL_slices(NAME, BODY) GRADUS_ALONE(NAME, BODY)
#define GRADUS_HOST_KERNEL_real(NAME, BODY) \
  GRADUS_HOST_KERNEL_alone(NAME, BODY) GRADUS_PACKS(NAME, BODY)
#define GRADUS_HOST_KERNEL_all(NAME, BODY) \
  GRADUS_HOST_KERNEL_real(NAME, BODY) GRADUS_DUAL(NAME, BODY)

#define GRADUS_HOST_KERNEL(NAME, BODY, RUNS) GRADUS_HOST_KERNEL_##RUNS(NAME, BODY)

// The launchers of one header.
#define GRADUS_KERNELS_OF(HEADER) \
  GRADUS_KERNELS_BEGIN            \
  GRADUS_KERNELS_OF_##HEADER(GRADUS_HOST_KERNEL) GRADUS_KERNELS_END
