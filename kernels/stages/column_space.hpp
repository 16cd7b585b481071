// Where columns that are solved for lie.
#pragma once

#include "kernels/core/design.hpp"

GRADUS_KERNELS_BEGIN

// Which columns are solved for: those of the parameters, or unit columns of position and velocity,
// which make the Jacobian of an evaluation.
struct ColumnSpace {
  int count;
  bool units;
};

template <class D>
GRADUS_FUNCTION ColumnSpace parameter_columns(const D& d) {
  return {d.plan.column_count, false};
}

// Where a set of columns lies in the space; of units there are position, velocity, acceleration.
template <class D>
GRADUS_FUNCTION int columns_in(const D& d, const ColumnSpace& space, ColumnSet set) {
  return space.units ? d.layout.jacobian_columns[set] : d.layout.columns[set];
}

GRADUS_KERNELS_END
