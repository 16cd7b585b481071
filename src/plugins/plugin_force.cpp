// Refuses descriptions that models could not use.
#include "src/plugins/plugin_force.hpp"

#include <algorithm>

#include "src/model/message.hpp"

namespace gradus {
namespace {

constexpr int most = 1000;  // of keys, choices or states

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_plain_name(std::string_view name, bool is_type) {
  const auto is_allowed = [is_type](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || (is_type && c == '-');
  };
  return !name.empty() && name.size() <= 100 && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

std::string of(std::string_view type) {
  return ": the force " + in_quotes(type);
}

}  // namespace

PluginForce::PluginForce(const gradus_plugin_force& described, const std::string& file)
    : ForceKind{}, formula(described.formula), where_(file) {
  type = name_of(described.type, "type");
  where_ += of(type);
  origin = keep(file.c_str());
  write = write_plugin_force;
  check = check_plugin_force;
  switch (described.acts_on) {
    case GRADUS_PLUGIN_LINE:
      acts_on = ActsOn::line;
      break;
    case GRADUS_PLUGIN_JOINT:
      acts_on = ActsOn::coordinate;
      break;
    case GRADUS_PLUGIN_POINT:
      acts_on = ActsOn::point;
      break;
    case GRADUS_PLUGIN_BODY:
      acts_on = ActsOn::body;
      break;
    case GRADUS_PLUGIN_BODIES:
      acts_on = ActsOn::bodies;
      break;
    default:
      refuse("found that it acts on number " + std::to_string(described.acts_on),
             "there are 0 to 4", "see gradus_plugin_acts_on");
  }
  const auto check_count = [this](int count, const void* list, const char* what) {
    if (count < 0 || count > most || (count > 0 && list == nullptr))
      refuse("found a list of " + std::to_string(count) + " " + what, "it cannot be read",
             "0 to " + std::to_string(most) + " are possible");
  };
  check_count(described.key_count, described.keys, "keys");
  check_count(described.state_count, described.states, "states");
  if (formula == nullptr) refuse("found no formula", "there is no force without", "give it one");
  take_keys(described);
  take_states(described);
}

void PluginForce::take_keys(const gradus_plugin_force& described) {
  for (int k = 0; k < described.key_count; ++k) take_key(described.keys[k]);
  keys = keys_;
}

void PluginForce::take_key(const gradus_plugin_key& described) {
  ForceKey key{name_of(described.name, "key"), keep(described.unit)};
  const auto places = place_keys(acts_on);
  if (key.name == "type" || std::find(places.begin(), places.end(), key.name) != places.end())
    refuse("found the key " + in_quotes(key.name),
           "it says what the force is or where it acts already", "rename it");
  for (const ForceKey& other : keys_)
    if (other.name == key.name)
      refuse("found the key " + in_quotes(key.name) + " twice", "a model says it once",
             "rename one of them");
  const std::string found = "found the key " + in_quotes(key.name);
  const bool is_choice = described.content == GRADUS_PLUGIN_CHOICE;
  if (described.content < GRADUS_PLUGIN_NUMBER || described.content > GRADUS_PLUGIN_CHOICE)
    refuse(found, "its content is number " + std::to_string(described.content),
           "see gradus_plugin_content");
  if (described.size != 1 && (described.size != 3 || is_choice))
    refuse(found, "it has " + std::to_string(described.size) + " components",
           "1 and 3 are possible");
  if (described.is_positive != 0 &&
      (described.content != GRADUS_PLUGIN_NUMBER || described.size != 1))
    refuse(found, "only single numbers of parameters can be said to be positive",
           "keep it positive in the formula, as by max");
  const bool has_choices =
      described.choice_count > 0 && described.choice_count <= most && described.choices != nullptr;
  if (is_choice && !has_choices)
    refuse(found, "it is a choice of nothing", "name what can be chosen");
  key.content = is_choice                                ? ForceContent::choice
                : described.content == GRADUS_PLUGIN_LAW ? ForceContent::law
                                                         : ForceContent::number;
  key.size = described.size;
  key.required = described.is_required != 0;
  key.is_positive = described.is_positive != 0;
  if (is_choice) {
    std::vector<std::string_view>& choices = choices_.emplace_back();
    for (int c = 0; c < described.choice_count; ++c) choices.push_back(keep(described.choices[c]));
    key.choices = choices;
  }
  keys_.push_back(key);
}

void PluginForce::take_states(const gradus_plugin_force& described) {
  for (int s = 0; s < described.state_count; ++s) {
    const gradus_plugin_state& state = described.states[s];
    ForceState taken{name_of(state.name, "state"), "", keep(state.initial), keep(state.unit)};
    if (taken.unit.empty()) taken.unit = "1";
    const std::string found = "found the state " + in_quotes(taken.name);
    for (const ForceState& other : states_)
      if (other.name == taken.name)
        refuse(found + " twice", "its name says which it is", "rename one of them");
    const auto is_initial = [&](const ForceKey& key) {
      return key.name == taken.initial && key.content == ForceContent::number && key.size == 1;
    };
    if (!taken.initial.empty() && std::none_of(keys_.begin(), keys_.end(), is_initial))
      refuse(found + ", which starts at " + in_quotes(taken.initial),
             "there is no such key of a single number", "describe that key");
    states_.push_back(taken);
  }
  states = states_;
}

void PluginForce::refuse(const std::string& found, const std::string& why,
                         const std::string& hint) const {
  reject(where_, found, why, hint);
}

std::string_view PluginForce::name_of(const char* name, const char* of) {
  const std::string_view kept = keep(name);
  if (!is_plain_name(kept, std::string_view(of) == "type"))
    refuse(std::string("found the ") + of + " " + in_quotes(kept), "model files could not name it",
           "write a letter, then letters, digits and _ (in types - as well), 100 at most");
  return kept;
}

std::string_view PluginForce::keep(const char* text) {
  return texts_.emplace_back(text == nullptr ? "" : text);
}

}  // namespace gradus
