// What one thread drives on the host, a design or a pack of them: its memory, its kernels, what it
// records and its results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/core/cut.hpp"
#include "src/motion/cancellation.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/specialised_steps.hpp"
#include "src/motion/step_limits.hpp"

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
        layout(
            make_layout(with_columns_of(request.plan->view(), 0, columns), sensitivity, tableau,
                        {request.uses_penalty(), request.records_columns(), false,
                         request.notes_steps, request.n_design == 1, request.eliminates_ties()})),
        formulation(request.formulation->make(layout, request.settings())) {}
  HostSetup(const HostSetup&) = delete;
  HostSetup& operator=(const HostSetup&) = delete;

  std::vector<double> numbers;
  kernels::TableauView tableau;
  kernels::Layout layout;
  Formulation formulation;
};

// Numbers on the boundary of a vector register, not initialised.
template <class Real>
class AlignedArray {
 public:
  explicit AlignedArray(std::size_t count)
      : data_(static_cast<Real*>(::operator new(count * sizeof(Real), kAlignment))) {
    static_assert(std::is_trivially_destructible_v<Real>);
    std::uninitialized_default_construct_n(data_.get(), count);
  }
  Real* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(Real* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<Real, Release> data_;
};

// One design, or a pack of designs that travel in lanes, and its block of memory, used again for
// the next. Whatever is asked for by lane is that of design `lane` of the pack.
template <class Real>
class HostChunk {
 public:
  HostChunk(const MotionRequest& request, const HostSetup& setup, const Vehicle& vehicle)
      : vehicle_(vehicle),
        memory_(numbers(setup.layout.size + kernels::kMostKeptNumbers)),
        twin_(setup.tableau.linear != 0 ? 2 * sizeof(Real) * numbers(setup.layout.size) : 0),
        aside_(request.chooses_steps() && vehicle.lanes > 1 ? numbers(setup.layout.size) : 0),
        status_(lane_count(), kernels::Status::ok),
        failure_time_(lane_count(), 0.0),
        start_plan_(request.plan->view()),
        cancellation_(request.cancelled) {
    arguments_.chunk.tableau = setup.tableau;
    arguments_.evaluation = setup.formulation.evaluation ? &*setup.formulation.evaluation : nullptr;
    arguments_.chunk.plan = start_plan_;
    arguments_.chunk.layout = setup.layout;
    arguments_.chunk.settings = request.settings();
    take_steps(request.given_steps);
    arguments_.chunk.memory = memory_.data();
    arguments_.chunk.twin = twin_.data();
    arguments_.chunk.aside = aside_.data();
    arguments_.chunk.status = status_.data();
    arguments_.chunk.failure_time = failure_time_.data();
    arguments_.chunk.design_count = static_cast<std::ptrdiff_t>(lane_count());
  }
  HostChunk(const HostChunk&) = delete;
  HostChunk& operator=(const HostChunk&) = delete;

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    launch(kernel, at.time, at.weight, at.kind(), stage);
  }
  // Step k of a one-step method is taken back, 0: what came before the first.
  void launch_for_step(kernels::KernelId kernel, std::size_t k) {
    arguments_.step = static_cast<int>(k);
    launch(kernel, 0.0, 0.0, 0, no_stage());
  }
  void launch(kernels::KernelId kernel, double time, double weight, int last,
              const kernels::StageTangent& stage) {
    cancellation_.look();
    prepare(kernel, time, weight, last, stage);
    vehicle_.launch(kernel, arguments_);
  }
  // What a launch is given, for launch() to repeat it.
  const kernels::LaunchArguments& arguments_of(kernels::KernelId kernel, const Instant& at,
                                               const kernels::StageTangent& stage) {
    prepare(kernel, at.time, at.weight, at.kind(), stage);
    return arguments_;
  }
  void launch(const StepLaunch& launch) {
    cancellation_.look();
    vehicle_.launch(launch.kernel, launch.arguments);
  }
  void look_for_cancellation() { cancellation_.look(); }

  // Of evaluations; null: there are none.
  void use_programs(kernels::EvaluationPrograms* programs) { arguments_.chunk.programs = programs; }

  int column_count() const { return start_plan_.column_count; }
  int lanes() const { return vehicle_.lanes; }
  // Entry `offset` of the first lane; those of the others follow, and then the next entry.
  Real* at(int offset) { return memory_.data() + static_cast<std::size_t>(offset) * lane_count(); }
  Real& entry(int offset, int lane) { return at(offset)[lane]; }

  bool fails(int lane = 0) const { return status(lane) != kernels::Status::ok; }
  kernels::Status status(int lane = 0) const { return status_[static_cast<std::size_t>(lane)]; }
  double failure_time(int lane = 0) const { return failure_time_[static_cast<std::size_t>(lane)]; }

  // The first failure is the one reported.
  void fail(int lane, kernels::Status reason, double time) {
    if (fails(lane)) return;
    status_[static_cast<std::size_t>(lane)] = reason;
    failure_time_[static_cast<std::size_t>(lane)] = time;
  }

  // Which parameters have columns.
  void see_columns(int first, int count) {
    start_plan_ = with_columns_of(start_plan_, first, count);
    arguments_.chunk.plan = start_plan_;
    sees_start_ = true;
  }

  // Length and end of the steps that an adaptive method takes to the end of the motion; if there
  // are none it chooses its own.
  void take_steps(const std::vector<double>& steps) {
    arguments_.chunk.given_steps = steps.empty() ? nullptr : steps.data();
  }

  // By what time alone says, for a design with so many parameters, or for as many as there are, the
  // last of them in the lanes that are left.
  void limit_steps(const MotionRequest& request, std::span<const double> parameters) {
    if (!request.chooses_steps() || request.plan->time_laws.empty()) return;
    const std::size_t width = request.plan->nominal.size();
    step_limits_.clear();
    limit_begin_.assign(1, 0);
    for (std::size_t lane = 0; lane < lane_count(); ++lane) {
      const std::size_t design = width > 0 ? std::min(lane, parameters.size() / width - 1) : 0;
      const std::vector<double> own = step_limits(
          *request.plan, parameters.subspan(design * width, width), request.settings().duration);
      step_limits_.insert(step_limits_.end(), own.begin(), own.end());
      limit_begin_.push_back(
          static_cast<std::ptrdiff_t>(step_limits_.size() / kernels::kStepLimitNumbers));
    }
    arguments_.chunk.step_limits = step_limits_.data();
    arguments_.chunk.limit_begin = lane_count() > 1 ? limit_begin_.data() : nullptr;
    arguments_.chunk.limit_count = limit_begin_[1];
  }

  // Where the steps that follow are kept, or from where they are restored.
  void set_record(Real* record, std::size_t capacity) {
    arguments_.chunk.record = record;
    arguments_.chunk.record_capacity = static_cast<std::ptrdiff_t>(capacity);
  }

  // What runs that go back ask of a chunk, on the host as on a device: room beside the memory of
  // its designs, and copies from and to that. A pack goes by one clock and counts as one design.
  using Store = AlignedArray<Real>;
  std::size_t count() const { return 1; }
  bool has_failed() const {
    return std::find(status_.begin(), status_.end(), kernels::Status::ok) == status_.end();
  }
  // Of some design.
  bool has_failure() const {
    return std::any_of(status_.begin(), status_.end(),
                       [](kernels::Status status) { return status != kernels::Status::ok; });
  }
  std::size_t memory_size() const {
    return numbers(arguments_.chunk.layout.size + kernels::kMostKeptNumbers);
  }
  Store make_store(std::size_t numbers) const { return Store(numbers * lane_count()); }
  Real* place(Store& store, std::size_t row) const { return store.data() + row * lane_count(); }
  void keep(int offset, int size, Store& to, std::size_t row) {
    std::copy_n(at(offset), numbers(size), place(to, row));
  }
  void put_back(int offset, int size, Store& from, std::size_t row) {
    std::copy_n(place(from, row), numbers(size), at(offset));
  }
  void clear(int offset, int size) { std::fill_n(at(offset), numbers(size), Real(0)); }
  void duplicate(int from, int to) { std::copy_n(at(from), lane_count(), at(to)); }
  // Of one number over all designs.
  Real largest(int offset) { return *std::max_element(at(offset), at(offset) + lane_count()); }
  Real least(int offset) { return *std::min_element(at(offset), at(offset) + lane_count()); }

 private:
  void prepare(kernels::KernelId kernel, double time, double weight, int last,
               const kernels::StageTangent& stage) {
    arguments_.time = time;
    arguments_.weight = weight;
    arguments_.last = last;
    see_plan(is_of_start(kernel, stage));
    if (kernel == kernels::KernelId::solve_columns || kernel == kernels::KernelId::solve_adjoint)
      arguments_.stage = stage;
  }
  std::size_t numbers(int size) const { return static_cast<std::size_t>(size) * lane_count(); }
  std::size_t lane_count() const { return static_cast<std::size_t>(vehicle_.lanes); }

  // The plan of the start, or that of the motion, which lacks what holds at the start only.
  void see_plan(bool of_start) {
    if (start_plan_.start_constraints == 0 || sees_start_ == of_start) return;
    arguments_.chunk.plan = of_start ? start_plan_ : kernels::after_start(start_plan_);
    sees_start_ = of_start;
  }

  Vehicle vehicle_;
  AlignedArray<Real> memory_;
  AlignedArray<std::byte> twin_;
  AlignedArray<double> aside_;           // [lane, entry]
  std::vector<kernels::Status> status_;  // [lane]
  std::vector<double> failure_time_;     // [lane]
  std::vector<double> step_limits_;
  std::vector<std::ptrdiff_t> limit_begin_;  // [lane + 1]
  kernels::PlanView start_plan_;
  Cancellation cancellation_;
  bool sees_start_ = true;
  kernels::KernelArguments<Real, false> arguments_{};
};

inline double plain(double x) {
  return x;
}
inline double plain(const kernels::DualNumber& x) {
  return x.value;
}

// Numbers of one lane.
template <class Real>
void copy_plain(HostChunk<Real>& chunk, int offset, int count, int lane, double* to) {
  for (int i = 0; i < count; ++i) to[i] = plain(chunk.entry(offset + i, lane));
}

// What a run that carries the parameters from `first` on records of the designs in the lanes of a
// chunk, `count` from `design` on: their motion, if it is the run with the first of them, and the
// sensitivities of their sensors.
template <class Real>
class Recorder {
 public:
  Recorder(HostChunk<Real>& chunk, const MotionRequest& request, const kernels::Layout& layout,
           std::size_t design, std::size_t count, int first, MotionOutcome& outcome)
      : chunk_(chunk), request_(request), layout_(layout), first_(first) {
    if (!request.record) return;
    rows_.assign(count, 0);
    trajectories_ = &outcome.trajectories[design];
    events_ = &outcome;
  }

  // Instant k, which is recorded.
  void record(std::size_t k, const Instant& at) {
    if (request_.records_columns())
      chunk_.launch(kernels::KernelId::sensor_columns, at, no_stage());
    if (first_ == 0 || kIsDual) chunk_.launch(kernels::KernelId::evaluate_signals, at, no_stage());
    if (request_.records_objectives() && (first_ == 0 || request_.columns))
      chunk_.launch(kernels::KernelId::objective_history, at, no_stage());
    for (std::size_t lane = 0; lane < rows_.size(); ++lane) {
      if (chunk_.fails(static_cast<int>(lane))) continue;
      rows_[lane] = recorded_row(request_, k) + 1;
      if (first_ == 0) record_motion(at, static_cast<int>(lane));
      if (first_ == 0 && events_ != nullptr) take_events(chunk_, layout_.event, *events_);
      if (request_.columns) record_columns(rows_[lane] - 1, at.time, static_cast<int>(lane));
    }
  }

  // Recorded times of the design in a lane.
  std::size_t rows(std::size_t lane) const { return rows_[lane]; }

 private:
  static constexpr bool kIsDual = std::is_same_v<Real, kernels::DualNumber>;

  void record_motion(const Instant& at, int lane) {
    const Plan& plan = *request_.plan;
    Trajectory& trajectory = trajectories_[lane];
    const auto append = [&](int offset, int count, std::vector<double>& to) {
      for (int i = 0; i < count; ++i) to.push_back(plain(chunk_.entry(offset + i, lane)));
    };
    trajectory.time.push_back(at.time);
    append(layout_.position, plan.coordinate_count(), trajectory.coordinates);
    append(layout_.velocity, plan.coordinate_count(), trajectory.rates);
    append(layout_.acceleration, plan.coordinate_count(), trajectory.accelerations);
    append(layout_.signal, plan.shown_signals(), trajectory.sensors);
    if (request_.records_objectives())
      append(layout_.objective_history, static_cast<int>(plan.objectives.size()),
             trajectory.objective_history);
  }

  // Columns look for numbers that are not finite themselves, dual numbers do not.
  void record_columns(std::size_t row, double time, int lane) {
    Trajectory& trajectory = trajectories_[lane];
    const bool finite = copy_columns(layout_.signal, layout_.signal_columns,
                                     static_cast<std::size_t>(request_.plan->shown_signals()), row,
                                     lane, trajectory.sensor_columns);
    if (kIsDual && !finite) chunk_.fail(lane, kernels::Status::sensor_not_finite, time);
    if (request_.records_objectives())
      copy_columns(layout_.objective_history, layout_.gradient_history,
                   request_.plan->objectives.size(), row, lane, trajectory.gradient_history);
  }

  // The derivatives of `count` numbers that travel along, to row `row` of [row, number, parameter].
  // They stand in columns, or in the dual numbers themselves. Returns whether all are finite.
  bool copy_columns(int numbers, int columns, std::size_t count, std::size_t row, int lane,
                    std::vector<double>& to_rows) {
    const int parameters = request_.plan->parameter_count();
    const int width =
        kIsDual ? std::min(kernels::kDualDirections, parameters - first_) : chunk_.column_count();
    double* to = to_rows.data() + row * count * static_cast<std::size_t>(parameters);
    bool finite = true;
    for (int i = 0; i < static_cast<int>(count); ++i, to += parameters)
      for (int p = 0; p < width; ++p) {
        if constexpr (kIsDual) {
          const Real& number = chunk_.at(numbers)[i];
          // What has no value has no derivative.
          to[first_ + p] = std::isnan(number.value) ? number.value : number.derivative[p];
        } else {
          to[first_ + p] = chunk_.entry(columns + i * width + p, lane);
        }
        finite = finite && std::isfinite(to[first_ + p]);
      }
    return finite;
  }

  HostChunk<Real>& chunk_;
  const MotionRequest& request_;
  const kernels::Layout& layout_;
  int first_;
  Trajectory* trajectories_ = nullptr;  // of the designs in the lanes
  MotionOutcome* events_ = nullptr;     // that gets their events
  std::vector<std::size_t> rows_;       // [lane]
};

// A design that fails in one of its runs has failed.
template <class Real>
void note_failure(const HostChunk<Real>& chunk, int lane, std::size_t design,
                  MotionOutcome& outcome) {
  if (!chunk.fails(lane) || outcome.status[design] != kernels::Status::ok) return;
  outcome.status[design] = chunk.status(lane);
  outcome.failure_time[design] = chunk.failure_time(lane);
}

// The events of one design since they were taken last.
template <class Real>
void take_events(HostChunk<Real>& chunk, const kernels::EventLayout& layout,
                 MotionOutcome& outcome) {
  if (layout.log_size == 0) return;
  const int count =
      std::min(static_cast<int>(plain(chunk.entry(layout.log_count, 0))), layout.log_size);
  for (int k = 0; k < count; ++k)
    outcome.events.push_back(
        {plain(chunk.entry(layout.log + 2 * k, 0)),
         static_cast<std::size_t>(plain(chunk.entry(layout.log + 2 * k + 1, 0))) - 1});
  chunk.clear(layout.log_count, 1);
}

// What a run leaves of a design, but for gradients.
template <class Real>
void collect(HostChunk<Real>& chunk, const kernels::Layout& layout, const Plan& plan, int lane,
             std::size_t design, MotionOutcome& outcome) {
  note_failure(chunk, lane, design, outcome);
  const auto copy = [&](int offset, int count, std::vector<double>& to) {
    copy_plain(chunk, offset, count, lane, to.data() + design * static_cast<std::size_t>(count));
  };
  copy(layout.objective_value, static_cast<int>(plan.objectives.size()), outcome.objectives);
  copy(layout.signal, plan.shown_signals(), outcome.signals);
  copy(layout.violation, 3, outcome.violation);
  copy(layout.blamed, 1, outcome.blamed);
  copy(layout.passage, 1, outcome.passage);
  if (!outcome.jump.empty()) copy(layout.jump, 1, outcome.jump);
  if (!outcome.stiff_since.empty()) copy(layout.stiff_since, 1, outcome.stiff_since);
  copy(layout.extrapolation, 2 * static_cast<int>(plan.splines.size()), outcome.extrapolation);
  copy(layout.iterations, 1, outcome.iterations);
  take_events(chunk, layout.event, outcome);
  copy(layout.steps, 1, outcome.steps);
  copy(layout.rejected_steps, 1, outcome.rejected_steps);
  if (chunk.fails(lane)) return;
  for (std::size_t c = 0; c < plan.coordinate_names.size(); ++c)
    if (plan.coordinate_names[c].unit == "rad")
      outcome.largest_angle.look_at(plain(chunk.entry(layout.position + static_cast<int>(c), lane)),
                                    design, c);
}

// The designs of a pack, `count` from `first` on; lanes without one carry the last.
inline void set_designs(HostChunk<double>& chunk, const MotionRequest& request,
                        const kernels::Layout& layout, std::size_t first, std::size_t count) {
  const std::size_t parameters = request.plan->nominal.size();
  for (int lane = 0; lane < chunk.lanes(); ++lane) {
    const std::size_t design = first + std::min(static_cast<std::size_t>(lane), count - 1);
    for (std::size_t p = 0; p < parameters; ++p)
      chunk.entry(layout.parameter + static_cast<int>(p), lane) =
          request.parameters[design * parameters + p];
  }
  chunk.limit_steps(request,
                    std::span(request.parameters).subspan(first * parameters, count * parameters));
}

}  // namespace gradus
