// Gravity and forces: types and keys are known, places exist, stiffnesses, laws and components are
// usable numbers.
#include <algorithm>
#include <map>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

const ForceKey* find_key(const ForceKind& kind, std::string_view name) {
  const auto found = std::find_if(kind.keys.begin(), kind.keys.end(),
                                  [name](const ForceKey& key) { return key.name == name; });
  return found == kind.keys.end() ? nullptr : &*found;
}

void check_value(const ForceKey& key, const ForceValue& value, const std::string& where) {
  if (value.is_vector() != (key.size == 3))
    reject(where, value.is_vector() ? "found a vector" : "found a number",
           key.size == 3 ? "the key is of three components" : "the key is of one number",
           key.size == 3 ? "expected a vector [x, y, z]" : "expected a number or an expression");
  if (key.content != ForceContent::choice) return;
  if (std::find(key.choices.begin(), key.choices.end(), value.text()) != key.choices.end()) return;
  const std::vector<std::string> choices(key.choices.begin(), key.choices.end());
  reject(where, "found " + in_quotes(value.text()), "there is no such choice",
         suggestion(value.text(), choices));
}

// Forces act on angles and displacements: of Euler parameters no one is either.
void check_coordinate(const Model& model, const References& references, const std::string& joint,
                      const std::string& where) {
  const CoordinateReference found = references.coordinate(joint, where + "/joint");
  const JointType type = model.joints[static_cast<std::size_t>(found.joint)].type;
  if (!is_euler_parameter(type, found.coordinate)) return;
  reject(where + "/joint", "found " + in_quotes(joint),
         "it is an Euler parameter, which is neither an angle nor a length",
         "use a force of type \"torque\" or \"bushing\"");
}

void check_joint(const Model& model, const References& references, const Force& force,
                 const std::string& where) {
  const std::string& name = place_of(force);
  references.joint_or_loop(name, where + "/joint");
  const JointType type = joint_of(model, force)->type;
  if (slips_of(type).empty())
    reject(where + "/joint", "found " + in_quotes(name),
           "in a " + std::string(name_of(type)) + " joint nothing slides or turns on anything",
           "name a joint of another type");
  kind_of(force).on_joint->check(force, type, where);
}

// In a law with names of its own, such as `length`, these are numbers of the force.
void check_law_names(const Model& model, const Force& force, const ForceKey& key,
                     const std::string& origin) {
  const auto check_all = [&](const auto& elements, const std::string& list) {
    for (const auto& element : elements) {
      const std::string_view name = name_in_expressions(element.name);
      if (std::find(key.locals.begin(), key.locals.end(), name) == key.locals.end()) continue;
      reject(origin + ": /" + list + "/" + element.name,
             "the name " + in_quotes(element.name) + " is taken",
             "in a law of the force " + in_quotes(force.name) +
                 " it stands for a number of the force itself",
             "rename it");
    }
  };
  check_all(model.parameters, "parameters");
  check_all(model.definitions, "definitions");
  check_all(model.sensors, "sensors");
}

class NumberChecks {
 public:
  NumberChecks(const Model& model, NominalValues& nominal, const std::string& origin)
      : model_(model), nominal_(nominal), origin_(origin) {}

  void check(const Force& force) {
    const std::string where = origin_ + ": /forces/" + force.name + "/";
    for (const ForceKey& key : kind_of(force).keys) {
      const ForceValue* const value = force.find(key.name);
      if (value == nullptr || key.content == ForceContent::choice) continue;
      const std::string at = where + std::string(key.name);
      if (!key.locals.empty()) check_law_names(model_, force, key, origin_);
      if (key.size == 1) check(key, value->number(), at);
      for (int k = 0; key.size > 1 && k < key.size; ++k)
        check(key, value->vector()[static_cast<std::size_t>(k)], at + "/" + std::to_string(k));
    }
  }

 private:
  void check(const ForceKey& key, const Number& number, const std::string& where) {
    const std::optional<double> value = key.content == ForceContent::number
                                            ? nominal_.value(number, where)
                                            : laws(key).nominal_value(number, where);
    if (value && key.is_positive && !(*value > 0.0))
      reject(where, "found " + to_text(*value), "it has to be above 0", "choose a positive number");
    if (value && key.is_not_negative && *value < 0.0)
      reject(where, "found " + to_text(*value), "it has to be 0 or above",
             "choose a number that is not negative");
    if (value && key.is_at_least_one && *value < 1.0)
      reject(where, "found " + to_text(*value), "it has to be 1 or above", "choose 1 or more");
    if (value && key.is_at_most_one && *value > 1.0)
      reject(where, "found " + to_text(*value), "it has to be 1 or below", "choose 1 or less");
  }

  LawCheck& laws(const ForceKey& key) {
    const std::string_view* const first = key.locals.empty() ? nullptr : key.locals.data();
    return laws_
        .try_emplace(first, model_, nominal_, origin_, LawPlace::force,
                     std::span<const std::string_view>(key.locals))
        .first->second;
  }

  const Model& model_;
  NominalValues& nominal_;
  const std::string& origin_;
  std::map<const std::string_view*, LawCheck> laws_;  // by the first name of a force itself
};

}  // namespace

void check_force_keys(const Force& force, const std::string& where) {
  const ForceKind* const kind = find_force_kind(force.type);
  if (kind == nullptr) {
    std::vector<std::string> types;
    for (const ForceKind* const known : force_kinds()) types.emplace_back(known->type);
    reject(where + "/type", "found " + in_quotes(force.type), "there is no such type of force",
           suggestion(force.type, types));
  }
  const auto places = place_keys(kind->acts_on);
  std::vector<std::string> names(places.begin(), places.end());
  for (const ForceKey& key : kind->keys) names.emplace_back(key.name);
  for (const auto& [name, value] : force.values) {
    const std::string at = where + "/" + name;
    if (const ForceKey* const key = find_key(*kind, name)) {
      check_value(*key, value, at);
    } else if (std::find(places.begin(), places.end(), name) == places.end()) {
      reject(where, "found the key " + in_quotes(name),
             "forces of type " + in_quotes(kind->type) + " have no such key",
             suggestion(name, names));
    } else if (value.is_vector() || !value.number().is_expression()) {
      reject(at, "found no text", "the key names what the force acts on",
             "expected a text in quotes");
    }
  }
  const auto require = [&](std::string_view key) {
    if (force.find(key) == nullptr)
      reject(where, "the key " + in_quotes(key) + " is missing", "it is required", "add it");
  };
  for (const std::string_view place : places) require(place);
  for (const ForceKey& key : kind->keys)
    if (key.required) require(key.name);
  if (kind->check != nullptr) kind->check(force, where);
}

void check_force_places(const Model& model, const Force& force, const References& references,
                        const std::string& where) {
  const ActsOn acts_on = kind_of(force).acts_on;
  const std::string& place = place_of(force);
  if (acts_on == ActsOn::coordinate) return check_coordinate(model, references, place, where);
  if (acts_on == ActsOn::joint) return check_joint(model, references, force, where);
  if (acts_on == ActsOn::point || acts_on == ActsOn::body) {
    const std::string at = where + (acts_on == ActsOn::point ? "/at" : "/body");
    const int body =
        acts_on == ActsOn::point ? references.point(place, at).body : references.body(place, at);
    if (body != ground_body) return;
    reject(at, "found " + in_quotes(place), "the ground does not move", "name a body");
  }
  const PointReference from = references.point(text_of(force, "from"), where + "/from");
  const PointReference to = references.point(place, where + "/to");
  if (acts_on == ActsOn::line)
    require_two_points(from, to, place, "the force has no direction", where);
  else
    require_two_bodies(from.body, to.body,
                       acts_on == ActsOn::bodies ? "a bushing connects two bodies"
                                                 : "a body touches another one, or the ground",
                       where);
  if (acts_on == ActsOn::surface && to.body == ground_body)
    reject(where + "/to", "found " + in_quotes(place), "the ground does not move",
           "name a place of a body here, and the ground under \"from\"");
}

void check_forces(const Model& model, NominalValues& nominal, const std::string& origin) {
  nominal.value(model.gravity, origin + ": /gravity");
  NumberChecks numbers(model, nominal, origin);
  for (const Force& force : model.forces) numbers.check(force);
}

}  // namespace gradus
