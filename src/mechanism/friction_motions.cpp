// The verb `friction_motions`: which joints stick, slip or chatter.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "gradus/run.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/nominal.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/states.hpp"

namespace gradus {
namespace {

constexpr double kAlways = 0.99, kNever = 0.01;  // shares of the duration
constexpr std::size_t kManyChanges = 8;          // of chattering
constexpr double kIntervalsBetween = 6.0;        // recorded ones, on average, of chattering

// The components of a speed that make one surface, at the times at which they were recorded.
struct SpeedRecord {
  std::span<const double> time;
  const double* first;
  std::size_t stride, count;

  double component(std::size_t i, std::size_t k) const { return first[i * stride + k]; }
  double speed(std::size_t i) const {
    double squares = 0.0;
    for (std::size_t k = 0; k < count; ++k) squares += component(i, k) * component(i, k);
    return std::sqrt(squares);
  }
  double change(std::size_t i) const {
    double squares = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const double change = component(i + 1, k) - component(i, k);
      squares += change * change;
    }
    return std::sqrt(squares);
  }
  // Whether it goes the other way at the end of an interval.
  bool turns(std::size_t i) const {
    double product = 0.0;
    for (std::size_t k = 0; k < count; ++k) product += component(i, k) * component(i + 1, k);
    return product < 0.0;
  }
};

void survey(const SpeedRecord& record, bool has_equal_steps, SurfaceMotion& motion) {
  double stuck = 0.0;
  const std::size_t intervals = record.time.size() - 1;
  for (std::size_t i = 0; i < intervals; ++i) {
    const bool stuck_before = record.speed(i) < motion.threshold;
    const bool sticks = record.speed(i + 1) < motion.threshold;
    if (sticks) stuck += record.time[i + 1] - record.time[i];
    // From one direction to the other it sticks in between.
    const bool turns = !stuck_before && !sticks && record.turns(i);
    if (stuck_before != sticks) ++motion.changes;
    if (turns) motion.changes += 2;
    if (has_equal_steps && (stuck_before || sticks || turns))
      motion.resolution = std::max(motion.resolution, record.change(i) / motion.threshold);
  }
  motion.sticking = stuck / (record.time.back() - record.time.front());
  const bool chatters =
      motion.changes >= kManyChanges &&
      static_cast<double>(intervals) < kIntervalsBetween * static_cast<double>(motion.changes);
  motion.verdict = chatters                     ? "chatters"
                   : motion.sticking >= kAlways ? "sticks"
                   : motion.sticking <= kNever  ? "slips"
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

// How many slips of a joint, from the k-th on, make one velocity of its surface.
std::size_t slips_together(const Force& force, JointType type, std::size_t k) {
  if (type == JointType::spherical) return 3;
  if (type == JointType::planar && k == 0) return 2;
  if (type == JointType::cylindrical && text_of(force, "slip") == "combined") return 2;
  return 1;
}

// A value that need not lie within the bounds.
void give(Parameter& parameter, double value) {
  parameter.value = value;
  parameter.bounds.reset();
}

// A surface among the components of the sensors that show it.
struct Watched {
  SurfaceMotion motion;
  std::size_t first, count;
};

// Adds a sensor for each force with friction, and returns the surfaces that they show.
std::vector<Watched> watch(Model& model) {
  NominalValues nominal(model, model.name);
  std::vector<Watched> surfaces;
  std::size_t first = 0;
  const std::vector<Force> forces = model.forces;
  for (const Force& force : forces) {
    const ForceKind* const kind = find_force_kind(force.type);
    const Joint* const joint = joint_of(model, force);
    if (kind == nullptr || kind->on_joint == nullptr || joint == nullptr) continue;
    const ForceValue* const threshold = threshold_of(force);
    if (threshold == nullptr) continue;
    Sensor sensor{free_name(model, "sliding_of_" + force.name), "sliding_speed", force.name};
    model.sensors.push_back(sensor);
    const auto slips = slips_of(joint->type);
    const auto size = static_cast<std::size_t>(sensor_size(model, sensor));
    for (std::size_t k = 0; k < size; k += surfaces.back().count) {
      SurfaceMotion motion;
      motion.force = force.name;
      motion.joint = joint->name;
      const std::size_t together = slips_together(force, joint->type, k);
      if (together < size) motion.slip = together > 1 ? "sliding" : slips[k].name;
      motion.threshold = nominal.value(threshold->number(), model.name);
      motion.smoothing = parameter_named(model, threshold->number());
      surfaces.push_back({motion, first + k, together});
    }
    first += size;
  }
  return surfaces;
}

// One design, with all that it takes.
Options of_one_design(Options options) {
  options.set.clear();
  options.designs = {};
  options.backend = "cpu";
  options.kernels = "general";
  options.record = true;
  options.record_every = 1;
  options.columns = false;
  options.estimate_every = 0;
  options.log = {};
  options.progress = {};
  return options;
}

// What objectives change by where a parameter is half as large; empty if that motion fails.
std::vector<double> changes_of_half(Model model, const Options& one, const std::string& name,
                                    const std::vector<double>& whole) {
  NominalValues nominal(model, model.name);
  for (std::size_t p = 0; p < model.parameters.size(); ++p)
    if (model.parameters[p].name == name) give(model.parameters[p], 0.5 * nominal.parameters()[p]);
  const Result half = simulate(model, one);
  if (!half.all_ok()) return {};
  std::vector<double> changes;
  for (std::size_t i = 0; i < whole.size(); ++i)
    changes.push_back(half.objective_values[i] - whole[i]);
  return changes;
}

}  // namespace

std::vector<SurfaceMotion> friction_motions(const Model& model, const Options& options) {
  Model watched = model;
  for (Parameter& parameter : watched.parameters)
    if (const auto set = options.set.find(parameter.name); set != options.set.end())
      give(parameter, set->second);
  const std::vector<Watched> surfaces = watch(watched);
  if (surfaces.empty()) return {};
  Options one = of_one_design(options);
  const Result result = simulate(watched, one);
  if (!result.all_ok() || result.trajectories.empty()) return {};
  const Trajectory& trajectory = result.trajectories.front();
  if (trajectory.time.size() < 2) return {};
  // Behind those of the model.
  std::size_t first = 0;
  for (std::size_t s = 0; s < model.sensors.size(); ++s) first += result.sensor_sizes[s];
  one.record = false;
  std::map<std::string, std::vector<double>> halved{{"", {}}};  // by parameter
  std::vector<SurfaceMotion> motions;
  for (const Watched& surface : surfaces) {
    SurfaceMotion motion = surface.motion;
    survey({trajectory.time, trajectory.sensors.data() + first + surface.first,
            result.sensor_components.size(), surface.count},
           !result.adaptive, motion);
    if (halved.count(motion.smoothing) == 0)
      halved[motion.smoothing] =
          changes_of_half(watched, one, motion.smoothing, result.objective_values);
    motion.halved = halved[motion.smoothing];
    motions.push_back(std::move(motion));
  }
  return motions;
}

}  // namespace gradus
