// Kernels of a step on the scalar that records.
#include "src/specialise/recorded_design.hpp"

#include <algorithm>

#include "kernels/stages/linearise.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/projections.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/solve_position.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/plan/layout.hpp"

namespace gradus::specialise {
namespace {

using kernels::KernelId;

// Whether this is a kernel of a step; if so, its body runs on the recorded numbers.
bool run_recorded(KernelId kernel, const kernels::KernelArguments<Recorded, false>& arguments) {
  using namespace kernels;
  const Design<Recorded, false> d(arguments.chunk, 0);
  switch (kernel) {
#define GRADUS_BODY(NAME, RUNS, PLACES) \
  case KernelId::NAME:                  \
    NAME(d, arguments);                 \
    return true;
    GRADUS_KERNELS_OF_predict(GRADUS_BODY) GRADUS_KERNELS_OF_solve_position(GRADUS_BODY)
        GRADUS_KERNELS_OF_projections(GRADUS_BODY) GRADUS_KERNELS_OF_linearise(GRADUS_BODY)
            GRADUS_KERNELS_OF_solve_columns(GRADUS_BODY) GRADUS_KERNELS_OF_objectives(GRADUS_BODY)
#undef GRADUS_BODY
                default : return false;
  }
}

// Nearly this instant, with digits that no number of a model has.
double marked(double time) {
  return (time + 0x1p-40) * (1.0 + 0x1.9e3779b97p-38);
}

std::vector<int> nodes_of(const std::vector<Recorded>& memory) {
  std::vector<int> nodes(memory.size());
  std::transform(memory.begin(), memory.end(), nodes.begin(),
                 [](const Recorded& number) { return number.node; });
  return nodes;
}

}  // namespace

MotionRequest steps_by_ali3p(const Plan& plan, double step, std::size_t steps,
                             Sensitivity sensitivity) {
  MotionRequest request;
  request.plan = &plan;
  request.formulation = &formulation_traits("ali3p");
  request.step = step;
  request.steps = steps;
  request.sensitivity = sensitivity;
  return request;
}

RecordedDesign::RecordedDesign(const MotionRequest& request) {
  const Plan& plan = *request.plan;
  auto& chunk = arguments_.chunk;
  chunk.plan = plan.view();
  Extras extras;
  extras.saddle = request.uses_penalty();
  chunk.layout = make_layout(chunk.plan, request.sensitivity, {}, extras);
  chunk.settings = request.settings();
  memory_.assign(static_cast<std::size_t>(chunk.layout.size), 0.0);
  std::copy(plan.nominal.begin(), plan.nominal.end(), memory_.begin() + chunk.layout.parameter);
  chunk.memory = memory_.data();
  chunk.status = &status_;
  chunk.failure_time = &failure_time_;
  chunk.design_count = 1;
  fixed_.resize(memory_.size());
  find_fixed();
}

RecordedDesign::Launch RecordedDesign::at(KernelId kernel, const Instant& instant,
                                          const kernels::StageTangent& stage) const {
  Launch launch{kernel, arguments_};
  launch.arguments.time = instant.time;
  launch.arguments.weight = instant.weight;
  launch.arguments.last = instant.kind();
  launch.arguments.stage = stage;
  return launch;
}

void RecordedDesign::run(const Launch& launch) {
  static_cast<kernels::LaunchArguments&>(arguments_) = launch.arguments;
  host_kernels()(launch.kernel, arguments_);
}

bool RecordedDesign::record(const Launch* launches, std::size_t count,
                            const std::vector<double>& before, Program& program) {
  Recording recording(program.graph());
  const RecordingScope scope(recording);
  std::vector<Recorded> memory = unknown(recording, before);
  const std::vector<int> nodes_before = nodes_of(memory);
  recording.mark_of_time = marked(launches->arguments.time);
  for (const Launch* launch = launches; launch != launches + count; ++launch)
    if (!run_recorded(launch->kernel, recorded(*launch, memory, recording.mark_of_time)))
      return false;
  return program.add(recording, nodes_before, nodes_of(memory));
}

// Numbers that no parameter changes: what the kernel that prepares them folds to constants.
void RecordedDesign::find_fixed() {
  Graph graph;
  Recording recording(graph);
  const RecordingScope scope(recording);
  std::vector<Recorded> memory = unknown(recording, memory_);
  const RecordedArguments arguments =
      recorded(at(KernelId::prepare_numbers, Instant{0.0, 0.0, false}, no_stage()), memory, 0.0);
  kernels::prepare_numbers(kernels::Design<Recorded, false>(arguments.chunk, 0), arguments);
  const auto keep = [&](int begin, int count) {
    for (auto p = static_cast<std::size_t>(begin); count > 0; ++p, --count)
      if (graph.is_constant(memory[p].node)) fixed_[p] = memory[p].value;
  };
  keep(layout().slot, plan().slot_count);
  if (layout().columns[kernels::kVelocity] > layout().columns[kernels::kPosition])
    keep(layout().direction, plan().direction_count);
}

// The memory as kernels find it.
std::vector<Recorded> RecordedDesign::unknown(Recording& recording,
                                              const std::vector<double>& before) const {
  std::vector<Recorded> memory(before.size());
  for (std::size_t p = 0; p < memory.size(); ++p)
    memory[p] = {fixed_[p] ? recording.graph.constant(*fixed_[p])
                           : recording.graph.memory(static_cast<int>(p)),
                 before[p]};
  return memory;
}

RecordedDesign::RecordedArguments RecordedDesign::recorded(const Launch& launch,
                                                           std::vector<Recorded>& memory,
                                                           double time) {
  RecordedArguments arguments{};
  static_cast<kernels::LaunchArguments&>(arguments) = launch.arguments;
  arguments.time = time;
  arguments.chunk.memory = memory.data();
  arguments.chunk.status = &recorded_status_;
  arguments.chunk.failure_time = &recorded_failure_time_;
  recorded_status_ = kernels::Status::ok;
  return arguments;
}

}  // namespace gradus::specialise
