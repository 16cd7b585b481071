// The door of the library of kernels that only checks ask for.
#include "kernels/launch/checks.hpp"

GRADUS_KERNELS_BEGIN
CheckKernels check_kernels();
GRADUS_KERNELS_END

extern "C" int gradus_checks_interface_version() {
  return gradus::kernels::kChecksInterfaceVersion;
}

extern "C" void gradus_find_check_kernels(gradus::kernels::CheckKernels* found) {
  *found = gradus::kernels::check_kernels();
}
