// Evaluations, and adjoints of steps, as general kernels do them, on the scalar that records.
#include "src/specialise/recorded_evaluation.hpp"

#include <type_traits>

#include "kernels/integrators/evaluation_adjoint.hpp"
#include "kernels/integrators/explicit_step.hpp"
#include "kernels/stages/restore_step.hpp"
#include "src/specialise/recorded_spline.hpp"

namespace gradus::specialise {

// Products and sums that overflow may meet zeros that were folded. What is infinite, or no number,
// is so in the accelerations, states' rates among them.
static void expect_finite_accelerations(const kernels::Design<Recorded, false>& d) {
  Recorded sum(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) sum = sum + d.at(d.layout.acceleration)[c];
  take_for_sound(is_finite(sum));
}

template <class Time>
static void record(const kernels::Design<Recorded, false>& d, const kernels::Evaluation& evaluation,
                   kernels::EvaluationPart part, const Time& time) {
  using kernels::EvaluationPart;
  switch (part) {
    case EvaluationPart::accelerations:
    case EvaluationPart::projected:
      kernels::evaluate_accelerations(d, evaluation, time, part == EvaluationPart::projected);
      return expect_finite_accelerations(d);
    case EvaluationPart::columns:
    case EvaluationPart::projected_columns:
      return kernels::evaluate_columns(d, evaluation, part == EvaluationPart::projected_columns);
    case EvaluationPart::jacobian:
      return kernels::differentiate_evaluation(d, evaluation);
    case EvaluationPart::stage:
      kernels::explicit_stage(d, evaluation, Recorded(time), RecordedMask(false));
      return expect_finite_accelerations(d);
    case EvaluationPart::stage_back:
    case EvaluationPart::end_back:
      if constexpr (std::is_same_v<Time, double>)
        kernels::reverse_evaluation(d, evaluation, time, part == EvaluationPart::end_back);
      return;
  }
}

void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       double time) {
  record(d, evaluation, part, time);
}

void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       const Recorded& time) {
  record(d, evaluation, part, time);
}

bool record_step_back(kernels::KernelId kernel,
                      const kernels::KernelArguments<Recorded, false>& arguments) {
  using namespace kernels;
  const Design<Recorded, false> d(arguments.chunk, 0);
  switch (kernel) {
    case KernelId::restore_step:
      restore_step(d, arguments);
      return true;
    case KernelId::add_objective_rows:
      add_objective_rows(d, arguments);
      return true;
    case KernelId::solve_adjoint:
      solve_adjoint(d, arguments);
      return true;
    case KernelId::gather_elements:
      gather_elements(d, arguments);
      return true;
    default:
      return false;
  }
}

}  // namespace gradus::specialise
