// The state at which a design starts.
#include "gradus/error.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {

std::vector<double> start_state_on_host(MotionRequest request, std::span<const double> parameters) {
  request.n_design = 1;
  request.parameters.assign(parameters.begin(), parameters.end());
  request.sensitivity = Sensitivity::none;
  const HostSetup setup(request, Sensitivity::none, 0);
  HostChunk<double> chunk(request, setup, choose_vehicle(request, 1));
  set_designs(chunk, request, setup.layout, 0, 1);
  run_start(request, setup.formulation, chunk);
  if (chunk.fails())
    throw NumericalError("start state: the motion cannot start (" +
                         failure_message(chunk.status(), request,
                                         chunk.entry(setup.layout.blamed, 0), 0.0, parameters) +
                         "), change the start values or the parameters");
  const int n = request.plan->coordinate_count();
  std::vector<double> state(2 * static_cast<std::size_t>(n));
  copy_plain(chunk, setup.layout.position, n, 0, state.data());
  copy_plain(chunk, setup.layout.velocity, n, 0, state.data() + n);
  return state;
}

}  // namespace gradus
