// Adjoints on the host.
#include "src/motion/adjoint_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

#include "src/motion/continuous_adjoint.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_recorder.hpp"
#include "src/motion/team.hpp"

namespace gradus {
namespace {

// The designs of a pack, `count` from `first` on.
struct Pack {
  std::size_t first, count;
};

// Forwards, and back if the motion succeeds; what a record asks for is seen on the way.
template <class Run>
TimeShare run_pack(Run& run, HostChunk<double>& chunk, const MotionRequest& request,
                   const kernels::Layout& layout, const Pack& pack, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  TimeShare share;
  Stopwatch watch;
  Recorder<double> recorder(chunk, request, layout, pack.first, pack.count, 0, outcome);
  run.forwards([&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) recorder.record(k, at);
  });
  for (std::size_t k = 0; k < pack.count; ++k)
    collect(chunk, layout, plan, static_cast<int>(k), pack.first + k, outcome);
  share.motion += watch.lap();
  if (!chunk.all_fail()) run.backwards();
  const std::size_t size = plan.objectives.size() * plan.nominal.size();
  for (std::size_t k = 0; k < pack.count; ++k) {
    const int lane = static_cast<int>(k);
    outcome.status[pack.first + k] = chunk.status(lane);
    outcome.failure_time[pack.first + k] = chunk.failure_time(lane);
    double* gradient = outcome.gradient.data() + (pack.first + k) * size;
    copy_plain(chunk, layout.objective_gradient, static_cast<int>(size), lane, gradient);
    if (chunk.fails(lane)) std::fill_n(gradient, size, std::numeric_limits<double>::quiet_NaN());
  }
  share.sensitivity += watch.lap();
  return share;
}

}  // namespace

MotionOutcome run_adjoint_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const HostSetup setup(request, request.sensitivity, plan.parameter_count());
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  const Vehicle vehicle = choose_vehicle(request, threads);
  outcome.lanes = vehicle.lanes;
  const auto lanes = static_cast<std::size_t>(vehicle.lanes);
  const std::size_t packs = (request.n_design + lanes - 1) / lanes;
  const auto team = std::clamp<std::size_t>(packs, 1, static_cast<std::size_t>(threads));
  const std::size_t budget = request.memory / team / lanes;  // of a design
  const bool continuous = request.sensitivity == Sensitivity::continuous;
  if (continuous) check_continuous_adjoint(request, setup.formulation, layout, budget);
  Progress progress(request, packs);
  TimeShare total;
  std::mutex mutex;
  Stopwatch watch;
  for_each_design(packs, threads, [&] {
    auto chunk = std::make_shared<HostChunk<double>>(request, setup, vehicle);
    return [&, chunk](std::size_t job) {
      const Pack pack{job * lanes, std::min(lanes, request.n_design - job * lanes)};
      chunk->set_record(nullptr, 0);
      set_designs(*chunk, request, layout, pack.first, pack.count);
      TimeShare share;
      double recomputation = 0.0;
      if (continuous) {
        ContinuousAdjoint run(request, setup.formulation, layout, *chunk);
        share = run_pack(run, *chunk, request, layout, pack, outcome);
      } else {
        DiscreteAdjoint run(request, setup.formulation, layout, *chunk, budget);
        share = run_pack(run, *chunk, request, layout, pack, outcome);
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
