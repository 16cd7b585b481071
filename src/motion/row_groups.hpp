// Parts of a mechanism that can pass singular configurations by themselves.
#pragma once

#include "src/motion/start_constraints.hpp"

namespace gradus {

// Finds the rows of the constraints, of which the first so many last and `rank` of them are
// independent, that determine how some coordinates move with each other without the help of other
// rows: a driver, the loop that follows from it, each loop of several on one crank. Fills
// row_groups, group_members and group_columns, with nothing where all rows are one group. At the
// assembled start, evaluated.
void group_rows(StartConstraints& constraints, const Eigen::VectorXd& units, Eigen::Index rows,
                Eigen::Index rank, Plan& plan);

}  // namespace gradus
