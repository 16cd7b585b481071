// Time loops on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "src/backend/host_kernels.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_recorder.hpp"
#include "src/motion/outcome.hpp"
#include "src/motion/team.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;

template <class Real>
TimeShare run_design(HostChunk<Real>& chunk, const MotionRequest& request,
                     const Formulation& formulation, Recorder<Real>* recorder, Progress& progress) {
  const auto launch = [&](kernels::KernelId kernel, const Instant& at,
                          const kernels::StageTangent& stage) { chunk.launch(kernel, at, stage); };
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) recorder->record(k, at);
    progress.step_done(k);
    return !chunk.all_fail();
  };
  return run_time_loop(request, formulation, launch, observe);
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

// How designs and columns are spread over runs of the motion: packs of designs, and blocks of
// columns, each with a motion of its own.
struct Spread {
  Vehicle vehicle;
  std::size_t packs;
  std::size_t blocks;
  int width;  // columns of a block
};

// What a run holds stays in the second-level cache. More blocks where threads would stand idle.
constexpr std::size_t kBlockColumns = 256;  // of all lanes
constexpr std::size_t kWorthAThread = 64;   // columns

Spread spread(const MotionRequest& request, int threads) {
  const Vehicle vehicle = choose_vehicle(request, threads);
  const auto lanes = static_cast<std::size_t>(vehicle.lanes);
  const std::size_t packs = (request.n_design + lanes - 1) / lanes;
  const std::size_t parameters = request.column_count();
  const Spread whole{vehicle, packs, 1, static_cast<int>(parameters)};
  if (!request.with_columns() || parameters == 0) return whole;
  if (request.analysis.columns_in_error) return whole;
  // The matrix of a sum of squares has an entry for every pair of columns.
  if (request.plan->least_squares_count > 0) return whole;
  const std::size_t most = kBlockColumns / lanes;
  const std::size_t idle = static_cast<std::size_t>(threads) / std::max<std::size_t>(packs, 1);
  std::size_t count = (parameters + most - 1) / most;
  count = std::max(count, std::min(idle, parameters / kWorthAThread));
  // Whole groups of columns, which go through vector registers together.
  const std::size_t width = ((parameters + count - 1) / count + 7) / 8 * 8;
  return {vehicle, packs, (parameters + width - 1) / width, static_cast<int>(width)};
}

// The part of a gradient that a block has. A design that fails in one has failed.
void collect_gradient(HostChunk<double>& chunk, const kernels::Layout& layout,
                      const MotionRequest& request, int lane, std::size_t design, int first,
                      MotionOutcome& outcome) {
  if (chunk.fails(lane) && outcome.status[design] == kernels::Status::ok) {
    outcome.status[design] = chunk.status(lane);
    outcome.failure_time[design] = chunk.failure_time(lane);
  }
  const std::size_t parameters = request.column_count();
  const std::size_t objectives = request.plan->objectives.size();
  const int width = chunk.column_count();
  for (std::size_t o = 0; o < objectives; ++o)
    copy_plain(chunk, layout.objective_gradient + static_cast<int>(o) * width, width, lane,
               outcome.gradient.data() + (design * objectives + o) * parameters + first);
  const std::size_t matrices = gauss_newton_size(request);  // behind it, of all columns
  if (matrices == 0) return;
  copy_plain(chunk, layout.objective_gradient + static_cast<int>(objectives) * width,
             static_cast<int>(matrices), lane, outcome.gauss_newton.data() + design * matrices);
}

// Numbers of failed designs, whichever block they failed in.
void poison_gradients(const MotionRequest& request, MotionOutcome& outcome) {
  if (outcome.gradient.empty()) return;
  const std::size_t size = request.plan->objectives.size() * request.column_count();
  for (std::size_t design = 0; design < outcome.status.size(); ++design)
    if (outcome.status[design] != kernels::Status::ok)
      std::fill_n(outcome.gradient.begin() + static_cast<std::ptrdiff_t>(design * size), size,
                  std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void HostRun::set_designs_of_request(std::span<const double> parameters, std::size_t designs) {
  request_.n_design = designs;
  request_.parameters.assign(parameters.begin(), parameters.end());
}

namespace {

class ForwardRun : public HostRun {
 public:
  ForwardRun(const MotionRequest& request, int threads)
      : HostRun(request), threads_(threads), chunks_(static_cast<std::size_t>(threads)) {}

  MotionOutcome& run(std::span<const double> parameters, std::size_t designs) override {
    set_designs_of_request(parameters, designs);
    prepare();
    renew_outcome(request_, outcome_);
    outcome_.lanes = over_.vehicle.lanes;
    make_room_for_columns(request_, outcome_);
    if (request_.columns) rows_.assign(request_.n_design, std::numeric_limits<std::size_t>::max());
    Progress progress(request_, over_.packs * over_.blocks);
    share_ = {};
    Stopwatch watch;
    for_each_design(over_.packs * over_.blocks, threads_, [&](int thread) {
      auto& chunk = chunks_[static_cast<std::size_t>(thread)];
      if (!chunk) chunk = std::make_unique<HostChunk<double>>(request_, *setup_, over_.vehicle);
      return [&](std::size_t job) {
        run_job(*chunk, job, progress);
        progress.job_done();
      };
    });
    poison_gradients(request_, outcome_);
    // What all blocks have of a design that fails in one.
    if (request_.columns)
      for (std::size_t design = 0; design < request_.n_design; ++design)
        keep_rows(*request_.plan, rows_[design], outcome_.trajectories[design]);
    // Threads work side by side: their shares split the time that passed.
    const double wall = watch.lap();
    const double sum = std::max(share_.motion + share_.sensitivity, 1e-30);
    outcome_.motion_s = wall * share_.motion / sum;
    outcome_.sensitivity_s = wall * share_.sensitivity / sum;
    return outcome_;
  }

 private:
  // Another number of designs may travel in other lanes and blocks.
  void prepare() {
    const Spread over = spread(request_, threads_);
    const bool same_setup = setup_ && over.width == over_.width;
    if (!same_setup || over.vehicle.launch != over_.vehicle.launch)
      for (auto& chunk : chunks_) chunk.reset();
    over_ = over;
    if (!same_setup)
      setup_ = std::make_unique<HostSetup>(request_, request_.sensitivity, over_.width);
  }

  void run_job(HostChunk<double>& chunk, std::size_t job, Progress& progress) {
    const kernels::Layout& layout = setup_->layout;
    const auto lanes = static_cast<std::size_t>(over_.vehicle.lanes);
    const std::size_t design = job / over_.blocks * lanes;
    const std::size_t block = job % over_.blocks;
    const std::size_t count = std::min(lanes, request_.n_design - design);
    const int first = static_cast<int>(block) * over_.width;
    set_designs(chunk, request_, layout, design, count);
    chunk.see_columns(request_.first_column + first, over_.width);
    std::optional<Recorder<double>> recorder;
    if (request_.record) recorder.emplace(chunk, request_, layout, design, count, first, outcome_);
    const TimeShare share =
        run_design(chunk, request_, setup_->formulation, recorder ? &*recorder : nullptr, progress);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t k = 0; k < count; ++k) {
      const int lane = static_cast<int>(k);
      if (request_.columns) rows_[design + k] = std::min(rows_[design + k], recorder->rows(k));
      if (block == 0) collect(chunk, layout, *request_.plan, lane, design + k, outcome_);
      if (request_.with_columns())
        collect_gradient(chunk, layout, request_, lane, design + k, first, outcome_);
    }
    share_.motion += share.motion;
    share_.sensitivity += share.sensitivity;
  }

  int threads_;
  Spread over_{};
  std::unique_ptr<HostSetup> setup_;
  std::vector<std::unique_ptr<HostChunk<double>>> chunks_;  // [thread]
  std::vector<std::size_t> rows_;  // [design] recorded times that all blocks have
  TimeShare share_;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<HostRun> make_host_run(const MotionRequest& request, int threads) {
  if (request.sensitivity == Sensitivity::adjoint || request.sensitivity == Sensitivity::continuous)
    return make_adjoint_run(request, threads);
  return std::make_unique<ForwardRun>(request, threads);
}

MotionOutcome run_on_host(const MotionRequest& request, int threads) {
  return std::move(make_host_run(request, threads)->run(request.parameters, request.n_design));
}

MotionOutcome run_dual_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const HostSetup setup(request, Sensitivity::none, 0);
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  const std::size_t parameters = plan.nominal.size();
  const std::size_t objectives = plan.objectives.size();
  outcome.gradient.assign(request.n_design * objectives * parameters, 0.0);
  make_room_for_columns(request, outcome);
  Progress progress(request, request.n_design);
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&](int) {
    auto chunk =
        std::make_shared<HostChunk<DualNumber>>(request, setup, Vehicle{1, check_kernels().dual});
    return [&, chunk](std::size_t design) {
      for (int first = 0; first == 0 || first < plan.parameter_count();
           first += kernels::kDualDirections) {
        set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                       plan.parameter_count(), first);
        Recorder<DualNumber> recorder(*chunk, request, layout, design, 1, first, outcome);
        run_design(*chunk, request, setup.formulation, &recorder, progress);
        if (request.columns) keep_rows(plan, recorder.rows(0), outcome.trajectories[design]);
        collect(*chunk, layout, plan, 0, design, outcome);
        if (chunk->fails()) {  // whichever directions it failed in
          const std::size_t size = objectives * parameters;
          std::fill_n(outcome.gradient.data() + design * size, size,
                      std::numeric_limits<double>::quiet_NaN());
          break;
        }
        const int end = std::min(plan.parameter_count(), first + kernels::kDualDirections);
        for (std::size_t o = 0; o < objectives; ++o)
          for (int p = first; p < end; ++p) {
            const DualNumber& value = chunk->at(layout.objective_value)[o];
            outcome.gradient[(design * objectives + o) * parameters + static_cast<std::size_t>(p)] =
                value.value - value.value == 0.0 ? value.derivative[p - first] : value.value;
          }
      }
      progress.job_done();
    };
  });
  outcome.motion_s = watch.lap();
  return outcome;
}

}  // namespace gradus
