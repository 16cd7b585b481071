// The discrete adjoint of the designs of a chunk, on the host or on a device: their motion, whose
// steps are kept (all of them, or states between them from which steps are taken once more), and
// back. docs/theory.md, section 15.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "src/motion/specialised_steps.hpp"
#include "src/motion/tape.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// A chunk may have programs for steps: take(part, time, has_program, launches).
template <class Chunk>
concept TakesSteps = requires(Chunk& chunk, void (*launches)()) {
  chunk.take(step_forwards, 0.0, true, launches);
};

template <class Chunk>
class DiscreteAdjoint {
 public:
  // `budget`: bytes that the records of a design may take, 0: as many as they need.
  DiscreteAdjoint(const MotionRequest& request, const Formulation& formulation,
                  const kernels::Layout& layout, Chunk& chunk, std::size_t budget)
      : request_(request),
        formulation_(formulation),
        layout_(layout),
        chunk_(chunk),
        budget_(budget),
        plan_(plan_memory(budget, record_size(), state_size(), known_steps())),
        tape_(chunk, record_size(), plan_.block_length),
        snapshots_(chunk, layout.size) {}

  // The motion; calls observe(step, instant) as a time loop does.
  template <class Observe>
  void forwards(const Observe& observe) {
    plan_ = plan_memory(budget_, record_size(), state_size(), known_steps());
    tape_.clear(plan_.block_length);
    snapshots_.clear();
    unobserved_ = 0;
    repeated_ = 0;
    overflow_ = false;
    // Designs with clocks of their own fill blocks at different times: several are observed in a
    // run that keeps nothing.
    if (formulation_.has_clock() && chunk_.count() > 1 && request_.record) {
      StepByStep<Chunk> steps{chunk_};
      chunk_.set_record(nullptr, 0);
      run_time_loop(request_, formulation_, steps, [&](std::size_t k, const Instant& at) {
        observe(k, at);
        return !chunk_.has_failed();
      });
      keep_motion([](std::size_t, const Instant&) {});
    } else {
      keep_motion(observe);
    }
    if (formulation_.has_clock())
      chunk_.duplicate(layout_.steps, layout_.integrator.taken);  // of each design
  }

  void backwards() {
    if (plan_.snapshots == 0) {
      for (std::size_t b = tape_.blocks(); b >= 1; --b) reverse_block(b - 1, b - 1);
    } else {
      std::size_t end = (steps_ + plan_.block_length - 1) / plan_.block_length;
      while (!snapshots_.empty()) {
        const std::size_t first = snapshots_.block();
        if (first < end) reverse_range(first, end);
        end = std::min(end, first);
        snapshots_.drop();
      }
    }
    chunk_.set_record(nullptr, 0);
    reverse_start();
  }

  // What a time loop launches to keep the motion.
  void launch(kernels::KernelId kernel, const Instant& said, const kernels::StageTangent& stage) {
    const Instant at = replayed_.value_or(said);
    // Several designs have gone to the end at once.
    const bool beyond = kernel == KernelId::interpolate && chunk_.count() > 1 && !at.last;
    if (kernel == KernelId::advance) return advance(at);
    if (kernel == KernelId::sample && at.time > 0.0) keep_step(at);  // as it was before the sample
    if (!beyond) chunk_.launch(kernel, at, stage);
  }
  void count_step() { ++told_; }
  // `step()` launches what each of `count` steps does, at no instant of its own.
  template <std::invocable Step>
  void replay(std::size_t count, const Step& step) requires TakesSteps<Chunk> {
    for (; count > 0 && !chunk_.has_failed() && !overflow_; --count) {
      const Instant at = instant(++told_);
      replayed_ = at;
      chunk_.take(step_forwards, at.time, !is_seen(request_, told_), step);
      replayed_.reset();
      end_step(told_, at);
    }
  }

  // Steps taken beyond those of the motion, relative to them.
  double recomputation() const {
    return steps_ > 0 ? static_cast<double>(repeated_) / static_cast<double>(steps_) : 0.0;
  }

 private:
  using KernelId = kernels::KernelId;
  std::size_t record_size() const { return static_cast<std::size_t>(layout_.record_size); }
  std::size_t state_size() const { return static_cast<std::size_t>(layout_.size); }
  // Instant k of the motion.
  Instant instant(std::size_t k) const {
    const double h = request_.step;
    const bool last = k == request_.steps;
    return {static_cast<double>(k) * h, k == 0 || last ? 0.5 * h : h, last};
  }
  // How many steps an adaptive method takes is known only afterwards; others may halve a few.
  std::size_t known_steps() const { return request_.tableau.error_order > 0 ? 0 : request_.steps; }
  void launch(KernelId kernel, std::size_t k) { chunk_.launch(kernel, instant(k), no_stage()); }

  // The motion on the tape. Where its length is not known, or steps are halved, the budget is
  // tried.
  template <class Observe>
  void keep_motion(const Observe& observe) {
    if (budget_ > 0 && known_steps() == 0) start_tape(MemoryPlan{});
    run_forwards(observe);
    if (!overflow_) return;
    start_tape(plan_memory(budget_, record_size(), state_size(), 0));
    overflow_ = false;
    run_forwards(observe);
  }
  void start_tape(const MemoryPlan& plan) {
    plan_ = plan;
    tape_.clear(plan_.block_length);
  }

  template <class Observe>
  void run_forwards(const Observe& observe) {
    steps_ = told_ = ended_ = 0;
    replayed_.reset();  // of a run that was cancelled
    in_block_ = 0;
    chunk_.set_record(nullptr, 0);
    const auto watch = [&](std::size_t k, const Instant& at) {
      if (!formulation_.has_clock()) end_step(k, at);
      if (!overflow_ && k >= unobserved_) {
        observe(k, at);
        unobserved_ = k + 1;
      }
      return !chunk_.has_failed() && !overflow_;
    };
    run_time_loop(request_, formulation_, *this, watch);
  }

  // Instant k, if it was not reached before.
  void end_step(std::size_t k, const Instant& at) {
    if (k < ended_ || chunk_.has_failed()) return;
    ended_ = k + 1;
    if (k > 0 && !request_.samples_at(k)) keep_step(at);
    if (k < request_.steps && steps_ % plan_.block_length == 0) begin_block();
  }

  // Steps with clocks of their own: the kernel keeps them until the block is full. A chunk of
  // several goes to the end at once, so that its designs pass from block to block together.
  void advance(const Instant& at) {
    const Instant goal = chunk_.count() > 1 ? instant(request_.steps) : at;
    // Steps whose lengths errors decide end with the motion to the last bit.
    const bool to_end = goal.last && request_.tableau.error_order > 0;
    const double near_goal = to_end ? goal.time : goal.time - 1e-9 * request_.step;
    const auto full = [&] { return in_block_ == plan_.block_length; };
    do {
      if (full() || tape_.blocks() == 0) begin_block();
      if (overflow_) return;
      chunk_.launch(KernelId::advance, goal, no_stage());
      const auto recorded = static_cast<std::size_t>(chunk_.largest(layout_.integrator.recorded));
      steps_ += recorded - in_block_;
      in_block_ = recorded;
    } while (full() && !chunk_.has_failed() &&
             !(chunk_.least(layout_.integrator.time) >= near_goal));
  }

  void keep_step(const Instant& at) {
    chunk_.set_record(tape_.step(tape_.blocks() - 1, steps_ % plan_.block_length), 1);
    chunk_.launch(KernelId::keep_step, at, no_stage());
    ++steps_;
  }

  // Room for the steps that follow: another block, or the same one again after a snapshot.
  void begin_block() {
    if (plan_.snapshots > 0) snapshots_.take(steps_ / plan_.block_length, plan_.snapshots);
    if (plan_.snapshots == 0 || tape_.blocks() == 0) {
      const std::size_t bytes =
          (tape_.blocks() + 1) * plan_.block_length * record_size() * sizeof(double);
      overflow_ = budget_ > 0 && plan_.snapshots == 0 && bytes > budget_;
      if (overflow_) return;
      tape_.add_block();
    }
    chunk_.set_record(tape_.step(tape_.blocks() - 1, 0), plan_.block_length);
    begin_recording();
  }
  void begin_recording() {
    in_block_ = 0;
    if (formulation_.has_clock()) chunk_.clear(layout_.integrator.recorded, 1);
  }

  // Rows, gradient and weight on their way back: offsets and sizes.
  std::vector<std::pair<int, int>> carried() const {
    const kernels::PlanView view = request_.plan->view();
    const int rows = view.coordinate_count * view.objective_count;
    std::vector<std::pair<int, int>> all;
    for (const int set : layout_.columns) all.emplace_back(set, rows);
    all.emplace_back(layout_.objective_gradient, view.objective_count * view.parameter_count);
    all.emplace_back(layout_.element.gradient, view.objective_count * view.element_size);
    if (layout_.element.pooled != 0)
      all.emplace_back(layout_.element.pooled, view.objective_count * view.element_size);
    const int samples = view.search_count * kernels::kSearchPlaces;
    all.emplace_back(layout_.search.settled_weight, samples);
    all.emplace_back(layout_.search.settled_instant, samples);
    if (!formulation_.has_clock()) return all;
    const kernels::IntegratorLayout& s = layout_.integrator;
    all.emplace_back(s.position_columns, rows);
    all.emplace_back(s.velocity_columns, rows);
    all.emplace_back(s.stage_columns, rows * request_.tableau.stages);
    all.emplace_back(s.pending, 1);
    all.emplace_back(s.taken, 1);
    return all;
  }

  // Takes the steps of a block, which follows the state at hand, once more.
  void replay(std::size_t block) {
    const std::size_t first = block * plan_.block_length;
    const std::size_t end = std::min(first + plan_.block_length, steps_);
    repeated_ += end - first;
    if (formulation_.has_clock()) {
      chunk_.set_record(tape_.step(0, 0), end - first);
      begin_recording();
      return launch(KernelId::advance, request_.steps);
    }
    for (std::size_t k = first + 1; k <= end; ++k) {
      for (const KernelId kernel : formulation_.step) launch(kernel, k);
      chunk_.set_record(tape_.step(0, k - 1 - first), 1);
      launch(KernelId::keep_step, k);
      if (request_.samples_at(k)) launch(KernelId::sample, k);
    }
  }

  // Blocks first, ..., end - 1 backwards; the last snapshot is that before the first.
  void reverse_range(std::size_t first, std::size_t end) {
    while (end - first > 1) {
      snapshots_.restore(carried());
      if (snapshots_.size() == plan_.snapshots) {
        for (std::size_t b = first; b < end; ++b) replay(b);
        reverse_block(end - 1, 0);
        --end;
        continue;
      }
      const std::size_t middle =
          first + best_split(end - first, plan_.snapshots - snapshots_.size());
      for (std::size_t b = first; b < middle; ++b) replay(b);
      snapshots_.push(middle);
      reverse_range(middle, end);
      snapshots_.drop();
      end = middle;
    }
    snapshots_.restore(carried());
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
    if (formulation_.has_clock()) return chunk_.launch_for_step(KernelId::reverse_step, k);
    if (formulation_.evaluation) return launch(KernelId::reverse_instant, k);
    launch(KernelId::restore_kept, k);
    if (request_.samples_at(k)) {
      const auto restore = [&] { launch(KernelId::restore_step, k); };
      restore();
      reverse_sample(k, [&] {
        launch(KernelId::restore_kept, k);
        restore();
      });
      return solve_adjoints(formulation_.step_tangents);
    }
    const auto reverse = [&] {
      launch(KernelId::restore_step, k);
      launch(KernelId::add_objective_rows, k);
      solve_adjoints(formulation_.step_tangents);
    };
    if constexpr (TakesSteps<Chunk>)
      chunk_.take(step_back, instant(k).time, k < request_.steps && !has_value_at(request_, k),
                  reverse);
    else
      reverse();
  }

  // A sample at the end of step k, where restore() puts the motion before it back: the motion that
  // begins there, then what the states were made of.
  template <class Restore>
  void reverse_sample(std::size_t k, const Restore& restore) {
    const double h = request_.step;
    const Instant at = instant(k);
    launch(KernelId::sample, k);
    launch(KernelId::linearise, k);
    const double behind = at.last ? 0.0 : 0.5 * h;
    chunk_.launch(KernelId::add_objective_rows, Instant{at.time, behind, at.last}, no_stage());
    solve_adjoints(formulation_.settle_tangents);
    restore();
    launch(KernelId::sample_rows, k);
    if (k > 0)
      chunk_.launch(KernelId::add_objective_rows, Instant{at.time, 0.5 * h, false, true},
                    no_stage());
  }

  void solve_adjoints(const std::vector<kernels::StageTangent>& stages) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
      chunk_.launch(KernelId::solve_adjoint, instant(0), *stage);
    launch(KernelId::gather_elements, 0);
  }

  // The start problems once more, for what their linearised forms need.
  void reverse_start() {
    const auto start = [&] {
      for (const KernelId kernel : formulation_.start) launch(kernel, 0);
    };
    const auto settle = [&] {
      start();
      for (const KernelId kernel : formulation_.settle) launch(kernel, 0);
    };
    if (formulation_.has_clock()) {
      settle();
      chunk_.launch_for_step(KernelId::reverse_begin, 0);
    }
    settle();
    const bool samples = !formulation_.has_clock() && request_.samples_at(0);
    if (samples) reverse_sample(0, settle);
    launch(KernelId::linearise, 0);
    if (!formulation_.has_clock() && !samples) launch(KernelId::add_objective_rows, 0);
    solve_adjoints(formulation_.settle_tangents);
    start();
    launch(KernelId::start_partials, 0);
    solve_adjoints(formulation_.start_tangents);
    if (!formulation_.rest_tangents.empty()) {
      launch(KernelId::linearise_rest, 0);
      solve_adjoints(formulation_.rest_tangents);
    }
    launch(KernelId::gather_gradient, 0);
  }

  const MotionRequest& request_;
  const Formulation& formulation_;
  const kernels::Layout& layout_;
  Chunk& chunk_;
  std::size_t budget_;  // bytes, 0: unlimited
  MemoryPlan plan_;
  Tape<Chunk> tape_;
  Snapshots<Chunk> snapshots_;
  std::size_t steps_ = 0;            // of the motion; of several designs, the most
  std::size_t told_ = 0;             // of these, in a motion by ali3p
  std::size_t ended_ = 0;            // instants of it that were seen to
  std::optional<Instant> replayed_;  // whose launches are running
  std::size_t in_block_ = 0;         // steps in the block at hand, of designs with clocks
  std::size_t repeated_ = 0;
  std::size_t unobserved_ = 0;  // the first instant that was not shown yet
  bool overflow_ = false;
};

}  // namespace gradus
