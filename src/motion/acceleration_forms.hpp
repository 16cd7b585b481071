// Formulations that yield accelerations, for any one-step method. docs/theory.md, section 13.
#pragma once

#include "src/motion/formulation.hpp"

namespace gradus {

// Open trees: accelerations without the mass matrix, at a cost that grows with the number of
// bodies.
Formulation fully_recursive(const kernels::Layout& layout, const kernels::StepSettings& settings);
// Open trees: accelerations from the mass matrix.
Formulation semi_recursive(const kernels::Layout& layout, const kernels::StepSettings& settings);
// Index-1 equations; positions and velocities projected after each step, or stabilised.
Formulation index1(const kernels::Layout& layout, const kernels::StepSettings& settings);
// Independent coordinates are integrated, the others follow from the constraints at every
// evaluation.
Formulation matrix_r(const kernels::Layout& layout, const kernels::StepSettings& settings);
// Constraints held by a penalty, with stabilisation.
Formulation penalty(const kernels::Layout& layout, const kernels::StepSettings& settings);
// Nothing is free to move but what the constraints drive.
Formulation kinematic(const kernels::Layout& layout, const kernels::StepSettings& settings);

}  // namespace gradus
