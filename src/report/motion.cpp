// Model -> skeleton -> motion: sensors of positions are added to a copy of the model, which runs
// once.
#include "src/report/pages.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/report/loads.hpp"
#include "src/report/looks.hpp"
#include "src/report/skeleton.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t frames_wanted = 300;
constexpr std::size_t most_numbers = 400000;  // of all frames: a page stays below a few megabytes

Options recording(const Model& model, Options options, std::size_t width) {
  const std::size_t frames = std::clamp<std::size_t>(most_numbers / width, 20, frames_wanted);
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

// Rows of the last sensors, from the first of these on.
class Rows {
 public:
  Rows(const Trajectory& trajectory, std::size_t width)
      : sensors_(trajectory.sensors), count_(trajectory.time.size()) {
    row_ = count_ == 0 ? 0 : sensors_.size() / count_;
    first_ = row_ - std::min(width, row_);
  }

  std::size_t count() const { return count_; }
  std::span<const double> part(std::size_t time, std::size_t from, std::size_t size) const {
    return sensors_.subspan(time * row_ + first_ + from, size);
  }

 private:
  std::span<const double> sensors_;
  std::size_t count_ = 0, row_ = 0, first_ = 0;
};

// A motion with sensors of forces; without them where a formulation refuses these.
std::pair<Result, bool> run(const Model& with, const Model& without, const Options& options) {
  try {
    return {simulate(with, options), true};
  } catch (const InputError&) {
    return {simulate(without, options), false};
  }
}

}  // namespace

Json run_motion(const Model& model, const Options& options) {
  const Skeleton skeleton(model);
  const std::size_t n_places = skeleton.places().size();
  if (n_places == 0) return {{"error", "The model has nothing that could be drawn."}};
  const Looks looks(model, options.set);
  Loads loads(model, skeleton.places());
  Model watched = with_positions(model, skeleton.places());
  looks.watch(watched);
  const Model without_loads = watched;
  loads.watch(watched);
  std::size_t width = 3 * n_places + looks.numbers();
  const std::size_t n_loads = loads.numbers();
  const auto [result, has_loads] =
      run(watched, without_loads, recording(model, options, width + n_loads));
  if (!result.all_ok())
    return {{"error", "The motion failed at " + number(result.status[0].time).dump() +
                          " s: " + result.status[0].message}};
  const Trajectory& trajectory = result.trajectories.at(0);
  Json motion = skeleton.description();
  motion["up"] = upwards(model);
  motion["time"] = numbers(trajectory.time);
  if (has_loads) width += n_loads;
  const Rows rows(trajectory, width);
  Json positions = Json::array(), frames = Json::array();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    for (const double x : rows.part(i, 0, 3 * n_places)) positions.push_back(number(x));
    Looks::add_frames(rows.part(i, 3 * n_places, looks.numbers()), frames);
    if (has_loads) loads.add(rows.part(i, 3 * n_places + looks.numbers(), n_loads));
  }
  motion["positions"] = std::move(positions);
  motion["frames"] = std::move(frames);
  looks.describe(motion);
  loads.describe(motion);
  return motion;
}

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
