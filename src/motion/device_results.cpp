// Results of runs on a device.
#include "src/motion/device_results.hpp"

#include <algorithm>
#include <limits>

namespace gradus {

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

}  // namespace gradus
