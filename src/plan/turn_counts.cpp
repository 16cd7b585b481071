// States that count the turns of cut joints: their rates are those of the angles.
#include "src/plan/joint_draft.hpp"

namespace gradus {

void add_turn_counts(Draft& draft) {
  for (const State& state : draft.model.states) {
    if (state.turn.empty()) continue;
    LawWriter work(draft);
    LawWriter size(draft);
    const CoordinateDraft counted(draft, state.turn, "/joints/" + state.turn);
    add_effort(draft, work, work.coordinate(draft.coordinate_of_state(state.name)), size,
               counted.rate(size).in(size), disc_of_state(state.name));
  }
}

}  // namespace gradus
