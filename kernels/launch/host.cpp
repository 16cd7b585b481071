// Finds the host launcher of a kernel by its name, in one translation.
#include "kernels/launch/host.hpp"

GRADUS_KERNELS_BEGIN

#define GRADUS_DECLARE(NAME) void launch_lanes_##NAME(const KernelArguments<double, false>&);
GRADUS_FOR_EACH_LANE_KERNEL(GRADUS_DECLARE)
#undef GRADUS_DECLARE

namespace {

void launch_lanes(KernelId kernel, const KernelArguments<double, false>& arguments) {
  switch (kernel) {
#define GRADUS_CASE(NAME) \
  case KernelId::NAME:    \
    return launch_lanes_##NAME(arguments);
    GRADUS_FOR_EACH_LANE_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
    default:
      return;  // no run with lanes asks for the others
  }
}

}  // namespace

#if !defined(GRADUS_LANES_ONLY)
#define GRADUS_DECLARE(NAME) void launch_##NAME(const KernelArguments<double, false>&);
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)
#undef GRADUS_DECLARE
#if !defined(GRADUS_TRANSLATION)
#define GRADUS_DECLARE(NAME)                                \
  void launch_##NAME(const KernelArguments<double, true>&); \
  void launch_##NAME(const KernelArguments<DualNumber, false>&);
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)
#undef GRADUS_DECLARE
#endif

namespace {

template <class Arguments>
void launch(KernelId kernel, const Arguments& arguments) {
  switch (kernel) {
#define GRADUS_CASE(NAME) \
  case KernelId::NAME:    \
    return launch_##NAME(arguments);
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
  }
}

}  // namespace
#endif

#if defined(GRADUS_LANES_ONLY)
Translation translation() {
  return {GRADUS_TRANSLATION, GRADUS_LANES, nullptr, launch_lanes};
}
#elif defined(GRADUS_TRANSLATION)
Translation translation() {
  return {GRADUS_TRANSLATION, GRADUS_LANES, launch<KernelArguments<double, false> >, launch_lanes};
}
#else
Translation translation() {
  return {"plain", 2, launch<KernelArguments<double, false> >, launch_lanes};
}

void launch_on_host(KernelId kernel, const KernelArguments<double, false>& arguments) {
  launch(kernel, arguments);
}
void launch_on_host(KernelId kernel, const KernelArguments<double, true>& arguments) {
  launch(kernel, arguments);
}
void launch_on_host(KernelId kernel, const KernelArguments<DualNumber, false>& arguments) {
  launch(kernel, arguments);
}
#endif

GRADUS_KERNELS_END
