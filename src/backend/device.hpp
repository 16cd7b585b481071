// A device as the engine sees it: memory of its own, transfers, and kernels that run on whole
// chunks. The CUDA backend is one; the debug backend is another, with host memory that it locks
// away from the host.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/launch/kernel_table.hpp"
#include "src/backend/linear.hpp"
#include "src/backend/step_kernel.hpp"

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

// To the device or back, waiting for the end; back into memory of allocate_pinned() without
// waiting; within the device.
enum class Transfer { upload, download, download_later, copy };

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  virtual std::size_t free_memory() const = 0;  // bytes that chunks may take

  virtual void* allocate(std::size_t bytes) = 0;  // throws BackendError
  virtual void release(void* memory) noexcept = 0;
  // Memory of the host that the device writes by itself.
  virtual void* allocate_pinned(std::size_t bytes) { return allocate(bytes); }
  virtual void release_pinned(void* memory) noexcept { release(memory); }

  // After everything asked for before. What comes later has arrived when wait(mark) returns that
  // was marked after it; there are two marks, 0 and 1.
  virtual void move(Transfer transfer, void* to, const void* from, const Pieces& pieces) = 0;
  void upload(void* to, const void* from, const Pieces& pieces) {
    move(Transfer::upload, to, from, pieces);
  }
  void download(void* to, const void* from, const Pieces& pieces) {
    move(Transfer::download, to, from, pieces);
  }
  virtual void mark(int) {}
  virtual void wait(int) {}
  virtual void clear(void* memory, const Pieces& pieces) = 0;  // to zeros

  // Runs a kernel over all designs of the chunk, after everything asked for before.
  virtual void launch(kernels::KernelId kernel, const DeviceArguments& arguments) = 0;
  // Runs nothing yet. Here launches are made one by one.
  virtual std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> launches);
  virtual void synchronise() {}

  // What steps of one mechanism are to be compiled for: "host" where the host takes them on the
  // memory of the device, an architecture ("sm_90") for GPUs; empty where there are none.
  virtual std::string step_target() const { return {}; }
  // The device outlives it. Throws BackendError.
  virtual std::unique_ptr<StepKernel> load_steps(const StepCode&) {
    throw BackendError(name() + ": has no kernels made for one mechanism");
  }

  // Batches of linear systems: gradus' own kernels, and solvers made of libraries. Both throw
  // BackendError where the device has none.
  virtual void solve_systems(const kernels::LinearArguments&) {
    throw BackendError(name() + ": has no kernels for batches of linear systems");
  }
  virtual std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind, const LinearBatch&) {
    throw BackendError(name() + ": the solver " + solver_name(kind) + " does not run there");
  }
};

class ListedSequence : public Sequence {
 public:
  ListedSequence(Device& device, std::vector<DeviceLaunch> launches)
      : device_(device), launches_(std::move(launches)) {}
  void replay(std::size_t times) override {
    for (std::size_t k = 0; k < times; ++k)
      for (const DeviceLaunch& launch : launches_) device_.launch(launch.kernel, launch.arguments);
  }

 private:
  Device& device_;
  std::vector<DeviceLaunch> launches_;
};

inline std::unique_ptr<Sequence> Device::make_sequence(std::vector<DeviceLaunch> launches) {
  return std::make_unique<ListedSequence>(*this, std::move(launches));
}

// Memory, released with its owner; none where nothing is asked for.
template <void* (Device::*kAllocate)(std::size_t), void (Device::*kRelease)(void*) noexcept>
class DeviceMemory {
 public:
  DeviceMemory(Device& device, std::size_t bytes)
      : memory_(bytes > 0 ? (device.*kAllocate)(bytes) : nullptr, {&device}), bytes_(bytes) {}

  void* data() const { return memory_.get(); }
  std::size_t size() const { return bytes_; }

 private:
  struct Release {
    Device* device;
    void operator()(void* memory) const { (device->*kRelease)(memory); }
  };
  std::unique_ptr<void, Release> memory_;
  std::size_t bytes_;
};
using DeviceBuffer = DeviceMemory<&Device::allocate, &Device::release>;
using PinnedBuffer = DeviceMemory<&Device::allocate_pinned, &Device::release_pinned>;

// Devices by kind. They throw BackendError with the reason if they cannot run here. The host as a
// device is plain memory, and the calling thread does the work.
std::unique_ptr<Device> make_host_device();
std::unique_ptr<Device> make_debug_device();
std::unique_ptr<Device> make_cuda_device(int index);

// Why CUDA cannot run here; empty if it can.
std::string cuda_obstacle(int index);

}  // namespace gradus
