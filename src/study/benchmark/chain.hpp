// Open chains of bars, of any size: what the time of a mechanism is measured with.
#pragma once

#include <string>

#include "gradus/model.hpp"

namespace gradus {

// Each bar hangs by a revolute joint on the tip of the one before it; the axes are z, or z and y in
// turn, so that the motion is spatial. Parameters are the mass and the length of bars spread evenly
// along the chain; beyond 2 * bodies their centres of mass and moments of inertia follow. Beyond 4
// * bodies there must be a multiple of that: each quantity is then the sum of equally many. The
// objective is the integral of the squared distance of the last tip from the origin.
Model chain_of_bars(const std::string& name, int bodies, int parameters, bool planar);

}  // namespace gradus
