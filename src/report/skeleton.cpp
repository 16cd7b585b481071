// Model -> skeleton.
#include "src/report/skeleton.hpp"
#include "src/model/constraint_kind.hpp"

#include <algorithm>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/nominal.hpp"
#include "src/model/states.hpp"

namespace gradus::report {
namespace {

std::string body_of(const std::string& place) {
  return place.substr(0, place.find('.'));
}

bool acts_on_joint(const Force& force) {
  const ActsOn acts_on = kind_of(force).acts_on;
  return acts_on == ActsOn::coordinate || acts_on == ActsOn::joint;
}

// What acts on the coordinates of a joint: names, each with its kind.
Json acting_on(const Joint& joint, const Model& model) {
  Json list = Json::array();
  const auto add = [&](const std::string& kind, const auto& thing, const std::string& on) {
    if (on == joint.name || body_of(on) == joint.name) list.push_back(kind + " " + thing.name);
  };
  for (const Force& force : model.forces)
    if (acts_on_joint(force)) add(force.type, force, place_of(force));
  for (const Constraint& constraint : model.constraints)
    if (kind_of(constraint).of == ConstraintOf::coordinate)
      add("constraint", constraint, constraint.first);
  return list;
}

}  // namespace

Skeleton::Skeleton(const Model& model) {
  for (const auto& [name, point] : model.ground.points) add_corner("ground." + name);
  for (const Body& body : model.bodies)
    for (const auto& [name, point] : body.points) add_corner(body.name + "." + name);
  for (const Joint& joint : model.joints) add_joint(joint, model);
  for (const Joint& joint : model.loops) add_joint(joint, model);
  for (const Constraint& constraint : model.constraints)
    if (constraint.type == "distance" && !constraint.at_start)
      add_link("rod", constraint.name, constraint.first, constraint.second);
  for (const Force& force : model.forces) add_force(force);
  for (const Body& body : model.bodies) add_body(body);
}

Json Skeleton::description() const {
  const auto& corners = corners_.find("ground");
  return {{"places", places_},
          {"bodies", bodies_},
          {"joints", joints_},
          {"links", links_},
          {"loads", loads_},
          {"ground", corners == corners_.end() ? std::set<std::size_t>() : corners->second}};
}

std::size_t Skeleton::index_of(const std::string& place) {
  const auto [entry, is_new] = indices_.emplace(place, places_.size());
  if (is_new) places_.push_back(place);
  return entry->second;
}

std::size_t Skeleton::add_corner(const std::string& place) {
  const std::size_t index = index_of(place);
  corners_[body_of(place)].insert(index);
  return index;
}

void Skeleton::add_joint(const Joint& joint, const Model& model) {
  // A floating joint connects nothing: its bodies do not touch.
  if (joint.type == JointType::floating) return;
  const std::size_t parent = add_corner(joint.parent), child = add_corner(joint.child);
  joints_.push_back(
      {{"name", joint.name},
       {"type", name_of(joint.type)},
       {"parent", parent},
       {"child", child},
       {"ground", body_of(joint.parent) == "ground" || body_of(joint.child) == "ground"},
       {"acting", acting_on(joint, model)}});
}

void Skeleton::add_link(const char* kind, const std::string& name, const std::string& from,
                        const std::string& to) {
  const std::size_t first = add_corner(from), second = add_corner(to);
  links_.push_back({{"kind", kind}, {"name", name}, {"from", first}, {"to", second}});
}

// A torque acts on a body as a whole: it is drawn at its centre of mass.
void Skeleton::add_force(const Force& force) {
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on_joint(force)) return;
  const std::string& place = place_of(force);
  if (acts_on == ActsOn::line || acts_on == ActsOn::bodies) {
    const char* const kind = acts_on == ActsOn::line ? "spring" : "bushing";
    return add_link(kind, force.name, text_of(force, "from"), place);
  }
  if (acts_on == ActsOn::surface) {
    add_corner(place);
    return;
  }
  const bool is_torque = acts_on == ActsOn::body;
  const std::size_t at = is_torque ? index_of(place + ".com") : add_corner(place);
  loads_.push_back({{"kind", is_torque ? "torque" : "force"}, {"name", force.name}, {"at", at}});
}

// A body without two corners shows its axes' origin and its centre of mass instead.
void Skeleton::add_body(const Body& body) {
  const std::size_t centre = index_of(body.name + ".com");
  if (corners_[body.name].size() < 2) {
    add_corner(body.name);
    corners_[body.name].insert(centre);
  }
  bodies_.push_back({{"name", body.name}, {"corners", corners_[body.name]}, {"com", centre}});
}

std::string unused_prefix(const Model& model, std::string prefix) {
  const auto taken = [&model](const std::string& start) {
    const auto begins = [&start](const auto& thing) { return thing.name.starts_with(start); };
    return std::any_of(model.sensors.begin(), model.sensors.end(), begins) ||
           std::any_of(model.parameters.begin(), model.parameters.end(), begins) ||
           std::any_of(model.definitions.begin(), model.definitions.end(), begins);
  };
  while (taken(prefix)) prefix += "_";
  return prefix;
}

Model with_positions(Model model, const std::vector<std::string>& places) {
  model = with_discs(std::move(model));  // so that the places come last
  const std::string prefix = unused_prefix(model, "place_");
  for (std::size_t i = 0; i < places.size(); ++i)
    model.sensors.push_back({prefix + std::to_string(i), "position", places[i]});
  return model;
}

std::string add_axis(const Joint& joint, Model& model) {
  const std::string name = body_of(joint.parent);
  const auto body = std::find_if(model.bodies.begin(), model.bodies.end(),
                                 [&name](const Body& b) { return b.name == name; });
  Features& features = body == model.bodies.end() ? model.ground : *body;
  std::string vector = "axis";
  while (features.vectors.count(vector) > 0 || features.points.count(vector) > 0) vector += "_";
  features.vectors[vector] = joint.axis.value_or(Vector3{0, 0, 1});
  return name + "." + vector;
}

Json upwards(const Model& model) {
  const std::array<double, 3> gravity =
      NominalValues(model, model.name).value(model.gravity, "gravity");
  if (gravity == std::array<double, 3>{}) return nullptr;
  return numbers(std::vector<double>{-gravity[0], -gravity[1], -gravity[2]});
}

}  // namespace gradus::report
