// Events as they are written into a plan, by models and by forces.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/plan/draft.hpp"

namespace gradus {

using LawFormula = std::function<expression::Node(LawWriter&)>;

// An impulse along the derivatives of a law of positions.
struct ImpactFormulas {
  int impulse;       // the coordinate whose rate is its size: of a disc that nothing moves
  LawFormula along;  // a law whose rates are known: without splines that are looked up
  LawFormula amount;
  bool is_share;  // the amount is what is left of the rate of `along`, or else the impulse itself
  bool rebounds;  // `along` is what passes zero, and bodies must not go beyond it
};

struct EventFormulas {
  std::string name;   // of the event or force, in messages
  std::string where;  // it stands, likewise
  LawFormula when;
  std::optional<LawFormula> condition;
  int direction;                                // -1: falling, 1: rising, 0: both
  std::vector<std::pair<int, LawFormula>> set;  // the coordinates whose rates states are
  std::optional<ImpactFormulas> impact;
  bool begins_at_zero = false;  // what is zero at the start and moves on has not passed
};

// Throws InputError where an impact is along what is no law of positions.
void add_event(Draft& draft, const EventFormulas& event);

}  // namespace gradus
