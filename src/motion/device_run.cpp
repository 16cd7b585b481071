// Time loops on a device.
#include "src/motion/device_run.hpp"

#include <algorithm>
#include <limits>

#include "src/motion/device_recorder.hpp"

namespace gradus {
namespace {

// Reports the fraction of the request that is done when step k of a chunk is.
void report(const MotionRequest& request, std::size_t first, std::size_t count, std::size_t k) {
  if (!request.progress || k % 64 != 0) return;
  const double part = static_cast<double>(k) / static_cast<double>(request.steps);
  request.progress((static_cast<double>(first) + static_cast<double>(count) * part) /
                   static_cast<double>(request.n_design));
}

// The sensitivities of the sensors that travel along, to row `row` of the trajectories.
void record_columns(DeviceChunk& chunk, const kernels::Layout& l, const MotionRequest& request,
                    const Instant& at, std::size_t row, std::size_t first, MotionOutcome& outcome) {
  const auto rows = static_cast<std::size_t>(request.plan->signal_count);
  const std::size_t size = rows * request.plan->nominal.size();
  chunk.launch(kernels::KernelId::sensor_columns, at, no_stage());
  // Other slices of the row may be known already.
  std::vector<double> values(chunk.count() * size);
  for (std::size_t d = 0; d < chunk.count(); ++d)
    std::copy_n(outcome.trajectories[first + d].sensor_columns.data() + row * size, size,
                values.data() + d * size);
  chunk.download_columns(l.signal_columns, rows, values.data());
  for (std::size_t d = 0; d < chunk.count(); ++d)
    std::copy_n(values.data() + d * size, size,
                outcome.trajectories[first + d].sensor_columns.data() + row * size);
}

// Which solver worked apart from the kernels, and how often it was refused in single precision.
void collect_refusals(DeviceChunk& chunk, const kernels::Layout& l, const MotionRequest& request,
                      std::size_t first, MotionOutcome& outcome) {
  outcome.solver = solver_name(chunk.solver()->kind());
  if (!request.mixed) return;
  outcome.refused.resize(request.n_design, 0.0);
  const std::vector<double> refused = chunk.download_slices(l.refused);
  // Slices share a system, or have one of their own each in a run of the same motion.
  for (std::size_t place = 0; place < refused.size(); ++place) {
    double& count = outcome.refused[first + place % chunk.count()];
    count = std::max(count, refused[place]);
  }
}

// One run of the motion of designs [first, first + chunk.count()), with the columns of the
// parameters from `column` on. The run with the first of them says what the motion was.
void run_once(DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
              std::size_t first, int column, MotionOutcome& outcome) {
  const kernels::Layout& layout = setup.layout;
  const std::size_t parameters = request.plan->nominal.size();
  chunk.see_columns(column);
  chunk.upload(layout.parameter, parameters, request.parameters.data() + first * parameters);
  DeviceRecorder recorder(chunk, setup, request, first, outcome);
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && request.records_columns())
      record_columns(chunk, layout, request, at, recorded_row(request, k), first, outcome);
    if (is_recorded(request, k) && column == 0) recorder.record(at);
    if (column == 0) report(request, first, chunk.count(), k);
    return true;
  };
  const TimeShare share = run_time_loop(request, setup.formulation, chunk, observe);
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

void collect_motion(DeviceChunk& chunk, const kernels::Layout& l, const MotionRequest& request,
                    std::size_t first, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t objectives = plan.objectives.size();
  const auto signals = static_cast<std::size_t>(plan.signal_count);
  chunk.download_status(outcome.status.data() + first, outcome.failure_time.data() + first);
  chunk.download(l.objective_value, objectives, outcome.objectives.data() + first * objectives);
  chunk.download(l.signal, signals, outcome.signals.data() + first * signals);
  chunk.download(l.violation, 3, outcome.violation.data() + first * 3);
  chunk.download(l.iterations, 1, outcome.iterations.data() + first);
  chunk.download(l.steps, 1, outcome.steps.data() + first);
  chunk.download(l.rejected_steps, 1, outcome.rejected_steps.data() + first);
}

void collect_gradient(DeviceChunk& chunk, const kernels::Layout& l, const MotionRequest& request,
                      std::size_t first, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t objectives = plan.objectives.size();
  const std::size_t size = objectives * plan.nominal.size();
  double* gradient = outcome.gradient.data() + first * size;
  chunk.download_columns(l.objective_gradient, objectives, gradient);
  const std::size_t matrices = request.with_columns() ? gauss_newton_size(request) : 0;
  if (matrices > 0)  // behind the gradients, of all columns
    chunk.download_columns(l.objective_gradient + static_cast<int>(size),
                           matrices / plan.nominal.size(),
                           outcome.gauss_newton.data() + first * matrices);
  chunk.download_status(outcome.status.data() + first, outcome.failure_time.data() + first);
  for (std::size_t d = 0; d < chunk.count(); ++d)
    if (outcome.status[first + d] != kernels::Status::ok)
      std::fill_n(gradient + d * size, size, std::numeric_limits<double>::quiet_NaN());
}

void trim_failures(const Plan& plan, std::size_t first, std::size_t count, MotionOutcome& outcome) {
  for (std::size_t d = first; d < first + count; ++d) {
    if (outcome.status[d] == kernels::Status::ok) continue;
    Trajectory& trajectory = outcome.trajectories[d];
    const auto end =
        std::lower_bound(trajectory.time.begin(), trajectory.time.end(), outcome.failure_time[d]);
    const auto rows = static_cast<std::size_t>(end - trajectory.time.begin());
    keep_rows(plan, rows, trajectory);
  }
}

MotionOutcome run_on_device(const MotionRequest& request, Device& device) {
  const DeviceSetup setup(device, request);
  MotionOutcome outcome = make_outcome(request);
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
