// The door between the program and the CUDA backend, a module.
#pragma once

#include <string>

#include "src/backend/device.hpp"
#include "src/modules/module.hpp"

namespace gradus {

struct CudaModule {
  static constexpr const char* file = "libgradus_cuda.so";
  // The first number is raised whenever Device or the meaning of anything it is handed changes;
  // most changes of KernelArguments show by its size.
  static constexpr int interface = 7 * 100'000 + static_cast<int>(sizeof(DeviceArguments));

  // Null and a reason if the device cannot be used.
  Device* (*create)(int index, std::string& error);
};

}  // namespace gradus
