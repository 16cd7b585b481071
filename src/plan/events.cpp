// Events: the laws of when they come, of what they set, and of impacts, whose impulse is that of a
// force that acts for no time. docs/theory.md, section 25.
#include <map>
#include <vector>

#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/plan/draft.hpp"

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
      const bool is_binary = i.b >= 0 && i.operation != Operation::spline;
      const Reads b = is_binary ? reads[index(i.b)] : Reads{};
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

class EventWriter {
 public:
  EventWriter(Draft& draft, const Event& event)
      : draft_(draft),
        event_(event),
        path_("/events/" + event.name),
        reader_(draft, LawPlace::sample) {}

  void add() {
    kernels::EventEntry entry{};
    LawWriter when(draft_);
    entry.when = when.finish(passing(when, true), event_.name);
    entry.direction = event_.direction == Passages::either   ? 0
                      : event_.direction == Passages::rising ? 1
                                                             : -1;
    entry.impulse = entry.closing = entry.wanted = -1;
    if (event_.restitution) add_impact(entry);
    entry.reset_begin = static_cast<int>(draft_.plan.resets.size());
    for (const auto& [state, next] : event_.set) {
      LawWriter law(draft_);
      const Node value = reader_.read(law, next, path_ + "/set/" + state);
      draft_.plan.resets.push_back(
          {draft_.coordinate_of_state(state), law.finish(value, "state " + state)});
    }
    entry.reset_end = static_cast<int>(draft_.plan.resets.size());
    draft_.plan.events.push_back(entry);
  }

 private:
  // The expression that passes zero. Rates are not known of splines that are looked up.
  Node passing(LawWriter& law, bool looks_splines_up) const {
    return reader_.lowered(law, reader_.node(event_.when, path_ + "/when"), {}, looks_splines_up);
  }

  Node closing(LawWriter& law) const {
    return law.rate(passing(law, false), [&](const LawInputEntry&) -> Node {
      reject(draft_.where(path_ + "/when"), "found an impact where this is no distance",
             "an impulse acts along the derivatives of the expression by points and coordinates",
             "write it of positions, coordinates, distances and the time alone");
    });
  }

  void add_impact(kernels::EventEntry& entry) {
    const int impulse = draft_.coordinate_of_state(impulse_of(event_));
    LawWriter work(draft_), size(draft_), rate(draft_), after(draft_);
    const Node distance = passing(work, false);
    bool moves = false;
    for (const int input : work.inputs_of(distance)) {
      const LawInputKind kind = work.input_entry(input).kind;
      moves = moves || (kind != LawInputKind::time && kind != LawInputKind::slot);
    }
    entry.closing = rate.finish(closing(rate), event_.name);
    if (!moves)
      reject(draft_.where(path_ + "/when"), "found an impact where no motion decides",
             "an impulse acts along the derivatives of the expression", "use a distance");
    const Node share = reader_.read(after, *event_.restitution, path_ + "/impact/restitution");
    entry.wanted = after.finish(after.negate(after.multiply(share, closing(after))), event_.name);
    entry.impulse = impulse;
    const std::size_t laws = draft_.plan.laws.size();
    add_effort(draft_, work, distance, size, size.input(LawInputKind::rate, impulse), event_.name);
    for (std::size_t k = laws; k < draft_.plan.laws.size(); ++k) require_still(draft_.plan.laws[k]);
  }

  void require_still(const kernels::LawEntry& law) const {
    if (mixes_time(draft_.plan, law))
      reject(draft_.where(path_ + "/when"),
             "found a distance whose direction changes with the time t",
             "how the impulse turns with the time is not differentiated",
             "let a body carry the surface, driven by a constraint");
  }

  Draft& draft_;
  const Event& event_;
  std::string path_;
  LawReader reader_;
};

// What keeps the mechanism while bodies collide must not turn with the time either.
void require_still_constraints(const Draft& draft) {
  const std::size_t lasting = draft.plan.constraints.size() - index(draft.plan.start_constraints);
  for (std::size_t k = 0; k < lasting; ++k) {
    const kernels::ConstraintEntry& constraint = draft.plan.constraints[k];
    if (constraint.kind != kernels::ConstraintKind::law) continue;
    if (mixes_time(draft.plan, draft.plan.laws[index(constraint.feature[0])]))
      reject(draft.where("/events"),
             "found an impact, and the constraint " + in_quotes(draft.plan.constraint_names[k]) +
                 " whose direction changes with the time t",
             "how impulses turn with the time is not differentiated",
             "drive a body by a constraint of its coordinate, and constrain the others to it");
  }
}

}  // namespace

void add_events(Draft& draft) {
  const TimeLawWriter others = draft.time_laws;  // steps need not follow what events alone read
  bool has_impacts = false;
  for (const Event& event : draft.model.events) {
    EventWriter(draft, event).add();
    has_impacts = has_impacts || event.restitution;
  }
  draft.time_laws = others;
  if (has_impacts) require_still_constraints(draft);
}

}  // namespace gradus
