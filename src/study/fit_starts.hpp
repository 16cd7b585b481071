// Where the starts of a fit begin.
#pragma once

#include <vector>

#include "gradus/fit.hpp"

namespace gradus {

// The first is that of the variables; the others are a Latin hypercube between their bounds.
std::vector<std::vector<double>> fit_starts(const Fit& fit);

}  // namespace gradus
