// Parts of evaluations, and steps that an adjoint takes back, on the scalar that records: a source
// of their own.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/launch/kernel_table.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

// At an instant that stands for all designs, or at that of each.
void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       double time);
void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       const Recorded& time);

// Whether this is a kernel of a step that is taken back; if so, its body runs on the recorded
// numbers.
bool record_step_back(kernels::KernelId kernel,
                      const kernels::KernelArguments<Recorded, false>& arguments);

}  // namespace gradus::specialise
