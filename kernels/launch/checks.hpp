// What the program asks of the library of kernels that only checks ask for.
#pragma once

#include "kernels/launch/host.hpp"

namespace gradus::kernels {

// Raised whenever the meaning of what kernels are handed changes; most changes show by its size.
inline constexpr int kChecksInterfaceVersion =
    1 * 100'000 + static_cast<int>(sizeof(LaunchArguments));
inline constexpr const char* kChecksVersionName = "gradus_checks_interface_version";
inline constexpr const char* kChecksFindName = "gradus_find_check_kernels";

using ChecksVersion = int (*)();
using FindCheckKernels = void (*)(CheckKernels* found);

}  // namespace gradus::kernels
