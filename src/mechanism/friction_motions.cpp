// The verb `friction_motions`: which joints stick, slip or chatter.
#include <algorithm>
#include <cmath>
#include <span>

#include "gradus/run.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/nominal.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/states.hpp"

namespace gradus {
namespace {

constexpr double kAlways = 0.99;         // share of the duration
constexpr std::size_t kManyChanges = 8;  // of chattering
constexpr double kStepsBetween = 6.0;    // recorded ones, on average, of chattering

// The speeds of one surface at the times at which they were recorded.
struct SpeedRecord {
  std::span<const double> time;
  const double* speed;
  std::size_t stride;
  double at(std::size_t i) const { return speed[i * stride]; }
};

void survey(const SpeedRecord& record, bool has_equal_steps, SurfaceMotion& motion) {
  double stuck = 0.0;
  const std::size_t intervals = record.time.size() - 1;
  for (std::size_t i = 0; i < intervals; ++i) {
    const double before = record.at(i);
    const double after = record.at(i + 1);
    const bool stuck_before = std::abs(before) < motion.threshold;
    const bool sticks = std::abs(after) < motion.threshold;
    if (sticks) stuck += record.time[i + 1] - record.time[i];
    // From one direction to the other it sticks in between.
    const bool turns = !stuck_before && !sticks && before * after < 0.0;
    if (stuck_before != sticks) ++motion.changes;
    if (turns) motion.changes += 2;
    if (has_equal_steps && (stuck_before || sticks || turns))
      motion.resolution = std::max(motion.resolution, std::abs(after - before) / motion.threshold);
  }
  motion.sticking = stuck / (record.time.back() - record.time.front());
  const bool chatters =
      motion.changes >= kManyChanges &&
      static_cast<double>(intervals) < kStepsBetween * static_cast<double>(motion.changes);
  motion.verdict = chatters                     ? "chatters"
                   : motion.sticking >= kAlways ? "sticks"
                   : motion.changes == 0        ? "slips"
                                                : "sticks and slips";
}

// The keys of speeds that tell sticking from slipping; viscous friction has neither.
const ForceValue* threshold_of(const Force& force) {
  const ForceValue* const transition = force.find("transition_speed");
  return transition != nullptr ? transition : force.find("stribeck_speed");
}

std::string parameter_named(const Model& model, const Number& number) {
  if (!number.is_expression()) return "";
  for (const Parameter& parameter : model.parameters)
    if (parameter.name == number.expression()) return parameter.name;
  return "";
}

// Adds a sensor for each force with friction, and returns what it shows, component by component.
std::vector<SurfaceMotion> watch(Model& model) {
  NominalValues nominal(model, model.name);
  std::vector<SurfaceMotion> motions;
  const std::vector<Force> forces = model.forces;
  for (const Force& force : forces) {
    const ForceKind* const kind = find_force_kind(force.type);
    const Joint* const joint = joint_of(model, force);
    if (kind == nullptr || kind->on_joint == nullptr || joint == nullptr) continue;
    const ForceValue* const threshold = threshold_of(force);
    if (threshold == nullptr) continue;
    Sensor sensor{free_name(model, "sliding_of_" + force.name), "sliding_speed", force.name};
    sensor.is_added = true;
    model.sensors.push_back(sensor);
    const auto slips = slips_of(joint->type);
    for (int k = 0; k < sensor_size(model, sensor); ++k) {
      SurfaceMotion motion;
      motion.force = force.name;
      motion.joint = joint->name;
      if (slips.size() > 1) motion.slip = slips[static_cast<std::size_t>(k)].name;
      motion.threshold = nominal.value(threshold->number(), model.name);
      motion.smoothing = parameter_named(model, threshold->number());
      motions.push_back(motion);
    }
  }
  return motions;
}

}  // namespace

std::vector<SurfaceMotion> friction_motions(const Model& model, const Options& options) {
  Model watched = model;
  for (Parameter& parameter : watched.parameters)
    if (const auto set = options.set.find(parameter.name); set != options.set.end())
      parameter.value = set->second;
  std::vector<SurfaceMotion> motions = watch(watched);
  if (motions.empty()) return motions;
  Options one = options;
  one.set.clear();
  one.designs = {};
  one.backend = "cpu";
  one.kernels = "general";
  one.record = true;
  one.record_every = 1;
  one.columns = false;
  one.estimate_every = 0;
  one.log = {};
  one.progress = {};
  const Result result = simulate(watched, one);
  if (!result.all_ok() || result.trajectories.empty()) return {};
  const Trajectory& trajectory = result.trajectories.front();
  const std::size_t components = result.sensor_components.size();
  if (trajectory.time.size() < 2) return {};
  // Behind those of the model.
  std::size_t first = 0;
  for (std::size_t s = 0; s < model.sensors.size(); ++s) first += result.sensor_sizes[s];
  for (std::size_t k = 0; k < motions.size(); ++k)
    survey({trajectory.time, trajectory.sensors.data() + first + k, components}, !result.adaptive,
           motions[k]);
  return motions;
}

}  // namespace gradus
