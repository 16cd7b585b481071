// In what designs travel on the host: alone, or in the lanes of a pack, with kernels translated for
// the processor at hand.
#pragma once

#include <cstddef>

#include "kernels/launch/host.hpp"
#include "src/motion/request.hpp"

namespace gradus {

struct Vehicle {
  int lanes = 1;
  kernels::Launch launch = nullptr;
};

// Lanes that one can ask for here: 1, and those of the translations this processor can run.
std::vector<int> possible_lanes();

// The vehicle for a request: as many lanes as are asked for, or else as serve the designs that a
// thread has. A pack goes by common steps, so that integrators that choose theirs travel alone.
Vehicle choose_vehicle(const MotionRequest& request, int threads);

}  // namespace gradus
