// Formulations that yield accelerations, each a list of what an evaluation does and of what is done
// at the end of a step.
#include "src/motion/formulation.hpp"

#include <initializer_list>

#include "src/motion/tangent.hpp"

namespace gradus {
namespace {

using kernels::Evaluation;
using kernels::EvaluationStep;
using kernels::KernelId;
using kernels::Layout;
using kernels::StageTangent;
using kernels::StepSettings;

struct Part {
  EvaluationStep step;
  StageTangent tangent;
};

Evaluation evaluation(std::initializer_list<Part> parts, std::initializer_list<Part> projections) {
  Evaluation e{};
  for (const Part& part : parts) {
    e.operations[e.operation_count++] = part.step;
    e.tangents[e.tangent_count++] = part.tangent;
  }
  for (const Part& part : projections) {
    e.projections[e.projection_count] = part.step;
    e.projection_tangents[e.projection_count++] = part.tangent;
  }
  return e;
}

Part close_position(const Layout& l) {
  return {EvaluationStep::close_position, closed_position(l)};
}
Part close_velocity(const Layout& l) {
  return {EvaluationStep::close_velocity, closed_velocity(l)};
}
Part accelerate(const Layout& l, const StepSettings& s) {
  return {EvaluationStep::accelerate, accelerations(l, s, kernels::mass_leading(l))};
}

Part accelerate_recursively(const Layout& l, const StepSettings& s) {
  return {EvaluationStep::accelerate_recursively, accelerations(l, s, kernels::mass_leading(l))};
}
// Its columns follow from the step itself.
Part normalise() {
  return {EvaluationStep::normalise, StageTangent{}};
}

// The start problems are those of every formulation.
Formulation starting(const Layout& l, const StepSettings& s) {
  Formulation f;
  f.start = {KernelId::start_position, KernelId::start_velocity};
  f.settle = {KernelId::start_acceleration};
  StepSettings plain = s;
  plain.frequency = 0.0;
  f.start_tangents = {start_position(l), start_velocity(l)};
  f.settle_tangents = {accelerations(l, plain, kernels::mass_leading(l))};
  return f;
}

}  // namespace

Formulation semi_recursive(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  f.evaluation = evaluation({accelerate(l, s)}, {normalise()});
  return f;
}

// The start of the integration makes the accelerations of the start again, so those with the mass
// matrix are for its columns only.
Formulation fully_recursive(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  if (!kernels::wants_gradient(s)) f.settle.clear();
  f.evaluation = evaluation({accelerate_recursively(l, s)}, {normalise()});
  return f;
}

Formulation index1(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  if (s.projects != 0)
    f.evaluation = evaluation({accelerate(l, s)}, {close_position(l), close_velocity(l)});
  else
    f.evaluation = evaluation({accelerate(l, s)}, {});
  return f;
}

Formulation matrix_r(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  f.evaluation = evaluation({close_position(l), close_velocity(l), accelerate(l, s)}, {});
  f.evaluation->chooses_independents = 1;
  return f;
}

Formulation penalty(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  f.evaluation = evaluation(
      {{EvaluationStep::accelerate_by_penalty, accelerations(l, s, kernels::mass_saddle(l))}}, {});
  return f;
}

Formulation kinematic(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  f.evaluation = evaluation({close_position(l), close_velocity(l), accelerate(l, s)}, {});
  f.step = {KernelId::kinematic_step};
  return f;
}

}  // namespace gradus
