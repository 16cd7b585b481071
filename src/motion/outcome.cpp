// Making room for an outcome.
#include "src/motion/outcome.hpp"

#include <limits>

namespace gradus {

MotionOutcome make_outcome(const MotionRequest& request) {
  MotionOutcome outcome;
  renew_outcome(request, outcome);
  return outcome;
}

void renew_outcome(const MotionRequest& request, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t designs = request.n_design;
  const std::size_t objectives = plan.objectives.size();
  outcome.recomputation = 0.0;
  outcome.status.assign(designs, kernels::Status::ok);
  outcome.failure_time.assign(designs, 0.0);
  outcome.objectives.assign(designs * objectives, 0.0);
  if (request.sensitivity != Sensitivity::none)
    outcome.gradient.assign(designs * objectives * request.column_count(), 0.0);
  if (request.with_columns())
    outcome.gauss_newton.assign(designs * gauss_newton_size(request), 0.0);
  outcome.signals.assign(designs * static_cast<std::size_t>(plan.signal_count), 0.0);
  outcome.violation.assign(designs * 3, 0.0);
  outcome.iterations.assign(designs, 0.0);
  outcome.steps.assign(designs, 0.0);
  outcome.rejected_steps.assign(designs, 0.0);
  if (request.record) {
    outcome.trajectories.assign(designs, {});
    for (std::size_t d = 0; d < designs; ++d) outcome.trajectories[d].design = d;
  }
}

std::size_t gauss_newton_size(const MotionRequest& request) {
  const std::size_t columns = request.column_count();
  return static_cast<std::size_t>(request.plan->least_squares_count) * columns * columns;
}

bool is_recorded(const MotionRequest& request, std::size_t k) {
  return request.record && (k % request.record_every == 0 || k == request.steps);
}

std::size_t recorded_row(const MotionRequest& request, std::size_t k) {
  return (k + request.record_every - 1) / request.record_every;
}

void make_room_for_columns(const MotionRequest& request, MotionOutcome& outcome) {
  if (!request.columns) return;
  const std::size_t rows = recorded_row(request, request.steps) + 1;
  const std::size_t size =
      static_cast<std::size_t>(request.plan->signal_count) * request.plan->nominal.size();
  for (Trajectory& trajectory : outcome.trajectories)
    trajectory.sensor_columns.assign(rows * size, std::numeric_limits<double>::quiet_NaN());
}

void keep_rows(const Plan& plan, std::size_t rows, Trajectory& trajectory) {
  const auto coordinates = static_cast<std::size_t>(plan.coordinate_count());
  const auto signals = static_cast<std::size_t>(plan.signal_count);
  trajectory.time.resize(rows);
  trajectory.coordinates.resize(rows * coordinates);
  trajectory.rates.resize(rows * coordinates);
  trajectory.accelerations.resize(rows * coordinates);
  trajectory.sensors.resize(rows * signals);
  if (!trajectory.sensor_columns.empty())
    trajectory.sensor_columns.resize(rows * signals * plan.nominal.size());
}

}  // namespace gradus
