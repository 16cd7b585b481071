// Random forces and drivers on the mechanisms of random_mechanism.hpp, described for both.
#pragma once

#include <string_view>

#include "tests/support/random_mechanism.hpp"

namespace gradus::test {

// One of every force, and springs and motors on coordinates where there are any.
void add_random_forces(MechanismPair& pair, Draw& draw);

MechanismPair random_driven_chain(unsigned seed, int bodies, std::string_view kind);

}  // namespace gradus::test
