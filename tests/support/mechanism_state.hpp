// The state of a mechanism at a recorded time of gradus, for the oracle, so that both stand and
// move alike.
#pragma once

#include "gradus/result.hpp"
#include "tests/support/random_mechanism.hpp"

namespace gradus::test {

oracle::State<double> oracle_state(const MechanismPair& pair, const Result& result,
                                   std::size_t time);

// Lets the oracle start as gradus did: every joint at the recorded coordinates and rates, none left
// to be found.
void start_as_recorded(MechanismPair& pair, const Result& result, std::size_t time = 0);

}  // namespace gradus::test
