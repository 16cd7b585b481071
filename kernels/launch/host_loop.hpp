// The host launchers of kernels: loops over designs, over packs of designs, or over the places of a
// chunk whose designs are interleaved. Included by the sources that cmake/GradusKernels.cmake
// makes, one for each header of kernels, which are compiled several times:
// GRADUS_LAUNCHES_{ALONE,PACKS,INTERLEAVED,DUAL} say which launchers a translation has.
#pragma once

#include "kernels/launch/body.hpp"
#include "kernels/launch/host.hpp"
#include "kernels/math/pack.hpp"

#if !defined(GRADUS_LAUNCHES_ALONE)  // by no translation
#define GRADUS_LAUNCHES_ALONE 0
#define GRADUS_LAUNCHES_PACKS 0
#define GRADUS_LAUNCHES_INTERLEAVED 0
#define GRADUS_LAUNCHES_DUAL 0
#endif

GRADUS_KERNELS_BEGIN

template <bool kExists, class Body>
HostLoop host_loop() {
  if constexpr (!kExists)
    return nullptr;
  else
    return [](const LaunchArguments& arguments) {
      const Body body{arguments};
      const std::ptrdiff_t count = Body::count(arguments.chunk);
      for (std::ptrdiff_t place = 0; place < count; ++place) body(place);
    };
}

template <class Kernel, Runs kRuns, Places kPlaces>
HostLoops host_loops() {
  constexpr bool kAlone = GRADUS_LAUNCHES_ALONE && kRuns >= Runs::alone;
  constexpr bool kPacks = GRADUS_LAUNCHES_PACKS && kRuns >= Runs::real;
  constexpr bool kDual = GRADUS_LAUNCHES_DUAL && kRuns == Runs::all;
  return {host_loop<kAlone, Body<Kernel, kPlaces, double, false>>(),
          host_loop<kPacks, Body<Kernel, kPlaces, Pack<GRADUS_LANES>, false>>(),
          host_loop<GRADUS_LAUNCHES_INTERLEAVED, Body<Kernel, kPlaces, double, true>>(),
          host_loop<kDual, Body<Kernel, kPlaces, DualNumber, false>>()};
}

#define GRADUS_HOST_KERNEL(NAME, RUNS, PLACES)                      \
  GRADUS_KERNEL(NAME)                                               \
  HostLoops loops_of_##NAME() noexcept {                            \
    return host_loops<Kernel_##NAME, Runs::RUNS, Places::PLACES>(); \
  }

// The launchers of one header.
#define GRADUS_KERNELS_OF(HEADER) \
  GRADUS_KERNELS_BEGIN            \
  GRADUS_KERNELS_OF_##HEADER(GRADUS_HOST_KERNEL) GRADUS_KERNELS_END

GRADUS_KERNELS_END
