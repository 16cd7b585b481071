// The columns of one stage: right-hand sides, solution, and the updates that follow.
#include "bench/micro/fixture.hpp"

namespace gradus::bench {
namespace {

void solve_columns(benchmark::State& state) {
  Fixture fixture(state);
  const auto number = static_cast<std::size_t>(state.range(1));
  const kernels::StageTangent stage = fixture.formulation().step_tangents[number];
  run(state, fixture, [&] { fixture.launch(kernels::KernelId::solve_columns, stage); });
  state.SetItemsProcessed(state.iterations() * fixture.plan().parameter_count());
}

// Stages of ALI3-P: 0 position, 1 velocity projection, 2 acceleration projection.
BENCHMARK(solve_columns)->ArgNames({"bodies", "stage"})->ArgsProduct({{0, 4, 16, 64}, {0, 1, 2}});

}  // namespace
}  // namespace gradus::bench
