// Time loops on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "kernels/launch/host.hpp"
#include "src/motion/outcome.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;

// One design and its block of memory, used again for the next design.
template <class Real>
class HostChunk {
 public:
  HostChunk(const MotionRequest& request, const Formulation& formulation,
            const kernels::Layout& layout, const kernels::TableauView& tableau)
      : memory_(std::make_unique<Real[]>(static_cast<std::size_t>(layout.size))) {
    arguments_.chunk.tableau = tableau;
    arguments_.evaluation = formulation.evaluation ? &*formulation.evaluation : nullptr;
    arguments_.chunk.plan = request.plan->view();
    arguments_.chunk.layout = layout;
    arguments_.chunk.settings = request.settings();
    arguments_.chunk.memory = memory_.get();
    arguments_.chunk.status = &status;
    arguments_.chunk.failure_time = &failure_time;
    arguments_.chunk.design_count = 1;
  }
  HostChunk(const HostChunk&) = delete;
  HostChunk& operator=(const HostChunk&) = delete;

  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    arguments_.time = at.time;
    arguments_.weight = at.weight;
    arguments_.last = at.last ? 1 : 0;
    if (kernel == kernels::KernelId::solve_columns) arguments_.stage = stage;
    kernels::launch_on_host(kernel, arguments_);
  }

  Real* at(int offset) { return memory_.get() + offset; }

  kernels::Status status = kernels::Status::ok;
  double failure_time = 0.0;

 private:
  std::unique_ptr<Real[]> memory_;
  kernels::KernelArguments<Real, false> arguments_{};
};

double plain(double x) {
  return x;
}
double plain(const DualNumber& x) {
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

// Counts finished work of all threads and reports its fraction.
class Progress {
 public:
  explicit Progress(const MotionRequest& request) : request_(request) {}
  void design_done() {
    if (!request_.progress) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    request_.progress(static_cast<double>(++done_) / static_cast<double>(request_.n_design));
  }
  // A single design reports its steps.
  void step_done(std::size_t k) {
    if (!request_.progress || request_.n_design != 1 || k % 1024 != 0) return;
    request_.progress(static_cast<double>(k) /
                      static_cast<double>(std::max<std::size_t>(request_.steps, 1)));
  }

 private:
  const MotionRequest& request_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

template <class Real>
TimeShare run_design(HostChunk<Real>& chunk, const MotionRequest& request,
                     const Formulation& formulation, const kernels::Layout& layout,
                     std::size_t design, MotionOutcome& outcome, Progress& progress) {
  const Plan& plan = *request.plan;
  const auto launch = [&](kernels::KernelId kernel, const Instant& at,
                          const kernels::StageTangent& stage) { chunk.launch(kernel, at, stage); };
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && chunk.status == kernels::Status::ok)
      record(chunk, layout, plan, at, outcome.trajectories[design]);
    progress.step_done(k);
    return chunk.status == kernels::Status::ok;
  };
  const TimeShare share = run_time_loop(request, formulation, launch, observe);
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
  progress.design_done();
  return share;
}

// Calls work(design) for every design, each on one of the threads; work is made once per thread.
template <class MakeWork>
void for_each_design(std::size_t count, int threads, const MakeWork& make_work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      auto work = make_work();
      for (std::size_t design = next++; design < count; design = next++) work(design);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  const auto useful =
      static_cast<int>(std::min<std::size_t>(count, static_cast<std::size_t>(threads)));
  std::vector<std::thread> team;
  for (int t = 1; t < useful; ++t) team.emplace_back(run);
  run();
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void set_parameters(HostChunk<double>& chunk, const kernels::Layout& layout, const double* values,
                    int count, int) {
  std::copy(values, values + count, chunk.at(layout.parameter));
}

// Seeds the derivative directions with parameters first, first + 1, ...
void set_parameters(HostChunk<DualNumber>& chunk, const kernels::Layout& layout,
                    const double* values, int count, int first) {
  for (int p = 0; p < count; ++p) {
    DualNumber value(values[p]);
    if (p >= first && p < first + kernels::kDualDirections) value.derivative[p - first] = 1.0;
    chunk.at(layout.parameter)[p] = value;
  }
}

}  // namespace

MotionOutcome run_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const std::vector<double> numbers = request.tableau.numbers();
  const kernels::TableauView tableau = request.tableau.view(numbers.data());
  const kernels::Layout layout =
      make_layout(plan.view(), request.with_columns, tableau, request.uses_penalty());
  const Formulation formulation = make_formulation(request.formulation, layout, request.settings());
  MotionOutcome outcome = make_outcome(request);
  Progress progress(request);
  TimeShare total;
  std::mutex mutex;
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&] {
    auto chunk = std::make_shared<HostChunk<double>>(request, formulation, layout, tableau);
    return [&, chunk](std::size_t design) {
      const std::size_t parameters = plan.nominal.size();
      set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                     plan.parameter_count(), 0);
      const TimeShare share =
          run_design(*chunk, request, formulation, layout, design, outcome, progress);
      if (request.with_columns) {
        const std::size_t size = plan.objectives.size() * parameters;
        copy_plain(chunk->at(layout.objective_gradient), static_cast<int>(size),
                   outcome.gradient.data() + design * size);
      }
      const std::lock_guard<std::mutex> lock(mutex);
      total.motion += share.motion;
      total.sensitivity += share.sensitivity;
    };
  });
  // Threads work side by side: their shares split the time that passed.
  const double wall = watch.lap();
  const double sum = std::max(total.motion + total.sensitivity, 1e-30);
  outcome.motion_s = wall * total.motion / sum;
  outcome.sensitivity_s = wall * total.sensitivity / sum;
  return outcome;
}

MotionOutcome run_dual_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const std::vector<double> numbers = request.tableau.numbers();
  const kernels::TableauView tableau = request.tableau.view(numbers.data());
  const kernels::Layout layout = make_layout(plan.view(), false, tableau, request.uses_penalty());
  const Formulation formulation = make_formulation(request.formulation, layout, request.settings());
  MotionOutcome outcome = make_outcome(request);
  const std::size_t parameters = plan.nominal.size();
  const std::size_t objectives = plan.objectives.size();
  outcome.gradient.assign(request.n_design * objectives * parameters, 0.0);
  Progress progress(request);
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&] {
    auto chunk = std::make_shared<HostChunk<DualNumber>>(request, formulation, layout, tableau);
    return [&, chunk](std::size_t design) {
      for (int first = 0; first == 0 || first < plan.parameter_count();
           first += kernels::kDualDirections) {
        if (first > 0 && request.record) {
          outcome.trajectories[design] = Trajectory();
          outcome.trajectories[design].design = design;
        }
        set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                       plan.parameter_count(), first);
        run_design(*chunk, request, formulation, layout, design, outcome, progress);
        if (chunk->status != kernels::Status::ok) {  // whichever directions it failed in
          const std::size_t size = objectives * parameters;
          std::fill_n(outcome.gradient.data() + design * size, size,
                      std::numeric_limits<double>::quiet_NaN());
          return;
        }
        const int end = std::min(plan.parameter_count(), first + kernels::kDualDirections);
        for (std::size_t o = 0; o < objectives; ++o)
          for (int p = first; p < end; ++p) {
            const DualNumber& value = chunk->at(layout.objective_value)[o];
            outcome.gradient[(design * objectives + o) * parameters + static_cast<std::size_t>(p)] =
                value.value - value.value == 0.0 ? value.derivative[p - first] : value.value;
          }
      }
    };
  });
  outcome.motion_s = watch.lap();
  return outcome;
}

}  // namespace gradus
