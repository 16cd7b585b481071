// A formulation: the list of stages that makes a step, and how each stage answers to what came
// before it. The motion, its direct differentiation and its adjoint all follow this list.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/arguments.hpp"
#include "kernels/launch/kernel_id.hpp"

namespace gradus {

struct Formulation {
  std::string name;
  std::vector<kernels::KernelId> start;               // initial problems, in order
  std::vector<kernels::KernelId> step;                // stages of a step, in order
  std::vector<kernels::StageTangent> start_tangents;  // their linearised forms, for the columns
  std::vector<kernels::StageTangent> step_tangents;
};

// The formulation of that name, for designs laid out as given. Throws InputError if there is none.
Formulation make_formulation(const std::string& name, const kernels::Layout& layout,
                             const kernels::StepSettings& settings);

// Names that make_formulation knows.
std::vector<std::string> formulation_names();

}  // namespace gradus
