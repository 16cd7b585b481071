// The host as a device: plain memory, kernels on the calling thread, solvers of Eigen.
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/launch/host.hpp"
#include "kernels/linear/launch.hpp"
#include "src/backend/device.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/backend/listed_sequence.hpp"

namespace gradus {
namespace {

constexpr std::align_val_t kBlockAlignment{64};

class HostDevice : public Device {
 public:
  std::string name() const override { return "cpu"; }

  std::size_t free_memory() const override {
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }

  void* allocate(std::size_t bytes) override {
    void* memory = ::operator new(bytes, kBlockAlignment, std::nothrow);
    if (memory == nullptr)
      throw BackendError("cpu: cannot allocate " + std::to_string(bytes) + " bytes");
    return memory;
  }
  void release(void* memory) noexcept override { ::operator delete(memory, kBlockAlignment); }
  void upload(void* to, const void* from, const Pieces& pieces) override {
    if (pieces.is_empty()) return;
    for_each_piece(to, from, pieces,
                   [&](char* end, const char* begin) { std::memcpy(end, begin, pieces.bytes); });
  }
  void download(void* to, const void* from, const Pieces& pieces) override {
    upload(to, from, pieces);
  }
  void download_later(void* to, const void* from, const Pieces& pieces) override {
    upload(to, from, pieces);
  }
  void mark(int) override {}
  void wait(int) override {}
  void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(void* memory) noexcept override { release(memory); }
  void copy(void* to, const void* from, const Pieces& pieces) override { upload(to, from, pieces); }
  void clear(void* memory, const Pieces& pieces) override {
    for_each_piece(memory, memory, pieces,
                   [&](char* end, const char*) { std::memset(end, 0, pieces.bytes); });
  }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    check_kernels().interleaved(kernel, arguments);
  }
  std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> launches) override {
    return std::make_unique<ListedSequence>(*this, std::move(launches));
  }
  void synchronise() override {}

  void solve_systems(const kernels::LinearArguments& arguments) override {
    kernels::run_systems_on_host(arguments);
  }
  std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind,
                                                     const LinearBatch& batch) override {
    if (kind == SolverKind::eigen) return make_eigen_solver(batch);
    return Device::make_library_solver(kind, batch);
  }
};

}  // namespace

std::unique_ptr<Device> make_host_device() {
  return std::make_unique<HostDevice>();
}

}  // namespace gradus
