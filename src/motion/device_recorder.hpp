// Recording on a device while it goes on: what an instant leaves is copied to memory that the
// device writes by itself, one of two rooms, and taken from there when the room is wanted again.
#pragma once

#include <vector>

#include "src/motion/device_chunk.hpp"

namespace gradus {

// The motion of the designs of a chunk, of which the first is number `first` of the request.
class DeviceRecorder {
 public:
  DeviceRecorder(DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
                 std::size_t first, MotionOutcome& outcome);

  void record(const Instant& at);
  void finish();  // takes what is still under way

 private:
  // Numbers of a design in one room: coordinates, rates, accelerations, sensors.
  struct Part {
    int offset;
    std::size_t size;
    std::vector<double> Trajectory::*to;
  };
  static constexpr int kRooms = 2;

  void take(int room);

  DeviceChunk& chunk_;
  std::size_t first_;
  MotionOutcome& outcome_;
  std::vector<Part> parts_;
  std::size_t room_size_ = 0;  // numbers
  PinnedBuffer rooms_;
  double time_[kRooms] = {};
  bool filled_[kRooms] = {};
  int next_ = 0;
};

}  // namespace gradus
