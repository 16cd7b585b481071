// Batches of linear systems through the seam, by gradus itself and by Eigen: size, right-hand
// sides.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "src/backend/device.hpp"

namespace gradus::bench {
namespace {

// Small enough together to stay in the second-level cache.
constexpr std::ptrdiff_t kSystems = 8;

struct Numbers {
  std::vector<double> matrices, right_sides;

  Numbers(std::size_t size, std::size_t columns)
      : matrices(kSystems * size * size), right_sides(kSystems * size * columns) {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (double& x : matrices) x = uniform(generator);
    for (double& x : right_sides) x = uniform(generator);
    for (std::size_t s = 0; s < kSystems; ++s)
      for (std::size_t i = 0; i < size; ++i)
        matrices[(s * size + i) * size + i] += static_cast<double>(size);
  }
};

// Counts right-hand sides. All iterations solve for the same ones: solutions of solutions of ...
// would vanish.
void linear(benchmark::State& state, SolverKind kind, bool refined) {
  const int size = static_cast<int>(state.range(0));
  const int columns = static_cast<int>(state.range(1));
  const Numbers numbers(static_cast<std::size_t>(size), static_cast<std::size_t>(columns));
  std::vector<double> x;
  const std::unique_ptr<Device> host = make_host_device();
  const std::unique_ptr<BatchedSolver> solver =
      make_solver(*host, kind, {size, kSystems, {}, {}, false, refined});
  for (auto _ : state) {
    x = numbers.right_sides;
    solver->factorise_and_solve(numbers.matrices.data(), x.data(), columns, false);
    benchmark::DoNotOptimize(x.data());
    benchmark::ClobberMemory();
  }
  for (const kernels::SystemStatus status : solver->status())
    if (status != kernels::SystemStatus::solved) state.SkipWithError("a system was not solved");
  state.SetItemsProcessed(state.iterations() * kSystems * columns);
}

const std::vector<std::int64_t> kSizes{4, 8, 16, 32, 64, 128, 256};

BENCHMARK_CAPTURE(linear, native, SolverKind::native, false)
    ->ArgNames({"n", "columns"})
    ->ArgsProduct({kSizes, {1, 16, 256}});
BENCHMARK_CAPTURE(linear, eigen, SolverKind::eigen, false)
    ->ArgNames({"n", "columns"})
    ->ArgsProduct({kSizes, {1, 16, 256}});
// With 256 right-hand sides it takes ten times as long as the others, and more.
BENCHMARK_CAPTURE(linear, refined, SolverKind::native, true)
    ->ArgNames({"n", "columns"})
    ->ArgsProduct({kSizes, {1, 16}});

}  // namespace
}  // namespace gradus::bench
