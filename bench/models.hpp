// The mechanisms that are timed.
#pragma once

#include <gradus/gradus.hpp>

namespace gradus::bench {

// models/five-bar/five-bar.json: one loop, 4 coordinates, 5 parameters, 3 objectives.
Model five_bar();

// Open chain of bars, each hung by a revolute joint on the tip of the one before it; the axes are z
// and y in turn, so that the motion is spatial. Parameters are the mass and the length of bars
// spread evenly along the chain; beyond 2 * bodies their centres of mass and moments of inertia
// follow, so there are at most 4 * bodies. The objective is the integral of the squared distance of
// the last tip from the origin.
Model chain(int bodies, int parameters);

// The same with all axes along z: the motion stays in the plane.
Model planar_chain(int bodies, int parameters);

// chain() without parameters, every second joint of another kind: cardan and spherical in turn.
Model mixed_chain(int bodies);

}  // namespace gradus::bench
