// Motions by ali3p with direct sensitivities, every launch of which is recorded and played back
// beside the general kernels: what recordings hold, what they cost, and whether they tell the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/plan/plan.hpp"
#include "src/specialise/program.hpp"

namespace gradus::specialise {

// Of one kernel, or of one of its stages; launches that took a path recorded before.
struct RecordedKernel {
  std::string name;
  std::size_t launches = 0;
  std::size_t held = 0;
  std::size_t recordings = 0;
  std::size_t differences = 0;  // launches after which some number was another
  OperationCount operations;    // of all launches

  double share_held() const {
    return launches == 0 ? 0.0 : static_cast<double>(held) / static_cast<double>(launches);
  }
};

struct RecordedMotion {
  std::size_t steps = 0;
  std::vector<RecordedKernel> kernels;  // in the order of their first launch
};

// Throws NumericalError if the motion fails. Kernels compare the instant as a plain number, as with
// the windows of objectives; recordings do not see that, and such launches may count as different.
RecordedMotion record_motion(const Plan& plan, double step, std::size_t steps);

}  // namespace gradus::specialise
