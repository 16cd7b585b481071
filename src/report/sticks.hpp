// Shapes of bodies that state none, for files that show nothing else.
#pragma once

#include "gradus/model.hpp"

namespace gradus::report {

// The model at the values that it states, with a stick from each point of such a body to the next,
// or a ball where it has one alone.
Model with_sticks(Model model);

}  // namespace gradus::report
