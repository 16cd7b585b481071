// Devices of the CUDA backend, a module that is opened when asked for.
#include "gradus/error.hpp"
#include "src/backend/cuda/entry.hpp"
#include "src/backend/device.hpp"

namespace gradus {
namespace {

std::unique_ptr<Device> create(int index, std::string& error) {
  if (const std::string& obstacle = Module<CudaModule>::obstacle(); !obstacle.empty()) {
    error = "the CUDA backend is not there (" + obstacle +
            "; configure with -DGRADUS_CUDA=ON and build the target gradus_cuda)";
    return nullptr;
  }
  return std::unique_ptr<Device>(Module<CudaModule>::functions().create(index, error));
}

}  // namespace

std::unique_ptr<Device> make_cuda_device(int index) {
  std::string error;
  std::unique_ptr<Device> device = create(index, error);
  if (!device) throw BackendError("cuda: " + error);
  return device;
}

std::string cuda_obstacle(int index) {
  std::string error;
  return create(index, error) ? "" : error;
}

}  // namespace gradus
