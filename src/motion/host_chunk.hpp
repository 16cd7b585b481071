// One design on the host: its memory, its kernels, its results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/launch/host.hpp"
#include "src/motion/outcome.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// The parameters whose columns travel together, of `view` all but from the first on.
inline kernels::PlanView with_columns_of(kernels::PlanView view, int first, int count) {
  view.column_begin = first;
  view.column_count = std::min(count, view.parameter_count - first);
  return view;
}

// What all designs of a request share. `columns` is how many travel together at most.
struct HostSetup {
  HostSetup(const MotionRequest& request, Sensitivity sensitivity, int columns)
      : numbers(request.tableau.numbers()),
        tableau(request.tableau.view(numbers.data())),
        layout(make_layout(with_columns_of(request.plan->view(), 0, columns), sensitivity, tableau,
                           request.uses_penalty(), request.records_columns())),
        formulation(make_formulation(request.formulation, layout, request.settings())) {}
  HostSetup(const HostSetup&) = delete;
  HostSetup& operator=(const HostSetup&) = delete;

  std::vector<double> numbers;
  kernels::TableauView tableau;
  kernels::Layout layout;
  Formulation formulation;
};

// One design and its block of memory, used again for the next design.
template <class Real>
class HostChunk {
 public:
  HostChunk(const MotionRequest& request, const HostSetup& setup)
      : memory_(std::make_unique<Real[]>(static_cast<std::size_t>(setup.layout.size))),
        start_plan_(request.plan->view()) {
    arguments_.chunk.tableau = setup.tableau;
    arguments_.evaluation = setup.formulation.evaluation ? &*setup.formulation.evaluation : nullptr;
    arguments_.chunk.plan = start_plan_;
    arguments_.chunk.layout = setup.layout;
    arguments_.chunk.settings = request.settings();
    arguments_.chunk.memory = memory_.get();
    arguments_.chunk.status = &status;
    arguments_.chunk.failure_time = &failure_time;
    arguments_.chunk.design_count = 1;
  }
  HostChunk(const HostChunk&) = delete;
  HostChunk& operator=(const HostChunk&) = delete;

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    launch(kernel, at.time, at.weight, at.last ? 1 : 0, stage);
  }
  void launch(kernels::KernelId kernel, double time, double weight, int last,
              const kernels::StageTangent& stage) {
    arguments_.time = time;
    arguments_.weight = weight;
    arguments_.last = last;
    see_plan(is_of_start(kernel, stage));
    if (kernel == kernels::KernelId::solve_columns || kernel == kernels::KernelId::solve_adjoint)
      arguments_.stage = stage;
    kernels::launch_on_host(kernel, arguments_);
  }

  int column_count() const { return start_plan_.column_count; }
  Real* at(int offset) { return memory_.get() + offset; }

  // Which parameters have columns.
  void see_columns(int first, int count) {
    start_plan_ = with_columns_of(start_plan_, first, count);
    arguments_.chunk.plan = start_plan_;
    sees_start_ = true;
  }

  // Where the steps that follow are kept, or from where they are restored.
  void set_record(Real* record, std::size_t capacity) {
    arguments_.chunk.record = record;
    arguments_.chunk.record_capacity = static_cast<std::ptrdiff_t>(capacity);
  }

  kernels::Status status = kernels::Status::ok;
  double failure_time = 0.0;

 private:
  // The plan of the start, or that of the motion, which lacks what holds at the start only.
  void see_plan(bool of_start) {
    if (start_plan_.start_constraints == 0 || sees_start_ == of_start) return;
    arguments_.chunk.plan = of_start ? start_plan_ : kernels::after_start(start_plan_);
    sees_start_ = of_start;
  }

  std::unique_ptr<Real[]> memory_;
  kernels::PlanView start_plan_;
  bool sees_start_ = true;
  kernels::KernelArguments<Real, false> arguments_{};
};

inline double plain(double x) {
  return x;
}
inline double plain(const kernels::DualNumber& x) {
  return x.value;
}

template <class Real>
void copy_plain(const Real* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] = plain(from[i]);
}

template <class Real>
void append(HostChunk<Real>& chunk, int offset, int count, std::vector<double>& to) {
  for (int i = 0; i < count; ++i) to.push_back(plain(chunk.at(offset)[i]));
}

template <class Real>
void record(HostChunk<Real>& chunk, const kernels::Layout& l, const Plan& plan, const Instant& at,
            Trajectory& trajectory) {
  chunk.launch(kernels::KernelId::evaluate_signals, at, no_stage());
  trajectory.time.push_back(at.time);
  append(chunk, l.position, plan.coordinate_count(), trajectory.coordinates);
  append(chunk, l.velocity, plan.coordinate_count(), trajectory.rates);
  append(chunk, l.acceleration, plan.coordinate_count(), trajectory.accelerations);
  append(chunk, l.signal, plan.signal_count, trajectory.sensors);
}

// Counts the finished jobs of all threads and reports their fraction.
class Progress {
 public:
  Progress(const MotionRequest& request, std::size_t jobs) : request_(request), jobs_(jobs) {}
  void job_done() {
    if (!request_.progress) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    request_.progress(static_cast<double>(++done_) / static_cast<double>(jobs_));
  }
  // A single one reports its steps.
  void step_done(std::size_t k) {
    if (!request_.progress || jobs_ != 1 || k % 1024 != 0) return;
    request_.progress(static_cast<double>(k) /
                      static_cast<double>(std::max<std::size_t>(request_.steps, 1)));
  }

 private:
  const MotionRequest& request_;
  std::size_t jobs_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

// What a run leaves of a design, but for gradients.
template <class Real>
void collect(HostChunk<Real>& chunk, const kernels::Layout& layout, const Plan& plan,
             std::size_t design, MotionOutcome& outcome) {
  outcome.status[design] = chunk.status;
  outcome.failure_time[design] = chunk.failure_time;
  const int objectives = static_cast<int>(plan.objectives.size());
  copy_plain(chunk.at(layout.objective_value), objectives,
             outcome.objectives.data() + design * plan.objectives.size());
  copy_plain(chunk.at(layout.signal), plan.signal_count,
             outcome.signals.data() + design * static_cast<std::size_t>(plan.signal_count));
  copy_plain(chunk.at(layout.violation), 3, outcome.violation.data() + design * 3);
  copy_plain(chunk.at(layout.iterations), 1, outcome.iterations.data() + design);
  copy_plain(chunk.at(layout.steps), 1, outcome.steps.data() + design);
  copy_plain(chunk.at(layout.rejected_steps), 1, outcome.rejected_steps.data() + design);
}

inline void set_parameters(HostChunk<double>& chunk, const kernels::Layout& layout,
                           const double* values, int count, int) {
  std::copy(values, values + count, chunk.at(layout.parameter));
}

}  // namespace gradus
