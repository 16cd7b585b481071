// One design on host memory with its plan, so that single kernel bodies can be called on a
// realistic state.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

#include "kernels/core/design.hpp"
#include "src/motion/formulation.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/plan.hpp"

namespace gradus::bench {

class Fixture {
 public:
  using Design = kernels::Design<double, false>;

  // Starts the motion of model_of(state) and advances it a few steps, columns included. If that
  // fails, the benchmark reports it and runs no iteration.
  explicit Fixture(benchmark::State& state);
  // The same of another plan.
  Fixture(benchmark::State& state, Plan plan, double step_size);
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  Design design() const { return {arguments_.chunk, 0}; }
  const kernels::Layout& layout() const { return arguments_.chunk.layout; }
  const Formulation& formulation() const { return formulation_; }
  const Plan& plan() const { return plan_; }

  void launch(kernels::KernelId kernel, const kernels::StageTangent& stage = no_stage());
  // One step of the motion, with its columns if asked for.
  void step(bool with_columns);

  // Brings all numbers back to where the constructor left them: kernels that feed on their own
  // results would wander off to denormal or infinite numbers, which take another time.
  void restore();

 private:
  Plan plan_;
  std::vector<double> memory_;
  std::vector<double> kept_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::KernelArguments<double, false> arguments_{};
  Formulation formulation_;
};

// Calls work() once for every iteration and restores the fixture now and then, which adds little.
template <class Work>
void run(benchmark::State& state, Fixture& fixture, const Work& work) {
  int count = 0;
  for (auto _ : state) {
    if (++count % 64 == 0) fixture.restore();
    work();
    benchmark::ClobberMemory();
  }
}

// The model that argument 0 of a benchmark stands for: 0 the five-bar, otherwise a chain of that
// many bodies with the masses and lengths of 8 of them as parameters (all of them, where they are
// fewer).
Model model_of(const benchmark::State& state);

// Registers a benchmark for all these models.
inline void all_models(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bodies");
  for (const int bodies : {0, 4, 16, 64}) benchmark->Arg(bodies);
}

}  // namespace gradus::bench
