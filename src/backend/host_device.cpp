// Devices of the host. As `cpu` it is plain memory, kernels on the calling thread and solvers of
// Eigen. As `debug` it locks its memory while no kernel or transfer runs, so that the host cannot
// touch it by mistake, and memory starts out poisoned, so that a missing transfer shows as NaN.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/linear/launch.hpp"
#include "src/backend/device.hpp"
#include "src/backend/host_kernels.hpp"

namespace gradus {
namespace {

constexpr std::align_val_t kBlockAlignment{64};
constexpr std::uint64_t kPoison = 0x7ff4dead7ff4dead;  // a signalling NaN

class HostDevice : public Device {
 public:
  std::string name() const override { return "cpu"; }

  std::size_t free_memory() const override {
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }

  void* allocate(std::size_t bytes) override {
    void* memory = ::operator new(bytes, kBlockAlignment, std::nothrow);
    if (memory == nullptr) refuse(bytes);
    return memory;
  }
  void release(void* memory) noexcept override { ::operator delete(memory, kBlockAlignment); }
  void move(Transfer, void* to, const void* from, const Pieces& pieces) override {
    if (pieces.is_empty()) return;
    for_each_piece(to, from, pieces,
                   [&](char* end, const char* begin) { std::memmove(end, begin, pieces.bytes); });
  }
  void clear(void* memory, const Pieces& pieces) override {
    if (pieces.is_empty()) return;
    for_each_piece(memory, memory, pieces,
                   [&](char* end, const char*) { std::memset(end, 0, pieces.bytes); });
  }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    check_kernels().interleaved(kernel, arguments);
  }
  std::string step_target() const override { return "host"; }
  std::unique_ptr<StepKernel> load_steps(const StepCode& code) override {
    return std::make_unique<HostStepKernel>(*this, code);
  }
  // By a function that was made for one mechanism.
  virtual void take_steps(const StepCode& code, const StepBatch& batch) { code.function(batch); }
  void solve_systems(const kernels::LinearArguments& arguments) override {
    kernels::run_systems_on_host(arguments);
  }
  std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind,
                                                     const LinearBatch& batch) override {
    if (kind == SolverKind::eigen) return make_eigen_solver(batch);
    return Device::make_library_solver(kind, batch);
  }

 protected:
  [[noreturn]] void refuse(std::size_t bytes) const {
    throw BackendError(name() + ": cannot allocate " + std::to_string(bytes) + " bytes");
  }

 private:
  class HostStepKernel : public StepKernel {
   public:
    HostStepKernel(HostDevice& device, const StepCode& code) : device_(device), code_(code) {}
    void launch(const StepBatch& batch) override { device_.take_steps(code_, batch); }

   private:
    HostDevice& device_;
    StepCode code_;
  };
};

class DebugDevice : public HostDevice {
 public:
  ~DebugDevice() override {
    for (const auto& [memory, bytes] : pages_) munmap(memory, bytes);
  }

  std::string name() const override { return "debug"; }
  std::size_t free_memory() const override { return std::size_t{1} << 30; }

  void* allocate(std::size_t bytes) override {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t rounded = (bytes / page + 1) * page;
    void* memory =
        mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) refuse(bytes);
    std::fill_n(static_cast<std::uint64_t*>(memory), rounded / sizeof(kPoison), kPoison);
    mprotect(memory, rounded, PROT_NONE);
    pages_[memory] = rounded;
    return memory;
  }
  void release(void* memory) noexcept override {
    const auto found = pages_.find(memory);
    if (found == pages_.end()) return;
    munmap(memory, found->second);
    pages_.erase(found);
  }
  void* allocate_pinned(std::size_t bytes) override {
    return pinned_.emplace_back(bytes / sizeof(kPoison) + 1, kPoison).data();
  }
  void release_pinned(void* memory) noexcept override {
    pinned_.remove_if([&](const auto& other) { return other.data() == memory; });
  }

  // What is under way arrives at the latest possible moment.
  void move(Transfer transfer, void* to, const void* from, const Pieces& pieces) override {
    if (pieces.is_empty()) return;
    const Unlocked open(*this);
    if (transfer != Transfer::download_later) return HostDevice::move(transfer, to, from, pieces);
    for_each_piece(to, from, pieces, [&](char* end, const char* begin) {
      under_way_.emplace_back(end, std::vector<char>(begin, begin + pieces.bytes));
    });
  }
  void mark(int number) override { marked_[number] = under_way_.size(); }
  void wait(int number) override {
    const std::size_t count = marked_[number];
    for (std::size_t k = 0; k < count; ++k, under_way_.pop_front()) {
      const auto& [to, bytes] = under_way_.front();
      std::memcpy(to, bytes.data(), bytes.size());
    }
    for (std::size_t& marked : marked_) marked -= std::min(marked, count);
  }
  void clear(void* memory, const Pieces& pieces) override {
    const Unlocked open(*this);
    HostDevice::clear(memory, pieces);
  }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    const Unlocked open(*this);
    if (leaves_motion_alone(kernel, arguments)) protect_motion(arguments);
    HostDevice::launch(kernel, arguments);
  }
  void take_steps(const StepCode& code, const StepBatch& batch) override {
    const Unlocked open(*this);
    HostDevice::take_steps(code, batch);
  }
  void solve_systems(const kernels::LinearArguments& arguments) override {
    const Unlocked open(*this);
    HostDevice::solve_systems(arguments);
  }
  // Those of the host would read what is locked.
  std::unique_ptr<BatchedSolver> make_library_solver(SolverKind kind,
                                                     const LinearBatch& batch) override {
    return Device::make_library_solver(kind, batch);
  }

 private:
  // Slices of columns run side by side: none may write what all of them read.
  static bool leaves_motion_alone(kernels::KernelId kernel, const DeviceArguments& arguments) {
    using kernels::KernelId;
    // Not where one slice has all columns.
    const bool shares = arguments.chunk.plan.uses_reactions == 0;
    if (kernel == KernelId::accumulate_gradients)
      return shares && arguments.chunk.plan.least_squares_count == 0;
    if (kernel == KernelId::linearise_columns) return shares;
    return kernel == KernelId::solve_columns || kernel == KernelId::start_columns ||
           kernel == KernelId::rest_columns || kernel == KernelId::prepare_columns ||
           kernel == KernelId::finish_columns;
  }
  void protect_motion(const DeviceArguments& arguments) const {
    const auto found = pages_.find(arguments.chunk.memory);
    if (found != pages_.end()) mprotect(found->first, found->second, PROT_READ);
  }

  void protect(int protection) const {
    for (const auto& [memory, bytes] : pages_) mprotect(memory, bytes, protection);
  }
  // The device owns its memory while one of these lives.
  struct Unlocked {
    explicit Unlocked(const DebugDevice& owner) : device(owner) {
      device.protect(PROT_READ | PROT_WRITE);
    }
    ~Unlocked() { device.protect(PROT_NONE); }
    const DebugDevice& device;
  };

  std::map<void*, std::size_t> pages_;
  std::list<std::vector<std::uint64_t>> pinned_;
  std::deque<std::pair<void*, std::vector<char>>> under_way_;  // where to, and what
  std::size_t marked_[2] = {0, 0};  // how many of these were asked for before
};

}  // namespace

std::unique_ptr<Device> make_host_device() {
  return std::make_unique<HostDevice>();
}

std::unique_ptr<Device> make_debug_device() {
  return std::make_unique<DebugDevice>();
}

}  // namespace gradus
