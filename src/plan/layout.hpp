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

inline bool is_adjoint(Sensitivity sensitivity) {
  return sensitivity == Sensitivity::adjoint || sensitivity == Sensitivity::continuous;
}

// What else a design makes room for.
struct Extras {
  bool saddle = false;   // penalties are used
  bool columns = false;  // columns of the sensors are recorded
  bool reduced = false;  // reduced matrices for a solver outside the kernels
  bool records = false;  // steps are kept, for other ends than an adjoint
  bool events = false;   // these are noted
  bool ties = false;     // of a tree whose joints are eliminated one after another
};

// How many numbers laws are run on: number by number on up to four reals, values, adjoints and
// adjoints of the inputs.
inline int law_scratch_size(const kernels::PlanView& plan) {
  return plan.law_count > 0 ? 4 * (2 * plan.longest_law + plan.widest_law) : 0;
}

// Whether what generalised forces and constraints make of the elements is found for a unit of each
// rather than for each objective (kernels/stages/pooled_elements.hpp). A unit costs as much as an
// objective does without.
bool pools_elements(const kernels::PlanView& plan, Sensitivity sensitivity);

// `tableau` is that of the one-step method, if one integrates.
kernels::Layout make_layout(const kernels::PlanView& plan, Sensitivity sensitivity,
                            const kernels::TableauView& tableau = {}, const Extras& extras = {});

}  // namespace gradus
