// Parts of evaluations on the scalar that records, a source of their own.
#pragma once

#include "kernels/core/design.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

// At an instant that stands for all designs, or at that of each.
void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       double time);
void record_evaluation(const kernels::Design<Recorded, false>& d,
                       const kernels::Evaluation& evaluation, kernels::EvaluationPart part,
                       const Recorded& time);

}  // namespace gradus::specialise
