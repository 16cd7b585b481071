// Events: the laws of when they come, of what they set, and of impacts, whose impulse is that of a
// force that acts for no time. docs/theory.md, section 25.
#include <algorithm>
#include <vector>

#include "src/model/constraint_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/plan/event_draft.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::Instruction;
using kernels::LawInputEntry;
using kernels::LawInputKind;
using kernels::Operation;

// Whether a law of positions and the time is more than a sum of functions of either: its
// derivatives by positions change with time then.
bool mixes_time(const Plan& plan, const kernels::LawEntry& law) {
  struct Reads {
    bool time = false, motion = false;
  };
  std::vector<Reads> reads;
  for (int k = law.instruction_begin; k < law.instruction_end; ++k) {
    const Instruction& i = plan.law_instructions[index(k)];
    Reads all;
    if (i.operation == Operation::input) {
      const LawInputKind kind = plan.law_inputs[index(law.input_begin + i.a)].kind;
      all.time = kind == LawInputKind::time;
      all.motion = kind != LawInputKind::time && kind != LawInputKind::slot;
    } else if (i.operation != Operation::constant) {
      const Reads a = reads[index(i.a)];
      const Reads b = is_binary(i) ? reads[index(i.b)] : Reads{};
      all = {a.time || b.time, a.motion || b.motion};
      const auto is_number = [](const Reads& r) { return !r.time && !r.motion; };
      const bool is_sum = i.operation == Operation::add || i.operation == Operation::subtract ||
                          i.operation == Operation::negate;
      const bool is_product = i.operation == Operation::multiply || i.operation == Operation::scale;
      const bool is_multiple = (is_product && (is_number(a) || is_number(b))) ||
                               (i.operation == Operation::divide && is_number(b));
      if (all.time && all.motion && !is_sum && !is_multiple) return true;
    }
    reads.push_back(all);
  }
  return false;
}

int direction_of(Passages passages) {
  return passages == Passages::either ? 0 : passages == Passages::rising ? 1 : -1;
}

class ImpactWriter {
 public:
  ImpactWriter(Draft& draft, const EventFormulas& event, const ImpactFormulas& impact)
      : draft_(draft), event_(event), impact_(impact) {}

  void add_to(kernels::EventEntry& entry) const {
    require_motion();
    entry.impulse = impact_.impulse;
    entry.rebounds = impact_.rebounds ? kernels::kRebounds : 0;
    if (impact_.is_share) {
      LawWriter rate(draft_);
      entry.closing = rate.finish(closing(rate), event_.name);
    }
    LawWriter amount(draft_);
    entry.amount = amount.finish(impact_.amount(amount), event_.name);
    const std::size_t laws = draft_.plan.laws.size();
    LawWriter work(draft_), size(draft_);
    add_effort(draft_, work, impact_.along(work), size,
               size.input(LawInputKind::rate, impact_.impulse), event_.name);
    for (std::size_t k = laws; k < draft_.plan.laws.size(); ++k) require_still(draft_.plan.laws[k]);
  }

 private:
  Node closing(LawWriter& law) const {
    return law.rate(impact_.along(law), [&](const LawInputEntry&) -> Node { reject_along(); });
  }

  [[noreturn]] void reject_along() const {
    reject(event_.where, "found an impact along what is no distance",
           "an impulse acts along the derivatives of an expression by points and coordinates",
           "write it of positions, distances, the time, and coordinates, which in reference-point "
           "coordinates are none of joints that turn");
  }

  // What it is along answers to some position, and to nothing else that moves.
  void require_motion() const {
    LawWriter law(draft_);
    bool moves = false;
    for (const int input : law.inputs_of(impact_.along(law))) switch (law.input_entry(input).kind) {
        case LawInputKind::time:
        case LawInputKind::slot:
          break;
        case LawInputKind::feature:
        case LawInputKind::coordinate:
        case LawInputKind::length:
          moves = true;
          break;
        default:
          reject_along();
      }
    if (!moves) reject_along();
  }

  void require_still(const kernels::LawEntry& law) const {
    if (mixes_time(draft_.plan, law))
      reject(event_.where, "found an impact along a direction that changes with the time t",
             "how the impulse turns with the time is not differentiated",
             "let a body carry the surface, driven by a constraint");
  }

  Draft& draft_;
  const EventFormulas& event_;
  const ImpactFormulas& impact_;
};

EventFormulas stated(Draft& draft, const LawReader& reader, const Event& event) {
  const std::string path = "/events/" + event.name;
  // Rates are not known of splines that are looked up.
  const auto law_of = [&reader](const Number& number, const std::string& at, bool has_rate) {
    return [&reader, &number, at, has_rate](LawWriter& law) {
      return reader.lowered(law, reader.node(number, at), {}, !has_rate);
    };
  };
  EventFormulas e{event.name,
                  draft.where(path),
                  law_of(event.when, path + "/when", false),
                  {},
                  direction_of(event.direction),
                  {},
                  {}};
  for (const auto& [state, next] : event.set)
    e.set.emplace_back(draft.coordinate_of_state(state),
                       law_of(next, path + "/set/" + state, false));
  if (event.condition) e.condition = law_of(*event.condition, path + "/while", false);
  if (!is_impact(event)) return e;
  const std::string impact = path + "/impact/";
  const Number& along = event.along ? *event.along : event.when;
  e.impact = {draft.coordinate_of_state(impulse_of(event)),
              law_of(along, event.along ? impact + "along" : path + "/when", true),
              event.restitution ? law_of(*event.restitution, impact + "restitution", false)
                                : law_of(*event.impulse, impact + "impulse", false),
              event.restitution.has_value(), event.restitution && !event.along};
  return e;
}

// Whether a constraint holds a coordinate, whose direction is the same whatever its value is.
bool drives_coordinate(const Model& model, const std::string& name) {
  return std::any_of(model.constraints.begin(), model.constraints.end(), [&](const Constraint& c) {
    return c.name == name && kind_of(c).of == ConstraintOf::coordinate;
  });
}

// What keeps the mechanism while bodies collide must not turn with the time either.
void require_still_constraints(const Draft& draft) {
  const std::size_t lasting = draft.plan.constraints.size() - index(draft.plan.start_constraints);
  for (std::size_t k = 0; k < lasting; ++k) {
    const kernels::ConstraintEntry& constraint = draft.plan.constraints[k];
    if (constraint.kind != kernels::ConstraintKind::law) continue;
    if (drives_coordinate(draft.model, draft.plan.constraint_names[k])) continue;
    if (mixes_time(draft.plan, draft.plan.laws[index(constraint.feature[0])]))
      reject(draft.where("/events"),
             "found an impact, and the constraint " + in_quotes(draft.plan.constraint_names[k]) +
                 " whose direction changes with the time t",
             "how impulses turn with the time is not differentiated",
             "drive a body by a constraint of its coordinate, and constrain the others to it");
  }
}

}  // namespace

void add_event(Draft& draft, const EventFormulas& event) {
  const TimeLawWriter others = draft.time_laws;  // steps need not follow what events alone read
  Plan& plan = draft.plan;
  kernels::EventEntry entry{};
  LawWriter when(draft);
  entry.when = when.finish(event.when(when), event.name);
  entry.direction = event.direction;
  entry.condition = -1;
  if (event.condition) {
    LawWriter condition(draft);
    entry.condition = condition.finish((*event.condition)(condition), event.name);
  }
  entry.impulse = entry.closing = entry.amount = -1;
  entry.rebounds = event.begins_at_zero ? kernels::kBeginsAtZero : 0;
  if (event.impact) ImpactWriter(draft, event, *event.impact).add_to(entry);
  entry.reset_begin = static_cast<int>(plan.resets.size());
  for (const auto& [coordinate, next] : event.set) {
    LawWriter law(draft);
    plan.resets.push_back({coordinate, law.finish(next(law), event.name)});
  }
  entry.reset_end = static_cast<int>(plan.resets.size());
  plan.events.push_back(entry);
  draft.time_laws = others;
}

void add_events(Draft& draft) {
  const LawReader reader(draft, LawPlace::sample);
  for (const Event& event : draft.model.events) add_event(draft, stated(draft, reader, event));
  const auto& events = draft.plan.events;
  if (std::any_of(events.begin(), events.end(), [](const auto& e) { return e.impulse >= 0; }))
    require_still_constraints(draft);
}

}  // namespace gradus
