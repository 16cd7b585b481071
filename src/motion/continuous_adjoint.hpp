// Continuous adjoints of the designs of a chunk, on the host or on a device: the adjoint
// differential equations of the motion, integrated backwards over its steps, all of which are kept.
// docs/theory.md, section 16.
#pragma once

#include <algorithm>
#include <utility>

#include "src/motion/tape.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// How often the rule begins anew with ali3p, so that errors along the constraints do not grow.
inline constexpr std::size_t kStretches = 64;
inline constexpr std::size_t kShortestStretch = 8;  // steps

// Bytes that the steps of a design take.
std::size_t continuous_adjoint_bytes(const MotionRequest& request, const kernels::Layout& layout);

// Throws InputError if the formulation or integrator has no continuous adjoint, or if its steps do
// not fit into `budget` bytes (0: any number).
void check_continuous_adjoint(const MotionRequest& request, const Formulation& formulation,
                              const kernels::Layout& layout, std::size_t budget);

// The request must have passed the check.
template <class Chunk>
class ContinuousAdjoint {
 public:
  ContinuousAdjoint(const MotionRequest& request, const Formulation& formulation,
                    const kernels::Layout& layout, Chunk& chunk, std::size_t /*budget*/ = 0)
      : request_(request),
        formulation_(formulation),
        layout_(layout),
        chunk_(chunk),
        tape_(chunk, static_cast<std::size_t>(layout.record_size), request.steps + 1) {
    tape_.add_block();
  }

  // The motion; calls observe(step, instant) as a time loop does.
  template <class Observe>
  void forwards(const Observe& observe) {
    const bool clock = formulation_.has_clock();
    chunk_.set_record(clock ? tape_.step(0, 0) : nullptr, clock ? request_.steps + 1 : 0);
    StepByStep<Chunk> steps{chunk_};
    const auto watch = [&](std::size_t k, const Instant& at) {
      if (!clock && !chunk_.has_failed()) keep(k, at);
      observe(k, at);
      return !chunk_.has_failed();
    };
    run_time_loop(request_, formulation_, steps, watch);
  }

  void backwards() {
    if (formulation_.has_clock())
      reverse_one_step_method();
    else
      reverse_ali3p();
    chunk_.set_record(nullptr, 0);
    if (!chunk_.has_failed()) reverse_start();
  }

  double recomputation() const { return 0.0; }

 private:
  using KernelId = kernels::KernelId;

  double weight(std::size_t k) const {
    return k == 0 || k == request_.steps ? 0.5 * request_.step : request_.step;
  }
  void launch(KernelId kernel, std::size_t k, double weight, int last = 0) {
    chunk_.launch(kernel, static_cast<double>(k) * request_.step, weight, last, no_stage());
  }
  void keep(std::size_t k, const Instant& at) {
    chunk_.set_record(tape_.step(0, k), 1);
    chunk_.launch(KernelId::keep_step, at, no_stage());
    chunk_.launch(KernelId::keep_projected, at, no_stage());
  }

  void reverse_one_step_method() {
    const std::size_t steps = request_.steps;
    chunk_.set_record(tape_.step(0, steps - 1), 1);
    launch(KernelId::continuous_begin, steps, weight(steps));
    for (std::size_t k = steps; k > 0 && !chunk_.has_failed(); --k) {
      chunk_.set_record(tape_.step(0, k - 1), 1);
      launch(KernelId::continuous_step, k - 1, weight(k - 1), k == 1 ? 1 : 0);
    }
  }

  void solve_adjoint(const kernels::StageTangent& stage) {
    chunk_.launch(KernelId::solve_adjoint, Instant{0.0, 0.0, false}, stage);
  }
  void restore(std::size_t k) {
    chunk_.set_record(tape_.step(0, k), 1);
    launch(KernelId::restore_kept, k, 0.0);
    launch(KernelId::restore_step, k, 0.0);
  }

  // What the integrands of an instant are worth to position and free rates, through the
  // projections.
  void load_integrands(std::size_t k) {
    launch(KernelId::continuous_clear, k, 0.0, k == request_.steps ? 1 : 0);
    launch(KernelId::add_objective_rows, k, weight(k));
    const auto& stages = formulation_.step_tangents;
    for (auto stage = stages.rbegin(); stage != stages.rend() - 1; ++stage) solve_adjoint(*stage);
  }

  void reverse_ali3p() {
    const std::size_t steps = request_.steps;
    restore(steps);
    launch(KernelId::continuous_clear, steps, 0.0, 1);
    launch(KernelId::add_objective_rows, steps, 0.0, 1);
    solve_adjoint(formulation_.settle_tangents.front());
    launch(KernelId::continuous_keep, steps, 0.0);
    load_integrands(steps);
    launch(KernelId::continuous_final, steps, weight(steps));
    launch(KernelId::gather_elements, steps, 0.0);
    correct(steps);
    const std::size_t stretch = std::max<std::size_t>(steps / kStretches, kShortestStretch);
    for (std::size_t k = steps; k-- > 0 && !chunk_.has_failed();) {
      const bool anew = k % stretch == 0 && k >= kShortestStretch && steps - k >= kShortestStretch;
      pass_instant(k, k == 0 ? kernels::kMotionStart
                      : anew ? kernels::kRestart
                             : kernels::kBetween);
      if (anew) correct(k);
    }
  }

  void pass_instant(std::size_t k, kernels::CostateInstant kind) {
    restore(k);
    load_integrands(k);
    launch(KernelId::continuous_instant, k, weight(k), kind);
    launch(KernelId::gather_elements, k, 0.0);
  }

  // A trial of two steps back from where the rule begins shows what part of the costate along the
  // constraints is missing; what the trial did is taken back. What the first correction leaves has
  // the order of the step, the second its square.
  void correct(std::size_t k) {
    if (k < 2 || request_.plan->constraint_rank() == 0) return;
    const kernels::PlanView view = request_.plan->view();
    const int objectives = view.objective_count;
    const std::pair<int, int> arrays[] = {
        {layout_.costate.rows, 2 * view.coordinate_count * objectives},
        {layout_.element.gradient, objectives * view.element_size},
        {layout_.objective_gradient, objectives * view.parameter_count}};
    int size = 0;
    for (const auto& array : arrays) size += array.second;
    auto kept = chunk_.make_store(static_cast<std::size_t>(size));
    const auto move = [&](auto copy) {
      std::size_t row = 0;
      for (const auto& [offset, count] : arrays) {
        (chunk_.*copy)(offset, count, kept, row);
        row += static_cast<std::size_t>(count);
      }
    };
    for (int pass = 0; pass < 2; ++pass) {
      move(&Chunk::keep);
      pass_instant(k - 1, kernels::kBetween);
      pass_instant(k - 2, kernels::kTrial);
      move(&Chunk::put_back);
      restore(k);
      launch(KernelId::continuous_correct, k, 0.0);
      launch(KernelId::gather_elements, k, 0.0);
    }
  }

  // Rows of the start position and velocity meet the start problems.
  void reverse_start() {
    for (const KernelId kernel : formulation_.start) launch(kernel, 0, 0.0);
    launch(KernelId::start_partials, 0, 0.0);
    const auto& stages = formulation_.start_tangents;
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) solve_adjoint(*stage);
    launch(KernelId::gather_elements, 0, 0.0);
    if (!formulation_.rest_tangents.empty()) {
      launch(KernelId::linearise_rest, 0, 0.0);
      for (const kernels::StageTangent& stage : formulation_.rest_tangents) solve_adjoint(stage);
      launch(KernelId::gather_elements, 0, 0.0);
    }
    launch(KernelId::gather_gradient, 0, 0.0);
  }

  const MotionRequest& request_;
  const Formulation& formulation_;
  const kernels::Layout& layout_;
  Chunk& chunk_;
  Tape<Chunk> tape_;
};

}  // namespace gradus
