// The program gradus_bench_operations: counts the floating-point operations of every kernel per
// step, and per column. They are a property of the formulas and do not depend on machine, compiler
// or load.
//   gradus_bench_operations [MODEL.json [STEPS]]      default: the five-bar, 100 steps
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/micro/counted.hpp"
#include "bench/models.hpp"
#include "kernels/integrators/advance.hpp"
#include "kernels/integrators/continuous_step.hpp"
#include "kernels/integrators/kinematic_step.hpp"
#include "kernels/integrators/reverse_step.hpp"
#include "kernels/stages/continuous_instant.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/project_acceleration.hpp"
#include "kernels/stages/project_velocity.hpp"
#include "kernels/stages/restore_step.hpp"
#include "kernels/stages/sensor_columns.hpp"
#include "kernels/stages/solve_adjoint.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/start.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"

namespace gradus::bench {
namespace {

using kernels::KernelId;
using Arguments = kernels::KernelArguments<Counted, false>;

constexpr std::array kNames = {
#define GRADUS_NAME(NAME) #NAME,
    GRADUS_FOR_EACH_KERNEL(GRADUS_NAME)
#undef GRADUS_NAME
};
using Counts = std::array<Operations, kNames.size()>;

void run_body(KernelId kernel, const Arguments& arguments) {
  using namespace kernels;
  switch (kernel) {
#define GRADUS_BODY(NAME, BODY) \
  case KernelId::NAME:          \
    return BODY<Counted, false>{arguments}(0);
    GRADUS_BODY(prepare_numbers, PrepareNumbers)
    GRADUS_BODY(set_start, SetStart)
    GRADUS_BODY(evaluate_constraints, EvaluateConstraints)
    GRADUS_BODY(start_position, StartPosition)
    GRADUS_BODY(start_velocity, StartVelocity)
    GRADUS_BODY(start_acceleration, StartAcceleration)
    GRADUS_BODY(start_partials, StartPartials)
    GRADUS_BODY(predict, Predict)
    GRADUS_BODY(solve_position, SolvePosition)
    GRADUS_BODY(project_velocity, ProjectVelocity)
    GRADUS_BODY(project_acceleration, ProjectAcceleration)
    GRADUS_BODY(linearise, Linearise)
    GRADUS_BODY(solve_columns, SolveColumns)
    GRADUS_BODY(accumulate_objectives, AccumulateObjectives)
    GRADUS_BODY(begin_integration, BeginIntegration)
    GRADUS_BODY(advance, Advance)
    GRADUS_BODY(interpolate, Interpolate)
    GRADUS_BODY(kinematic_step, KinematicStep)
    GRADUS_BODY(evaluate_signals, EvaluateSignals)
    GRADUS_BODY(poison_failures, PoisonFailures)
    GRADUS_BODY(add_objective_rows, AddObjectiveRows)
    GRADUS_BODY(solve_adjoint, SolveAdjoint)
    GRADUS_BODY(keep_step, KeepStep)
    GRADUS_BODY(restore_step, RestoreStep)
    GRADUS_BODY(reverse_step, ReverseStep)
    GRADUS_BODY(reverse_begin, ReverseBegin)
    GRADUS_BODY(reverse_instant, ReverseInstant)
    GRADUS_BODY(gather_elements, GatherElements)
    GRADUS_BODY(gather_gradient, GatherGradient)
    GRADUS_BODY(continuous_begin, ContinuousBegin)
    GRADUS_BODY(continuous_step, ContinuousStep)
    GRADUS_BODY(continuous_clear, ContinuousClear)
    GRADUS_BODY(continuous_keep, ContinuousKeep)
    GRADUS_BODY(continuous_final, ContinuousFinal)
    GRADUS_BODY(continuous_instant, ContinuousInstant)
    GRADUS_BODY(continuous_correct, ContinuousCorrect)
    GRADUS_BODY(sensor_columns, SensorColumns)
#undef GRADUS_BODY
  }
}

// Operations of one run, by kernel.
Counts count(const Plan& plan, double step, std::size_t steps, kernels::Layout& layout) {
  MotionRequest request;
  request.plan = &plan;
  request.formulation = "ali3p";
  request.step = step;
  request.steps = steps;
  request.sensitivity = Sensitivity::direct;

  Arguments arguments{};
  kernels::Status status = kernels::Status::ok;
  double failure_time = 0.0;
  auto& chunk = arguments.chunk;
  chunk.plan = plan.view();
  layout = make_layout(chunk.plan, Sensitivity::direct);
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
  const auto launch = [&](KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    arguments.time = at.time;
    arguments.weight = at.weight;
    arguments.last = at.last ? 1 : 0;
    arguments.stage = stage;
    operations() = {};
    run_body(kernel, arguments);
    Operations& sum = counts[static_cast<std::size_t>(kernel)];
    sum.additions += operations().additions;
    sum.multiplications += operations().multiplications;
    sum.divisions += operations().divisions;
    sum.functions += operations().functions;
  };
  const Formulation formulation = make_formulation(request.formulation, layout, chunk.settings);
  run_time_loop(request, formulation, launch, [](std::size_t, const Instant&) { return true; });
  if (status != kernels::Status::ok) throw NumericalError("the motion fails");
  return counts;
}

void print_counts(const Model& model, std::size_t steps) {
  const Plan plan = build_plan(model, Reference::rtdyn0);
  const double step = model.analysis.step;
  kernels::Layout layout{};
  // The difference of two runs leaves the start out.
  const auto few = count(plan, step, steps, layout);
  const auto more = count(plan, step, 2 * steps, layout);
  const double each = static_cast<double>(steps);
  const double columns = plan.parameter_count() > 0 ? plan.parameter_count() : 1;
  std::printf(
      "%s: %d coordinates, %d constraint equations, %zu objectives, %d parameters; %d numbers per "
      "design\n\n",
      model.name.c_str(), plan.coordinate_count(), plan.constraint_rows, plan.objectives.size(),
      plan.parameter_count(), layout.size);
  std::printf("%-24s %10s %10s %10s %10s %10s %12s\n", "per step", "add", "multiply", "divide",
              "functions", "total", "per column");
  double sum = 0.0;
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    const auto difference = [&](long long Operations::*member) {
      return static_cast<double>(more[k].*member - few[k].*member) / each;
    };
    const double total = static_cast<double>(more[k].total() - few[k].total()) / each;
    if (total == 0.0) continue;
    sum += total;
    std::printf("%-24s %10.1f %10.1f %10.1f %10.1f %10.1f %12.1f\n", kNames[k],
                difference(&Operations::additions), difference(&Operations::multiplications),
                difference(&Operations::divisions), difference(&Operations::functions), total,
                total / columns);
  }
  std::printf("%-24s %10s %10s %10s %10s %10.1f %12.1f\n", "all", "", "", "", "", sum,
              sum / columns);
}

}  // namespace
}  // namespace gradus::bench

int main(int count, char** values) {
  if (count > 1 && std::string(values[1]) == "--help") {
    std::puts(
        "gradus_bench_operations [MODEL.json [STEPS]]: floating-point operations of every kernel "
        "per step");
    return 0;
  }
  try {
    const gradus::Model model =
        count > 1 ? gradus::read_model(values[1]) : gradus::bench::five_bar();
    const long steps = count > 2 ? std::strtol(values[2], nullptr, 10) : 100;
    if (steps < 1)
      throw gradus::InputError(std::string("steps: found ") + values[2] + ", expected at least 1");
    gradus::bench::print_counts(model, static_cast<std::size_t>(steps));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradus_bench_operations: %s\n", error.what());
    return 1;
  }
}
