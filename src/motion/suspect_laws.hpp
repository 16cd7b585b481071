// Laws that may be why a motion fails: those without a value somewhere, and those that jump.
#pragma once

#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace gradus {

// "where A, B has no value (...)", of laws that have none everywhere; empty if there are none.
std::string where_undefined(const Plan& plan);

// Names of laws that divide by an absolute value, as x/abs(x) does, or are atan2: they jump at
// zero.
std::vector<std::string> laws_that_jump(const Plan& plan);

// What helps against these, behind what went wrong; empty if there are none.
std::string advice_on_jumps(const Plan& plan);

// The same against independent expressions, from which a position follows poorly.
std::string advice_on_independents(const Plan& plan);

}  // namespace gradus
