// ALI3-P: augmented Lagrangian of index 3 with velocity and acceleration projections.
#pragma once

#include "src/motion/formulation.hpp"

namespace gradus {

Formulation ali3p(const kernels::Layout& layout, const kernels::StepSettings& settings);

}  // namespace gradus
