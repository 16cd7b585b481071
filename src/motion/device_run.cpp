// Motions and adjoints on a device.
#include "src/motion/device_run.hpp"

#include <algorithm>

#include "src/motion/continuous_adjoint.hpp"
#include "src/motion/device_results.hpp"
#include "src/motion/discrete_adjoint.hpp"
#include "src/motion/exact_integrals.hpp"
#include "src/motion/smooth_extrema.hpp"
#include "src/motion/stiff_designs.hpp"

namespace gradus {
namespace {

// So many designs are done, the last in part.
void report(const MotionRequest& request, double designs) {
  if (request.progress) request.progress(designs / static_cast<double>(request.n_design));
}

void upload_parameters(DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
                       std::size_t first) {
  const std::size_t parameters = request.plan->nominal.size();
  chunk.upload(setup.layout.parameter, parameters, request.parameters.data() + first * parameters);
}

// Probes the steps of designs [first, first + chunk.count()), if a request wants that.
ProbedSteps probe_steps(const MotionRequest& request, std::size_t first, DeviceChunk& chunk) {
  if (!request.is_probed()) return {};
  ProbedSteps probed = probe_on_host(request, first, chunk.count());
  chunk.take_steps(probed);
  return probed;
}

void note_findings_of(const ProbedSteps& probed, const MotionRequest& request, std::size_t first,
                      MotionOutcome& outcome) {
  for (std::size_t d = 0; d < probed.found.size(); ++d) {
    note_findings(probed.found[d], first + d, outcome);
    judge_design(request, first + d, outcome);
  }
}

// One run of the motion of designs [first, first + chunk.count()), with the columns of the
// parameters from `column` on. The run with the first of them says what the motion was.
void run_once(DeviceChunk& chunk, DeviceResults& results, const DeviceSetup& setup,
              const MotionRequest& request, std::size_t first, int column, MotionOutcome& outcome) {
  chunk.see_columns(column);
  upload_parameters(chunk, setup, request, first);
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && request.records_columns())
      results.record_columns(at, recorded_row(request, k));
    if (is_recorded(request, k) && column == 0) results.record(at);
    if (column == 0 && k % 64 == 0)
      report(request, static_cast<double>(first) + static_cast<double>(chunk.count() * k) /
                                                       static_cast<double>(request.steps));
    return true;
  };
  const TimeShare share = run_time_loop(request, setup.formulation, chunk, observe);
  Stopwatch rest;
  chunk.synchronise();
  results.finish();
  if (column == 0) results.collect_motion();
  outcome.motion_s += share.motion + rest.lap();
  if (request.with_columns()) results.collect_gradient();
  results.collect_refusals();
  outcome.sensitivity_s += share.sensitivity + rest.lap();
}

// How many designs go together, and the bytes that the records of each may take.
struct AdjointChunk {
  std::size_t designs;
  std::size_t budget;
};

// States that are kept between steps, at least: the fewer, the more is taken once more.
constexpr std::size_t kSnapshots = 8;
constexpr std::size_t kLeastDesigns = kernels::kTile;  // part of a tile takes as much memory

// As many designs as keep all their steps, if these are enough; else what fills the device. What
// does not fit is tried alone, unless the user said how much there is.
AdjointChunk choose_chunk(const MotionRequest& request, const DeviceSetup& setup) {
  const bool continuous = request.sensitivity == Sensitivity::continuous;
  const std::size_t memory = request.memory;
  const std::size_t available = setup.device.free_memory();
  const std::size_t record = static_cast<std::size_t>(setup.layout.record_size) * sizeof(double);
  std::size_t state = static_cast<std::size_t>(setup.layout.size) * sizeof(double);
  if (continuous) state *= 2;  // one that begins anew keeps some of its state beside it
  const std::size_t records = memory > 0 ? std::min(memory, available) : available;
  const auto fitting = [&](std::size_t budget) {
    const std::size_t count = std::min(available / (state + budget), records / budget);
    return std::min(std::max<std::size_t>(count / kLeastDesigns, 1) * kLeastDesigns,
                    request.n_design);
  };
  if (continuous)
    return {fitting(continuous_adjoint_bytes(request, setup.layout)),
            memory > 0 ? std::max<std::size_t>(memory / kLeastDesigns, 1) : 0};
  // Blocks of steps are allocated as a whole.
  const std::size_t steps =
      request.steps < kBlockSteps ? request.steps : (request.steps / kBlockSteps + 1) * kBlockSteps;
  const std::size_t some = fitting(std::min(steps * record, kSnapshots * (state + record)));
  const std::size_t count = std::max(fitting(steps * record), std::min(some, kFullDevice));
  const std::size_t places = kernels::tiles_of(count) * kLeastDesigns;
  const std::size_t left = available - std::min(available, places * state);
  if (memory > 0) return {count, std::max<std::size_t>(std::min(left, memory) / places, 1)};
  return {count, std::max(left / places, state + record)};
}

// Designs [first, first + chunk.count()) forwards and back; what a record asks for is seen on the
// way.
template <class Run>
void run_there_and_back(Run&& run, DeviceChunk& chunk, const DeviceSetup& setup,
                        const MotionRequest& request, std::size_t first, MotionOutcome& outcome) {
  Stopwatch watch;
  upload_parameters(chunk, setup, request, first);
  DeviceResults results(chunk, setup, request, first, outcome);
  run.forwards([&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) results.record(at);
  });
  results.finish();
  results.collect_motion();
  results.trim_failures();
  outcome.motion_s += watch.lap();
  run.backwards();
  results.collect_gradient();
  outcome.recomputation = std::max(outcome.recomputation, run.recomputation());
  outcome.sensitivity_s += watch.lap();
  report(request, static_cast<double>(first + chunk.count()));
}

bool has_made_steps(const MotionRequest& request, const Device& device) {
  return request.workshop != nullptr && !request.workshop->waits() &&
         !device.step_target().empty() && why_general_on_device(request).empty();
}

// Columns travel in slices unless steps go by a kernel made for the mechanism.
std::unique_ptr<const DeviceSetup> make_setup(const MotionRequest& request, Device& device) {
  if (has_made_steps(request, device)) {
    auto made = std::make_unique<const DeviceSetup>(device, request, true);
    if (made->made_steps) return made;
  }
  return std::make_unique<const DeviceSetup>(device, request);
}

// All designs, before those that are stiff run again.
MotionOutcome run_motions(const MotionRequest& request, Device& device) {
  const std::unique_ptr<const DeviceSetup> owner = make_setup(request, device);
  const DeviceSetup& setup = *owner;
  MotionOutcome outcome = make_outcome(request);
  const ChunkSize size =
      choose_chunk(setup.split, request.n_design, device.free_memory() / sizeof(double),
                   setup.room.motion, setup.room.slice);
  std::size_t programmed = 0, missed = 0;
  for (std::size_t first = 0; first < request.n_design; first += size.designs) {
    DeviceChunk chunk(setup, request, std::min(size.designs, request.n_design - first),
                      size.slices);
    const ProbedSteps probed = probe_steps(request, first, chunk);
    chunk.limit_steps(request, first);
    DeviceResults results(chunk, setup, request, first, outcome);
    for (std::size_t slice = 0; slice < setup.split.slices; slice += size.slices)
      run_once(chunk, results, setup, request, first, static_cast<int>(slice) * setup.split.width,
               outcome);
    note_findings_of(probed, request, first, outcome);
    results.trim_failures();
    if (const MadeSteps* made = chunk.made_steps()) {
      programmed += made->programmed();
      missed += made->missed();
    }
  }
  if (request.log && programmed + missed > 0)
    request.log("kernels: those made for this mechanism took " +
                whole_percent(programmed, programmed + missed) + " of the " +
                std::to_string(programmed + missed) + " steps of designs");
  make_smooth_extrema(request, outcome);
  add_exact_integrals(request, request.parameters, outcome);
  return outcome;
}

MotionOutcome run_adjoints(const MotionRequest& request, Device& device) {
  const DeviceSetup setup(device, request);
  MotionOutcome outcome = make_outcome(request);
  const AdjointChunk size = choose_chunk(request, setup);
  const bool continuous = request.sensitivity == Sensitivity::continuous;
  if (continuous) check_continuous_adjoint(request, setup.formulation, setup.layout, size.budget);
  for (std::size_t first = 0; first < request.n_design; first += size.designs) {
    DeviceChunk chunk(setup, request, std::min(size.designs, request.n_design - first));
    const ProbedSteps probed = probe_steps(request, first, chunk);
    chunk.limit_steps(request, first);
    if (continuous)
      run_there_and_back(ContinuousAdjoint(request, setup.formulation, setup.layout, chunk), chunk,
                         setup, request, first, outcome);
    else
      run_there_and_back(
          DiscreteAdjoint(request, setup.formulation, setup.layout, chunk, size.budget), chunk,
          setup, request, first, outcome);
    note_findings_of(probed, request, first, outcome);
  }
  make_smooth_extrema(request, outcome);
  add_exact_integrals(request, request.parameters, outcome);
  return outcome;
}

template <class Run>
MotionOutcome run_with_stiff_designs(const MotionRequest& request, const Run& run) {
  MotionOutcome outcome = run(request);
  MotionOutcome last;
  run_stiff_designs(request, outcome, [&](const MotionRequest& another) -> MotionOutcome& {
    return last = run(another);
  });
  return outcome;
}

}  // namespace

MotionOutcome run_on_device(const MotionRequest& request, Device& device) {
  return run_with_stiff_designs(
      request, [&](const MotionRequest& some) { return run_motions(some, device); });
}

MotionOutcome run_adjoint_on_device(const MotionRequest& request, Device& device) {
  return run_with_stiff_designs(
      request, [&](const MotionRequest& some) { return run_adjoints(some, device); });
}

}  // namespace gradus
