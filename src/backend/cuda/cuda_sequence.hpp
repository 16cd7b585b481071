// Launches as a CUDA graph.
#pragma once

#include "src/backend/cuda/cuda_device.hpp"

namespace gradus {

class CudaSequence : public Sequence {
 public:
  // Throws BackendError; the stream of the device then goes on as before.
  CudaSequence(CudaDevice& device, const std::vector<DeviceLaunch>& launches);

  void replay(std::size_t times) override;

 private:
  CudaDevice& device_;
  RunnableGraph graph_;
};

}  // namespace gradus
