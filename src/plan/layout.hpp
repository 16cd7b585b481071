// Places the arrays of a design in its block of memory.
#pragma once

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"

namespace gradus {

kernels::Layout make_layout(const kernels::PlanView& plan, bool with_columns);

}  // namespace gradus
