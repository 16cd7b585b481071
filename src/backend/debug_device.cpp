// The debug device: the device's way of working on host memory. Its memory is locked while no
// kernel or transfer runs, so the host cannot touch it by mistake, and starts out poisoned, so a
// missing transfer shows as NaN.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
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

  void upload(void* to, const void* from, const Pieces& pieces) override { copy(to, from, pieces); }
  void download(void* to, const void* from, const Pieces& pieces) override {
    copy(to, from, pieces);
  }
  // What is under way arrives at the latest possible moment.
  void download_later(void* to, const void* from, const Pieces& pieces) override {
    const Unlocked open(*this);
    for_each_piece(to, from, pieces, [&](char* end, const char* begin) {
      under_way_.push_back({end, {begin, begin + pieces.bytes}});
    });
  }
  void mark(int number) override { marked_[number] = under_way_.size(); }
  void wait(int number) override {
    const std::size_t count = marked_[number];
    for (std::size_t k = 0; k < count; ++k, under_way_.pop_front())
      std::memcpy(under_way_.front().to, under_way_.front().bytes.data(),
                  under_way_.front().bytes.size());
    for (std::size_t& marked : marked_) marked -= std::min(marked, count);
  }
  void* allocate_pinned(std::size_t bytes) override {
    auto& memory = pinned_.emplace_back(bytes / sizeof(kPoison) + 1, kPoison);
    return memory.data();
  }
  void release_pinned(void* memory) noexcept override {
    pinned_.remove_if([&](const auto& other) { return other.data() == memory; });
  }
  void copy(void* to, const void* from, const Pieces& pieces) override {
    if (pieces.is_empty()) return;
    const Unlocked open(*this);
    for_each_piece(to, from, pieces,
                   [&](char* end, const char* begin) { std::memmove(end, begin, pieces.bytes); });
  }
  void clear(void* memory, const Pieces& pieces) override {
    const Unlocked open(*this);
    for_each_piece(memory, memory, pieces,
                   [&](char* end, const char*) { std::memset(end, 0, pieces.bytes); });
  }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    const Unlocked open(*this);
    if (leaves_motion_alone(kernel, arguments)) protect_motion(arguments);
    check_kernels().interleaved(kernel, arguments);
  }
  std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> launches) override {
    return std::make_unique<ListedSequence>(*this, std::move(launches));
  }
  void synchronise() override {}
  void solve_systems(const kernels::LinearArguments& arguments) override {
    const Unlocked open(*this);
    kernels::run_systems_on_host(arguments);
  }

 private:
  // Slices of columns run side by side: none may write what all of them read.
  static bool leaves_motion_alone(kernels::KernelId kernel, const DeviceArguments& arguments) {
    using kernels::KernelId;
    if (kernel == KernelId::accumulate_gradients)  // not where one slice has all columns
      return arguments.chunk.plan.least_squares_count == 0 &&
             arguments.chunk.plan.uses_reactions == 0;
    return kernel == KernelId::solve_columns || kernel == KernelId::start_columns ||
           kernel == KernelId::linearise_columns || kernel == KernelId::prepare_columns ||
           kernel == KernelId::finish_columns;
  }
  void protect_motion(const DeviceArguments& arguments) const {
    const auto found = pages_.find(arguments.chunk.memory);
    if (found != pages_.end()) mprotect(found->first, found->second, PROT_READ);
  }

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

  struct UnderWay {
    void* to;
    std::vector<char> bytes;
  };

  std::map<void*, std::size_t> pages_;
  std::list<std::vector<std::uint64_t>> pinned_;
  std::deque<UnderWay> under_way_;
  std::size_t marked_[2] = {0, 0};  // how many of these were asked for before
};

}  // namespace

std::unique_ptr<Device> make_debug_device() {
  return std::make_unique<DebugDevice>();
}

}  // namespace gradus
