// Time loops on a device.
#include "src/motion/device_run.hpp"

#include <algorithm>

#include "gradus/error.hpp"
#include "src/backend/device_plan.hpp"
#include "src/motion/outcome.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus {
namespace {

// Designs [first, first + count) of a request, on a device.
class DeviceChunk {
 public:
  DeviceChunk(Device& device, const MotionRequest& request, const Formulation& formulation,
              const kernels::PlanView& plan, const kernels::Layout& layout, std::size_t count)
      : device_(device),
        count_(count),
        start_plan_(plan),
        memory_(device, count * static_cast<std::size_t>(layout.size) * sizeof(double)),
        status_(device, count * sizeof(kernels::Status)),
        failure_time_(device, count * sizeof(double)),
        tableau_(device,
                 std::max<std::size_t>(request.tableau.numbers().size(), 1) * sizeof(double)),
        evaluation_(device, sizeof(kernels::Evaluation)) {
    const std::vector<double> numbers = request.tableau.numbers();
    if (!numbers.empty())
      device.upload(tableau_.data(), numbers.data(), numbers.size() * sizeof(double));
    arguments_.chunk.tableau = request.tableau.view(static_cast<const double*>(tableau_.data()));
    if (formulation.evaluation)
      device.upload(evaluation_.data(), &*formulation.evaluation, sizeof(kernels::Evaluation));
    arguments_.evaluation = static_cast<const kernels::Evaluation*>(evaluation_.data());
    arguments_.chunk.plan = start_plan_;
    arguments_.chunk.layout = layout;
    arguments_.chunk.settings = request.settings();
    arguments_.chunk.memory = static_cast<double*>(memory_.data());
    arguments_.chunk.status = static_cast<kernels::Status*>(status_.data());
    arguments_.chunk.failure_time = static_cast<double*>(failure_time_.data());
    arguments_.chunk.design_count = static_cast<std::ptrdiff_t>(count);
  }

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    arguments_.time = at.time;
    arguments_.weight = at.weight;
    arguments_.last = at.last ? 1 : 0;
    see_plan(is_of_start(kernel, stage));
    arguments_.stage = stage;
    device_.launch(kernel, arguments_);
  }

  // Rows [size] of every design, to and from [design, size].
  void upload(int offset, std::size_t size, const double* values) {
    std::vector<double> block(size * count_);
    for (std::size_t d = 0; d < count_; ++d)
      for (std::size_t k = 0; k < size; ++k) block[k * count_ + d] = values[d * size + k];
    device_.upload(row(offset), block.data(), block.size() * sizeof(double));
  }
  void download(int offset, std::size_t size, double* values) {
    std::vector<double> block(size * count_);
    device_.download(block.data(), row(offset), block.size() * sizeof(double));
    for (std::size_t d = 0; d < count_; ++d)
      for (std::size_t k = 0; k < size; ++k) values[d * size + k] = block[k * count_ + d];
  }
  void download_status(kernels::Status* status, double* failure_time) {
    device_.download(status, status_.data(), status_.size());
    device_.download(failure_time, failure_time_.data(), failure_time_.size());
  }

 private:
  double* row(int offset) const {
    return static_cast<double*>(memory_.data()) + static_cast<std::size_t>(offset) * count_;
  }

  // The plan of the start, or that of the motion, which lacks what holds at the start only.
  void see_plan(bool of_start) {
    if (start_plan_.start_constraints == 0 || sees_start_ == of_start) return;
    arguments_.chunk.plan = of_start ? start_plan_ : kernels::after_start(start_plan_);
    sees_start_ = of_start;
  }

  Device& device_;
  std::size_t count_;
  kernels::PlanView start_plan_;
  bool sees_start_ = true;
  DeviceBuffer memory_, status_, failure_time_, tableau_, evaluation_;
  DeviceArguments arguments_{};
};

// Recorded instants of all designs of a chunk.
void record(DeviceChunk& chunk, const kernels::Layout& l, const MotionRequest& request,
            const Instant& at, std::size_t first, std::size_t count, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  chunk.launch(kernels::KernelId::evaluate_signals, at, no_stage());
  const auto append = [&](int offset, int size, std::vector<double> Trajectory::*to) {
    const auto width = static_cast<std::size_t>(size);
    std::vector<double> values(count * width);
    chunk.download(offset, width, values.data());
    for (std::size_t d = 0; d < count; ++d) {
      std::vector<double>& column = outcome.trajectories[first + d].*to;
      column.insert(column.end(), values.begin() + static_cast<std::ptrdiff_t>(d * width),
                    values.begin() + static_cast<std::ptrdiff_t>((d + 1) * width));
    }
  };
  for (std::size_t d = 0; d < count; ++d) outcome.trajectories[first + d].time.push_back(at.time);
  append(l.position, plan.coordinate_count(), &Trajectory::coordinates);
  append(l.velocity, plan.coordinate_count(), &Trajectory::rates);
  append(l.acceleration, plan.coordinate_count(), &Trajectory::accelerations);
  append(l.signal, plan.signal_count, &Trajectory::sensors);
  if (!request.records_columns()) return;
  chunk.launch(kernels::KernelId::sensor_columns, at, no_stage());
  append(l.signal_columns, plan.signal_count * plan.parameter_count(), &Trajectory::sensor_columns);
}

// Takes back what was recorded of failed designs from their failure on: on a device nobody looks
// before the end.
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

void collect(DeviceChunk& chunk, const MotionRequest& request, const kernels::Layout& l,
             std::size_t first, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t objectives = plan.objectives.size();
  const std::size_t parameters = plan.nominal.size();
  const auto signals = static_cast<std::size_t>(plan.signal_count);
  chunk.download_status(outcome.status.data() + first, outcome.failure_time.data() + first);
  chunk.download(l.objective_value, objectives, outcome.objectives.data() + first * objectives);
  chunk.download(l.signal, signals, outcome.signals.data() + first * signals);
  chunk.download(l.violation, 3, outcome.violation.data() + first * 3);
  chunk.download(l.iterations, 1, outcome.iterations.data() + first);
  chunk.download(l.steps, 1, outcome.steps.data() + first);
  chunk.download(l.rejected_steps, 1, outcome.rejected_steps.data() + first);
  if (!request.with_columns()) return;
  chunk.download(l.objective_gradient, objectives * parameters,
                 outcome.gradient.data() + first * objectives * parameters);
  const std::size_t matrices = gauss_newton_size(plan);
  if (matrices > 0)
    chunk.download(l.objective_gradient + static_cast<int>(objectives * parameters), matrices,
                   outcome.gauss_newton.data() + first * matrices);
}

}  // namespace

MotionOutcome run_on_device(const MotionRequest& request, Device& device) {
  const Plan& plan = *request.plan;
  const kernels::Layout layout =
      make_layout(plan.view(), request.sensitivity, request.tableau.view(nullptr),
                  request.uses_penalty(), request.records_columns());
  const Formulation formulation = make_formulation(request.formulation, layout, request.settings());
  const DevicePlan device_plan(device, plan.view());
  MotionOutcome outcome = make_outcome(request);

  const std::size_t bytes = static_cast<std::size_t>(layout.size) * sizeof(double);
  const std::size_t fitting = std::max<std::size_t>(device.free_memory() / bytes, 1);
  for (std::size_t first = 0; first < request.n_design; first += fitting) {
    const std::size_t count = std::min(fitting, request.n_design - first);
    DeviceChunk chunk(device, request, formulation, device_plan.view(), layout, count);
    chunk.upload(layout.parameter, plan.nominal.size(),
                 request.parameters.data() + first * plan.nominal.size());
    const auto launch = [&](kernels::KernelId kernel, const Instant& at,
                            const kernels::StageTangent& stage) {
      chunk.launch(kernel, at, stage);
    };
    const auto observe = [&](std::size_t k, const Instant& at) {
      if (is_recorded(request, k)) record(chunk, layout, request, at, first, count, outcome);
      if (request.progress && k % 64 == 0)
        request.progress(
            (static_cast<double>(first) + static_cast<double>(count) * static_cast<double>(k) /
                                              static_cast<double>(request.steps)) /
            static_cast<double>(request.n_design));
      return true;
    };
    const TimeShare share = run_time_loop(request, formulation, launch, observe);
    Stopwatch rest;
    device.synchronise();
    collect(chunk, request, layout, first, outcome);
    if (request.record) trim_failures(plan, first, count, outcome);
    outcome.motion_s += share.motion + rest.lap();
    outcome.sensitivity_s += share.sensitivity;
  }
  return outcome;
}

}  // namespace gradus
