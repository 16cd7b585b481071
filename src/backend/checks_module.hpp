// What the module of kernels that only checks ask for holds.
#pragma once

#include "kernels/launch/host.hpp"
#include "src/modules/module.hpp"

namespace gradus {

struct ChecksModule : kernels::CheckKernels {
  static constexpr const char* file = "libgradus_checks.so";
  // The first number is raised whenever the meaning of what kernels are handed changes; most
  // changes show by its size.
  static constexpr int interface = 3 * 100'000 + static_cast<int>(sizeof(kernels::LaunchArguments));
};

}  // namespace gradus
