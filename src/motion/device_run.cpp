// Time loops on a device.
#include "src/motion/device_run.hpp"

#include <algorithm>

#include "src/motion/device_recorder.hpp"
#include "src/motion/device_results.hpp"

namespace gradus {
namespace {

// Reports the fraction of the request that is done when step k of a chunk is.
void report(const MotionRequest& request, std::size_t first, std::size_t count, std::size_t k) {
  if (!request.progress || k % 64 != 0) return;
  const double part = static_cast<double>(k) / static_cast<double>(request.steps);
  request.progress((static_cast<double>(first) + static_cast<double>(count) * part) /
                   static_cast<double>(request.n_design));
}

// Steps of a motion, as the time loop says them.
struct Launcher {
  DeviceChunk& chunk;
  void operator()(kernels::KernelId kernel, const Instant& at,
                  const kernels::StageTangent& stage) const {
    chunk.launch(kernel, at, stage);
  }
  template <class Step>
  void replay(std::size_t count, const Step& step) const {
    chunk.replay(count, step);
  }
  void wait() const { chunk.synchronise(); }
};

// One run of the motion of designs [first, first + chunk.count()), with the columns of the
// parameters from `column` on. The run with the first of them says what the motion was.
void run_once(DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
              std::size_t first, int column, MotionOutcome& outcome) {
  const kernels::Layout& layout = setup.layout;
  const std::size_t parameters = request.plan->nominal.size();
  chunk.see_columns(column);
  chunk.upload(layout.parameter, parameters, request.parameters.data() + first * parameters);
  DeviceRecorder recorder(chunk, setup, request, first, outcome);
  const Launcher launch{chunk};
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && request.records_columns())
      record_columns(chunk, layout, request, at, recorded_row(request, k), first, outcome);
    if (is_recorded(request, k) && column == 0) recorder.record(at);
    if (column == 0) report(request, first, chunk.count(), k);
    return true;
  };
  const TimeShare share = run_time_loop(request, setup.formulation, launch, observe);
  Stopwatch rest;
  chunk.synchronise();
  recorder.finish();
  if (column == 0) collect_motion(chunk, layout, request, first, outcome);
  outcome.motion_s += share.motion + rest.lap();
  if (request.with_columns()) collect_gradient(chunk, layout, request, first, outcome);
  if (chunk.solver() != nullptr) collect_refusals(chunk, layout, request, first, outcome);
  outcome.sensitivity_s += share.sensitivity + rest.lap();
}

}  // namespace

MotionOutcome run_on_device(const MotionRequest& request, Device& device) {
  const DeviceSetup setup(device, request);
  MotionOutcome outcome = make_outcome(request);
  make_room_for_columns(request, outcome);
  const ChunkSize size =
      choose_chunk(setup.split, request.n_design, device.free_memory() / sizeof(double),
                   setup.motion_room(), setup.slice_room());
  for (std::size_t first = 0; first < request.n_design; first += size.designs) {
    const std::size_t count = std::min(size.designs, request.n_design - first);
    DeviceChunk chunk(setup, request, count, size.slices);
    for (std::size_t slice = 0; slice < setup.split.slices; slice += size.slices)
      run_once(chunk, setup, request, first, static_cast<int>(slice) * setup.split.width, outcome);
    if (request.record) trim_failures(*request.plan, first, count, outcome);
  }
  return outcome;
}

}  // namespace gradus
