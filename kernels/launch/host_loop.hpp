// The host launchers of a kernel body: loops over designs, over slices of their columns, or over
// packs of designs. Included by the X.cpp of each kernel only, which is translated once for every
// instruction set.
#pragma once

#include "kernels/launch/host.hpp"
#include "kernels/launch/places.hpp"
#include "kernels/math/pack.hpp"

// Designs in a pack: as many as a vector register holds. The plainest translation is for the
// registers that every processor has.
#if !defined(GRADUS_LANES)
#define GRADUS_LANES 2
#endif

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

#if defined(GRADUS_LANES_ONLY)
#define GRADUS_PLAIN_LAUNCHER(NAME, BODY)
#else
#define GRADUS_PLAIN_LAUNCHER(NAME, BODY)                               \
  GRADUS_KERNELS_BEGIN                                                  \
  void launch_##NAME(const KernelArguments<double, false>& arguments) { \
    loop_over_designs<BODY<double, false>>(arguments);                  \
  }                                                                     \
  GRADUS_KERNELS_END
#endif

// Only the plainest translation serves devices that are imitated, and dual numbers.
#if defined(GRADUS_TRANSLATION)
#define GRADUS_OTHER_LAUNCHERS(NAME, BODY)
#else
#define GRADUS_OTHER_LAUNCHERS(NAME, BODY)                                  \
  GRADUS_KERNELS_BEGIN                                                      \
  void launch_##NAME(const KernelArguments<double, true>& arguments) {      \
    loop_over_places<BODY<double, true>>(arguments);                        \
  }                                                                         \
  void launch_##NAME(const KernelArguments<DualNumber, false>& arguments) { \
    loop_over_designs<BODY<DualNumber, false>>(arguments);                  \
  }                                                                         \
  GRADUS_KERNELS_END
#endif

// A kernel for every kind of chunk the host runs.
#define GRADUS_HOST_KERNEL(NAME, BODY)                                           \
  GRADUS_HOST_KERNEL_ALONE(NAME, BODY)                                           \
  GRADUS_KERNELS_BEGIN                                                           \
  void launch_lanes_##NAME(const KernelArguments<double, false>& arguments) {    \
    loop_over_designs<BODY<Pack<GRADUS_LANES>, false>>(arguments, GRADUS_LANES); \
  }                                                                              \
  GRADUS_KERNELS_END

// A kernel whose designs never travel in lanes.
#define GRADUS_HOST_KERNEL_ALONE(NAME, BODY) \
  GRADUS_PLAIN_LAUNCHER(NAME, BODY)          \
  GRADUS_OTHER_LAUNCHERS(NAME, BODY)
