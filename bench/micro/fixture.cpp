// One design on host memory with its plan, so that single kernel bodies can be called on a
// realistic state.
#include "bench/micro/fixture.hpp"

#include <algorithm>

#include "bench/models.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/plan/layout.hpp"

namespace gradus::bench {
namespace {

constexpr int kSettlingSteps = 5;

}  // namespace

Fixture::Fixture(benchmark::State& state)
    : Fixture(state, build_plan(model_of(state), Reference::rtdyn0),
              model_of(state).analysis.step) {}

Fixture::Fixture(benchmark::State& state, Plan plan, double step_size) : plan_(std::move(plan)) {
  using kernels::KernelId;
  MotionRequest request;
  request.plan = &plan_;
  request.formulation = &formulation_traits("ali3p");
  request.step = step_size;
  request.sensitivity = Sensitivity::direct;

  auto& chunk = arguments_.chunk;
  chunk.plan = plan_.view();
  chunk.layout = make_layout(chunk.plan, Sensitivity::direct);
  chunk.settings = request.settings();
  memory_.assign(static_cast<std::size_t>(chunk.layout.size), 0.0);
  chunk.memory = memory_.data();
  chunk.status = &status_;
  chunk.failure_time = &failure_time_;
  chunk.design_count = 1;
  arguments_.weight = request.step;
  formulation_ = request.formulation->make(chunk.layout, chunk.settings);

  std::copy(plan_.nominal.begin(), plan_.nominal.end(), memory_.begin() + chunk.layout.parameter);
  launch(KernelId::prepare_numbers);
  for (const KernelId kernel : formulation_.start) launch(kernel);
  launch(KernelId::start_partials);
  for (const kernels::StageTangent& stage : formulation_.start_tangents)
    launch(KernelId::solve_columns, stage);
  for (const KernelId kernel : formulation_.settle) launch(kernel);
  launch(KernelId::linearise);
  for (const kernels::StageTangent& stage : formulation_.settle_tangents)
    launch(KernelId::solve_columns, stage);
  for (int k = 0; k < kSettlingSteps; ++k) step(true);
  if (status_ != kernels::Status::ok) state.SkipWithError("the motion fails");
  kept_ = memory_;
}

void Fixture::launch(kernels::KernelId kernel, const kernels::StageTangent& stage) {
  arguments_.stage = stage;
  host_kernels()(kernel, arguments_);
}

void Fixture::step(bool with_columns) {
  using kernels::KernelId;
  for (const KernelId kernel : formulation_.step) launch(kernel);
  arguments_.chunk.settings.with_columns = with_columns ? 1 : 0;
  if (with_columns) {
    launch(KernelId::linearise);
    for (const kernels::StageTangent& stage : formulation_.step_tangents)
      launch(KernelId::solve_columns, stage);
  }
  launch(KernelId::accumulate_objectives);
}

void Fixture::restore() {
  std::copy(kept_.begin(), kept_.end(), memory_.begin());
  status_ = kernels::Status::ok;
}

Model model_of(const benchmark::State& state) {
  const int bodies = static_cast<int>(state.range(0));
  return bodies == 0 ? five_bar() : chain(bodies, std::min(2 * bodies, 16));
}

}  // namespace gradus::bench
