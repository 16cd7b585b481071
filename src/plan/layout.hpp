// Places the arrays of a design in its block of memory.
#pragma once

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"
#include "kernels/core/tableau_view.hpp"

namespace gradus {

// `tableau` is that of the one-step method, if one integrates; `with_saddle`: penalties are used.
kernels::Layout make_layout(const kernels::PlanView& plan, bool with_columns,
                            const kernels::TableauView& tableau = {}, bool with_saddle = false);

}  // namespace gradus
