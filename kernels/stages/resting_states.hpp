// States at an equilibrium, where they rest as the mechanism does. Nothing reads the position of
// the disc of a state, so a start from an equilibrium keeps the state there: it is one more
// position that the search looks for, the force on it is its rate, and the velocity of the disc
// follows. States that nothing brings to rest, or that move nothing, keep what the model states.
// docs/theory.md, section 18.
#pragma once

#include "kernels/core/design.hpp"

GRADUS_KERNELS_BEGIN

// Coordinates of the mechanism, before those of states.
template <class D>
GRADUS_FUNCTION int mechanism_coordinates(const D& d) {
  return d.plan.coordinate_count - d.plan.state_count;
}

// Whether the coordinate is that of a state which is found with the equilibrium, or keeps its
// value there.
template <class D>
GRADUS_FUNCTION bool holds_state(const D& d, int coordinate) {
  return d.settings.from_equilibrium != 0 && coordinate >= mechanism_coordinates(d);
}

template <class D>
GRADUS_FUNCTION bool keeps_state(const D& d, int coordinate) {
  for (int k = 0; k < d.plan.kept_state_count; ++k)
    if (d.plan.kept_states[k] == coordinate) return true;
  return false;
}

// The states as velocities of their discs.
template <class D>
GRADUS_FUNCTION void take_resting_states(const D& d) {
  const Layout& l = d.layout;
  for (int c = mechanism_coordinates(d); c < d.plan.coordinate_count; ++c)
    d.at(l.velocity)[c] = d.at(l.free_velocity)[c] = d.at(l.position)[c];
}

// The stiffness as that of a search which has states for positions: forces answer to states by
// their damping, and a kept state has an equation of its own, that it is what it is.
template <class D>
GRADUS_FUNCTION void answer_to_states(const D& d) {
  const int n = d.plan.coordinate_count;
  const auto stiffness = d.at(d.layout.stiffness);
  for (int c = mechanism_coordinates(d); c < n; ++c)
    for (int i = 0; i < n; ++i) stiffness[i * n + c] = d.at(d.layout.damping)[i * n + c];
  for (int k = 0; k < d.plan.kept_state_count; ++k) {
    const int c = d.plan.kept_states[k];
    for (int j = 0; j < n; ++j) stiffness[c * n + j] = RealOf<D>(j == c ? 1.0 : 0.0);
  }
}

GRADUS_KERNELS_END
