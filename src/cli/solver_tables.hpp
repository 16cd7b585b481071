// The tables of solvers as text.
#pragma once

#include <string>
#include <vector>

#include "gradus/solvers.hpp"

namespace gradus::cli {

// Under the name of each device one line for each size, with the shapes that another solver than
// most serves.
std::string solver_tables_text(const std::vector<SolverTable>& tables);

}  // namespace gradus::cli
