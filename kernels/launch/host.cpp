// Finds the launchers of a kernel by its name, in one translation.
#include "kernels/launch/host.hpp"

GRADUS_KERNELS_BEGIN

#define GRADUS_DECLARE(NAME, RUNS, PLACES) HostLoops loops_of_##NAME() noexcept;
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)

// The loop of one kind. No run asks for kernels that do not have it.
template <HostLoop HostLoops::*kKind>
static void launch(KernelId kernel, const LaunchArguments& arguments) {
#define GRADUS_LOOPS(NAME, RUNS, PLACES) loops_of_##NAME().*kKind,
  static const HostLoop loops[] = {GRADUS_FOR_EACH_KERNEL(GRADUS_LOOPS)};
  const HostLoop loop = loops[static_cast<int>(kernel)];
  if (loop != nullptr) loop(arguments);
}

#if GRADUS_LAUNCHES_ALONE || GRADUS_LAUNCHES_PACKS
Translation translation() {
  return {GRADUS_TRANSLATION, GRADUS_LAUNCHES_ALONE ? launch<&HostLoops::alone> : nullptr,
          GRADUS_LANES, GRADUS_LAUNCHES_PACKS ? launch<&HostLoops::packs> : nullptr};
}
#else
CheckKernels check_kernels() {
  return {launch<&HostLoops::interleaved>, launch<&HostLoops::dual>};
}
#endif

GRADUS_KERNELS_END
