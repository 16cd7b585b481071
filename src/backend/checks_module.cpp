// The module of kernels that only checks ask for.
#include "src/backend/host_kernels.hpp"

GRADUS_KERNELS_BEGIN
CheckKernels check_kernels();
GRADUS_KERNELS_END

extern "C" gradus::ModuleEntry gradus_module() {
  static const gradus::ChecksModule functions{gradus::kernels::check_kernels()};
  return {GRADUS_VERSION, gradus::ChecksModule::interface, &functions};
}
