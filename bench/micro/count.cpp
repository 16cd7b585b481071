// Runs of kernel bodies with a number that counts.
#include "bench/micro/count.hpp"

#include <array>
#include <stdexcept>
#include <vector>

#include "bench/micro/counted.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/projections.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/solve_position.hpp"
#include "kernels/stages/start.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus::bench {
namespace {

using kernels::KernelId;
using Arguments = kernels::KernelArguments<Counted, false>;

struct KernelCount {
  Operations operations;
  Traffic traffic;
};
#define GRADUS_ONE(NAME, RUNS, PLACES) +1
constexpr std::size_t kKernels = 0 GRADUS_FOR_EACH_KERNEL(GRADUS_ONE);
#undef GRADUS_ONE
using Counts = std::array<KernelCount, kKernels>;

void run_body(KernelId kernel, const Arguments& arguments) {
  using namespace kernels;
  const Design<Counted, false> d(arguments.chunk, 0);
  switch (kernel) {
#define GRADUS_BODY(NAME, RUNS, PLACES) \
  case KernelId::NAME:                  \
    return NAME(d, arguments);
    GRADUS_KERNELS_OF_numbers(GRADUS_BODY) GRADUS_KERNELS_OF_start(GRADUS_BODY)
        GRADUS_KERNELS_OF_predict(GRADUS_BODY) GRADUS_KERNELS_OF_solve_position(GRADUS_BODY)
            GRADUS_KERNELS_OF_projections(GRADUS_BODY) GRADUS_KERNELS_OF_linearise(GRADUS_BODY)
                GRADUS_KERNELS_OF_solve_columns(GRADUS_BODY)
                    GRADUS_KERNELS_OF_objectives(GRADUS_BODY)
#undef GRADUS_BODY
                        default
        : throw std::logic_error("a step of ali3p does not run this kernel");
  }
}

// What one run does.
Counts count_run(const Plan& plan, double step, std::size_t steps) {
  MotionRequest request;
  request.plan = &plan;
  request.formulation = &formulation_traits("ali3p");
  request.step = step;
  request.steps = steps;
  request.sensitivity = Sensitivity::direct;

  Arguments arguments{};
  kernels::Status status = kernels::Status::ok;
  double failure_time = 0.0;
  auto& chunk = arguments.chunk;
  chunk.plan = plan.view();
  const kernels::Layout layout = make_layout(chunk.plan, Sensitivity::direct);
  chunk.layout = layout;
  chunk.settings = request.settings();
  std::vector<Counted> memory(static_cast<std::size_t>(layout.size), Counted(0));
  for (std::size_t p = 0; p < plan.nominal.size(); ++p)
    memory[static_cast<std::size_t>(layout.parameter) + p] = plan.nominal[p];
  chunk.memory = memory.data();
  chunk.status = &status;
  chunk.failure_time = &failure_time;
  chunk.design_count = 1;

  Counts counts{};
  accesses().watch(memory.data(), memory.size(), sizeof(Counted));
  const auto run = [&](KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    arguments.time = at.time;
    arguments.weight = at.weight;
    arguments.last = at.kind();
    arguments.stage = stage;
    operations() = {};
    accesses().take();
    run_body(kernel, arguments);
    KernelCount& sum = counts[static_cast<std::size_t>(kernel)];
    sum.operations += operations();
    sum.traffic += accesses().take();
  };
  const Formulation formulation = request.formulation->make(layout, chunk.settings);
  struct {
    const decltype(run)& launch;
  } counted{run};
  run_time_loop(request, formulation, counted, [](std::size_t, const Instant&) { return true; });
  if (status != kernels::Status::ok) throw NumericalError("the motion fails");
  return counts;
}

// The difference of a run and one twice as long: that leaves the start out.
KernelStep per_step(const KernelCount& few, const KernelCount& more, double steps) {
  const auto each = [&](long long from, long long to) {
    return static_cast<double>(to - from) / steps;
  };
  KernelStep s;
  s.additions = each(few.operations.additions, more.operations.additions);
  s.multiplications = each(few.operations.multiplications, more.operations.multiplications);
  s.divisions = each(few.operations.divisions, more.operations.divisions);
  s.functions = each(few.operations.functions, more.operations.functions);
  s.accesses =
      each(few.traffic.reads + few.traffic.writes, more.traffic.reads + more.traffic.writes);
  s.distinct = each(few.traffic.distinct, more.traffic.distinct);
  return s;
}

}  // namespace

StepCount count_step(const Model& model, std::size_t steps) {
  const Plan plan = build_plan(model, Reference::rtdyn0);
  StepCount count;
  count.coordinates = static_cast<std::size_t>(plan.coordinate_count());
  count.parameters = plan.nominal.size();
  count.constraint_rows = static_cast<std::size_t>(plan.constraint_rows);
  count.objectives = plan.objectives.size();
  count.numbers = static_cast<std::size_t>(make_layout(plan.view(), Sensitivity::direct).size);
  const Counts few = count_run(plan, model.analysis.step, steps);
  const Counts more = count_run(plan, model.analysis.step, 2 * steps);
  for (std::size_t k = 0; k < kKernels; ++k)
    count.kernels.push_back(per_step(few[k], more[k], static_cast<double>(steps)));
  return count;
}

KernelStep StepCount::sum() const {
  KernelStep all;
  for (const KernelStep& kernel : kernels) {
    all.additions += kernel.additions;
    all.multiplications += kernel.multiplications;
    all.divisions += kernel.divisions;
    all.functions += kernel.functions;
    all.accesses += kernel.accesses;
    all.distinct += kernel.distinct;
  }
  return all;
}

}  // namespace gradus::bench
