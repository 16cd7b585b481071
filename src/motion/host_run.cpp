// Time loops on the host.
#include "src/motion/host_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

#include "src/motion/host_chunk.hpp"
#include "src/motion/outcome.hpp"
#include "src/motion/team.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus {
namespace {

using kernels::DualNumber;

template <class Real>
TimeShare run_design(HostChunk<Real>& chunk, const MotionRequest& request,
                     const Formulation& formulation, const kernels::Layout& layout,
                     std::size_t design, MotionOutcome& outcome, Progress& progress) {
  const Plan& plan = *request.plan;
  const auto launch = [&](kernels::KernelId kernel, const Instant& at,
                          const kernels::StageTangent& stage) { chunk.launch(kernel, at, stage); };
  const auto observe = [&](std::size_t k, const Instant& at) {
    if (is_recorded(request, k) && chunk.status == kernels::Status::ok)
      record(chunk, layout, plan, at, outcome.trajectories[design]);
    progress.step_done(k);
    return chunk.status == kernels::Status::ok;
  };
  const TimeShare share = run_time_loop(request, formulation, launch, observe);
  collect(chunk, layout, plan, design, outcome);
  progress.design_done();
  return share;
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

}  // namespace

MotionOutcome run_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const HostSetup setup(request, request.sensitivity);
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  Progress progress(request);
  TimeShare total;
  std::mutex mutex;
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&] {
    auto chunk = std::make_shared<HostChunk<double>>(request, setup);
    return [&, chunk](std::size_t design) {
      const std::size_t parameters = plan.nominal.size();
      set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                     plan.parameter_count(), 0);
      const TimeShare share =
          run_design(*chunk, request, setup.formulation, layout, design, outcome, progress);
      if (request.with_columns()) {
        const std::size_t size = plan.objectives.size() * parameters;
        copy_plain(chunk->at(layout.objective_gradient), static_cast<int>(size),
                   outcome.gradient.data() + design * size);
      }
      const std::lock_guard<std::mutex> lock(mutex);
      total.motion += share.motion;
      total.sensitivity += share.sensitivity;
    };
  });
  // Threads work side by side: their shares split the time that passed.
  const double wall = watch.lap();
  const double sum = std::max(total.motion + total.sensitivity, 1e-30);
  outcome.motion_s = wall * total.motion / sum;
  outcome.sensitivity_s = wall * total.sensitivity / sum;
  return outcome;
}

MotionOutcome run_dual_on_host(const MotionRequest& request, int threads) {
  const Plan& plan = *request.plan;
  const HostSetup setup(request, Sensitivity::none);
  const kernels::Layout& layout = setup.layout;
  MotionOutcome outcome = make_outcome(request);
  const std::size_t parameters = plan.nominal.size();
  const std::size_t objectives = plan.objectives.size();
  outcome.gradient.assign(request.n_design * objectives * parameters, 0.0);
  Progress progress(request);
  Stopwatch watch;
  for_each_design(request.n_design, threads, [&] {
    auto chunk = std::make_shared<HostChunk<DualNumber>>(request, setup);
    return [&, chunk](std::size_t design) {
      for (int first = 0; first == 0 || first < plan.parameter_count();
           first += kernels::kDualDirections) {
        if (first > 0 && request.record) {
          outcome.trajectories[design] = Trajectory();
          outcome.trajectories[design].design = design;
        }
        set_parameters(*chunk, layout, request.parameters.data() + design * parameters,
                       plan.parameter_count(), first);
        run_design(*chunk, request, setup.formulation, layout, design, outcome, progress);
        if (chunk->status != kernels::Status::ok) {  // whichever directions it failed in
          const std::size_t size = objectives * parameters;
          std::fill_n(outcome.gradient.data() + design * size, size,
                      std::numeric_limits<double>::quiet_NaN());
          return;
        }
        const int end = std::min(plan.parameter_count(), first + kernels::kDualDirections);
        for (std::size_t o = 0; o < objectives; ++o)
          for (int p = first; p < end; ++p) {
            const DualNumber& value = chunk->at(layout.objective_value)[o];
            outcome.gradient[(design * objectives + o) * parameters + static_cast<std::size_t>(p)] =
                value.value - value.value == 0.0 ? value.derivative[p - first] : value.value;
          }
      }
    };
  });
  outcome.motion_s = watch.lap();
  return outcome;
}

}  // namespace gradus
