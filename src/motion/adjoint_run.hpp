// Adjoints on the host: what those of a plan and those through windows on it share.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/motion/continuous_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_memory.hpp"
#include "src/motion/specialised_chunk.hpp"
#include "src/motion/step_probe.hpp"

namespace gradus {
// `Adjoint` is one of the two, of the designs of a chunk.
template <class Adjoint, class Chunk = ReversibleChunk>
class AdjointRun : public HostRun {
 public:
  AdjointRun(const MotionRequest& request, int threads)
      : HostRun(request, threads),
        setup_(request_, request_.sensitivity, request_.plan->parameter_count()),
        workers_(static_cast<std::size_t>(threads)) {}

 protected:
  // What a thread drives.
  struct Worker {
    Worker(const MotionRequest& request, const HostSetup& setup, const Vehicle& vehicle,
           std::size_t budget)
        : chunk(request, setup, vehicle),
          adjoint(request, setup.formulation, setup.layout, chunk, budget) {
      if (request.is_probed()) probe = std::make_unique<StepProbe>(request);
    }
    Chunk chunk;
    Adjoint adjoint;
    std::unique_ptr<StepProbe> probe;  // where steps are probed
  };

  // Sets the designs of a pack, `count` from `first` on.
  virtual void set(Chunk& chunk, std::size_t /* thread */, std::size_t first, std::size_t count) {
    set_designs(chunk, request_, setup_.layout, first, count);
  }
  // The gradients of a pack that has gone back, [n_objective, n_parameter] for each design.
  virtual void collect_gradients(Chunk& chunk, std::size_t /* thread */, std::size_t first,
                                 std::size_t count) {
    const std::size_t size = request_.plan->objectives.size() * request_.plan->nominal.size();
    for (std::size_t k = 0; k < count; ++k)
      copy_plain(chunk, setup_.layout.objective_gradient, static_cast<int>(size),
                 static_cast<int>(k), outcome_.gradient.data() + (first + k) * size);
  }

  std::size_t prepare() override {
    const Vehicle before = std::exchange(vehicle_, choose_vehicle(request_, threads_));
    const auto team = std::clamp<std::size_t>(packs(), 1, workers_.size());
    const std::size_t earlier = std::exchange(budget_, share_of_memory(team));
    if (vehicle_.launch != before.launch || budget_ != earlier)
      for (auto& worker : workers_) worker.reset();
    if (request_.sensitivity == Sensitivity::continuous)
      check_continuous_adjoint(request_, setup_.formulation, setup_.layout, budget_);
    if (budget_ == 0)
      require_memory_of_adjoint(request_, static_cast<double>(team * lanes()) *
                                              static_cast<double>(request_.steps) *
                                              setup_.layout.record_size * sizeof(double));
    steps_ = specialised_steps();
    return packs();
  }

  // Null: general kernels do everything.
  std::shared_ptr<SpecialisedSteps> specialised_steps() const {
    if (request_.workshop == nullptr) return nullptr;
    StepSetup setup{kernels::after_start(request_.plan->view()),
                    setup_.layout,
                    request_.settings(),
                    vehicle_.lanes,
                    vehicle_.launch,
                    {}};
    if (!takes_steps()) setup.evaluation = setup_.formulation.evaluation;
    setup.goes_back = true;
    return request_.workshop->steps_for(request_, setup);
  }
  bool takes_steps() const { return request_.formulation->has_stages; }

  void finish() override {
    if (steps_) tell_of(*steps_);
  }

  // Bytes for a design, 0 if there is no limit. How many steps an adaptive integrator takes nobody
  // knows before: those get what the machine can spare.
  std::size_t share_of_memory(std::size_t team) const {
    const bool adaptive = request_.tableau.error_order > 0;
    if (request_.memory == 0 && !adaptive) return 0;
    const std::size_t all =
        request_.memory > 0 ? request_.memory : static_cast<std::size_t>(0.5 * host_memory());
    return std::max<std::size_t>(all / team / lanes(), 1);
  }

  // Forwards, and back if the motion succeeds; what a record asks for is seen on the way.
  TimeShare run_job(std::size_t thread, std::size_t pack) override {
    auto& worker = workers_[thread];
    if (!worker) worker = std::make_unique<Worker>(request_, setup_, vehicle_, budget_);
    Chunk& chunk = worker->chunk;
    const kernels::Layout& layout = setup_.layout;
    const std::size_t first = pack * lanes();
    const std::size_t count = std::min(lanes(), request_.n_design - first);
    chunk.set_record(nullptr, 0);
    set(chunk, thread, first, count);
    TimeShare share;
    Stopwatch watch;
    StepProbe* const probe = worker->probe.get();
    if (probe != nullptr) {
      chunk.take_steps(probe->steps_of(row_of(first)));
      if (probe->leaves_stiff()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        probe->note_findings_of(first, outcome_);
        return share;
      }
      if (probe->fails()) chunk.take_steps({});
    }
    std::optional<SpecialisedEvaluations> evaluations;
    if (steps_ && !takes_steps()) evaluations.emplace(chunk, *steps_);
    chunk.use_steps(takes_steps() ? steps_.get() : nullptr);
    Recorder<double> recorder(chunk, request_, layout, first, count, 0, outcome_);
    worker->adjoint.forwards([&](std::size_t k, const Instant& at) {
      if (is_recorded(request_, k)) recorder.record(k, at);
    });
    for (std::size_t k = 0; k < count; ++k) {
      const std::lock_guard<std::mutex> lock(mutex_);
      collect(chunk, layout, *request_.plan, static_cast<int>(k), first + k, outcome_);
    }
    share.motion = watch.lap();
    const bool has_gradient = !chunk.has_failed() && (probe == nullptr || !probe->fails());
    if (has_gradient) worker->adjoint.backwards();
    chunk.use_steps(nullptr);
    collect_gradients(chunk, thread, first, count);
    for (std::size_t design = first; design < first + count; ++design) {
      const int lane = static_cast<int>(design - first);
      note_failure(chunk, lane, design, outcome_);
      if (probe != nullptr) probe->note_findings_of(design, outcome_);
      judge_design(asked(), design, outcome_);
    }
    share.sensitivity = watch.lap();
    const std::lock_guard<std::mutex> lock(mutex_);
    outcome_.recomputation = std::max(outcome_.recomputation, worker->adjoint.recomputation());
    return share;
  }

  HostSetup setup_;
  std::shared_ptr<SpecialisedSteps> steps_;
  std::size_t budget_ = 0;                        // of a design, bytes
  std::vector<std::unique_ptr<Worker>> workers_;  // [thread]
};

}  // namespace gradus
