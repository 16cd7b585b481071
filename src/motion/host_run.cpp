// Time loops on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

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
                     const Formulation& formulation, Recorder<Real>& recorder, Progress& progress) {
  const auto launch = [&](kernels::KernelId kernel, const Instant& at,
                          const kernels::StageTangent& stage) { chunk.launch(kernel, at, stage); };
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) recorder.record(k, at);
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
  const std::size_t parameters = request.plan->nominal.size();
  const Spread whole{vehicle, packs, 1, request.plan->parameter_count()};
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
void collect_gradient(HostChunk<double>& chunk, const kernels::Layout& layout, const Plan& plan,
                      int lane, std::size_t design, int first, MotionOutcome& outcome) {
  if (chunk.fails(lane) && outcome.status[design] == kernels::Status::ok) {
    outcome.status[design] = chunk.status(lane);
    outcome.failure_time[design] = chunk.failure_time(lane);
  }
  const std::size_t parameters = plan.nominal.size();
  const std::size_t objectives = plan.objectives.size();
  const int width = chunk.column_count();
  for (std::size_t o = 0; o < objectives; ++o)
    copy_plain(chunk, layout.objective_gradient + static_cast<int>(o) * width, width, lane,
               outcome.gradient.data() + (design * objectives + o) * parameters + first);
  const std::size_t matrices = gauss_newton_size(plan);  // behind it, of all columns
  if (matrices == 0) return;
  copy_plain(chunk, layout.objective_gradient + static_cast<int>(objectives) * width,
             static_cast<int>(matrices), lane, outcome.gauss_newton.data() + design * matrices);
}

// Numbers of failed designs, whichever block they failed in.
void poison_gradients(const Plan& plan, MotionOutcome& outcome) {
  if (outcome.gradient.empty()) return;
  const std::size_t size = plan.objectives.size() * plan.nominal.size();
  for (std::size_t design = 0; design < outcome.status.size(); ++design)
    if (outcome.status[design] != kernels::Status::ok)
      std::fill_n(outcome.gradient.begin() + static_cast<std::ptrdiff_t>(design * size), size,
                  std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

MotionOutcome run_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const Spread over = spread(request, threads);
  const HostSetup setup(request, request.sensitivity, over.width);
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  outcome.lanes = over.vehicle.lanes;
  make_room_for_columns(request, outcome);
  std::vector<std::size_t> rows(request.n_design, std::numeric_limits<std::size_t>::max());
  Progress progress(request, over.packs * over.blocks);
  TimeShare total;
  std::mutex mutex;
  Stopwatch watch;
  for_each_design(over.packs * over.blocks, threads, [&] {
    auto chunk = std::make_shared<HostChunk<double>>(request, setup, over.vehicle);
    return [&, chunk](std::size_t job) {
      const auto lanes = static_cast<std::size_t>(over.vehicle.lanes);
      const std::size_t design = job / over.blocks * lanes;
      const std::size_t block = job % over.blocks;
      const std::size_t count = std::min(lanes, request.n_design - design);
      const int first = static_cast<int>(block) * over.width;
      set_designs(*chunk, request, layout, design, count);
      chunk->see_columns(first, over.width);
      Recorder<double> recorder(*chunk, request, layout, design, count, first, outcome);
      const TimeShare share = run_design(*chunk, request, setup.formulation, recorder, progress);
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::size_t k = 0; k < count; ++k) {
        const int lane = static_cast<int>(k);
        if (request.columns) rows[design + k] = std::min(rows[design + k], recorder.rows(k));
        if (block == 0) collect(*chunk, layout, plan, lane, design + k, outcome);
        if (request.with_columns())
          collect_gradient(*chunk, layout, plan, lane, design + k, first, outcome);
      }
      progress.job_done();
      total.motion += share.motion;
      total.sensitivity += share.sensitivity;
    };
  });
  poison_gradients(plan, outcome);
  // What all blocks have of a design that fails in one.
  if (request.columns)
    for (std::size_t design = 0; design < request.n_design; ++design)
      keep_rows(plan, rows[design], outcome.trajectories[design]);
  // Threads work side by side: their shares split the time that passed.
  const double wall = watch.lap();
  const double sum = std::max(total.motion + total.sensitivity, 1e-30);
  outcome.motion_s = wall * total.motion / sum;
  outcome.sensitivity_s = wall * total.sensitivity / sum;
  return outcome;
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
  for_each_design(request.n_design, threads, [&] {
    auto chunk =
        std::make_shared<HostChunk<DualNumber>>(request, setup, Vehicle{1, check_kernels().dual});
    return [&, chunk](std::size_t design) {
      for (int first = 0; first == 0 || first < plan.parameter_count();
           first += kernels::kDualDirections) {
        set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                       plan.parameter_count(), first);
        Recorder<DualNumber> recorder(*chunk, request, layout, design, 1, first, outcome);
        run_design(*chunk, request, setup.formulation, recorder, progress);
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
