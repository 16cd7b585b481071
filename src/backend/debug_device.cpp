// The debug device: the device's way of working on host memory. Its memory is locked while no
// kernel or transfer runs, so the host cannot touch it by mistake, and starts out poisoned, so a
// missing transfer shows as NaN.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>

#include "gradus/error.hpp"
#include "kernels/launch/host.hpp"
#include "kernels/linear/launch.hpp"
#include "src/backend/device.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t kPoison = 0x7ff4dead7ff4dead;  // a signalling NaN

class DebugDevice : public Device {
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
    if (memory == MAP_FAILED)
      throw BackendError("debug: cannot allocate " + std::to_string(bytes) + " bytes");
    auto* words = static_cast<std::uint64_t*>(memory);
    for (std::size_t k = 0; k < rounded / sizeof(kPoison); ++k) words[k] = kPoison;
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

  void upload(void* to, const void* from, std::size_t bytes) override {
    const Unlocked open(*this);
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    const Unlocked open(*this);
    std::memcpy(to, from, bytes);
  }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    const Unlocked open(*this);
    kernels::launch_on_host(kernel, arguments);
  }
  void synchronise() override {}
  void solve_systems(const kernels::LinearArguments& arguments) override {
    const Unlocked open(*this);
    kernels::run_systems_on_host(arguments);
  }

 private:
  // The device owns its memory while one of these lives.
  struct Unlocked {
    explicit Unlocked(const DebugDevice& device) : device_(device) { set(PROT_READ | PROT_WRITE); }
    ~Unlocked() { set(PROT_NONE); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    void set(int protection) const {
      for (const auto& [memory, bytes] : device_.pages_) mprotect(memory, bytes, protection);
    }
    const DebugDevice& device_;
  };

  std::map<void*, std::size_t> pages_;
};

}  // namespace

std::unique_ptr<Device> make_debug_device() {
  return std::make_unique<DebugDevice>();
}

}  // namespace gradus
