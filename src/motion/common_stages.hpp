// Linearised stages that formulations share. docs/theory.md, sections 10 and 13. Primes are
// derivatives by a parameter.
#pragma once

#include "kernels/core/arguments.hpp"

namespace gradus {

// The initial problems.
kernels::StageTangent start_position(const kernels::Layout& l);
kernels::StageTangent start_velocity(const kernels::Layout& l);

// Positions and velocities that the constraints determine, those of the held rows being kept.
kernels::StageTangent closed_position(const kernels::Layout& l);
kernels::StageTangent closed_velocity(const kernels::Layout& l);

// Accelerations of the index-1 equations, with stabilisation if the settings have a frequency; the
// leading matrix is the mass matrix, or that with penalty.
kernels::StageTangent accelerations(const kernels::Layout& l, const kernels::StepSettings& s,
                                    const kernels::LeadingMatrix& leading);

}  // namespace gradus
