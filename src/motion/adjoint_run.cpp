// Discrete adjoints on the host.
#include "src/motion/adjoint_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "src/motion/continuous_run.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/tape.hpp"
#include "src/motion/team.hpp"

namespace gradus {
namespace {

using kernels::KernelId;

// One design forwards and back.
class AdjointRun {
 public:
  AdjointRun(const MotionRequest& request, const Formulation& formulation,
             const kernels::Layout& layout, HostChunk<double>& chunk, std::size_t budget)
      : request_(request),
        formulation_(formulation),
        layout_(layout),
        chunk_(chunk),
        budget_(budget),
        plan_(plan_memory(budget, record_size(), state_size(),
                          formulation.has_clock() ? 0 : request.steps)),
        tape_(record_size(), plan_.block_length) {}

  // The motion; calls observe(step, instant) as a time loop does.
  template <class Observe>
  void forwards(const Observe& observe) {
    // How many steps an adaptive method takes is known only afterwards: the budget is tried.
    const bool tries = budget_ > 0 && formulation_.has_clock();
    if (tries) {
      plan_ = MemoryPlan{};
      tape_ = Tape(record_size(), plan_.block_length);
    }
    run_forwards(observe);
    if (!overflow_) return;
    plan_ = plan_memory(budget_, record_size(), state_size(), 0);
    tape_ = Tape(record_size(), plan_.block_length);
    overflow_ = false;
    run_forwards(observe);
  }

  void backwards() {
    if (plan_.snapshots == 0) {
      for (std::size_t b = tape_.blocks(); b >= 1; --b) reverse_block(b - 1, b - 1);
    } else {
      const std::size_t blocks = (steps_ + plan_.block_length - 1) / plan_.block_length;
      std::size_t end = blocks;
      while (!snapshots_.empty()) {
        const std::size_t first = snapshots_.back().block;
        if (first < end) reverse_range(first, end);
        end = std::min(end, first);
        snapshots_.pop_back();
      }
    }
    chunk_.set_record(nullptr, 0);
    reverse_start();
  }

  // Steps taken beyond those of the motion, relative to them.
  double recomputation() const {
    return steps_ > 0 ? static_cast<double>(repeated_) / static_cast<double>(steps_) : 0.0;
  }

 private:
  struct Snapshot {
    std::size_t block;  // before which it was taken
    std::vector<double> memory;
  };

  std::size_t record_size() const { return static_cast<std::size_t>(layout_.record_size); }
  std::size_t state_size() const { return static_cast<std::size_t>(layout_.size); }
  bool fails() const { return chunk_.status != kernels::Status::ok; }
  double& recorded() { return chunk_.at(layout_.integrator.recorded)[0]; }

  template <class Observe>
  void run_forwards(const Observe& observe) {
    steps_ = 0;
    stride_ = 1;
    chunk_.set_record(nullptr, 0);
    const auto launch = [&](KernelId kernel, const Instant& at,
                            const kernels::StageTangent& stage) {
      if (kernel == KernelId::advance)
        advance(at);
      else
        chunk_.launch(kernel, at, stage);
    };
    const auto watch = [&](std::size_t k, const Instant& at) {
      if (!formulation_.has_clock() && !fails()) {
        if (k > 0) keep_step(at);
        if (steps_ % plan_.block_length == 0) begin_block();
      }
      if (!overflow_ && k >= unobserved_) {
        observe(k, at);
        unobserved_ = k + 1;
      }
      return !fails() && !overflow_;
    };
    run_time_loop(request_, formulation_, launch, watch);
  }

  // Steps with a clock of their own: the kernel keeps them until the block is full.
  void advance(const Instant& at) {
    const auto full = [&] { return recorded() == static_cast<double>(plan_.block_length); };
    do {
      if (steps_ % plan_.block_length == 0 && (full() || tape_.blocks() == 0)) begin_block();
      if (overflow_) return;
      const double before = recorded();
      chunk_.launch(KernelId::advance, at, no_stage());
      steps_ += static_cast<std::size_t>(recorded() - before);
    } while (full() && !fails() && !at_goal(at));
  }
  bool at_goal(const Instant& at) {
    return chunk_.at(layout_.integrator.time)[0] >= at.time - 1e-9 * request_.step;
  }

  void keep_step(const Instant& at) {
    chunk_.set_record(tape_.step(tape_.blocks() - 1, steps_ % plan_.block_length), 1);
    chunk_.launch(KernelId::keep_step, at, no_stage());
    ++steps_;
  }

  // Room for the steps that follow: another block, or the same one again after a snapshot.
  void begin_block() {
    if (plan_.snapshots > 0) take_snapshot(steps_ / plan_.block_length);
    if (plan_.snapshots == 0 || tape_.blocks() == 0) {
      const std::size_t bytes =
          (tape_.blocks() + 1) * plan_.block_length * record_size() * sizeof(double);
      overflow_ =
          budget_ > 0 && plan_.snapshots == 0 && formulation_.has_clock() && bytes > budget_;
      if (overflow_) return;
      tape_.add_block();
    }
    chunk_.set_record(tape_.block(tape_.blocks() - 1), plan_.block_length);
    if (formulation_.has_clock()) recorded() = 0.0;
  }

  // Snapshots lie evenly: when there is no room for another, every other one goes.
  void take_snapshot(std::size_t block) {
    if (block % stride_ != 0) return;
    if (snapshots_.size() == plan_.snapshots) {
      stride_ *= 2;
      std::erase_if(snapshots_, [&](const Snapshot& s) { return s.block % stride_ != 0; });
      if (block % stride_ != 0 || snapshots_.size() == plan_.snapshots) return;
    }
    push_snapshot(block);
  }
  void push_snapshot(std::size_t block) {
    const double* memory = chunk_.at(0);
    snapshots_.push_back({block, {memory, memory + layout_.size}});
  }

  // The state before a block again; what has come backwards stays.
  void restore(const Snapshot& snapshot) {
    std::vector<double> state = snapshot.memory;
    for (const auto& [offset, size] : carried())
      std::copy_n(chunk_.at(offset), size, state.begin() + offset);
    std::copy(state.begin(), state.end(), chunk_.at(0));
  }

  // Rows, gradient and weight on their way back: offsets and sizes.
  std::vector<std::pair<int, int>> carried() const {
    const kernels::PlanView view = request_.plan->view();
    const int rows = view.coordinate_count * view.objective_count;
    std::vector<std::pair<int, int>> all;
    for (const int set : layout_.columns) all.emplace_back(set, rows);
    all.emplace_back(layout_.objective_gradient, view.objective_count * view.parameter_count);
    all.emplace_back(layout_.element.gradient, view.objective_count * view.element_size);
    if (!formulation_.has_clock()) return all;
    const kernels::IntegratorLayout& s = layout_.integrator;
    all.emplace_back(s.position_columns, rows);
    all.emplace_back(s.velocity_columns, rows);
    all.emplace_back(s.stage_columns, rows * request_.tableau.stages);
    all.emplace_back(s.pending, 1);
    return all;
  }

  Instant instant(std::size_t k) const {
    const double h = request_.step;
    const bool last = k == request_.steps;
    return {static_cast<double>(k) * h, k == 0 || last ? 0.5 * h : h, last};
  }

  // Takes the steps of a block, which follows the state at hand, once more.
  void replay(std::size_t block) {
    const std::size_t first = block * plan_.block_length;
    const std::size_t end = std::min(first + plan_.block_length, steps_);
    repeated_ += end - first;
    if (formulation_.has_clock()) {
      chunk_.set_record(tape_.block(0), end - first);
      recorded() = 0.0;
      chunk_.launch(KernelId::advance, instant(request_.steps), no_stage());
      return;
    }
    for (std::size_t k = first + 1; k <= end; ++k) {
      for (const KernelId kernel : formulation_.step) chunk_.launch(kernel, instant(k), no_stage());
      chunk_.set_record(tape_.step(0, k - 1 - first), 1);
      chunk_.launch(KernelId::keep_step, instant(k), no_stage());
    }
  }

  // Blocks first, ..., end - 1 backwards; the last snapshot is that before the first.
  void reverse_range(std::size_t first, std::size_t end) {
    while (end - first > 1) {
      restore(snapshots_.back());
      if (snapshots_.size() == plan_.snapshots) {
        for (std::size_t b = first; b < end; ++b) replay(b);
        reverse_block(end - 1, 0);
        --end;
        continue;
      }
      const std::size_t middle =
          first + best_split(end - first, plan_.snapshots - snapshots_.size());
      for (std::size_t b = first; b < middle; ++b) replay(b);
      push_snapshot(middle);
      reverse_range(middle, end);
      snapshots_.pop_back();
      end = middle;
    }
    restore(snapshots_.back());
    replay(first);
    reverse_block(first, 0);
  }

  // The steps of a block backwards, kept at place `at` of the tape.
  void reverse_block(std::size_t block, std::size_t at) {
    const std::size_t first = block * plan_.block_length;
    for (std::size_t k = std::min(first + plan_.block_length, steps_); k > first; --k) {
      chunk_.set_record(tape_.step(at, k - 1 - first), 1);
      reverse_step(k);
    }
  }

  void reverse_step(std::size_t k) {
    if (formulation_.has_clock())
      return chunk_.launch(KernelId::reverse_step, {0.0, 0.0, k == steps_}, no_stage());
    if (formulation_.evaluation)
      return chunk_.launch(KernelId::reverse_instant, instant(k), no_stage());
    chunk_.launch(KernelId::restore_step, instant(k), no_stage());
    chunk_.launch(KernelId::add_objective_rows, instant(k), no_stage());
    solve_adjoints(formulation_.step_tangents);
  }

  void solve_adjoints(const std::vector<kernels::StageTangent>& stages) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
      chunk_.launch(KernelId::solve_adjoint, instant(0), *stage);
    chunk_.launch(KernelId::gather_elements, instant(0), no_stage());
  }

  // The start problems once more, for what their linearised forms need.
  void reverse_start() {
    const auto launch_all = [&](const std::vector<KernelId>& kernels) {
      for (const KernelId kernel : kernels) chunk_.launch(kernel, instant(0), no_stage());
    };
    if (formulation_.has_clock()) {
      launch_all(formulation_.start);
      launch_all(formulation_.settle);
      chunk_.launch(KernelId::reverse_begin, {0.0, 0.0, steps_ == 0}, no_stage());
    }
    launch_all(formulation_.start);
    launch_all(formulation_.settle);
    chunk_.launch(KernelId::linearise, instant(0), no_stage());
    if (!formulation_.has_clock())
      chunk_.launch(KernelId::add_objective_rows, instant(0), no_stage());
    solve_adjoints(formulation_.settle_tangents);
    launch_all(formulation_.start);
    chunk_.launch(KernelId::start_partials, instant(0), no_stage());
    solve_adjoints(formulation_.start_tangents);
    chunk_.launch(KernelId::gather_gradient, instant(0), no_stage());
  }

  const MotionRequest& request_;
  const Formulation& formulation_;
  const kernels::Layout& layout_;
  HostChunk<double>& chunk_;
  std::size_t budget_;  // bytes, 0: unlimited
  MemoryPlan plan_;
  Tape tape_;
  std::vector<Snapshot> snapshots_;
  std::size_t stride_ = 1;  // blocks between snapshots
  std::size_t steps_ = 0;   // of the motion
  std::size_t repeated_ = 0;
  std::size_t unobserved_ = 0;  // the first instant that was not shown yet
  bool overflow_ = false;
};

}  // namespace

namespace {

// Forwards, and back if the motion succeeds; what a record asks for is seen on the way.
template <class Run>
void run_design(Run& run, HostChunk<double>& chunk, const MotionRequest& request,
                const kernels::Layout& layout, std::size_t design, MotionOutcome& outcome,
                TimeShare& share) {
  const Plan& plan = *request.plan;
  Stopwatch watch;
  run.forwards([&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && chunk.status == kernels::Status::ok)
      record(chunk, layout, plan, at, outcome.trajectories[design]);
  });
  collect(chunk, layout, plan, design, outcome);
  share.motion += watch.lap();
  if (chunk.status == kernels::Status::ok) run.backwards();
  outcome.status[design] = chunk.status;
  outcome.failure_time[design] = chunk.failure_time;
  const std::size_t size = plan.objectives.size() * plan.nominal.size();
  double* gradient = outcome.gradient.data() + design * size;
  copy_plain(chunk.at(layout.objective_gradient), static_cast<int>(size), gradient);
  if (chunk.status != kernels::Status::ok)
    std::fill_n(gradient, size, std::numeric_limits<double>::quiet_NaN());
  share.sensitivity += watch.lap();
}

}  // namespace

MotionOutcome run_adjoint_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const HostSetup setup(request, request.sensitivity, plan.parameter_count());
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  const std::size_t parameters = plan.nominal.size();
  const auto team = std::clamp<std::size_t>(request.n_design, 1, static_cast<std::size_t>(threads));
  const std::size_t budget = request.memory / team;
  Progress progress(request, request.n_design);
  TimeShare total;
  std::mutex mutex;
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&] {
    auto chunk = std::make_shared<HostChunk<double>>(request, setup);
    return [&, chunk](std::size_t design) {
      chunk->set_record(nullptr, 0);
      set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                     plan.parameter_count(), 0);
      TimeShare share;
      double recomputation = 0.0;
      if (request.sensitivity == Sensitivity::continuous) {
        ContinuousRun run(request, setup.formulation, layout, *chunk, budget);
        run_design(run, *chunk, request, layout, design, outcome, share);
      } else {
        AdjointRun run(request, setup.formulation, layout, *chunk, budget);
        run_design(run, *chunk, request, layout, design, outcome, share);
        recomputation = run.recomputation();
      }
      progress.job_done();
      const std::lock_guard<std::mutex> lock(mutex);
      outcome.recomputation = std::max(outcome.recomputation, recomputation);
      total.motion += share.motion;
      total.sensitivity += share.sensitivity;
    };
  });
  const double wall = watch.lap();
  const double sum = std::max(total.motion + total.sensitivity, 1e-30);
  outcome.motion_s = wall * total.motion / sum;
  outcome.sensitivity_s = wall * total.sensitivity / sum;
  return outcome;
}

}  // namespace gradus
