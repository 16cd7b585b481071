// Small dense systems: LU with many right-hand sides, and the split of the constraint Jacobian.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bench/micro/fixture.hpp"
#include "kernels/math/small_solve.hpp"

namespace gradus::bench {
namespace {

using Array = kernels::View<double, false>;

std::vector<double> random_numbers(std::size_t count) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = uniform(generator);
  return numbers;
}

// The copies that give every iteration the same matrix are inside; they are n^2 of n^3 operations.
void factorise(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const auto size = static_cast<std::size_t>(n);
  const std::vector<double> matrix = random_numbers(size * size);
  std::vector<double> factor(matrix);
  std::vector<double> pivot(size);
  for (auto _ : state) {
    std::copy(matrix.begin(), matrix.end(), factor.begin());
    benchmark::DoNotOptimize(kernels::factorise(Array(factor.data()), Array(pivot.data()), n));
    benchmark::ClobberMemory();
  }
}

// Counts right-hand sides.
void solve_factorised(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const int columns = static_cast<int>(state.range(1));
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> factor = random_numbers(size * size);
  std::vector<double> pivot(size);
  kernels::factorise(Array(factor.data()), Array(pivot.data()), n);
  const std::vector<double> right = random_numbers(size * static_cast<std::size_t>(columns));
  std::vector<double> x(right);
  for (auto _ : state) {
    std::copy(right.begin(), right.end(), x.begin());
    kernels::solve_factorised(Array(factor.data()), Array(pivot.data()), n, Array(x.data()),
                              columns);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * columns);
}

// The Jacobian of the five-bar: 6 rows of rank 2 by 4 coordinates.
void split_jacobian(benchmark::State& state) {
  Fixture fixture(state);
  const auto d = fixture.design();
  const kernels::Layout& l = fixture.layout();
  const kernels::PlanView& plan = d.plan;
  run(state, fixture, [&] {
    benchmark::DoNotOptimize(kernels::split_jacobian(
        d.at(l.jacobian), plan.constraint_rows, plan.coordinate_count, plan.constraint_rank,
        d.at(l.reflected), d.at(l.pivot), d.at(l.range), d.at(l.null_space), d.at(l.triangle)));
  });
}

BENCHMARK(factorise)->ArgName("n")->RangeMultiplier(2)->Range(2, 32);
BENCHMARK(solve_factorised)
    ->ArgNames({"n", "columns"})
    ->ArgsProduct({{2, 4, 8, 16, 32}, {1, 5, 64}});
BENCHMARK(split_jacobian)->ArgName("bodies")->Arg(0);

}  // namespace
}  // namespace gradus::bench
