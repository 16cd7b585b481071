// Finds the kernels of the host.
#include "src/backend/host_kernels.hpp"

#include "gradus/error.hpp"

namespace gradus {

kernels::Launch host_kernels() {
  static const kernels::Launch latest = kernels::launch_alone();
  if (latest == nullptr)
    throw BackendError(
        "cpu: this gradus was built for newer processors (its kernels use vector registers that "
        "this one lacks); build it here, or with GRADUS_VECTOR_LEVELS=all");
  return latest;
}

std::string checks_obstacle() {
  const std::string& obstacle = Module<ChecksModule>::obstacle();
  if (obstacle.empty()) return "";
  return "the kernels for dual numbers and the backend debug cannot be had (" + obstacle +
         "), build the target gradus_checks";
}

const kernels::CheckKernels& check_kernels() {
  if (const std::string obstacle = checks_obstacle(); !obstacle.empty())
    throw BackendError(obstacle);
  return Module<ChecksModule>::functions();
}

}  // namespace gradus
