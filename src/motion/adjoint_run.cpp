// Adjoints on the host.
#include "src/motion/adjoint_run.hpp"

#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {

std::unique_ptr<HostRun> make_adjoint_run(const MotionRequest& request, int threads) {
  if (request.sensitivity == Sensitivity::continuous)
    return std::make_unique<AdjointRun<ContinuousAdjoint<ReversibleChunk>>>(request, threads);
  if (superposes(request)) return make_windowed_adjoint_run(request, threads);
  return std::make_unique<AdjointRun<DiscreteAdjoint<ReversibleChunk>>>(request, threads);
}

}  // namespace gradus
