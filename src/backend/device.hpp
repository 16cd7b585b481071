// A device as the engine sees it: memory of its own, transfers, and kernels that run on whole
// chunks. The CUDA backend is one; the debug backend is another, with host memory that it locks
// away from the host.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gradus/error.hpp"
#include "kernels/launch/kernel_id.hpp"
#include "src/backend/linear.hpp"

namespace gradus {

using DeviceArguments = kernels::KernelArguments<double, true>;

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  virtual std::size_t free_memory() const = 0;  // bytes that chunks may take

  virtual void* allocate(std::size_t bytes) = 0;  // throws BackendError
  virtual void release(void* memory) noexcept = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;

  // Runs a kernel over all designs of the chunk, after everything asked for before.
  virtual void launch(kernels::KernelId kernel, const DeviceArguments& arguments) = 0;
  virtual void synchronise() = 0;

  // Batches of linear systems: gradus' own kernels, and solvers made of libraries. Both throw
  // BackendError where the device has none.
  virtual void solve_systems(const kernels::LinearArguments&) {
    throw BackendError(name() + ": has no kernels for batches of linear systems");
  }
  virtual std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind, const LinearBatch&) {
    throw BackendError(name() + ": the solver " + solver_name(kind) + " does not run there");
  }
};

// Memory on a device, released with its owner.
class DeviceBuffer {
 public:
  DeviceBuffer(Device& device, std::size_t bytes)
      : device_(&device), memory_(device.allocate(bytes)), bytes_(bytes) {}
  ~DeviceBuffer() {
    if (memory_ != nullptr) device_->release(memory_);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(other.device_), memory_(other.memory_), bytes_(other.bytes_) {
    other.memory_ = nullptr;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  void* data() const { return memory_; }
  std::size_t size() const { return bytes_; }

 private:
  Device* device_;
  void* memory_;
  std::size_t bytes_;
};

// Devices by kind. They throw BackendError with the reason if they cannot run here. The host as a
// device is plain memory, and the calling thread does the work.
std::unique_ptr<Device> make_host_device();
std::unique_ptr<Device> make_debug_device();
std::unique_ptr<Device> make_cuda_device(int index);

// Why CUDA cannot run here; empty if it can.
std::string cuda_obstacle(int index);

}  // namespace gradus
