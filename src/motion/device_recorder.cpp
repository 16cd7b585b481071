// Recording on a device while it goes on.
#include "src/motion/device_recorder.hpp"

namespace gradus {
namespace {

std::size_t count_numbers(const Plan& plan) {
  return static_cast<std::size_t>(3 * plan.coordinate_count() + plan.signal_count);
}

}  // namespace

DeviceRecorder::DeviceRecorder(DeviceChunk& chunk, const DeviceSetup& setup,
                               const MotionRequest& request, std::size_t first,
                               MotionOutcome& outcome)
    : chunk_(chunk),
      first_(first),
      outcome_(outcome),
      room_size_(request.record ? count_numbers(*request.plan) * chunk.motions() : 0),
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
  take(next_);
  double* to = static_cast<double*>(rooms_.data()) + static_cast<std::size_t>(next_) * room_size_;
  for (const Part& part : parts_) to = chunk_.download_later(part.offset, part.size, to);
  chunk_.mark(next_);
  time_[next_] = at.time;
  filled_[next_] = true;
  next_ = (next_ + 1) % kRooms;
}

void DeviceRecorder::finish() {
  for (int k = 0; k < kRooms; ++k) take((next_ + k) % kRooms);
}

void DeviceRecorder::take(int room) {
  if (!filled_[room]) return;
  filled_[room] = false;
  chunk_.wait_for(room);
  const double* from =
      static_cast<const double*>(rooms_.data()) + static_cast<std::size_t>(room) * room_size_;
  for (std::size_t d = 0; d < chunk_.count(); ++d)
    outcome_.trajectories[first_ + d].time.push_back(time_[room]);
  for (const Part& part : parts_) {
    for (std::size_t d = 0; d < chunk_.count(); ++d) {
      std::vector<double>& column = outcome_.trajectories[first_ + d].*part.to;
      for (std::size_t k = 0; k < part.size; ++k) column.push_back(from[k * chunk_.motions() + d]);
    }
    from += part.size * chunk_.motions();
  }
}

}  // namespace gradus
