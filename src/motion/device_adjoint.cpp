// Adjoints on a device.
#include "src/motion/device_adjoint.hpp"

#include <algorithm>

#include "src/motion/continuous_adjoint.hpp"
#include "src/motion/device_recorder.hpp"
#include "src/motion/device_results.hpp"
#include "src/motion/discrete_adjoint.hpp"

namespace gradus {
namespace {

// How many designs go together, and the bytes that the records of each may take.
struct AdjointChunk {
  std::size_t designs;
  std::size_t budget;
};

// States that are kept between steps then, at least: the fewer, the more is taken once more.
constexpr std::size_t kSnapshots = 8;

// Memory of one design, by what it holds.
struct DesignBytes {
  std::size_t state, record, tape;
};

constexpr std::size_t kLeastDesigns = kernels::kTile;  // part of a tile takes as much memory

// As many designs as keep all their steps, if these are enough; else what fills the device.
AdjointChunk choose_chunk(const DesignBytes& bytes, std::size_t designs, std::size_t available,
                          std::size_t memory) {
  const std::size_t records = memory > 0 ? std::min(memory, available) : available;
  const auto fitting = [&](std::size_t budget) {
    const std::size_t count = std::min(available / (bytes.state + budget), records / budget);
    return std::min(count / kLeastDesigns * kLeastDesigns, designs);
  };
  const std::size_t whole = fitting(bytes.tape);
  const std::size_t some = std::min(
      fitting(std::min(bytes.tape, kSnapshots * (bytes.state + bytes.record))), kFullDevice);
  const std::size_t count = std::max({whole, some, std::min(kLeastDesigns, designs)});
  const std::size_t least = bytes.state + bytes.record;
  const std::size_t places = kernels::tiles_of(count) * kLeastDesigns;
  const std::size_t left = available - std::min(available, places * bytes.state);
  // A tile that does not fit is tried alone, unless the user said how much there is.
  if (memory > 0) return {count, std::max<std::size_t>(std::min(left, memory) / places, 1)};
  return {count, std::max(left / places, least)};
}

AdjointChunk choose_chunk(const MotionRequest& request, const DeviceSetup& setup) {
  const auto record = static_cast<std::size_t>(setup.layout.record_size) * sizeof(double);
  DesignBytes bytes{static_cast<std::size_t>(setup.layout.size) * sizeof(double), record, 0};
  if (request.sensitivity == Sensitivity::continuous) {
    bytes.tape = continuous_adjoint_bytes(request, setup.layout);
    // A design that begins anew keeps some of its state beside it.
    const std::size_t available = setup.device.free_memory();
    const std::size_t each = 2 * bytes.state + bytes.tape;
    std::size_t count = available / each;
    if (request.memory > 0) count = std::min(count, request.memory / bytes.tape);
    const std::size_t budget =
        request.memory > 0 ? std::max<std::size_t>(request.memory / kLeastDesigns, 1) : 0;
    return {
        std::min(std::max(count / kLeastDesigns, std::size_t{1}) * kLeastDesigns, request.n_design),
        budget};
  }
  // Blocks of steps are allocated as a whole.
  bytes.tape = (request.steps / kBlockSteps + 1) * kBlockSteps * record;
  if (request.steps < kBlockSteps) bytes.tape = request.steps * record;
  return choose_chunk(bytes, request.n_design, setup.device.free_memory(), request.memory);
}

// Designs [first, first + chunk.count()) forwards and back; what a record asks for is seen on the
// way.
template <class Run>
void run_chunk(Run& run, DeviceChunk& chunk, const DeviceSetup& setup, const MotionRequest& request,
               std::size_t first, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t count = chunk.count();
  const std::size_t parameters = plan.nominal.size();
  Stopwatch watch;
  chunk.upload(setup.layout.parameter, parameters, request.parameters.data() + first * parameters);
  DeviceRecorder recorder(chunk, setup, request, first, outcome);
  run.forwards([&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k)) recorder.record(at);
  });
  recorder.finish();
  collect_motion(chunk, setup.layout, request, first, outcome);
  if (request.record) trim_failures(plan, first, count, outcome);
  outcome.motion_s += watch.lap();
  run.backwards();
  collect_gradient(chunk, setup.layout, request, first, outcome);
  outcome.recomputation = std::max(outcome.recomputation, run.recomputation());
  outcome.sensitivity_s += watch.lap();
  if (request.progress)
    request.progress(static_cast<double>(first + count) / static_cast<double>(request.n_design));
}

}  // namespace

MotionOutcome run_adjoint_on_device(const MotionRequest& request, Device& device) {
  const DeviceSetup setup(device, request);
  MotionOutcome outcome = make_outcome(request);
  const AdjointChunk size = choose_chunk(request, setup);
  const bool continuous = request.sensitivity == Sensitivity::continuous;
  if (continuous) check_continuous_adjoint(request, setup.formulation, setup.layout, size.budget);
  for (std::size_t first = 0; first < request.n_design; first += size.designs) {
    DeviceChunk chunk(setup, request, std::min(size.designs, request.n_design - first));
    if (continuous) {
      ContinuousAdjoint run(request, setup.formulation, setup.layout, chunk);
      run_chunk(run, chunk, setup, request, first, outcome);
    } else {
      DiscreteAdjoint run(request, setup.formulation, setup.layout, chunk, size.budget);
      run_chunk(run, chunk, setup, request, first, outcome);
    }
  }
  return outcome;
}

}  // namespace gradus
