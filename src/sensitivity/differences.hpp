// Central differences of objectives: every parameter of every design has two neighbours.
#pragma once

#include <vector>

#include "src/motion/design_run.hpp"

namespace gradus {

struct Differences {
  MotionOutcome neighbours;    // [design, parameter, above and below]
  std::vector<double> widths;  // [design, parameter] from one neighbour to the other
  std::vector<double> slopes;  // [design, objective, parameter], NaN where a neighbour has failed
};

// `step` is relative to max(|parameter|, 1); the designs are those of the request.
Differences central_differences(const DesignRun& run, const MotionRequest& request, double step);

// Fills objectives and gradient of an outcome for the designs of the run.
MotionOutcome difference_gradient(const DesignRun& run, double step);

}  // namespace gradus
