// What a run on a device leaves of its designs.
#pragma once

#include <vector>

#include "src/motion/device_chunk.hpp"

namespace gradus {

// Of the designs of a chunk, of which the first is number `first` of the request. Their motion is
// recorded while the device goes on: what an instant leaves is copied, some tiles of designs at a
// time, to memory that the device writes by itself, one of two rooms, and taken from there when the
// room is wanted again.
class DeviceResults {
 public:
  static constexpr std::size_t kRoom = std::size_t{32} << 20;  // bytes

  // A room takes so many bytes, or one tile.
  DeviceResults(DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
                std::size_t first, MotionOutcome& outcome, std::size_t room = kRoom);

  void record(const Instant& at);
  void finish();  // takes what is still under way
  // The sensitivities of sensors and objectives that travel along, to row `row` of the
  // trajectories, which have room for it.
  void record_columns(const Instant& at, std::size_t row);

  // Status, objectives, final sensors and the books of the run.
  void collect_motion();
  // Gradients of the columns that travel along, and the matrices of sums of squares; NaN of designs
  // that have failed.
  void collect_gradient();
  // Which solver worked apart from the kernels, and how often it was refused in single precision.
  void collect_refusals();
  // Takes back what was recorded of failed designs from their failure on: on a device nobody looks
  // before the end.
  void trim_failures();

 private:
  void look_at_angles();
  // Takes over who has failed in this run; one that did in an earlier one stays so.
  void judge();

  // Numbers of a design in one room: coordinates, rates, accelerations, sensors, objectives.
  struct Part {
    int offset;
    std::size_t size;
    std::vector<double> Trajectory::*to;
  };
  static constexpr int kRooms = 2;

  // What a room holds: an instant of the designs of some tiles.
  struct Content {
    double time = 0.0;  // s
    std::size_t first_tile = 0;
    std::size_t tiles = 0;  // 0: nothing
  };

  double* room(int number) const {
    return static_cast<double*>(rooms_.data()) + static_cast<std::size_t>(number) * room_size_;
  }
  void take(int number);

  DeviceChunk& chunk_;
  Device& device_;
  const kernels::Layout& layout_;
  const MotionRequest& request_;
  std::size_t first_;
  MotionOutcome& outcome_;
  std::size_t signals_, parameters_, objectives_;
  std::vector<Part> parts_;
  std::size_t numbers_;     // of a design in a room
  std::size_t tiles_;       // of the designs of the chunk
  std::size_t room_tiles_;  // of those in a room
  std::size_t room_size_;   // numbers
  PinnedBuffer rooms_;
  Content content_[kRooms];
  int next_ = 0;
};

}  // namespace gradus
