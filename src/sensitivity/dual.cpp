// Dual numbers driven through the whole time loop: every operation of the motion differentiates
// itself.
#include "gradus/error.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {

MotionOutcome dual_gradient(const DesignRun& session) {
  if (session.backend().kind != BackendKind::cpu)
    throw BackendError("method dual: runs on the backend cpu only (it checks the others), found " +
                       session.backend().name());
  if (asks_for_stage_solver(session.request()))
    check_stage_solver(session.request(), session.backend());
  return run_dual_on_host(session.request(), session.backend().threads);
}

}  // namespace gradus
