// What comes of states at an equilibrium: which rest because something that the search moves makes
// their rates vanish, and which keep the values that the model states. Laws are followed with all
// velocities of the mechanism zero, so that a rate that is a power or a velocity is none.
#include <algorithm>
#include <set>
#include <vector>

#include "src/plan/draft.hpp"

namespace gradus {
namespace {

using kernels::Instruction;
using kernels::LawInputKind;
using kernels::Operation;

// What a number depends on where nothing moves.
struct RestDependence {
  bool is_zero = true;  // whatever positions and states are
  bool on_positions = false;
  std::set<int> on_states = {};  // coordinates of their discs

  void add(const RestDependence& other) {
    is_zero = is_zero && other.is_zero;
    on_positions = on_positions || other.on_positions;
    on_states.insert(other.on_states.begin(), other.on_states.end());
  }
};

// Whether f(0) = 0.
bool keeps_zero(Operation operation) {
  switch (operation) {
    case Operation::divide:
    case Operation::negate:
    case Operation::square_root:
    case Operation::norm:
    case Operation::sine:
    case Operation::tangent:
    case Operation::arc_sine:
    case Operation::arc_tangent:
    case Operation::hyperbolic_sine:
    case Operation::hyperbolic_tangent:
    case Operation::absolute:
      return true;
    default:
      return false;
  }
}

RestDependence result_of(Operation operation, const RestDependence& a, const RestDependence* b) {
  if (operation == Operation::multiply && (a.is_zero || b->is_zero)) return {};
  if (keeps_zero(operation) && a.is_zero) return {};
  RestDependence both = a;
  if (b != nullptr) both.add(*b);
  const bool adds = operation == Operation::add || operation == Operation::subtract ||
                    operation == Operation::minimum || operation == Operation::maximum;
  both.is_zero = both.is_zero && adds;
  return both;
}

class RestingStates {
 public:
  explicit RestingStates(Plan& plan)
      : plan_(plan),
        first_(plan.coordinate_count() - plan.state_count),
        rates_(index(plan.state_count)),
        rests_(index(plan.state_count), true) {
    for (const kernels::ConstraintEntry& constraint : plan.constraints) note_driven(constraint);
    for (const kernels::ActionEntry& action : plan.actions)
      place_of(action).add(of_law(plan.laws[index(action.size)]));
  }

  void find() {
    for (bool changes = true; changes;) {
      changes = false;
      for (int i = 0; i < plan_.state_count; ++i) {
        if (!rests_[index(i)] || (is_moved(rates_[index(i)]) && counts(i))) continue;
        rests_[index(i)] = false;
        changes = true;
      }
    }
    for (int i = 0; i < plan_.state_count; ++i) {
      if (!rests_[index(i)])
        plan_.kept_states.push_back(first_ + i);
      else if (reads(forces_, i))
        plan_.states_act = 1;
    }
  }

 private:
  // A coordinate that a constraint alone determines.
  void note_driven(const kernels::ConstraintEntry& constraint) {
    if (constraint.kind != kernels::ConstraintKind::law) return;
    const kernels::LawEntry& law = plan_.laws[index(constraint.feature[0])];
    if (law.moving_end != law.input_begin + 1) return;
    const kernels::LawInputEntry& in = plan_.law_inputs[index(law.input_begin)];
    if (in.kind == LawInputKind::coordinate) driven_.insert(in.index);
  }

  RestDependence of_input(const kernels::LawInputEntry& in) const {
    switch (in.kind) {
      case LawInputKind::feature:
      case LawInputKind::length:
      case LawInputKind::pose:
        return {false, true};
      case LawInputKind::coordinate:
        return {false, driven_.count(in.index) == 0};
      case LawInputKind::rate:
        return in.index < first_ ? RestDependence{} : RestDependence{false, false, {in.index}};
      case LawInputKind::feature_velocity:
      case LawInputKind::angular_velocity:
      case LawInputKind::length_rate:
      case LawInputKind::pose_rate:
        return {};
      case LawInputKind::pose_work:
      case LawInputKind::slot:
      case LawInputKind::time:
      case LawInputKind::sensor:
      case LawInputKind::algebraic:
        break;
    }
    return {false};
  }

  RestDependence of_law(const kernels::LawEntry& law) const {
    std::vector<RestDependence> results;
    for (int k = law.instruction_begin; k < law.instruction_end; ++k) {
      const Instruction& i = plan_.law_instructions[index(k)];
      if (i.operation == Operation::constant)
        results.push_back({i.value == 0.0});
      else if (i.operation == Operation::input)
        results.push_back(of_input(plan_.law_inputs[index(law.input_begin + i.a)]));
      else
        results.push_back(
            result_of(i.operation, results[index(i.a)], i.b >= 0 ? &results[index(i.b)] : nullptr));
    }
    return results.back();
  }

  // The rate of a state, or the forces on the mechanism.
  RestDependence& place_of(const kernels::ActionEntry& action) {
    if (action.kind != kernels::ActionKind::effort) return forces_;
    const kernels::LawEntry& work = plan_.laws[index(action.work)];
    if (work.moving_end == work.input_begin) return forces_;
    const kernels::LawInputEntry& in = plan_.law_inputs[index(work.input_begin)];
    const bool is_rate = in.kind == LawInputKind::coordinate && in.index >= first_;
    return is_rate ? rates_[index(in.index - first_)] : forces_;
  }

  bool reads(const RestDependence& reader, int state) const {
    return reader.on_states.count(first_ + state) > 0;
  }
  bool is_moved(const RestDependence& rate) const {
    return rate.on_positions ||
           std::any_of(rate.on_states.begin(), rate.on_states.end(),
                       [this](int coordinate) { return rests_[index(coordinate - first_)]; });
  }
  bool counts(int state) const {
    bool is_read = reads(forces_, state);
    for (std::size_t k = 0; k < rates_.size(); ++k)
      is_read = is_read || (rests_[k] && reads(rates_[k], state));
    return is_read;
  }

  Plan& plan_;
  int first_;  // coordinate of the states
  std::set<int> driven_ = {};
  std::vector<RestDependence> rates_;  // [state]
  RestDependence forces_;
  std::vector<bool> rests_;  // [state]
};

}  // namespace

void add_resting_states(Draft& draft) {
  if (draft.plan.from_equilibrium != 0) RestingStates(draft.plan).find();
}

}  // namespace gradus
