// The door between the program and the CUDA backend, which is loaded at run time.
#pragma once

#include <string>

#include "src/backend/device.hpp"

namespace gradus {

// Raised whenever Device or the meaning of anything it is handed changes; most changes of
// KernelArguments show by its size.
inline constexpr int kCudaInterfaceVersion =
    3 * 100'000 + static_cast<int>(sizeof(DeviceArguments));
inline constexpr const char* kCudaVersionName = "gradus_cuda_interface_version";
inline constexpr const char* kCudaCreateName = "gradus_create_cuda_device";

using CudaBackendVersion = int (*)();
// Null and a reason if the device cannot be used.
using CreateCudaDevice = Device* (*)(int index, std::string& error);

}  // namespace gradus
