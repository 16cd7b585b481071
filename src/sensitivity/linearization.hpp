// The linearised equations of a mechanism at its start.
#pragma once

#include "gradus/modes.hpp"

namespace gradus {

// As linearize(), and how A changes.
enum class MatrixChanges { none, along_motion, along_motion_and_by_parameters };
Linearization linearization_of(const Model& model, const Options& options, MatrixChanges changes);

}  // namespace gradus
