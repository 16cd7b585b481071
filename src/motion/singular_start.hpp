// Starts at which the constraints have less rank than beside them.
#pragma once

#include <random>

#include "src/motion/start_constraints.hpp"

namespace gradus {

// Goes a few hundredths of a radian or metre along a random combination of these motions, scaled,
// to a position that satisfies the durable rows, the first so many. Returns whether there is one.
bool move_beside(StartConstraints& constraints, const Eigen::MatrixXd& motions,
                 const Scaling& scaling, int rows, std::minstd_rand& generator);

// The number, from 1 on, of a row that depends on the others at the start and does not beside it,
// where the mechanism can move: it begins in a singular configuration. 0: it does not. Rows that
// can be left out everywhere depend on the others there, too.
int row_of_singularity(StartConstraints& constraints, const Eigen::MatrixXd& jacobian,
                       Eigen::Index rank, const Scaling& scaling);

// Begins beside a singular configuration, where the constraints have the rank of the motion to
// come. Returns whether it does.
bool shift_start(StartConstraints& constraints, const Eigen::MatrixXd& jacobian,
                 const Scaling& scaling, Plan& plan);

}  // namespace gradus
