// The kernels that the host runs, or the reason why it cannot.
#pragma once

#include <string>

#include "kernels/launch/host.hpp"
#include "src/modules/module.hpp"

namespace gradus {

// Those of designs alone, as translated for this processor. Throws BackendError if this gradus was
// built for newer ones only.
kernels::Launch host_kernels();

// Why those that only checks ask for cannot be had; empty if they can.
std::string checks_obstacle();

// Those for interleaved designs and for dual numbers, which only checks ask for: a module,
// opened by the first call. Throws BackendError with the reason if it cannot be had.
const kernels::CheckKernels& check_kernels();

struct ChecksModule : kernels::CheckKernels {
  static constexpr const char* file = "libgradus_checks.so";
  // The first number is raised whenever the meaning of what kernels are handed changes; most
  // changes show by its size.
  static constexpr int interface = 3 * 100'000 + static_cast<int>(sizeof(kernels::LaunchArguments));
};

}  // namespace gradus
