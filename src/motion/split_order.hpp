// The order in which sparse factors of the constraint Jacobian take its rows.
#pragma once

#include "src/motion/start_constraints.hpp"

namespace gradus {

// Fills split_steps, split_places, split_runs and split_free with an order of the constraints'
// first so many rows, of which `rank` are independent, in which reflections touch few coordinates
// and rows; with nothing where some of these rows depend on others, coordinates are few, or dense
// factors take less than twice as many operations. At the assembled start, evaluated.
void order_split(StartConstraints& constraints, Eigen::Index rows, Eigen::Index rank, Plan& plan);

}  // namespace gradus
