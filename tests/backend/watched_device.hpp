// A debug device that can be watched and led astray: it counts its memory, may drop one transfer, and may have little
// room.
#pragma once

#include <algorithm>
#include <map>

#include "src/backend/device.hpp"
#include "src/motion/device_run.hpp"
#include "src/motion/session.hpp"
#include "tests/backend/five_bar.hpp"

namespace gradus::test {

class WatchedDevice : public Device {
 public:
  static constexpr int kNone = -1;

  int dropped_upload = kNone;  // number of the upload that does not happen
  std::size_t room = 0;        // what free_memory() says, 0: what the debug device says

  int uploads = 0;
  int launches = 0;
  std::size_t bytes = 0;  // allocated now
  std::size_t peak = 0;   // and at most
  std::map<void*, std::size_t> buffers;

  std::string name() const override { return "watched"; }
  std::size_t free_memory() const override { return room > 0 ? room : debug_->free_memory(); }
  void* allocate(std::size_t size) override {
    void* memory = debug_->allocate(size);
    buffers[memory] = size;
    bytes += size;
    peak = std::max(peak, bytes);
    return memory;
  }
  void release(void* memory) noexcept override {
    bytes -= buffers[memory];
    buffers.erase(memory);
    debug_->release(memory);
  }
  void upload(void* to, const void* from, std::size_t size) override {
    if (uploads++ != dropped_upload) debug_->upload(to, from, size);
  }
  void download(void* to, const void* from, std::size_t size) override { debug_->download(to, from, size); }
  void launch(kernels::KernelId kernel, const DeviceArguments& arguments) override {
    ++launches;
    debug_->launch(kernel, arguments);
  }
  void synchronise() override { debug_->synchronise(); }

 private:
  std::unique_ptr<Device> debug_ = make_debug_device();
};

// Runs the five-bar mechanism on a device.
inline MotionOutcome run_on(Device& device, const Options& options, bool with_columns = true) {
  const Session session(five_bar(), options);
  MotionRequest request = session.request();
  request.with_columns = with_columns;
  return run_on_device(request, device);
}

}  // namespace gradus::test
