// The door between the program and the CUDA backend, which is loaded at run time.
#pragma once

#include <string>

#include "src/backend/device.hpp"

namespace gradus {

// Raised whenever Device, KernelArguments or anything they hold changes its shape.
inline constexpr int kCudaInterfaceVersion = 1;
inline constexpr const char* kCudaVersionName = "gradus_cuda_interface_version";
inline constexpr const char* kCudaCreateName = "gradus_create_cuda_device";

using CudaBackendVersion = int (*)();
// Null and a reason if the device cannot be used.
using CreateCudaDevice = Device* (*)(int index, std::string& error);

}  // namespace gradus
