// A device as the engine sees it: memory of its own, transfers, and kernels that run on whole
// chunks. The CUDA backend is one; the debug backend is another, with host memory that it locks
// away from the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/launch/kernel_table.hpp"
#include "src/backend/linear.hpp"

namespace gradus {

using DeviceArguments = kernels::KernelArguments<double, true>;

// What a transfer moves: pieces of one size, evenly apart at either end. A number of bytes is one.
struct Pieces {
  Pieces(std::size_t size) : bytes(size) {}  // NOLINT: that is how most transfers are asked for
  Pieces(std::size_t size, std::size_t pieces, std::size_t to, std::size_t from)
      : bytes(size), count(pieces), to_pitch(to), from_pitch(from) {}

  bool is_empty() const { return bytes == 0 || count == 0; }

  std::size_t bytes;  // of a piece
  std::size_t count = 1;
  std::size_t to_pitch = 0;  // bytes from one piece to the next
  std::size_t from_pitch = 0;
};

// Calls action(to, from) for every piece.
template <class Action>
void for_each_piece(void* to, const void* from, const Pieces& pieces, const Action& action) {
  for (std::size_t k = 0; k < pieces.count; ++k)
    action(static_cast<char*>(to) + k * pieces.to_pitch,
           static_cast<const char*>(from) + k * pieces.from_pitch);
}

// A launch that is said before it is made.
struct DeviceLaunch {
  kernels::KernelId kernel;
  DeviceArguments arguments;
};

// Launches that are made again and again. Whoever wants them repeated owns them; the device
// outlives them.
class Sequence {
 public:
  virtual ~Sequence() = default;
  // So many times in order, after everything asked of the device before.
  virtual void replay(std::size_t times) = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  virtual std::size_t free_memory() const = 0;  // bytes that chunks may take

  virtual void* allocate(std::size_t bytes) = 0;  // throws BackendError
  virtual void release(void* memory) noexcept = 0;
  virtual void upload(void* to, const void* from, const Pieces& pieces) = 0;
  virtual void download(void* to, const void* from, const Pieces& pieces) = 0;
  // The same into memory of allocate_pinned(), without waiting: it has arrived when wait(mark)
  // returns that was marked after it. There are two marks, 0 and 1.
  virtual void download_later(void* to, const void* from, const Pieces& pieces) = 0;
  virtual void mark(int number) = 0;
  virtual void wait(int number) = 0;
  // Memory of the host that the device writes by itself.
  virtual void* allocate_pinned(std::size_t bytes) = 0;  // throws BackendError
  virtual void release_pinned(void* memory) noexcept = 0;
  // Within the device, after everything asked for before.
  virtual void copy(void* to, const void* from, const Pieces& pieces) = 0;
  virtual void clear(void* memory, const Pieces& pieces) = 0;  // to zeros

  // Runs a kernel over all designs of the chunk, after everything asked for before.
  virtual void launch(kernels::KernelId kernel, const DeviceArguments& arguments) = 0;
  // Runs nothing yet.
  virtual std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> launches) = 0;
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

// Memory of the host that a device writes, released with its owner.
class PinnedBuffer {
 public:
  PinnedBuffer(Device& device, std::size_t bytes)
      : device_(device), memory_(bytes > 0 ? device.allocate_pinned(bytes) : nullptr) {}
  ~PinnedBuffer() {
    if (memory_ != nullptr) device_.release_pinned(memory_);
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void* data() const { return memory_; }

 private:
  Device& device_;
  void* memory_;
};

// Devices by kind. They throw BackendError with the reason if they cannot run here. The host as a
// device is plain memory, and the calling thread does the work.
std::unique_ptr<Device> make_host_device();
std::unique_ptr<Device> make_debug_device();
std::unique_ptr<Device> make_cuda_device(int index);

// Why CUDA cannot run here; empty if it can.
std::string cuda_obstacle(int index);

}  // namespace gradus
