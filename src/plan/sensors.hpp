// Sensors of a model in its plan.
#pragma once

#include <string>
#include <vector>

#include "src/plan/draft.hpp"

namespace gradus {

// `reversed` names the joints whose child is the parent of the model. After the constraints.
void add_sensors(Draft& draft, const std::vector<std::string>& reversed);

}  // namespace gradus
