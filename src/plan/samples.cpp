// Sampled states: the laws of what they become.
#include "src/model/states.hpp"
#include "src/plan/draft.hpp"

namespace gradus {

void add_samples(Draft& draft) {
  const LawReader reader(draft, LawPlace::sample);
  const TimeLawWriter others = draft.time_laws;  // steps need not follow what samples alone read
  for (const State& state : draft.model.states) {
    if (!is_sampled(state)) continue;
    LawWriter law(draft);
    const expression::Node next = reader.read(law, state.next, "/states/" + state.name + "/next");
    draft.plan.samples.push_back(
        {draft.coordinate_of_state(state.name), law.finish(next, "state " + state.name)});
  }
  draft.time_laws = others;
}

}  // namespace gradus
