// Places the arrays of a design in its block of memory.
#pragma once

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"
#include "kernels/core/tableau_view.hpp"

namespace gradus {

// Which derivatives a design makes room for.
enum class Sensitivity {
  none,
  direct,     // columns per parameter that go along with the motion
  adjoint,    // rows per objective that follow it backwards
  continuous  // those of differential equations backwards
};

// `tableau` is that of the one-step method, if one integrates; `with_saddle`: penalties are used;
// `records_columns`: columns of the sensors are recorded.
kernels::Layout make_layout(const kernels::PlanView& plan, Sensitivity sensitivity,
                            const kernels::TableauView& tableau = {}, bool with_saddle = false,
                            bool records_columns = false);

}  // namespace gradus
