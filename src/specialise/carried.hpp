// What a step of ali3p finds of the steps before it. All else of a design's memory is written by a
// step before the step reads it, so that nobody misses it between steps: programs need not store
// it, and a step that was begun in vain is undone by putting this back.
#pragma once

#include <vector>

#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"

namespace gradus::specialise {

// Numbers of a design's memory, `count` from `begin` on.
struct Span {
  int begin = 0;
  int count = 0;
};

// What travels with the motion.
enum class Company { none, columns, rows };

std::vector<Span> carried_between_steps(const kernels::Layout& layout,
                                        const kernels::PlanView& plan, Company company);

// The same for steps that an adjoint takes back: with what restore_kept() of
// kernels/stages/restore_step.hpp leaves of each.
std::vector<Span> carried_back(const kernels::Layout& layout, const kernels::PlanView& plan);

// What those who go on from a stage of an explicit method find of it, if it was not watched; see
// kernels/integrators/explicit_step.hpp.
std::vector<Span> carried_between_stages(const kernels::Layout& layout,
                                         const kernels::PlanView& plan, bool with_columns);

// What adjoints find behind an evaluation that is taken back; see
// kernels/integrators/evaluation_adjoint.hpp.
std::vector<Span> carried_behind_reversed(const kernels::Layout& layout,
                                          const kernels::PlanView& plan);

// Numbers that stay as they are for all of a motion, or for most steps, but are not the same for
// all designs and motions.
std::vector<Span> numbers_that_are_no_invariants(const kernels::Layout& layout,
                                                 const kernels::PlanView& plan, Company company);

// Arrays [.., columns] of steps with columns.
std::vector<Span> arrays_of_columns(const kernels::Layout& layout, const kernels::PlanView& plan);

}  // namespace gradus::specialise
