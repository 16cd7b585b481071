// Formulations by name: ali3p, and those that yield accelerations, each a list of what an
// evaluation does and of what is done at the end of a step, for any one-step method.
// docs/theory.md, section 13.
#include "src/motion/formulation.hpp"

#include <algorithm>
#include <initializer_list>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/tangent.hpp"

namespace gradus {
namespace {

using namespace kernels;  // words for stages

// Held z' given;  Phi_z z' = -Phi_rho
StageTangent start_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kPosition);
  stage.of_start = 1;
  residual(stage, kStartPosition, -1.0, {});
  constraints(stage, kConstraint, {});
  return stage;
}

// K z' + Phi_z^T lambda' = -D_rho;  Phi_z z' = -Phi_rho, at rest
StageTangent rest_position(const Layout& l) {
  StageTangent stage = stage_tangent(rest_leading(l), kPosition);
  stage.of_start = 1;
  residual(stage, kDynamics, 1.0, {});
  constraints(stage, kConstraint, {});
  return stage;
}

// Held zd' given;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
StageTangent start_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kVelocity);
  stage.of_start = 1;
  residual(stage, kStartVelocity, -1.0, {{l.held_rate, kPosition, 1.0}});
  constraints(stage, kConstraintRate, {{l.jacobian_rate, kPosition, 1.0}});
  return stage;
}

// M zdd' + Phi_z^T lambda' = -(K z' + C zd' + D_rho);
// Phi_z zdd' = -(2 dPhi_z zd' + ddPhi_z z' + ddPhi_rho), and with stabilisation
//   - 2 xi Omega (Phi_z zd' + dPhi_z z' + dPhi_rho) - Omega^2 (Phi_z z' + Phi_rho)
StageTangent accelerations(const Layout& l, const StepSettings& s, const LeadingMatrix& leading) {
  const ColumnSet z = kPosition;
  const ColumnSet zd = kVelocity;
  StageTangent stage = stage_tangent(leading, kAcceleration);
  stage.of_accelerations = 1;
  residual(stage, kDynamics, 1.0, {{l.stiffness, z, 1.0}, {l.damping, zd, 1.0}});
  constraints(stage, kConstraintAcceleration,
              {{l.jacobian_rate, zd, 2.0}, {l.jacobian_acceleration, z, 1.0}});
  if (s.frequency == 0.0) return stage;
  constraints(stage, kConstraintRate, {{l.jacobian, zd, 1.0}, {l.jacobian_rate, z, 1.0}},
              2.0 * s.damping_ratio * s.frequency);
  constraints(stage, kConstraint, {{l.jacobian, z, 1.0}}, s.frequency * s.frequency);
  return stage;
}

struct Part {
  EvaluationStep step;
  StageTangent tangent;
};

// Held z' kept;  Phi_z z' = -Phi_rho
Part close_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kPosition);
  stage.held_columns = kPosition;
  constraints(stage, kConstraint, {});
  return {EvaluationStep::close_position, stage};
}

// Held zd' kept;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
Part close_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kVelocity);
  stage.held_columns = kVelocity;
  constraints(stage, kConstraintRate, {{l.jacobian_rate, kPosition, 1.0}});
  return {EvaluationStep::close_velocity, stage};
}

Part accelerate(const Layout& l, const StepSettings& s) {
  return {EvaluationStep::accelerate, accelerations(l, s, mass_leading(l))};
}

// Its columns follow from the step itself.
Part normalise() {
  return {EvaluationStep::normalise, StageTangent{}};
}

Formulation evaluating(const Layout& l, const StepSettings& s, std::initializer_list<Part> parts,
                       std::initializer_list<Part> projections) {
  Formulation f = starting(l, s);
  Evaluation& e = f.evaluation.emplace();
  for (const Part& part : parts) {
    e.operations[e.operation_count++] = part.step;
    e.tangents[e.tangent_count++] = part.tangent;
  }
  for (const Part& part : projections) {
    e.projections[e.projection_count] = part.step;
    e.projection_tangents[e.projection_count++] = part.tangent;
  }
  return f;
}

// Open trees: accelerations from the mass matrix.
Formulation semi_recursive(const Layout& l, const StepSettings& s) {
  return evaluating(l, s, {accelerate(l, s)}, {normalise()});
}

// The same without factors of all constraints.
Part close_tied_position(const Layout& l) {
  return {EvaluationStep::close_tied_position, close_position(l).tangent};
}
Part close_tied_velocity(const Layout& l) {
  return {EvaluationStep::close_tied_velocity, close_velocity(l).tangent};
}

// Accelerations without the mass matrix, at a cost that grows with the number of bodies and of what
// ties them. The start of the integration makes the accelerations of the start again, so those with
// the mass matrix are for its columns only.
Formulation fully_recursive(const Layout& l, const StepSettings& s) {
  const Part part{EvaluationStep::accelerate_recursively, accelerations(l, s, mass_leading(l))};
  Formulation f = l.tie.closes != 0
                      ? evaluating(l, s, {part}, {close_tied_position(l), close_tied_velocity(l)})
                      : evaluating(l, s, {part}, {normalise()});
  if (!wants_gradient(s)) f.settle.clear();
  return f;
}

// Index-1 equations; positions and velocities projected after each step, or stabilised.
Formulation index1(const Layout& l, const StepSettings& s) {
  if (s.projects == 0) return evaluating(l, s, {accelerate(l, s)}, {});
  return evaluating(l, s, {accelerate(l, s)}, {close_position(l), close_velocity(l)});
}

// Independent coordinates are integrated, the others follow from the constraints at every
// evaluation.
Formulation matrix_r(const Layout& l, const StepSettings& s) {
  Formulation f = evaluating(l, s, {close_position(l), close_velocity(l), accelerate(l, s)}, {});
  f.evaluation->chooses_independents = 1;
  return f;
}

// Constraints held by a penalty, with stabilisation.
Formulation penalty(const Layout& l, const StepSettings& s) {
  return evaluating(
      l, s, {{EvaluationStep::accelerate_by_penalty, accelerations(l, s, mass_saddle(l))}}, {});
}

// Nothing is free to move but what the constraints drive.
Formulation kinematic(const Layout& l, const StepSettings& s) {
  Formulation f = evaluating(l, s, {close_position(l), close_velocity(l), accelerate(l, s)}, {});
  f.step = {KernelId::kinematic_step};
  return f;
}

// All there are, `own` first.
std::vector<std::string> integrators_after(std::string_view own) {
  std::vector<std::string> names{std::string(own)};
  for (const std::string_view name : keys::integrators)
    if (name != own) names.emplace_back(name);
  return names;
}

}  // namespace

Formulation starting(const Layout& l, const StepSettings& s) {
  Formulation f;
  f.start = {KernelId::start_position, KernelId::start_velocity};
  f.settle = {KernelId::start_acceleration};
  StepSettings plain = s;
  plain.frequency = 0.0;
  f.start_tangents = {start_position(l), start_velocity(l)};
  if (s.from_equilibrium != 0) {
    f.start = {KernelId::start_position, KernelId::find_equilibrium, KernelId::start_velocity};
    f.rest_tangents = {rest_position(l)};
    f.start_tangents = {start_velocity(l)};
  }
  f.settle_tangents = {accelerations(l, plain, mass_leading(l))};
  return f;
}

const std::vector<FormulationTraits>& formulations() {
  static const std::vector<std::string> closed = integrators_after("dop853");
  static const std::vector<std::string> open = integrators_after(keys::newmark);
  static const std::vector<FormulationTraits> all{
      {.name = "ali3p",
       .make = ali3p,
       .integrators = {std::string(keys::newmark), std::string(keys::generalised_alpha),
                       std::string(keys::hht)},
       .has_stages = true,
       .has_clock = false,
       .multipliers = MultiplierSource::projected},
      {.name = "semi-recursive",
       .make = semi_recursive,
       .integrators = open,
       .for_open_trees = true},
      {.name = "fully-recursive", .make = fully_recursive, .integrators = open, .eliminates = true},
      {.name = "matrix-r", .make = matrix_r, .integrators = closed},
      {.name = "index1", .make = index1, .integrators = closed, .can_stabilise = true},
      {.name = "penalty",
       .make = penalty,
       .integrators = closed,
       .by_penalty = true,
       .can_stabilise = true,
       .multipliers = MultiplierSource::penalty},
      {.name = "kinematic", .make = kinematic, .has_clock = false}};
  return all;
}

const FormulationTraits& formulation_traits(const std::string& name) {
  const auto found =
      std::find_if(formulations().begin(), formulations().end(),
                   [&](const FormulationTraits& traits) { return traits.name == name; });
  if (found != formulations().end()) return *found;
  const std::vector<std::string> names(keys::formulations.begin(), keys::formulations.end());
  throw InputError("formulation: found \"" + name + "\", " + suggestion(name, names));
}

}  // namespace gradus
