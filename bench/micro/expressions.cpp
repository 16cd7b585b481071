// Expression programs: from parameters to slots once per design, from sensors to objectives every
// step.
#include "bench/micro/fixture.hpp"
#include "kernels/expressions/evaluate.hpp"

namespace gradus::bench {
namespace {

void slot_program(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const auto value = d.at(fixture.layout().program_value);
  run(state, fixture,
      [&] { kernels::evaluate(d.plan.slot_program, d.at(fixture.layout().parameter), value); });
  state.counters["instructions"] = d.plan.slot_program.instruction_count;
}

// Its inputs are parameters, time and signals; any finite numbers serve.
void objective_program(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const auto value = d.at(fixture.layout().program_value);
  const std::vector<double> input(
      static_cast<std::size_t>(d.plan.parameter_count + 1 + d.plan.signal_count), 0.5);
  run(state, fixture, [&] { kernels::evaluate(d.plan.objective_program, input, value); });
  state.counters["instructions"] = d.plan.objective_program.instruction_count;
}

// Derivatives of the first objective by all inputs.
void objective_program_reverse(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const auto value = d.at(fixture.layout().program_value);
  const auto adjoint = d.at(fixture.layout().program_adjoint);
  std::vector<double> input(
      static_cast<std::size_t>(d.plan.parameter_count + 1 + d.plan.signal_count), 0.5);
  kernels::evaluate(d.plan.objective_program, input, value);
  const kernels::ProgramView& program = d.plan.objective_program;
  for (auto _ : state) {
    kernels::reverse(program, program.outputs[0], value, adjoint,
                     [&](int i, double a) { input[static_cast<std::size_t>(i)] = a; });
    benchmark::ClobberMemory();
  }
}

BENCHMARK(slot_program)->Apply(all_models);
BENCHMARK(objective_program)->Apply(all_models);
BENCHMARK(objective_program_reverse)->Apply(all_models);

}  // namespace
}  // namespace gradus::bench
