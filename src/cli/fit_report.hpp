// A fit as text for the terminal.
#pragma once

#include <string>

#include "gradus/fit.hpp"

namespace gradus::cli {

// What was fitted to what, the parameters with their errors, starts, and warnings. For a result
// without content (its folder has it) only the head.
std::string fit_report(const FitResult& result);

}  // namespace gradus::cli
