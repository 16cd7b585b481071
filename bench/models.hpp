// The mechanisms that are timed.
#pragma once

#include <gradus/gradus.hpp>

namespace gradus::bench {

// models/five-bar/five-bar.json: one loop, 4 coordinates, 5 parameters, 3 objectives.
Model five_bar();

// models/slider-crank/slider-crank-spring.json: one spatial loop, 4 parameters.
Model slider_crank();

// A rod on a hinge: one coordinate, 2 parameters, one objective.
Model pendulum();

// models/stewart-platform/stewart-platform.json: 25 coordinates, 6 loops, 5 parameters.
Model stewart_platform();

// Crank, coupler and rocker: 3 coordinates, one loop, 3 parameters, one objective.
Model four_bar();

// Open chain of bars whose axes are z and y in turn, as src/study/benchmark/chain.hpp describes it.
Model chain(int bodies, int parameters);

// The same with all axes along z: the motion stays in the plane.
Model planar_chain(int bodies, int parameters);

// chain() without parameters, every second joint of another kind: cardan and spherical in turn.
Model mixed_chain(int bodies);

// chain() without parameters and mixed_chain() with their tips held where they begin, by a
// spherical joint, of 8 bodies at least; the first joint of the latter is driven.
Model held_chain(int bodies);
Model driven_chain(int bodies);

}  // namespace gradus::bench
