// How many equations and features each kind of constraint has.
#pragma once

#include "kernels/core/plan_view.hpp"

GRADUS_KERNELS_BEGIN

GRADUS_ALWAYS_INLINE int row_count(ConstraintKind kind) {
  return kind == ConstraintKind::difference || kind == ConstraintKind::alignment ? 3 : 1;
}

GRADUS_ALWAYS_INLINE int feature_count(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::difference:
    case ConstraintKind::perpendicular:
      return 2;
    case ConstraintKind::alignment:
    case ConstraintKind::in_plane:
      return 3;
    case ConstraintKind::normalisation:
    case ConstraintKind::law:
      break;
  }
  return 0;
}

GRADUS_KERNELS_END
