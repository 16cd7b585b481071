// A formulation: the list of stages that makes a step, and how each stage answers to what came
// before it, or what makes an evaluation of accelerations that any one-step method can use. The
// motion, its direct differentiation and its adjoint all follow these lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/arguments.hpp"
#include "kernels/launch/kernel_table.hpp"

namespace gradus {

struct Formulation {
  std::vector<kernels::KernelId> start;   // initial position and velocity, in order
  std::vector<kernels::KernelId> settle;  // accelerations there, by the motion's plan
  std::vector<kernels::KernelId> step;    // stages of a step, in order
  // Where the position is that of an equilibrium: its linearised form, at rest, which comes before
  // those of what the model states.
  std::vector<kernels::StageTangent> rest_tangents;
  std::vector<kernels::StageTangent> start_tangents;  // their linearised forms, for the columns
  std::vector<kernels::StageTangent> settle_tangents;
  std::vector<kernels::StageTangent> step_tangents;
  std::optional<kernels::Evaluation> evaluation;  // of formulations that yield accelerations

  // Whether designs advance with clocks of their own.
  bool has_clock() const { return evaluation.has_value() && step.empty(); }
};

// Whether a launch belongs to the start problems, which see what holds at the start only.
inline bool is_of_start(kernels::KernelId kernel, const kernels::StageTangent& stage) {
  using kernels::KernelId;
  const bool of_stage = kernel == KernelId::solve_columns || kernel == KernelId::solve_adjoint;
  return kernel == KernelId::set_start || kernel == KernelId::evaluate_constraints ||
         kernel == KernelId::start_position || kernel == KernelId::start_velocity ||
         kernel == KernelId::find_equilibrium || kernel == KernelId::linearise_rest ||
         kernel == KernelId::rest_columns || kernel == KernelId::start_partials ||
         kernel == KernelId::start_columns || (of_stage && stage.of_start != 0);
}

// What every formulation begins with: the start problems and the accelerations there.
Formulation starting(const kernels::Layout& layout, const kernels::StepSettings& settings);

// Augmented Lagrangian of index 3 with velocity and acceleration projections.
Formulation ali3p(const kernels::Layout& layout, const kernels::StepSettings& settings);

// What is known of a formulation before any design is laid out.
struct FormulationTraits {
  using Make = Formulation (*)(const kernels::Layout&, const kernels::StepSettings&);
  std::string_view name;
  Make make = nullptr;
  std::vector<std::string> integrators = {};  // its own first; none if nothing is integrated
  bool for_open_trees = false;                // and for no others
  bool eliminates = false;     // joints one after another, whatever ties the tree besides
  bool has_stages = false;     // a step is a list of stages; else it comes from accelerations
  bool has_clock = true;       // designs advance with clocks of their own
  bool by_penalty = false;     // loads of constraints come from their violation
  bool can_stabilise = false;  // violations may be damped (Baumgarte)
  kernels::MultiplierSource multipliers = kernels::MultiplierSource::accelerations;
};

// All there are.
const std::vector<FormulationTraits>& formulations();

// Those of that name. Throws InputError if there is none.
const FormulationTraits& formulation_traits(const std::string& name);

}  // namespace gradus
