// Model -> skeleton -> motion: sensors of positions are added to a copy of the model, which runs
// once.
#include "src/report/pages.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gradus/error.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/nominal.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t frames_wanted = 300;
constexpr std::size_t most_numbers = 400000;  // of all frames: a page stays below a few megabytes

std::string body_of(const std::string& place) {
  return place.substr(0, place.find('.'));
}

// What is drawn of a model, by the indices of its places.
class Skeleton {
 public:
  explicit Skeleton(const Model& model) {
    for (const auto& [name, point] : model.ground.points) add_corner("ground." + name);
    for (const Body& body : model.bodies)
      for (const auto& [name, point] : body.points) add_corner(body.name + "." + name);
    for (const Joint& joint : model.joints) add_joint(joint);
    for (const Joint& joint : model.loops) add_joint(joint);
    for (const SpringDamper& spring : model.springs)
      add_link("spring", spring.name, spring.from, spring.to);
    for (const Bushing& bushing : model.bushings)
      add_link("bushing", bushing.name, bushing.from, bushing.to);
    for (const Constraint& constraint : model.constraints)
      if (constraint.kind == ConstraintKind::distance && !constraint.at_start)
        add_link("rod", constraint.name, constraint.first, constraint.second);
    for (const Body& body : model.bodies) add_body(body);
  }

  const std::vector<std::string>& places() const { return places_; }
  Json description() const {
    const auto& corners = corners_.find("ground");
    return {{"places", places_},
            {"bodies", bodies_},
            {"joints", joints_},
            {"links", links_},
            {"ground", corners == corners_.end() ? std::set<std::size_t>() : corners->second}};
  }

 private:
  // Of a place, which is taken in once.
  std::size_t index_of(const std::string& place) {
    const auto [entry, is_new] = indices_.emplace(place, places_.size());
    if (is_new) places_.push_back(place);
    return entry->second;
  }
  std::size_t add_corner(const std::string& place) {
    const std::size_t index = index_of(place);
    corners_[body_of(place)].insert(index);
    return index;
  }
  void add_joint(const Joint& joint) {
    // A floating joint connects nothing: its bodies do not touch.
    if (joint.type == JointType::floating) return;
    const std::size_t parent = add_corner(joint.parent), child = add_corner(joint.child);
    joints_.push_back(
        {{"name", joint.name},
         {"type", name_of(joint.type)},
         {"parent", parent},
         {"child", child},
         {"ground", body_of(joint.parent) == "ground" || body_of(joint.child) == "ground"}});
  }
  void add_link(const char* kind, const std::string& name, const std::string& from,
                const std::string& to) {
    const std::size_t first = add_corner(from), second = add_corner(to);
    links_.push_back({{"kind", kind}, {"name", name}, {"from", first}, {"to", second}});
  }
  // A body without two corners shows its axes' origin and its centre of mass instead.
  void add_body(const Body& body) {
    const std::size_t centre = index_of(body.name + ".com");
    if (corners_[body.name].size() < 2) {
      add_corner(body.name);
      corners_[body.name].insert(centre);
    }
    bodies_.push_back({{"name", body.name}, {"corners", corners_[body.name]}, {"com", centre}});
  }

  std::vector<std::string> places_;
  std::map<std::string, std::size_t> indices_;
  std::map<std::string, std::set<std::size_t>> corners_;
  Json bodies_ = Json::array(), joints_ = Json::array(), links_ = Json::array();
};

// Appends sensors of all places to the model's own, under unused names.
Model with_sensors(Model model, const std::vector<std::string>& places) {
  std::string prefix = "place_";
  const auto taken = [&model](const std::string& start) {
    const auto begins = [&start](const auto& thing) { return thing.name.starts_with(start); };
    return std::any_of(model.sensors.begin(), model.sensors.end(), begins) ||
           std::any_of(model.parameters.begin(), model.parameters.end(), begins) ||
           std::any_of(model.definitions.begin(), model.definitions.end(), begins);
  };
  while (taken(prefix)) prefix += "_";
  for (std::size_t i = 0; i < places.size(); ++i)
    model.sensors.push_back({prefix + std::to_string(i), SensorKind::position, places[i]});
  return model;
}

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

// The direction opposite to gravity; null without gravity.
Json upwards(const Model& model) {
  const std::array<double, 3> gravity =
      NominalValues(model, model.name).value(model.gravity, "gravity");
  if (gravity == std::array<double, 3>{}) return nullptr;
  return numbers(std::vector<double>{-gravity[0], -gravity[1], -gravity[2]});
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
      simulate(with_sensors(model, skeleton.places()), recording(model, options, n_places));
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
