// The kernels of a step, one launch each, and whole steps.
#include "bench/micro/fixture.hpp"

namespace gradus::bench {
namespace {

// Prediction and position stage together: the second wants what the first leaves.
void position_stage(benchmark::State& state) {
  Fixture fixture(state);
  run(state, fixture, [&] {
    fixture.launch(kernels::KernelId::predict);
    fixture.launch(kernels::KernelId::solve_position);
  });
}

void projections(benchmark::State& state) {
  Fixture fixture(state);
  run(state, fixture, [&] {
    fixture.launch(kernels::KernelId::project_velocity);
    fixture.launch(kernels::KernelId::project_acceleration);
  });
}

void accumulate_objectives(benchmark::State& state) {
  Fixture fixture(state);
  run(state, fixture, [&] { fixture.launch(kernels::KernelId::accumulate_objectives); });
}

void step_of_motion(benchmark::State& state) {
  Fixture fixture(state);
  run(state, fixture, [&] { fixture.step(false); });
}

void step_with_columns(benchmark::State& state) {
  Fixture fixture(state);
  run(state, fixture, [&] { fixture.step(true); });
  state.SetItemsProcessed(state.iterations() * fixture.plan().parameter_count());
}

BENCHMARK(position_stage)->Apply(all_models);
BENCHMARK(projections)->Apply(all_models);
BENCHMARK(accumulate_objectives)->Apply(all_models);
BENCHMARK(step_of_motion)->Apply(all_models);
BENCHMARK(step_with_columns)->Apply(all_models);

}  // namespace
}  // namespace gradus::bench
