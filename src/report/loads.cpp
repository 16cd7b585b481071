// Model -> sensors of forces -> arrows.
#include "src/report/loads.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/report/skeleton.hpp"

namespace gradus::report {
namespace {

constexpr double least_load = 1e-12;  // N and N m; less is what round-off leaves of zero

// Along and about one line.
bool has_one_axis(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic ||
         type == JointType::cylindrical;
}

const Joint* joint_named(const Model& model, const std::string& name) {
  for (const auto* list : {&model.joints, &model.loops})
    for (const Joint& joint : *list)
      if (joint.name == name) return &joint;
  return nullptr;
}

std::size_t number_after_point(const std::string& coordinate, const std::string& joint) {
  const std::string rest = coordinate.substr(std::min(joint.size() + 1, coordinate.size()));
  return rest == "1" ? 1 : 0;
}

}  // namespace

Loads::Loads(const Model& model, const std::vector<std::string>& places) : places_(places) {
  for (const Force& force : model.forces) add_force(model, force);
  std::vector<std::string> seen;
  const auto add = [&](const std::string& joint) {
    const Joint* const found = joint_named(model, joint);
    if (found == nullptr || std::find(seen.begin(), seen.end(), joint) != seen.end()) return;
    seen.push_back(joint);
    add_reaction(*found);
  };
  for (const Sensor& sensor : model.sensors)
    if (sensor.type == "reaction_force") add(sensor.target);
  for (const Force& force : model.forces)
    if (kind_of(force).acts_on == ActsOn::joint) add(place_of(force));
}

void Loads::add_force(const Model& model, const Force& force) {
  const ActsOn acts_on = kind_of(force).acts_on;
  const std::string& place = place_of(force);
  switch (acts_on) {
    case ActsOn::line:
    case ActsOn::bodies:
    case ActsOn::surface:
      add_load({force.name, "applied_force", force.name, "N", 0}, place, text_of(force, "from"));
      if (acts_on == ActsOn::bodies)
        add_load({force.name, "applied_torque", force.name, "N m", 0}, place,
                 text_of(force, "from"));
      return;
    case ActsOn::point:
      return add_load({force.name, "applied_force", force.name, "N", 0}, place);
    case ActsOn::body:
      return add_load({force.name, "applied_torque", force.name, "N m", 0}, place + ".com");
    case ActsOn::coordinate:
    case ActsOn::joint: {
      const Joint* const joint = joint_of(model, force);
      if (joint == nullptr || !has_one_axis(joint->type)) return;
      if (acts_on == ActsOn::coordinate)
        return add_on_joint(force, *joint, number_after_point(place, joint->name));
      for (std::size_t k = 0; k < slips_of(joint->type).size(); ++k) add_on_joint(force, *joint, k);
    }
  }
}

void Loads::add_on_joint(const Force& force, const Joint& joint, std::size_t coordinate) {
  const bool slides = coordinates_of(joint.type)[coordinate].unit == "m";
  Load load{force.name, slides ? "applied_force" : "applied_torque", force.name,
            slides ? "N" : "N m", 0};
  load.along = &joint;
  load.components = 1;
  add_load(std::move(load), joint.child);
}

void Loads::add_reaction(const Joint& joint) {
  add_load({"reaction of " + joint.name, "reaction_force", joint.name, "N", 0}, joint.child);
}

void Loads::add_load(Load load, const std::string& at, const std::string& from) {
  const auto place = std::find(places_.begin(), places_.end(), at);
  if (place == places_.end()) return;
  load.at = static_cast<std::size_t>(place - places_.begin());
  const auto other = std::find(places_.begin(), places_.end(), from);
  if (!from.empty() && other != places_.end()) load.from = other - places_.begin();
  loads_.push_back(std::move(load));
}

void Loads::watch(Model& model) const {
  const std::string prefix = unused_prefix(model, "load_");
  std::size_t count = 0;
  const auto add = [&](const std::string& type, const std::string& target) {
    model.sensors.push_back({prefix + std::to_string(count++), type, target});
  };
  for (const Load& load : loads_) {
    add(load.type, load.target);
    if (load.along != nullptr) add("vector", add_axis(*load.along, model));
  }
}

std::size_t Loads::numbers() const {
  std::size_t sum = 0;
  for (const Load& load : loads_) sum += load.components + (load.along != nullptr ? 3 : 0);
  return sum;
}

void Loads::add(std::span<const double> sensors) {
  std::size_t at = 0;
  for (Load& load : loads_) {
    const std::span<const double> shown = sensors.subspan(at, load.components);
    at += load.components;
    if (load.along == nullptr) {
      load.values.insert(load.values.end(), shown.begin(), shown.end());
      continue;
    }
    const std::span<const double> axis = sensors.subspan(at, 3);
    at += 3;
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    for (const double x : axis) load.values.push_back(shown[0] * x / length);
  }
}

void Loads::describe(Json& drawing) const {
  Json list = Json::array();
  for (const Load& load : loads_) {
    if (std::none_of(load.values.begin(), load.values.end(),
                     [](double x) { return std::abs(x) > least_load; }))
      continue;
    list.push_back({{"name", load.name},
                    {"unit", load.unit},
                    {"at", load.at},
                    {"from", load.from},
                    {"values", report::numbers(load.values)}});
  }
  drawing["forces"] = std::move(list);
}

}  // namespace gradus::report
