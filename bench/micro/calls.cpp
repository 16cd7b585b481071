// What a call costs besides its steps: one step of a mechanism by a session, by the mechanism,
// which makes a whole result, and by the verb, which compiles the model first.
#include <benchmark/benchmark.h>

#include "bench/models.hpp"

namespace gradus::bench {
namespace {

Model few_steps(const benchmark::State& state) {
  Model model = state.range(0) == 0   ? pendulum()
                : state.range(0) == 1 ? four_bar()
                                      : stewart_platform();
  model.analysis.duration = model.analysis.step * static_cast<double>(state.range(2));
  return model;
}

Options of(const benchmark::State& state) {
  Options options;
  options.backend = "cpu:1";
  if (state.range(1) == 1) {
    options.formulation = "matrix-r";
    options.integrator = "rk4";
  }
  return options;
}

// Parameters, and room for objectives and gradient.
struct Numbers {
  explicit Numbers(const Mechanism& mechanism)
      : parameters(mechanism.nominal().begin(), mechanism.nominal().end()),
        objectives(mechanism.objective_count()),
        gradient(objectives.size() * parameters.size()) {
    to.objectives = objectives;
  }
  std::vector<double> parameters, objectives, gradient;
  Arrays to;
};

void call_motion(benchmark::State& state) {
  const Mechanism mechanism(few_steps(state), of(state));
  Session session(mechanism);
  Numbers numbers(mechanism);
  for (auto _ : state) session.simulate(numbers.parameters, numbers.to);
}

void call_gradient(benchmark::State& state) {
  const Mechanism mechanism(few_steps(state), of(state));
  Session session(mechanism);
  Numbers numbers(mechanism);
  numbers.to.gradient = numbers.gradient;
  for (auto _ : state) session.gradient(numbers.parameters, numbers.to);
}

void call_result(benchmark::State& state) {
  const Mechanism mechanism(few_steps(state), of(state));
  for (auto _ : state) benchmark::DoNotOptimize(mechanism.gradient());
}

void call_verb(benchmark::State& state) {
  const Model model = few_steps(state);
  const Options options = of(state);
  for (auto _ : state) benchmark::DoNotOptimize(gradient(model, options));
}

void all(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"model", "rk4", "steps"})
      ->ArgsProduct({{0, 1, 2}, {0, 1}, {1, 21}})
      ->Unit(benchmark::kMicrosecond);
}
BENCHMARK(call_motion)->Apply(all);
BENCHMARK(call_gradient)->Apply(all);
BENCHMARK(call_result)->Apply(all);
BENCHMARK(call_verb)->Apply(all);

}  // namespace
}  // namespace gradus::bench
