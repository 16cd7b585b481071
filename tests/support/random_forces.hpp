// Random forces and drivers on the mechanisms of random_mechanism.hpp, described for both.
#pragma once

#include <string_view>

#include "tests/support/random_mechanism.hpp"

namespace gradus::test {

// One of every force, and springs and motors on coordinates where there are any.
void add_random_forces(MechanismPair& pair, Draw& draw);

// Models of 2 to 7 bodies on joints of all kinds, with such forces: trees, and loops that are cut
// at joints of all kinds in turn.
Model random_tree_with_forces(unsigned seed);
Model random_loop_with_forces(unsigned seed);

MechanismPair random_driven_chain(unsigned seed, int bodies, std::string_view kind);

}  // namespace gradus::test
