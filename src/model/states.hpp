// First-order states as mechanics. A state is the rate of a coordinate of its own, that of a disc
// with the moment of inertia 1 on which a joint force, its rate, acts. So every formulation,
// integrator, method and backend has states at its own order, whatever it does with rates: see
// docs/theory.md, section 18.
#pragma once

#include <string>

#include "gradus/model.hpp"

namespace gradus {

// The name of the disc, of its joint and of the force on it.
inline std::string disc_of_state(const std::string& state) {
  return "state " + state;
}

// The model with a disc and a sensor for each state that has none yet, behind all others.
Model with_discs(Model model);

}  // namespace gradus
