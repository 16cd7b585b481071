// Model -> skeleton -> motion: sensors of positions are added to a copy of the model, which runs
// once.
#include "src/report/pages.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/report/skeleton.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t frames_wanted = 300;
constexpr std::size_t most_numbers = 400000;  // of all frames: a page stays below a few megabytes

Options recording(const Model& model, Options options, std::size_t n_places) {
  const std::size_t frames =
      std::clamp<std::size_t>(most_numbers / (3 * n_places), 20, frames_wanted);
  const double duration = options.duration.value_or(model.analysis.duration);
  const double step = options.step.value_or(model.analysis.step);
  const double steps = std::ceil(duration / step / static_cast<double>(frames));
  options.backend = "cpu:1";
  options.method = "direct";
  options.designs = {};
  options.record = true;
  options.columns = false;
  options.record_every = std::isfinite(steps) && steps > 1.0 ? static_cast<std::size_t>(steps) : 1;
  options.log = nullptr;
  options.progress = nullptr;
  return options;
}

// [n_frame, n_place, 3] of the last sensors.
Json positions(const Trajectory& trajectory, std::size_t n_places) {
  const std::size_t width = 3 * n_places;
  const std::size_t n_time = trajectory.time.size();
  const std::size_t row = n_time == 0 ? 0 : trajectory.sensors.size() / n_time;
  Json list = Json::array();
  for (std::size_t i = 0; i < n_time; ++i)
    for (std::size_t j = row - width; j < row; ++j)
      list.push_back(number(trajectory.sensors[i * row + j]));
  return list;
}

Json run_motion(const Model& model, const Options& options) {
  const Skeleton skeleton(model);
  const std::size_t n_places = skeleton.places().size();
  if (n_places == 0) return {{"error", "The model has nothing that could be drawn."}};
  const Result result =
      simulate(with_positions(model, skeleton.places()), recording(model, options, n_places));
  if (!result.all_ok())
    return {{"error", "The motion failed at " + number(result.status[0].time).dump() +
                          " s: " + result.status[0].message}};
  const Trajectory& trajectory = result.trajectories.at(0);
  Json motion = skeleton.description();
  motion["up"] = upwards(model);
  motion["time"] = numbers(trajectory.time);
  motion["positions"] = positions(trajectory, n_places);
  return motion;
}

}  // namespace

Json motion(const std::string& label, const Model& model, const Options& options) {
  Json motion;
  try {
    motion = run_motion(model, options);
  } catch (const Error& error) {
    motion = {{"error", std::string("The motion cannot be run: ") + error.what()}};
  }
  motion["label"] = label;
  return motion;
}

Json animation(std::vector<Json> motions) {
  return {{"kind", "animation"}, {"title", "Motion"}, {"motions", std::move(motions)}};
}

}  // namespace gradus::report
