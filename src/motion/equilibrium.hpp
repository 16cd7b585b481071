// The stiffness of a static equilibrium: whether it is stable, and what it does not hold. Where
// forces read states, the motions of mechanism and states beside it tell instead.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/motion/request.hpp"

namespace gradus {

enum class Stability {
  stable,
  unstable,
  slack,  // some motion meets no stiffness, so that designs fail
  open,   // forces have no potential, so that the stiffness does not tell
  kept,   // forces read states that are sampled or keep their values, or nothing damps a motion
  absent  // no equilibrium was found
};

// What an equilibrium is at these parameters, and the joints that move most in what it is unstable
// in, or that meet no stiffness.
struct EquilibriumReport {
  Stability stability = Stability::absent;
  std::vector<std::string> joints;
  // Of derivatives, relative: that of the stiffest motion beside the softest.
  double round_off = 0.0;
};

// Of a plan that starts from an equilibrium, one design with these parameters.
EquilibriumReport report_equilibrium(const MotionRequest& request,
                                     std::span<const double> parameters);

// What to say of derivatives that have lost digits: nothing if they have not.
std::string lost_digits_text(const EquilibriumReport& report);

// What to say of it: "stable", "unstable in ...", ...
std::string equilibrium_text(const EquilibriumReport& report);

}  // namespace gradus
