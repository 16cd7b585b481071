// The state at which a design starts.
#include "gradus/error.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {

std::vector<double> start_state_on_host(MotionRequest request, std::span<const double> parameters) {
  request.n_design = 1;
  request.sensitivity = Sensitivity::none;
  const HostSetup setup(request, Sensitivity::none, 0);
  HostChunk<double> chunk(request, setup, choose_vehicle(request, 1));
  for (int lane = 0; lane < chunk.lanes(); ++lane)
    set_parameters(chunk, setup.layout, parameters.data(), request.plan->parameter_count(), lane);
  run_start(request, setup.formulation,
            [&](kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
              chunk.launch(kernel, at, stage);
            });
  if (chunk.fails())
    throw NumericalError("start state: the motion cannot start (" +
                         failure_message(chunk.status(), *request.plan) +
                         "), change the start values or the parameters");
  std::vector<double> state;
  append(chunk, setup.layout.position, request.plan->coordinate_count(), 0, state);
  append(chunk, setup.layout.velocity, request.plan->coordinate_count(), 0, state);
  return state;
}

}  // namespace gradus
