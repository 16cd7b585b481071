// Cut joints and constraints of a model in its plan.
#pragma once

#include "src/plan/draft.hpp"

namespace gradus {

// The loops, then the constraints of users. After the bodies.
void add_constraints(Draft& draft);

}  // namespace gradus
