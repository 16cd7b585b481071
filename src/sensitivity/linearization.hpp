// The linearised equations of a mechanism at its start.
#pragma once

#include "gradus/modes.hpp"

namespace gradus {

// m/s^2, rad/s^2, and of the fastest rate: what is as slow as that is still, so that a start may be
// stated with nine digits or so.
inline constexpr double kStill = 1e-7;

// As linearize(), and how A changes.
enum class MatrixChanges { none, along_motion, along_motion_and_by_parameters };
Linearization linearization_of(const Model& model, const Options& options, MatrixChanges changes);

}  // namespace gradus
