// Which rates of the start nonholonomic constraints determine.
#pragma once

#include <string>

#include "src/plan/plan.hpp"

namespace gradus {

// Chooses as many held rows as there are laws of rates, among those whose rates the model states as
// 0 or not at all: the ones by which the laws change most, and least alike. Throws InputError if
// there are too few at these parameters. Of a start that is given, those of its extension. After
// complete_start().
void release_rates(Plan& plan, const Extension& extension, const std::vector<double>& parameters,
                   const std::string& origin);

}  // namespace gradus
