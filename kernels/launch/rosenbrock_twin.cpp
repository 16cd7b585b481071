// What designs in plain numbers do in twins of theirs, for translations that run designs alone.
#include "kernels/integrators/rosenbrock_twin.hpp"

#if GRADUS_LAUNCHES_ALONE

GRADUS_KERNELS_BEGIN

void accelerate_twin(const Twin& twin, const Evaluation& evaluation, const Dual<double, 1>& time) {
  evaluate_accelerations(twin, evaluation, time, false);
}

void solve_twin_columns(const Twin& twin, const Evaluation& evaluation) {
  evaluate_columns(twin, evaluation, false);
}

void prepare_twin_rows(const Twin& twin, const Evaluation& evaluation) {
  prepare_rows(twin, evaluation);
}

void twin_evaluation_adjoint(const Twin& twin, const Evaluation& evaluation) {
  evaluation_adjoint(twin, evaluation, false);
}

GRADUS_KERNELS_END

#endif
