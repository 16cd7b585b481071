// Whether events can come, and what they set is there to be set.
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

void check_set_state(const Model& model, const std::string& name, const std::string& where) {
  const State* const state = find_state(model, name);
  if (state == nullptr || !state->turn.empty() || !state->impulse.empty()) {
    std::vector<std::string> names;
    for (const State& other : model.states)
      if (other.turn.empty() && other.impulse.empty()) names.push_back(other.name);
    reject(where, "found " + in_quotes(name), "there is no state of that name",
           suggestion(name, names));
  }
  if (state->is_followed)
    reject(where, "found a state that a constraint reads", "positions cannot jump",
           "let the constraint read another state, which follows this one");
  if (is_sampled(*state))
    reject(where, "found a sampled state", "it is set by a clock", "use a state without \"next\"");
}

void check_impact(const Event& event, LawCheck& laws, const std::string& where) {
  if (event.along)
    laws.nominal_value(*event.along, where + "/along");
  else if (event.restitution && event.direction == Passages::either)
    reject(where + "/direction", "found \"either\"", "an impact is from one side",
           "choose \"falling\", the distance being positive where bodies are apart, or \"rising\"");
  if (event.impulse) laws.nominal_value(*event.impulse, where + "/impact/impulse");
  if (!event.restitution) return;
  const std::optional<double> restitution =
      laws.nominal_value(*event.restitution, where + "/impact/restitution");
  if (restitution && !(*restitution >= 0.0 && *restitution <= 1.0))
    reject(where + "/impact/restitution", "found " + to_text(*restitution),
           "it is the share of the closing rate that is left", "choose 0 to 1");
}

}  // namespace

void check_events(const Model& model, NominalValues& nominal, const std::string& origin) {
  if (model.events.empty()) return;
  LawCheck laws(model, nominal, origin, LawPlace::sample);
  for (const Event& event : model.events) {
    const std::string where = origin + ": /events/" + event.name;
    if (const auto value = laws.nominal_value(event.when, where + "/when"))
      reject(where + "/when", "found an expression that is always " + to_text(*value),
             "it never passes zero", "use sensors, states or the time t");
    if (event.condition) laws.nominal_value(*event.condition, where + "/while");
    if (event.set.empty() && !is_impact(event))
      reject(where, "found neither \"set\" nor \"impact\"", "nothing changes at the event",
             "add one of them");
    for (const auto& [state, next] : event.set) {
      check_set_state(model, state, where + "/set/" + state);
      laws.nominal_value(next, where + "/set/" + state);
    }
    if (is_impact(event)) check_impact(event, laws, where);
  }
}

}  // namespace gradus
