// Kernels of a step on the scalar that records.
#include "src/specialise/recorded_design.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "gradus/error.hpp"
#include "kernels/core/cut.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/projections.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/solve_position.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/recorded_evaluation.hpp"
#include "src/specialise/recorded_spline.hpp"

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
                default : return record_step_back(kernel, arguments);
  }
}

// Nearly this instant, with digits that no number of a model has.
double marked(double time) {
  return (time + 0x1p-40) * (1.0 + 0x1.9e3779b97p-38);
}

// Numbers of a memory [place, lanes], which no node is of yet.
std::vector<Recorded> valued(const std::vector<double>& memory, int lanes) {
  std::vector<Recorded> numbers(memory.size() / static_cast<std::size_t>(lanes));
  for (std::size_t i = 0; i < memory.size(); ++i)
    numbers[i / static_cast<std::size_t>(lanes)].value.lane[i % static_cast<std::size_t>(lanes)] =
        memory[i];
  return numbers;
}

std::vector<int> nodes_of(const std::vector<Recorded>& memory) {
  std::vector<int> nodes(memory.size());
  std::transform(memory.begin(), memory.end(), nodes.begin(),
                 [](const Recorded& number) { return number.node; });
  return nodes;
}

// How many numbers say how values at the knots of splines change all their slopes: a number for
// each knot and parameter. With more of them directions are left in the memory.
constexpr std::size_t most_entries = 4000;
std::size_t spline_entries(const kernels::PlanView& plan) {
  std::size_t count = 0;
  for (int k = 0; k < plan.partial_count; ++k) {
    const kernels::PartialEntry& entry = plan.partials[k];
    if (entry.kind == kernels::PartialKind::spline)
      count += static_cast<std::size_t>(plan.splines[entry.index].knots);
  }
  return count;
}

void check(const RecordedDesign::Known& known, Recording& recording) {
  Graph& graph = recording.graph;
  int holds = graph.constant(1.0);
  for (const int place : known.checked) {
    const int number = graph.constant(*known.invariants[static_cast<std::size_t>(place)]);
    holds =
        graph.add(NodeKind::both, holds, graph.add(NodeKind::equal, graph.memory(place), number));
  }
  recording.take_for_granted(holds, 1.0);
}

}  // namespace

Company company_of(const StepSetup& setup) {
  if (setup.goes_back) return Company::rows;
  const int* const columns = setup.layout.columns;
  const bool has_columns =
      setup.settings.with_columns != 0 && columns[kernels::kVelocity] > columns[kernels::kPosition];
  return has_columns ? Company::columns : Company::none;
}

int columns_in_loops(const StepSetup& setup) {
  constexpr int least = 4;
  const bool are_worth_it = company_of(setup) == Company::columns;
  return are_worth_it && setup.plan.column_count >= least ? setup.plan.column_count : 0;
}

// In lanes every number is a vector already, and what constants save counts for more than short
// loops.
RecordedDesign::RecordedDesign(const StepSetup& setup, const double* memory)
    : evaluation_(setup.evaluation),
      company_(company_of(setup)),
      own_clocks_(setup.own_clocks),
      has_loops_(setup.lanes == 1 && columns_in_loops(setup) > 0),
      lanes_(setup.lanes),
      launch_(setup.launch),
      status_(static_cast<std::size_t>(setup.lanes), kernels::Status::ok),
      failure_time_(static_cast<std::size_t>(setup.lanes)),
      fixed_(static_cast<std::size_t>(setup.layout.size + kernels::kMostKeptNumbers)) {
  memory_.assign(memory, memory + fixed_.size() * status_.size());
  auto& chunk = arguments_.chunk;
  chunk.plan = setup.plan;
  chunk.layout = setup.layout;
  chunk.settings = setup.settings;
  chunk.memory = memory_.data();
  chunk.status = status_.data();
  chunk.failure_time = failure_time_.data();
  chunk.design_count = lanes_;
  find_fixed();
}

double RecordedDesign::mark_of(double time) const {
  return own_clocks_ ? std::numeric_limits<double>::quiet_NaN() : marked(time);
}

void RecordedDesign::forgive() {
  std::fill(status_.begin(), status_.end(), kernels::Status::ok);
}

kernels::Status RecordedDesign::status() const {
  const auto failed = std::find_if(status_.begin(), status_.end(), [](kernels::Status status) {
    return status != kernels::Status::ok;
  });
  return failed == status_.end() ? kernels::Status::ok : *failed;
}

std::vector<double> RecordedDesign::copy() const {
  return {memory_.begin(), memory_.end()};
}

void RecordedDesign::run(const Launch& launch) {
  const kernels::Chunk own = arguments_.chunk;
  static_cast<kernels::LaunchArguments&>(arguments_) = launch.arguments;
  arguments_.chunk = own;
  launch_(launch.kernel, arguments_);
}

bool RecordedDesign::record(const Launch& launch, const std::vector<double>& before,
                            Program& program) {
  Recording recording(program.graph());
  const RecordingScope scope(recording);
  recording.mark_of_time = mark_of(launch.arguments.time);
  recording.time = launch.arguments.time;
  recording.lanes = lanes_;
  recording.has_loops_over_columns = has_loops_;
  std::vector<Recorded> memory = valued(before, lanes_);
  begin(recording, {}, memory);
  const std::vector<int> nodes_before = nodes_of(memory);
  if (!run_recorded(launch.kernel, recorded(launch.arguments, memory, recording.mark_of_time)))
    return false;
  recording.end();
  return !recording.is_split && program.add(recording, nodes_before, nodes_of(memory));
}

bool RecordedDesign::record(const StepSample& sample, const Known& known,
                            const std::function<Graph&()>& graph, const Ended& ended) {
  const double mark = mark_of(sample.time);
  std::vector<Recorded> memory = valued(sample.before, lanes_);
  std::vector<int> nodes_before;
  std::unique_ptr<Recording> recording;
  bool is_split = false;
  Recording::OnCut on_cut;
  const auto begin_here = [&] {
    recording = std::make_unique<Recording>(graph());
    recording->mark_of_time = mark;
    recording->time = sample.time;
    recording->on_cut = &on_cut;
    recording->lanes = lanes_;
    recording->has_loops_over_columns = has_loops_;
    current_recording = recording.get();
    recording->is_split = is_split;
    begin(*recording, known.invariants, memory);
    nodes_before = nodes_of(memory);
  };
  on_cut = [&](int cut, const std::vector<KeptNumber>& kept) {
    const auto place = [&](std::size_t k) -> Recorded& {
      return memory[static_cast<std::size_t>(layout().size) + k];
    };
    if (kept.size() > kernels::kMostKeptNumbers)
      throw Error("a kernel keeps too many numbers at a cut");
    recording->end();
    is_split = recording->is_split;
    for (std::size_t k = 0; k < kept.size(); ++k) place(k) = {*kept[k].node, kept[k].value};
    ended(*recording, nodes_before, nodes_of(memory), cut);
    begin_here();
    for (std::size_t k = 0; k < kept.size(); ++k) *kept[k].node = place(k).node;
  };
  begin_here();
  const RecordingScope scope(*recording);
  check(known, *recording);
  if (evaluation_) {
    const RecordedArguments arguments = recorded(arguments_, memory, mark);
    const kernels::Design<Recorded, false> d(arguments.chunk, 0);
    const auto part = static_cast<kernels::EvaluationPart>(sample.part);
    if (own_clocks_)
      record_evaluation(d, *evaluation_, part, d.at(layout().time)[0]);
    else
      record_evaluation(d, *evaluation_, part, mark);
    if (recorded_status_ != kernels::Status::ok) return false;
  }
  for (std::size_t k = 0; k < sample.launches.size(); ++k) {
    if (k > 0) on_cut(before_launch - static_cast<int>(k), {});
    const Launch& launch = sample.launches[k];
    if (!run_recorded(launch.kernel, recorded(launch.arguments, memory, mark))) return false;
  }
  recording->end();
  ended(*recording, nodes_before, nodes_of(memory), no_cut);
  return true;
}

// Numbers that no parameter changes: what the kernel that prepares them folds to constants.
void RecordedDesign::find_fixed() {
  Graph graph;
  Recording recording(graph);
  recording.lanes = lanes_;
  const RecordingScope scope(recording);
  std::vector<Recorded> memory = valued(copy(), lanes_);
  begin(recording, {}, memory);
  RecordedArguments arguments = recorded(arguments_, memory, 0.0);
  const bool has_directions = company_ == Company::columns && spline_entries(plan()) < most_entries;
  if (!has_directions)
    arguments.chunk.settings.with_columns = arguments.chunk.settings.with_adjoint = 0;
  kernels::prepare_numbers(kernels::Design<Recorded, false>(arguments.chunk, 0), arguments);
  const auto keep = [&](int begin, int count) {
    for (auto p = static_cast<std::size_t>(begin); count > 0; ++p, --count)
      if (graph.is_constant(memory[p].node)) fixed_[p] = memory[p].value.lane[0];
  };
  keep(layout().slot, plan().slot_count);
  if (has_directions) keep(layout().direction, plan().direction_count);
}

void RecordedDesign::begin(Recording& recording, const Invariants& invariants,
                           std::vector<Recorded>& memory) const {
  for (std::size_t p = 0; p < memory.size(); ++p) {
    const std::optional<double> known = fixed_[p] || invariants.empty() ? fixed_[p] : invariants[p];
    memory[p].node =
        known ? recording.graph.constant(*known) : recording.graph.memory(static_cast<int>(p));
  }
  // Kernels also find the instant in the memory, and take it for a plain number again.
  if (own_clocks_) return;
  Recorded& time = memory[static_cast<std::size_t>(layout().time)];
  if (any(!(time == Recorded(recording.mark_of_time)))) return;
  time.node = recording.graph.time();
}

RecordedDesign::RecordedArguments RecordedDesign::recorded(const kernels::LaunchArguments& launch,
                                                           std::vector<Recorded>& memory,
                                                           double time) {
  RecordedArguments arguments{};
  static_cast<kernels::LaunchArguments&>(arguments) = launch;
  arguments.chunk = arguments_.chunk;
  arguments.time = time;
  arguments.chunk.memory = memory.data();
  arguments.chunk.status = &recorded_status_;
  arguments.chunk.failure_time = &recorded_failure_time_;
  arguments.chunk.design_count = 1;
  recorded_status_ = kernels::Status::ok;
  return arguments;
}

}  // namespace gradus::specialise
