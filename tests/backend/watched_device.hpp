// A device, the debug device if no other is given, that can be watched and led astray: it counts
// its memory, may drop one transfer, and may have little room.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "src/backend/device.hpp"
#include "src/motion/design_run.hpp"
#include "src/motion/device_run.hpp"
#include "tests/backend/five_bar.hpp"

namespace gradus::test {

class WatchedDevice : public Device {
 public:
  static constexpr int kNone = -1;

  explicit WatchedDevice(std::unique_ptr<Device> device = make_debug_device())
      : device_(std::move(device)) {}

  int dropped_upload = kNone;  // number of the upload that does not happen
  std::size_t room = 0;        // what free_memory() says, 0: what the device says

  int uploads = 0;
  int launches = 0;
  // Launched between the times that somebody waited for the device.
  std::vector<std::vector<kernels::KernelId>> between_waits{1};
  int replays = 0;
  int downloads = 0;
  int downloads_later = 0;
  std::size_t bytes = 0;   // allocated now
  std::size_t peak = 0;    // and at most
  std::size_t pinned = 0;  // of the host, in all
  std::map<void*, std::size_t> buffers;

  std::string name() const override { return "watched"; }
  std::size_t free_memory() const override { return room > 0 ? room : device_->free_memory(); }
  void* allocate(std::size_t size) override {
    void* memory = device_->allocate(size);
    buffers[memory] = size;
    bytes += size;
    peak = std::max(peak, bytes);
    return memory;
  }
  void release(void* memory) noexcept override {
    bytes -= buffers[memory];
    buffers.erase(memory);
    device_->release(memory);
  }
  void move(Transfer transfer, void* to, const void* from, const Pieces& pieces) override {
    if (transfer == Transfer::upload && uploads++ == dropped_upload) return;
    downloads += transfer == Transfer::download ? 1 : 0;
    downloads_later += transfer == Transfer::download_later ? 1 : 0;
    device_->move(transfer, to, from, pieces);
  }
  void mark(int number) override { device_->mark(number); }
  void wait(int number) override { device_->wait(number); }
  void* allocate_pinned(std::size_t size) override {
    pinned += size;
    return device_->allocate_pinned(size);
  }
  void release_pinned(void* memory) noexcept override { device_->release_pinned(memory); }
  void clear(void* memory, const Pieces& pieces) override { device_->clear(memory, pieces); }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    ++launches;
    between_waits.back().push_back(kernel);
    device_->launch(kernel, arguments);
  }
  std::unique_ptr<Sequence> make_sequence(std::vector<DeviceLaunch> list) override {
    return std::make_unique<Counted>(replays, device_->make_sequence(std::move(list)));
  }
  void synchronise() override {
    between_waits.emplace_back();
    device_->synchronise();
  }
  void solve_systems(const kernels::LinearArguments& arguments) override {
    device_->solve_systems(arguments);
  }

 private:
  struct Counted : Sequence {
    Counted(int& replays, std::unique_ptr<Sequence> sequence)
        : count(replays), inner(std::move(sequence)) {}
    void replay(std::size_t times) override {
      count += static_cast<int>(times);
      inner->replay(times);
    }
    int& count;
    std::unique_ptr<Sequence> inner;
  };

  std::unique_ptr<Device> device_;
};

// Runs the five-bar mechanism on a device.
inline MotionOutcome run_on(Device& device, const Options& options, bool with_columns = true) {
  const DesignRun session(five_bar(), options);
  MotionRequest request = session.request();
  request.sensitivity = with_columns ? Sensitivity::direct : Sensitivity::none;
  return run_on_device(request, device);
}

}  // namespace gradus::test
