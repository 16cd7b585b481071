// Results of runs on a device.
#include "src/motion/device_results.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

DeviceResults::DeviceResults(DeviceChunk& chunk, const DeviceSetup& setup,
                             const MotionRequest& request, std::size_t first,
                             MotionOutcome& outcome, std::size_t room)
    : chunk_(chunk),
      device_(setup.device),
      layout_(setup.layout),
      request_(request),
      first_(first),
      outcome_(outcome),
      signals_(static_cast<std::size_t>(request.plan->shown_signals())),
      parameters_(request.plan->nominal.size()),
      objectives_(request.plan->objectives.size()),
      numbers_(static_cast<std::size_t>(3 * request.plan->coordinate_count()) + signals_ +
               (request.records_objectives() ? objectives_ : 0)),
      tiles_(kernels::tiles_of(chunk.count())),
      room_tiles_(std::clamp<std::size_t>(
          room / (std::max<std::size_t>(numbers_, 1) * kernels::kTile * sizeof(double)), 1,
          tiles_)),
      room_size_(request.record ? numbers_ * kernels::kTile * room_tiles_ : 0),
      rooms_(device_, kRooms * room_size_ * sizeof(double)) {
  const auto coordinates = static_cast<std::size_t>(request.plan->coordinate_count());
  parts_ = {{layout_.position, coordinates, &Trajectory::coordinates},
            {layout_.velocity, coordinates, &Trajectory::rates},
            {layout_.acceleration, coordinates, &Trajectory::accelerations},
            {layout_.signal, signals_, &Trajectory::sensors}};
  if (request.records_objectives())
    parts_.push_back({layout_.objective_history, objectives_, &Trajectory::objective_history});
}

void DeviceResults::record(const Instant& at) {
  chunk_.launch(kernels::KernelId::evaluate_signals, at, no_stage());
  if (request_.records_objectives())
    chunk_.launch(kernels::KernelId::objective_history, at, no_stage());
  for (std::size_t first = 0; first < tiles_; first += room_tiles_) {
    take(next_);
    const Content content{at.time, first, std::min(room_tiles_, tiles_ - first)};
    double* to = room(next_);
    for (const Part& part : parts_)
      to = chunk_.download_later(part.offset, part.size, first, content.tiles, to);
    device_.mark(next_);
    content_[next_] = content;
    next_ = (next_ + 1) % kRooms;
  }
}

void DeviceResults::finish() {
  for (int k = 0; k < kRooms; ++k) take((next_ + k) % kRooms);
}

void DeviceResults::take(int number) {
  const Content content = std::exchange(content_[number], Content{});
  if (content.tiles == 0) return;
  device_.wait(number);
  const double* from = room(number);
  const std::size_t begin = content.first_tile * kernels::kTile;
  const std::size_t count = std::min(content.tiles * kernels::kTile, chunk_.count() - begin);
  Trajectory* const designs = outcome_.trajectories.data() + first_ + begin;
  for (std::size_t d = 0; d < count; ++d) designs[d].time.push_back(content.time);
  for (const Part& part : parts_) {
    for (std::size_t d = 0; d < count; ++d) {
      const double* design = from + kernels::offset_in_tiles(d, part.size * kernels::kTile);
      std::vector<double>& column = designs[d].*part.to;
      for (std::size_t k = 0; k < part.size; ++k) column.push_back(design[k * kernels::kTile]);
    }
    from += part.size * content.tiles * kernels::kTile;
  }
}

void DeviceResults::record_columns(const Instant& at, std::size_t row) {
  chunk_.launch(kernels::KernelId::sensor_columns, at, no_stage());
  chunk_.download_columns(layout_.signal_columns, signals_, [&](std::size_t d) {
    return outcome_.trajectories[first_ + d].sensor_columns.data() + row * signals_ * parameters_;
  });
  if (!request_.records_objectives()) return;
  chunk_.launch(kernels::KernelId::objective_history, at, no_stage());
  chunk_.download_columns(layout_.gradient_history, objectives_, [&](std::size_t d) {
    return outcome_.trajectories[first_ + d].gradient_history.data() +
           row * objectives_ * parameters_;
  });
}

void DeviceResults::collect_motion() {
  const auto collect = [&](int offset, std::size_t size, std::vector<double>& to) {
    chunk_.download(offset, size, to.data() + first_ * size);
  };
  collect(layout_.objective_value, objectives_, outcome_.objectives);
  collect(layout_.signal, signals_, outcome_.signals);
  collect(layout_.violation, 3, outcome_.violation);
  collect(layout_.blamed, 1, outcome_.blamed);
  collect(layout_.passage, 1, outcome_.passage);
  if (!outcome_.jump.empty()) collect(layout_.jump, 1, outcome_.jump);
  if (!outcome_.stiff_since.empty()) collect(layout_.stiff_since, 1, outcome_.stiff_since);
  if (!outcome_.extrapolation.empty())
    collect(layout_.extrapolation, 2 * request_.plan->splines.size(), outcome_.extrapolation);
  collect(layout_.iterations, 1, outcome_.iterations);
  collect(layout_.steps, 1, outcome_.steps);
  collect(layout_.rejected_steps, 1, outcome_.rejected_steps);
  judge();
  look_at_angles();
}

void DeviceResults::look_at_angles() {
  const auto& names = request_.plan->coordinate_names;
  if (names.empty()) return;
  std::vector<double> positions(chunk_.count() * names.size());
  chunk_.download(layout_.position, names.size(), positions.data());
  for (std::size_t d = 0; d < chunk_.count(); ++d) {
    if (outcome_.status[first_ + d] != kernels::Status::ok) continue;
    for (std::size_t c = 0; c < names.size(); ++c)
      if (names[c].unit == "rad")
        outcome_.largest_angle.look_at(positions[d * names.size() + c], first_ + d, c);
  }
}

void DeviceResults::collect_gradient() {
  const std::size_t size = objectives_ * parameters_;
  const auto gradient = [&](std::size_t d) {
    return outcome_.gradient.data() + (first_ + d) * size;
  };
  chunk_.download_columns(layout_.objective_gradient, objectives_, gradient);
  const std::size_t matrices = request_.with_columns() ? gauss_newton_size(request_) : 0;
  if (matrices > 0)  // behind the gradients, of all columns
    chunk_.download_columns(
        layout_.objective_gradient + static_cast<int>(size), matrices / parameters_,
        [&](std::size_t d) { return outcome_.gauss_newton.data() + (first_ + d) * matrices; });
  judge();
}

void DeviceResults::judge() {
  std::vector<kernels::Status> status(chunk_.count());
  std::vector<double> times(chunk_.count());
  chunk_.download_status(status.data(), times.data());
  for (std::size_t d = 0; d < chunk_.count(); ++d) {
    if (outcome_.status[first_ + d] == kernels::Status::ok) {
      outcome_.status[first_ + d] = status[d];
      outcome_.failure_time[first_ + d] = times[d];
    }
    judge_design(request_, first_ + d, outcome_);
  }
}

void DeviceResults::collect_refusals() {
  if (chunk_.solver() == nullptr) return;
  outcome_.solver = solver_name(chunk_.solver()->kind());
  if (!request_.mixed) return;
  outcome_.refused.resize(request_.n_design, 0.0);
  const std::vector<double> refused = chunk_.download_slices(layout_.refused);
  // Slices share a system, or have one of their own each in a run of the same motion.
  for (std::size_t place = 0; place < refused.size(); ++place) {
    double& count = outcome_.refused[first_ + place % chunk_.count()];
    count = std::max(count, refused[place]);
  }
}

void DeviceResults::trim_failures() {
  if (!request_.record) return;
  for (std::size_t d = first_; d < first_ + chunk_.count(); ++d) {
    if (outcome_.status[d] == kernels::Status::ok) continue;
    Trajectory& trajectory = outcome_.trajectories[d];
    const auto end =
        std::lower_bound(trajectory.time.begin(), trajectory.time.end(), outcome_.failure_time[d]);
    keep_rows(*request_.plan, static_cast<std::size_t>(end - trajectory.time.begin()), trajectory);
  }
}

}  // namespace gradus
