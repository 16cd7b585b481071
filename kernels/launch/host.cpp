// Finds the launchers of a kernel by its name, in one translation.
#include "kernels/launch/host.hpp"

// What goes for a kernel that runs as the table says: apply(prefix of its launcher, name), or
// nothing.
#define GRADUS_ALONE_all(apply, NAME) apply(launch_, NAME)
#define GRADUS_ALONE_real(apply, NAME) apply(launch_, NAME)
#define GRADUS_ALONE_alone(apply, NAME) apply(launch_, NAME)
#define GRADUS_ALONE_slices(apply, NAME)
#define GRADUS_PACKS_all(apply, NAME) apply(launch_packs_, NAME)
#define GRADUS_PACKS_real(apply, NAME) apply(launch_packs_, NAME)
#define GRADUS_PACKS_alone(apply, NAME)
#define GRADUS_PACKS_slices(apply, NAME)
#define GRADUS_DUAL_all(apply, NAME) apply(launch_dual_, NAME)
#define GRADUS_DUAL_real(apply, NAME)
#define GRADUS_DUAL_alone(apply, NAME)
#define GRADUS_DUAL_slices(apply, NAME)

#define GRADUS_DECLARE(PREFIX, NAME) void PREFIX##NAME(const LaunchArguments&);
#define GRADUS_CASE(PREFIX, NAME) \
  case KernelId::NAME:            \
    return PREFIX##NAME(arguments);

GRADUS_KERNELS_BEGIN

#if GRADUS_LAUNCHES_ALONE
#define GRADUS_DECLARE_ALONE(NAME, BODY, RUNS) GRADUS_ALONE_##RUNS(GRADUS_DECLARE, NAME)
#define GRADUS_CASE_ALONE(NAME, BODY, RUNS) GRADUS_ALONE_##RUNS(GRADUS_CASE, NAME)
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE_ALONE)
static void alone(KernelId kernel, const LaunchArguments& arguments) {
  switch (kernel) {
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE_ALONE)
    default:
      return;  // no run on the host asks for the others
  }
}
#else
[[maybe_unused]] static constexpr Launch alone = nullptr;
#endif

#if GRADUS_LAUNCHES_PACKS
#define GRADUS_DECLARE_PACKS(NAME, BODY, RUNS) GRADUS_PACKS_##RUNS(GRADUS_DECLARE, NAME)
#define GRADUS_CASE_PACKS(NAME, BODY, RUNS) GRADUS_PACKS_##RUNS(GRADUS_CASE, NAME)
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE_PACKS)
static void packs(KernelId kernel, const LaunchArguments& arguments) {
  switch (kernel) {
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE_PACKS)
    default:
      return;  // no run of packs asks for the others
  }
}
#else
[[maybe_unused]] static constexpr Launch packs = nullptr;
#endif

#if GRADUS_LAUNCHES_ALONE || GRADUS_LAUNCHES_PACKS
Translation translation() {
  return {GRADUS_TRANSLATION, alone, GRADUS_LANES, packs};
}
#endif

#if GRADUS_LAUNCHES_INTERLEAVED
#define GRADUS_DECLARE_INTERLEAVED(NAME, BODY, RUNS) GRADUS_DECLARE(launch_interleaved_, NAME)
#define GRADUS_CASE_INTERLEAVED(NAME, BODY, RUNS) GRADUS_CASE(launch_interleaved_, NAME)
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE_INTERLEAVED)
static void interleaved(KernelId kernel, const LaunchArguments& arguments) {
  switch (kernel) { GRADUS_FOR_EACH_KERNEL(GRADUS_CASE_INTERLEAVED) }
}

#define GRADUS_DECLARE_DUAL(NAME, BODY, RUNS) GRADUS_DUAL_##RUNS(GRADUS_DECLARE, NAME)
#define GRADUS_CASE_DUAL(NAME, BODY, RUNS) GRADUS_DUAL_##RUNS(GRADUS_CASE, NAME)
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE_DUAL)
static void dual(KernelId kernel, const LaunchArguments& arguments) {
  switch (kernel) {
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE_DUAL)
    default:
      return;  // no run of dual numbers asks for the others
  }
}

CheckKernels check_kernels() {
  return {interleaved, dual};
}
#endif

GRADUS_KERNELS_END
