// Recording on a device while it goes on.
#include "src/motion/device_recorder.hpp"

#include <algorithm>
#include <utility>

namespace gradus {
namespace {

std::size_t count_numbers(const Plan& plan) {
  return std::max<std::size_t>(
      static_cast<std::size_t>(3 * plan.coordinate_count() + plan.signal_count), 1);
}

}  // namespace

DeviceRecorder::DeviceRecorder(DeviceChunk& chunk, const DeviceSetup& setup,
                               const MotionRequest& request, std::size_t first,
                               MotionOutcome& outcome, std::size_t room)
    : chunk_(chunk),
      first_(first),
      outcome_(outcome),
      tiles_(kernels::tiles_of(chunk.count())),
      room_tiles_(std::clamp<std::size_t>(
          room / (count_numbers(*request.plan) * kernels::kTile * sizeof(double)), 1, tiles_)),
      room_size_(request.record ? count_numbers(*request.plan) * kernels::kTile * room_tiles_ : 0),
      rooms_(setup.device, kRooms * room_size_ * sizeof(double)) {
  const kernels::Layout& l = setup.layout;
  const auto coordinates = static_cast<std::size_t>(request.plan->coordinate_count());
  parts_ = {{l.position, coordinates, &Trajectory::coordinates},
            {l.velocity, coordinates, &Trajectory::rates},
            {l.acceleration, coordinates, &Trajectory::accelerations},
            {l.signal, static_cast<std::size_t>(request.plan->signal_count), &Trajectory::sensors}};
}

void DeviceRecorder::record(const Instant& at) {
  chunk_.launch(kernels::KernelId::evaluate_signals, at, no_stage());
  for (std::size_t first = 0; first < tiles_; first += room_tiles_) {
    take(next_);
    const Content content{at.time, first, std::min(room_tiles_, tiles_ - first)};
    double* to = room(next_);
    for (const Part& part : parts_)
      to = chunk_.download_later(part.offset, part.size, first, content.tiles, to);
    chunk_.mark(next_);
    content_[next_] = content;
    next_ = (next_ + 1) % kRooms;
  }
}

void DeviceRecorder::finish() {
  for (int k = 0; k < kRooms; ++k) take((next_ + k) % kRooms);
}

void DeviceRecorder::take(int number) {
  const Content content = std::exchange(content_[number], Content{});
  if (content.tiles == 0) return;
  chunk_.wait_for(number);
  const double* from = room(number);
  const std::size_t begin = content.first_tile * kernels::kTile;
  const std::size_t count = std::min(content.tiles * kernels::kTile, chunk_.count() - begin);
  Trajectory* const designs = outcome_.trajectories.data() + first_ + begin;
  for (std::size_t d = 0; d < count; ++d) designs[d].time.push_back(content.time);
  for (const Part& part : parts_) {
    for (std::size_t d = 0; d < count; ++d) {
      const double* design =
          from + d / kernels::kTile * part.size * kernels::kTile + d % kernels::kTile;
      std::vector<double>& column = designs[d].*part.to;
      for (std::size_t k = 0; k < part.size; ++k) column.push_back(design[k * kernels::kTile]);
    }
    from += part.size * content.tiles * kernels::kTile;
  }
}

}  // namespace gradus
