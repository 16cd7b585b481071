// Which coordinates, rates and states are numbers of x, and what they are called.
#include <algorithm>

#include "src/model/force_kind.hpp"
#include "src/model/states.hpp"
#include "src/motion/mobility.hpp"
#include "src/sensitivity/start_equations.hpp"

namespace gradus::small_motions {
namespace {

std::string per_second(const std::string& unit) {
  return unit.empty() ? "1/s" : unit + "/s";
}

// Numbers of x, and what each is called.
class StateList {
 public:
  explicit StateList(const CompiledMechanism& mechanism) : mechanism_(mechanism) {
    for (const HeldRow& row : plan().held_rows) add(row);
    // Positions come first, then rates and states.
    std::stable_partition(rows.begin(), rows.end(),
                          [](const StateRow& state) { return !state.is_rate; });
    for (const StateRow& row : rows) names.push_back(name_of(row));
  }

  std::vector<StateRow> rows;
  std::vector<NamedUnit> names;
  std::vector<std::string> held;  // states that are in none

 private:
  const Plan& plan() const { return mechanism_.plan(); }

  bool is_state(const HeldRow& row) const {
    return row.coordinate >= plan().coordinate_count() - plan().state_count;
  }
  // Whether its rate follows from nonholonomic constraints.
  bool is_released(const HeldRow& row) const {
    const auto& released = plan().released_rows;
    return std::any_of(released.begin(), released.end(), [&](const HeldRow& other) {
      return other.coordinate == row.coordinate && other.turn == row.turn;
    });
  }
  // Of the model or, "FORCE.STATE", of a force.
  std::string state_name(const HeldRow& row) const {
    const std::string& name = plan().coordinate_names[as_index(row.coordinate)].name;
    for (const std::string& state : gradus::states_of(mechanism_.tree().model))
      if (disc_of_state(state) == name) return state;
    return name;
  }

  // Whether a state moves at samples and events only.
  bool is_held(const HeldRow& row, const State* state) const {
    const Model& model = mechanism_.tree().model;
    if (state != nullptr) return is_sampled(*state) || gradus::is_held(model, *state);
    for (const Force& force : model.forces)
      for (const ForceState& own : gradus::states_of(model, force))
        if (own.is_held && force.name + "." + std::string(own.name) == state_name(row)) return true;
    return false;
  }

  void add(const HeldRow& row) {
    const State* const state =
        is_state(row) ? find_state(mechanism_.tree().model, state_name(row)) : nullptr;
    if (!is_state(row)) {
      rows.push_back({row, false});
      if (!is_released(row)) rows.push_back({row, true});
    } else if ((state != nullptr && !state->turn.empty()) || is_impulse(plan(), row.coordinate)) {
      return;
    } else if (is_held(row, state)) {
      held.push_back(state_name(row));
    } else if (plan().coordinates[as_index(row.coordinate)].start_rate >= 0) {
      rows.push_back({row, false});
    } else {
      rows.push_back({row, true});
    }
  }

  NamedUnit name_of(const StateRow& row) const {
    if (is_state(row.row)) {
      const std::string state = state_name(row.row);
      const State* const own = find_state(mechanism_.tree().model, state);
      return {state, own == nullptr ? "" : own->unit};
    }
    const std::string name = held_name(plan(), row.row);
    const std::string unit =
        row.row.turn >= 0 ? "rad" : plan().coordinate_names[as_index(row.row.coordinate)].unit;
    return row.is_rate ? NamedUnit{"rate of " + name, per_second(unit)} : NamedUnit{name, unit};
  }

  const CompiledMechanism& mechanism_;
};

}  // namespace

States states_of(const CompiledMechanism& mechanism) {
  StateList list(mechanism);
  return {std::move(list.rows), std::move(list.names), std::move(list.held)};
}

}  // namespace gradus::small_motions
