// Forces from JSON, each type with the keys of its kind.
#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/readers.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

ForceValue read_value(const JsonElement& element, const ForceKey& key) {
  if (key.content == ForceContent::choice) return element.name_among(key.choices);
  if (key.size == 3) return element.vector();
  return element.number();
}

}  // namespace

std::vector<keys::Key> keys_of_force(const ForceKind& kind) {
  std::vector<keys::Key> keys{{"type", true}};
  for (const std::string_view place : place_keys(kind.acts_on)) keys.push_back({place, true});
  for (const ForceKey& key : kind.keys) keys.push_back({key.name, key.required});
  return keys;
}

Force read_force(const std::string& name, const JsonElement& element) {
  std::vector<std::string_view> types;
  for (const ForceKind* const kind : force_kinds()) types.push_back(kind->type);
  const JsonElement type = element.at("type");
  if (type.json().kind == JsonValue::Kind::text && find_force_kind(type.text()) == nullptr &&
      nearest(type.text(), {types.begin(), types.end()}).empty())
    type.reject_value("one of " + quoted_list({types.begin(), types.end()}) +
                      ", or a type of a plug-in, which must be loaded before (--plugin)");
  Force force{name, type.name_among(types), {}};
  const ForceKind& kind = kind_of(force);
  element.require_keys(keys_of_force(kind));
  for (const std::string_view place : place_keys(kind.acts_on))
    force[place] = element.at(place).text();
  for (const ForceKey& key : kind.keys)
    if (const auto value = element.find(key.name)) force[key.name] = read_value(*value, key);
  return force;
}

}  // namespace gradus
