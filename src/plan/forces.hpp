// Forces of a model in its plan.
#pragma once

#include "src/plan/draft.hpp"

namespace gradus {

// Springs, torsional springs, loads, joint forces and bushings. After the bodies.
void add_forces(Draft& draft);

}  // namespace gradus
