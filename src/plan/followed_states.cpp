// States that constraints read. A constraint holds positions, so such a state is the coordinate y
// of its disc: it begins with y' = g and goes on with y'' = dg/dt. The disc does not feel what it
// leads: the load of the constraint is given back to it. docs/theory.md, section 18.
#include <algorithm>
#include <stdexcept>

#include "src/model/constraint_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::LawInputKind;

class FollowedStates {
 public:
  explicit FollowedStates(Draft& draft)
      : draft_(draft),
        rates_(draft, LawPlace::followed_rate),
        other_rates_(draft, LawPlace::force),
        constraints_(draft, LawPlace::constraint) {}

  void add(const State& state) {
    const int coordinate = draft_.coordinate_of_state(state.name);
    draft_.plan.followed_states.push_back(state.name);
    LawWriter start(draft_);
    const Node rate = rates_.read(start, state.rate, path_of_rate(state));
    draft_.plan.coordinates[index(coordinate)].start_rate =
        start.finish(rate, disc_of_state(state.name));
    LawWriter work(draft_);
    LawWriter size(draft_);
    const Node force = size.add(acceleration(size, state), returned_load(size, state));
    add_effort(draft_, work, work.coordinate(coordinate), size, force, disc_of_state(state.name));
  }

 private:
  static std::string path_of_rate(const State& state) { return "/states/" + state.name + "/rate"; }

  // dg/dt = g_t + sum of g_q q' over all sensors q that g reads.
  Node acceleration(LawWriter& law, const State& state) {
    const Node g = rates_.node(state.rate, path_of_rate(state));
    Node sum = law.constant(0.0);
    for (const auto& [input, slope] : draft_.graph.derivatives(g)) {
      if (input < rates_.time_input()) continue;  // a parameter
      const Node share = rates_.lowered(law, slope, {});
      sum = law.add(sum, input == rates_.time_input()
                             ? share
                             : law.multiply(share, rate_of(law, shown(law, input))));
    }
    return sum;
  }

  // What the sensor component behind an input of expressions shows.
  Node shown(LawWriter& law, int input) const {
    std::size_t s = draft_.model.sensors.size() - 1;
    while (input < rates_.sensor_input(s)) --s;
    const SensorDraft sensor(draft_, draft_.model.sensors[s]);
    return sensor.kind()
        .formula(SensorFormula(sensor, law), input - rates_.sensor_input(s))
        .in(law);
  }

  Node rate_of(LawWriter& law, Node node) {
    return law.rate(node, [&](const kernels::LawInputEntry& in) {
      if (in.kind == LawInputKind::rate)
        for (const State& state : draft_.model.states)
          if (draft_.coordinate_of_state(state.name) == in.index)
            return other_rates_.read(law, state.rate, path_of_rate(state));
      throw std::logic_error("the rate of a state that a constraint reads reads velocities");
    });
  }

  // The constraint's force F on what it keeps, phi, puts F phi_y on the disc.
  Node returned_load(LawWriter& law, const State& state) const {
    Node sum = law.constant(0.0);
    for (const Constraint& constraint : draft_.model.constraints) {
      if (constraint.at_start || kind_of(constraint).of != ConstraintOf::expression ||
          !reads_state(draft_.model, constraint.value, state.name))
        continue;
      const Node phi =
          constraints_.node(constraint.value, "/constraints/" + constraint.name + "/expression");
      for (const auto& [input, slope] : draft_.graph.derivatives(phi))
        if (is_of(state, input))
          sum = law.subtract(
              sum, law.multiply(constraints_.lowered(law, slope, {}), force_of(law, constraint)));
    }
    return sum;
  }

  // Whether an input of expressions is a sensor of the state.
  bool is_of(const State& state, int input) const {
    for (std::size_t s = 0; s < draft_.model.sensors.size(); ++s) {
      const Sensor& sensor = draft_.model.sensors[s];
      if (constraints_.sensor_input(s) == input && sensor.type == "state" &&
          sensor.target == state.name)
        return true;
    }
    return false;
  }

  Node force_of(LawWriter& law, const Constraint& constraint) const {
    const Sensor* const sensor = find_force_sensor(draft_.model, constraint.name);
    return law.input(LawInputKind::sensor, static_cast<int>(sensor - &draft_.model.sensors[0]));
  }

  Draft& draft_;
  LawReader rates_, other_rates_, constraints_;
};

}  // namespace

void add_followed_states(Draft& draft) {
  const auto& states = draft.model.states;
  if (std::none_of(states.begin(), states.end(), [](const State& s) { return s.is_followed; }))
    return;
  FollowedStates followed(draft);
  for (const State& state : states)
    if (state.is_followed) followed.add(state);
}

std::string Plan::unknown_name(int law) const {
  const std::string& name = law_names[index(law)];
  for (const std::string& state : followed_states)
    if (name == disc_of_state(state)) return "the state " + in_quotes(state);
  const bool vanishes = laws[index(law)].vanishes != 0;
  return (vanishes ? "the force that keeps " : "the force ") + in_quotes(name);
}

}  // namespace gradus
