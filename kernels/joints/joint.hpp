// What every joint offers. A joint places its child: from the joint frame of the parent it makes
// the joint frame of the child and the displacement of the joint point (`place`), and it names the
// axis of each of its coordinates (`axis`). Coordinates act one after another, each as a single
// translation or rotation, except for Euler parameters, which turn the child together; that is all
// the recursions need to know. A new joint is a file like these and a line in each list below.
#pragma once

#include "kernels/core/plan_view.hpp"
#include "kernels/joints/cardan.hpp"
#include "kernels/joints/cylindrical.hpp"
#include "kernels/joints/fixed.hpp"
#include "kernels/joints/floating.hpp"
#include "kernels/joints/planar.hpp"
#include "kernels/joints/prismatic.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/spherical.hpp"

GRADUS_KERNELS_BEGIN

// Calls `use` with the joint of the given kind.
template <class Use>
GRADUS_FUNCTION void with_joint(JointKind kind, Use&& use) {
  switch (kind) {
    case JointKind::revolute:
      return use(Revolute());
    case JointKind::prismatic:
      return use(Prismatic());
    case JointKind::cardan:
      return use(Cardan());
    case JointKind::cylindrical:
      return use(Cylindrical());
    case JointKind::spherical:
      return use(Spherical());
    case JointKind::floating:
      return use(Floating());
    case JointKind::planar:
      return use(Planar());
    case JointKind::fixed:
      return use(Fixed());
  }
}

GRADUS_KERNELS_END
