// Mechanisms that the derivative tests share: plain numbers, objectives included, ready to be
// parametrised.
#pragma once

#include "gradus/model.hpp"

namespace gradus::derivative {

// Open: revolute, prismatic, revolute, revolute in a row, all axes skew, every way to state a joint
// frame.
Model skew_chain();
// Open: a trunk that carries two branches, of which one forks again.
Model branched_tree();
// Open: three prismatic and two revolute joints with long arms, whose mass matrix is far from
// diagonal and makes every factorisation exchange rows.
Model long_armed_gantry();
// Open: eight bodies on a floating one, joints of every kind among them.
Model every_joint();
// The same with a cut joint of every kind, contradicting each other: for kernels only.
Model every_closure();
// Open: every joint, with forces of every kind, laws of time, sensors and parameters among them.
Model every_force();
// The same bodies with constraints of every kind that contradict each other: for kernels only.
Model every_constraint();
// Closed: the loop of six bodies below, driven so that nothing is left free; the two loops with a
// guide that moves, so that something is.
Model driven_loop();
Model guided_loop();
// Closed: a chain of most kinds of joints between the ground and a cut joint of the given kind.
Model closed_by(JointType cut);
// Loop of six bodies and seven joints (revolute and prismatic) in general position, which one
// degree of freedom is left to. Every number may vary and the loop still closes. `cut` is the joint
// that closes it.
Model general_loop(JointType cut);
// Two such loops on one tree, sharing bodies: three degrees of freedom.
Model double_general_loop();
// Bennett's linkage: four revolute joints in space that move although counting says they cannot.
// Parameters are its length and its two twist angles; the rest follows by definitions.
Model bennett_linkage();

// In the plane x y. Four-bar linkage cut at joint number `cut` (0 at A, 1 between crank and
// coupler, 2 between coupler and rocker, 3 at B).
Model four_bar(int cut);
// Five-bar linkage cut at B or in the middle.
Model five_bar(bool cut_in_the_middle);
// Slider-crank with the prismatic or the revolute joint at the slider cut.
Model slider_crank(JointType cut);
// Two four-bar loops one after the other, the second driven by the rocker of the first.
Model two_four_bars();
// The four-bar linkage in a plane that parameters tilt in space: every axis and every ground point
// follows two angles.
Model tilted_four_bar();
// A sledge with a pendulum: a constraint follows one state, a force a sampled one.
Model led_by_states();
// Open: two links and a free body with states, friction by reactions, a bushing, a spline with a
// parameter, instants that are looked for.
Model of_everything();

}  // namespace gradus::derivative
