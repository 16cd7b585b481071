// The parameter values of a batch.
#pragma once

#include <vector>

#include "gradus/run.hpp"

namespace gradus {

// [n_design, n_parameter]. Throws InputError for unknown names, values that are not numbers,
// impossible counts.
std::vector<double> design_values(const Model& model, const Options& options,
                                  std::vector<double> nominal);

}  // namespace gradus
