// The host launcher of a kernel body: a loop over designs. Included by the X.cpp of each kernel
// only.
#pragma once

#include "kernels/launch/host.hpp"

namespace gradus::kernels {

template <class Body, class Arguments>
void loop_over_designs(const Arguments& arguments) {
  const Body body{arguments};
  for (std::ptrdiff_t design = 0; design < arguments.chunk.design_count; ++design) body(design);
}

}  // namespace gradus::kernels

// Defines launch_NAME for every kind of chunk the host runs.
#define GRADUS_HOST_KERNEL(NAME, BODY)                                      \
  namespace gradus::kernels {                                               \
  void launch_##NAME(const KernelArguments<double, false>& arguments) {     \
    loop_over_designs<BODY<double, false>>(arguments);                      \
  }                                                                         \
  void launch_##NAME(const KernelArguments<double, true>& arguments) {      \
    loop_over_designs<BODY<double, true>>(arguments);                       \
  }                                                                         \
  void launch_##NAME(const KernelArguments<DualNumber, false>& arguments) { \
    loop_over_designs<BODY<DualNumber, false>>(arguments);                  \
  }                                                                         \
  }
