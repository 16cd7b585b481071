// What continuous adjoints need of a request.
#include "src/motion/continuous_adjoint.hpp"

#include <string>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"

namespace gradus {

std::size_t continuous_adjoint_bytes(const MotionRequest& request, const kernels::Layout& layout) {
  return (request.steps + 1) * static_cast<std::size_t>(layout.record_size) * sizeof(double);
}

// What the trapezoidal rule backwards needs of the motion forwards.
void check_continuous_adjoint(const MotionRequest& request, const Formulation& formulation,
                              const kernels::Layout& layout, std::size_t budget) {
  if (!formulation.has_clock() && formulation.evaluation)
    throw InputError("method: found \"continuous-adjoint\" for " +
                     std::string(request.formulation->name) +
                     " (no differential equation is integrated there); use adjoint");
  const std::string& integrator = request.analysis.integrator;
  const bool adaptive = formulation.has_clock() && request.tableau.error_order > 0;
  if (adaptive || (!formulation.has_clock() && integrator != keys::newmark))
    throw InputError(
        "method: found \"continuous-adjoint\" with the integrator " + integrator +
        " (it goes backwards by the trapezoidal rule over steps of equal length); use " +
        (adaptive ? "an integrator of fixed steps" : std::string(keys::newmark)) +
        ", or the method adjoint, which is exact with every integrator");
  const std::size_t bytes = continuous_adjoint_bytes(request, layout);
  if (budget > 0 && bytes > budget)
    throw InputError("memory: found " + std::to_string(budget) +
                     " bytes for a design (a continuous adjoint keeps all steps, " +
                     std::to_string(bytes) +
                     " bytes); give more, or use the method adjoint, which takes steps once more "
                     "instead");
}

}  // namespace gradus
