// The door of the CUDA backend. No exception passes it.
#include "src/backend/cuda/entry.hpp"

#include <exception>

#include "src/backend/cuda/cuda_device.hpp"

extern "C" int gradus_cuda_interface_version() {
  return gradus::kCudaInterfaceVersion;
}

extern "C" gradus::Device* gradus_create_cuda_device(int index, std::string& error) try {
  error = gradus::find_obstacle(index);
  return error.empty() ? new gradus::CudaDevice(index) : nullptr;
} catch (const std::exception& failure) {
  error = failure.what();
  return nullptr;
}
