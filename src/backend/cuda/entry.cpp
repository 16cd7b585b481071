// The door of the CUDA backend. No exception passes it.
#include "src/backend/cuda/entry.hpp"

#include <exception>

#include "src/backend/cuda/cuda_device.hpp"

namespace gradus {
namespace {

Device* create(int index, std::string& error) try {
  error = find_obstacle(index);
  return error.empty() ? new CudaDevice(index) : nullptr;
} catch (const std::exception& failure) {
  error = failure.what();
  return nullptr;
}

constexpr CudaModule functions{create};

}  // namespace
}  // namespace gradus

extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::CudaModule::interface, &gradus::functions};
}
