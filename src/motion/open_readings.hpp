// What laws read of reactions that redundant constraints may share in more than one way.
#pragma once

#include <vector>

#include "src/motion/mobility.hpp"
#include "src/motion/start_constraints.hpp"

namespace gradus {

// Laws of algebraic unknowns with the reactions they read that multipliers without any effect on
// the motion change: at the position at hand, which satisfies the constraints, or beside it.
// `jacobian` is that of the durable rows, scaled. docs/theory.md, section 19.
std::vector<OpenReading> open_readings(StartConstraints& constraints,
                                       const Eigen::MatrixXd& jacobian, const Scaling& scaling,
                                       const Plan& plan);

}  // namespace gradus
