// A GPU as a device: memory, transfers and kernels on one stream.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "src/backend/cuda/runtime.hpp"
#include "src/backend/device.hpp"

namespace gradus {

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index);  // one that can be used
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string name() const override {
    return where() + " (" + gpu_ + ")";
  }  // "cuda:0 (NVIDIA H100)"
  std::size_t free_memory() const override;

  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void release_pinned(void* memory) noexcept override;
  void move(Transfer transfer, void* to, const void* from, const Pieces& pieces) override;
  void mark(int number) override;
  void wait(int number) override;
  void clear(void* memory, const Pieces& pieces) override;
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override;
  std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> launches) override;
  void synchronise() override;
  std::string step_target() const override { return architecture_; }
  std::unique_ptr<StepKernel> load_steps(const StepCode& code) override;
  void solve_systems(const kernels::LinearArguments& arguments) override;
  std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind,
                                                     const LinearBatch& batch) override;

  std::string where() const { return "cuda:" + std::to_string(index_); }
  cudaStream_t stream() const { return stream_.get(); }
  // Makes this GPU the calling thread's own: the CUDA runtime keeps one for each thread.
  void select() const { check(cudaSetDevice(index_), "cudaSetDevice"); }
  // Throws BackendError unless the call succeeded.
  void check(cudaError_t error, const char* call = "cudaLaunchKernelEx") const {
    check_call(error, call, where());
  }

 private:
  int index_;
  std::string gpu_, architecture_;
  Stream stream_;
  Event marks_[2];
};

}  // namespace gradus
