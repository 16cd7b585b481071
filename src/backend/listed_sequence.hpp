// A sequence of launches on devices that have no faster way than to make them one by one.
#pragma once

#include <utility>

#include "src/backend/device.hpp"

namespace gradus {

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

}  // namespace gradus
