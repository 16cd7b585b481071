// All arrays of a plan's view, one after another.
#pragma once

#include "kernels/core/plan_view.hpp"

namespace gradus {

// Calls visit(array, how many entries it has), with the view's own pointers.
template <class Visit>
void for_each_array(kernels::PlanView& v, const Visit& visit) {
#define GRADUS_VISIT(TYPE, NAME, COUNT) visit(v.NAME, v.COUNT);
  GRADUS_PLAN_ARRAYS(GRADUS_VISIT)
#undef GRADUS_VISIT
#define GRADUS_VISIT(NAME)                              \
  visit(v.NAME.instructions, v.NAME.instruction_count); \
  visit(v.NAME.outputs, v.NAME.output_count);
  GRADUS_PLAN_PROGRAMS(GRADUS_VISIT)
#undef GRADUS_VISIT
}

}  // namespace gradus
