// Adjoints on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

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
  std::optional<Recorder<double>> recorder;
  if (request.record) recorder.emplace(chunk, request, layout, pack.first, pack.count, 0, outcome);
  run.forwards([&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) recorder->record(k, at);
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

// What a thread drives.
struct Worker {
  explicit Worker(const MotionRequest& request, const HostSetup& setup, const Vehicle& vehicle,
                  std::size_t budget)
      : chunk(request, setup, vehicle) {
    if (request.sensitivity == Sensitivity::continuous)
      continuous.emplace(request, setup.formulation, setup.layout, chunk);
    else
      discrete.emplace(request, setup.formulation, setup.layout, chunk, budget);
  }

  HostChunk<double> chunk;
  std::optional<ContinuousAdjoint<HostChunk<double>>> continuous;
  std::optional<DiscreteAdjoint<HostChunk<double>>> discrete;
};

class AdjointRun : public HostRun {
 public:
  AdjointRun(const MotionRequest& request, int threads)
      : HostRun(request),
        threads_(threads),
        setup_(request_, request_.sensitivity, request_.plan->parameter_count()),
        workers_(static_cast<std::size_t>(threads)) {}

  MotionOutcome& run(std::span<const double> parameters, std::size_t designs) override {
    set_designs_of_request(parameters, designs);
    prepare();
    renew_outcome(request_, outcome_);
    const auto lanes = static_cast<std::size_t>(vehicle_.lanes);
    outcome_.lanes = vehicle_.lanes;
    const std::size_t packs = (request_.n_design + lanes - 1) / lanes;
    Progress progress(request_, packs);
    share_ = {};
    Stopwatch watch;
    for_each_design(packs, threads_, [&](int thread) {
      auto& worker = workers_[static_cast<std::size_t>(thread)];
      if (!worker) worker = std::make_unique<Worker>(request_, setup_, vehicle_, budget_);
      return [&](std::size_t job) {
        run_job(*worker, {job * lanes, std::min(lanes, request_.n_design - job * lanes)});
        progress.job_done();
      };
    });
    const double wall = watch.lap();
    const double sum = std::max(share_.motion + share_.sensitivity, 1e-30);
    outcome_.motion_s = wall * share_.motion / sum;
    outcome_.sensitivity_s = wall * share_.sensitivity / sum;
    return outcome_;
  }

 private:
  // Another number of designs may travel in other lanes, and share the memory otherwise.
  void prepare() {
    const Vehicle vehicle = choose_vehicle(request_, threads_);
    const auto lanes = static_cast<std::size_t>(vehicle.lanes);
    const std::size_t packs = (request_.n_design + lanes - 1) / lanes;
    const auto team = std::clamp<std::size_t>(packs, 1, static_cast<std::size_t>(threads_));
    const std::size_t budget = request_.memory / team / lanes;  // of a design
    if (request_.sensitivity == Sensitivity::continuous)
      check_continuous_adjoint(request_, setup_.formulation, setup_.layout, budget);
    if (vehicle.launch != vehicle_.launch || budget != budget_)
      for (auto& worker : workers_) worker.reset();
    vehicle_ = vehicle;
    budget_ = budget;
  }

  void run_job(Worker& worker, const Pack& pack) {
    HostChunk<double>& chunk = worker.chunk;
    chunk.set_record(nullptr, 0);
    set_designs(chunk, request_, setup_.layout, pack.first, pack.count);
    TimeShare share;
    double recomputation = 0.0;
    if (worker.continuous) {
      share = run_pack(*worker.continuous, chunk, request_, setup_.layout, pack, outcome_);
    } else {
      share = run_pack(*worker.discrete, chunk, request_, setup_.layout, pack, outcome_);
      recomputation = worker.discrete->recomputation();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    outcome_.recomputation = std::max(outcome_.recomputation, recomputation);
    share_.motion += share.motion;
    share_.sensitivity += share.sensitivity;
  }

  int threads_;
  HostSetup setup_;
  Vehicle vehicle_;
  std::size_t budget_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;  // [thread]
  TimeShare share_;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<HostRun> make_adjoint_run(const MotionRequest& request, int threads) {
  return std::make_unique<AdjointRun>(request, threads);
}

}  // namespace gradus
