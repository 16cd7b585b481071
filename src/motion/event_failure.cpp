// What a design that failed at an event tells its user.
#include "src/motion/event_failure.hpp"

#include "src/model/message.hpp"

namespace gradus {
namespace {

std::string event_name(const Plan& plan, double blamed) {
  const auto count = static_cast<double>(plan.events.size());
  if (!(blamed > 0.0 && blamed <= count)) return "of the model";
  const kernels::EventEntry& event = plan.events[static_cast<std::size_t>(blamed) - 1];
  return in_quotes(plan.law_names[static_cast<std::size_t>(event.when)]);
}

}  // namespace

std::string event_failure(kernels::Status status, const Plan& plan, double blamed) {
  using kernels::Status;
  const std::string name = event_name(plan, blamed);
  switch (status) {
    case Status::events_chatter:
      return "events follow each other ever faster (" + name +
             " came at the last of thirty instants within a millionth of the motion), so that the "
             "motion leads no further; let what they switch have a threshold for each direction";
    case Status::event_unclear:
      return "the expression of the event " + name +
             " does not pass zero there at a rate above 0: it jumps, or only touches zero, so that "
             "no derivative exists; state an expression that passes it, or another design";
    case Status::impact_share:
      return "the restitution of the impact " + name +
             " was not between 0 and 1 when it came; it is the share of the closing rate that is "
             "left";
    case Status::impact_singular:
      return "nothing gives way to the impact " + name +
             ": what collides is driven or held by constraints alone, or the impulse pulls; let "
             "one of the bodies move freely, the distance being positive where they are apart";
    case Status::impact_begun:
      return "the distance of the impact " + name +
             " is beyond zero and no impact has led there: bodies overlap at the start, or "
             "something else than their motion moves the distance; start them apart";
    case Status::impact_rests:
      return "after the impact " + name +
             " bodies do not part for a millionth of the motion: they rest on each other, at the "
             "end of impacts that follow each other ever faster, after one without restitution, or "
             "from the start, and an event does not keep them from overlapping; let a contact "
             "carry what rests (\"touch\": \"event\"), end the motion before, or let an event "
             "switch a force on";
    default:  // event_undefined
      return "the expression of the event " + name +
             ", its condition, or what it sets, became infinite or undefined";
  }
}

}  // namespace gradus
