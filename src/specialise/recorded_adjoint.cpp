// The discrete adjoint of steps on the scalar that records.
#include "src/specialise/recorded_adjoint.hpp"

#include "kernels/stages/objective_elements.hpp"
#include "kernels/stages/restore_step.hpp"
#include "kernels/stages/solve_adjoint.hpp"
#include "src/specialise/recorded_spline.hpp"

namespace gradus::specialise {

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
