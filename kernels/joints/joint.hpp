// What every joint offers. A joint places its child: from the joint frame of the parent it makes
// the orientation of the joint frame of the child and the displacement of the joint point, and it
// names the axis of each of its coordinates. Coordinates act one after another, each as a single
// translation or rotation; that is all the recursions need to know.
#pragma once

#include "kernels/core/plan_view.hpp"
#include "kernels/joints/prismatic.hpp"
#include "kernels/joints/revolute.hpp"

GRADUS_KERNELS_BEGIN

// Calls `use` with the joint of the given kind.
template <class Use>
GRADUS_FUNCTION void with_joint(JointKind kind, Use&& use) {
  switch (kind) {
    case JointKind::revolute:
      use(Revolute());
      break;
    case JointKind::prismatic:
      use(Prismatic());
      break;
  }
}

GRADUS_KERNELS_END
