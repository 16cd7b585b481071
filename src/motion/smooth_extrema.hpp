// What a run makes of the integrals behind smooth extrema.
#pragma once

#include "src/motion/request.hpp"

namespace gradus {

// Of integrals I of exp(g / eps) over a motion of length T, and their gradients, the smooth
// extremum eps ln(I / T) (G. Kreisselmeier, R. Steinhauser, 1979). Once for a run, when all its
// designs have been judged; those whose extremum is not finite fail.
void make_smooth_extrema(const MotionRequest& request, MotionOutcome& outcome);

}  // namespace gradus
