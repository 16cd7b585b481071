// How a design fares. Kernels never throw: they mark the design and leave it behind.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

enum class Status : int {
  ok = 0,
  invalid_number,  // a parameter makes a physical number, or its derivative, infinite or undefined
  negative_mass,   // a mass is negative
  negative_inertia,     // a principal moment of inertia is
  loop_open,            // the position problem did not converge: the loop cannot close
  constraint_violated,  // an equation that the others were to imply does not hold
  singular_passed,      // the motion went through a singular configuration between two steps
  rank_too_low,   // constraints lost rank: singular configuration, or too few coordinates held
  rank_too_high,  // more independent constraints than coordinates left to satisfy them
  independents_singular,  // the held coordinates do not determine the others
  mass_singular,          // no inertia resists some motion
  newton_diverged,        // the Newton iteration of a step did not converge
  step_too_small,         // no step of an adaptive integrator is short enough
  progress_too_slow,      // so many steps of an adaptive integrator lead to no end
  too_many_steps,         // it has tried as many as it may
  objective_not_finite,   // an objective or its gradient became infinite or undefined
  not_finite,             // the motion became infinite or undefined
  passage_missing,        // an objective waits for a passage through zero that never comes
  passage_touches,        // or it touches zero rather than pass it
  equilibrium_missing,    // the search for a static equilibrium found none
  stiffness_singular,     // an equilibrium may be moved without a force
  passage_jumps,          // or its sign changes by a jump or a pole
  velocity_jumps,         // constraints prescribe velocities that jump
  state_rate_jumps,       // or the rate of a state that they read jumps
  objective_too_steep,    // no step is short enough for what an objective goes by
  algebraic_undefined,    // its law became infinite or undefined
  algebraic_unsolved,     // a force that depends on accelerations or reactions was not found
  algebraic_jammed,       // or it grows faster with them than they give way
  sensor_not_finite,      // a recorded sensitivity of a sensor became infinite or undefined
  sample_not_finite,      // a state that is sampled became infinite or undefined
  stiff,                  // for an explicit method: another one is to run it from the start
  left_pack,              // it failed on the way of a step in a pack: alone it may go on from there
  rates_singular,         // nonholonomic constraints do not determine the rates left to them
  rate_lost,              // or one does not hold any more
  event_undefined,        // the expression of an event, or what it sets, is infinite or undefined
  events_chatter,         // events follow each other ever faster
  event_unclear,          // it jumps through zero, or touches zero and does not pass it
  impact_share,           // the share of a rate that an impact leaves is not between 0 and 1
  impact_singular,        // nothing gives way to an impact
  impact_begun,           // bodies that collide have met without an impact
  impact_rests,           // impacts follow each other ever faster: bodies come to rest there
};

// Whether implicit steps of half the length may help.
GRADUS_ALWAYS_INLINE bool asks_for_half(Status status) {
  return status == Status::newton_diverged || status == Status::not_finite ||
         status == Status::velocity_jumps;
}

}  // namespace gradus::kernels
