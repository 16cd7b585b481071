// A motion whose launches run twice: by the general kernels and by recordings of them.
#include "src/specialise/recorded_motion.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "gradus/error.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/numbers.hpp"
#include "kernels/stages/objectives.hpp"
#include "kernels/stages/predict.hpp"
#include "kernels/stages/projections.hpp"
#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/solve_position.hpp"
#include "src/backend/host_kernels.hpp"
#include "src/motion/time_loop.hpp"
#include "src/plan/layout.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {
namespace {

using kernels::KernelId;
using Arguments = kernels::KernelArguments<double, false>;
using RecordedArguments = kernels::KernelArguments<Recorded, false>;

constexpr std::size_t most_paths = 32;  // of a launch; beyond, only general kernels run

// Whether this is a kernel of a step; if so, its body runs on the recorded numbers.
bool run_recorded(KernelId kernel, const RecordedArguments& arguments) {
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

// Signs of zeros may differ.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return x == y || (x != x && y != y); });
}

// Nearly this instant, with digits that no number of a model has.
double marked(double time) {
  return (time + 0x1p-40) * (1.0 + 0x1.9e3779b97p-38);
}

class MotionRecorder {
 public:
  MotionRecorder(const Plan& plan, double step, std::size_t steps) : steps_(steps) {
    request_.plan = &plan;
    request_.formulation = &formulation_traits("ali3p");
    request_.step = step;
    request_.steps = steps;
    request_.sensitivity = Sensitivity::direct;
    auto& chunk = arguments_.chunk;
    chunk.plan = plan.view();
    chunk.layout = make_layout(chunk.plan, Sensitivity::direct);
    chunk.settings = request_.settings();
    memory_.assign(static_cast<std::size_t>(chunk.layout.size), 0.0);
    std::copy(plan.nominal.begin(), plan.nominal.end(), memory_.begin() + chunk.layout.parameter);
    chunk.memory = memory_.data();
    chunk.status = &status_;
    chunk.failure_time = &failure_time_;
    chunk.design_count = 1;
    before_ = memory_;
    fixed_.resize(memory_.size());
    find_fixed();
  }

  RecordedMotion run() {
    const auto run_beside = [this](KernelId kernel, const Instant& at,
                                   const kernels::StageTangent& stage) {
      launch(kernel, at, stage);
    };
    struct {
      const decltype(run_beside)& launch;
    } launcher{run_beside};
    const Formulation formulation =
        request_.formulation->make(arguments_.chunk.layout, arguments_.chunk.settings);
    run_time_loop(request_, formulation, launcher,
                  [](std::size_t, const Instant&) { return true; });
    if (status_ != kernels::Status::ok) throw NumericalError("the motion fails");
    return {steps_, std::move(kernels_)};
  }

 private:
  // Launches that may share recordings: the numbers that they are given are the same.
  struct Place {
    KernelId kernel;
    kernels::ColumnSet unknown;
    kernels::ResidualSet residual;
    double weight;
    int kind;

    auto operator<=>(const Place&) const = default;
  };
  struct Launch {
    std::unique_ptr<Program> program;
    std::size_t kernel = 0;
  };

  void launch(KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    arguments_.time = at.time;
    arguments_.weight = at.weight;
    arguments_.last = at.kind();
    arguments_.stage = stage;
    before_ = memory_;
    host_kernels()(kernel, arguments_);
    if (status_ != kernels::Status::ok) return;
    const Place place{kernel, stage.unknown, stage.residual_partial, at.weight, at.kind()};
    auto known = launches_.find(place);
    if (known == launches_.end()) {
      auto first = std::make_unique<Program>();
      if (!record(kernel, *first)) return;
      known = launches_.emplace(place, Launch{std::move(first), kernels_.size()}).first;
      kernels_.emplace_back().name = kernels::kernel_name(kernel);
    }
    Program& program = *known->second.program;
    RecordedKernel& entry = kernels_[known->second.kernel];
    if (entry.launches++ > 0) {
      if (play(program, entry)) {
        ++entry.held;
        return;
      }
      if (program.path_count() == most_paths) return;
      if (!record(kernel, program)) ++entry.differences;
    }
    ++entry.recordings;
    if (!play(program, entry)) ++entry.differences;  // of the sample itself
  }

  // Adds what the kernel makes of the memory before it; false if it is not among those of a step,
  // or if it depends on more than the memory.
  bool record(KernelId kernel, Program& program) {
    Recording recording(program.graph());
    const RecordingScope scope(recording);
    std::vector<Recorded> memory = unknown(recording);
    const std::vector<int> nodes_before = nodes_of(memory);
    recording.mark_of_time = marked(arguments_.time);
    return run_recorded(kernel, arguments_for(memory, recording.mark_of_time)) &&
           program.add(recording, nodes_before, nodes_of(memory));
  }

  // Numbers that no parameter changes: what the kernel that prepares them folds to constants.
  void find_fixed() {
    Graph graph;
    Recording recording(graph);
    const RecordingScope scope(recording);
    std::vector<Recorded> memory = unknown(recording);
    const RecordedArguments arguments = arguments_for(memory, 0.0);
    kernels::prepare_numbers(kernels::Design<Recorded, false>(arguments.chunk, 0), arguments);
    const auto& chunk = arguments_.chunk;
    const auto keep = [&](int begin, int count) {
      for (auto p = static_cast<std::size_t>(begin); count > 0; ++p, --count)
        if (graph.is_constant(memory[p].node)) fixed_[p] = memory[p].value;
    };
    keep(chunk.layout.slot, chunk.plan.slot_count);
    keep(chunk.layout.direction, chunk.plan.direction_count);
  }

  // The memory as a kernel finds it.
  std::vector<Recorded> unknown(Recording& recording) const {
    std::vector<Recorded> memory(memory_.size());
    for (std::size_t p = 0; p < memory.size(); ++p)
      memory[p] = {fixed_[p] ? recording.graph.constant(*fixed_[p])
                             : recording.graph.memory(static_cast<int>(p)),
                   before_[p]};
    return memory;
  }

  static std::vector<int> nodes_of(const std::vector<Recorded>& memory) {
    std::vector<int> nodes(memory.size());
    std::transform(memory.begin(), memory.end(), nodes.begin(),
                   [](const Recorded& number) { return number.node; });
    return nodes;
  }

  RecordedArguments arguments_for(std::vector<Recorded>& memory, double time) {
    RecordedArguments arguments{};
    static_cast<kernels::LaunchArguments&>(arguments) = arguments_;
    arguments.time = time;
    arguments.chunk.memory = memory.data();
    arguments.chunk.status = &recorded_status_;
    arguments.chunk.failure_time = &recorded_failure_time_;
    recorded_status_ = kernels::Status::ok;
    return arguments;
  }

  // Whether the program knows the way.
  bool play(const Program& program, RecordedKernel& entry) {
    played_ = before_;
    const int path = program.run(played_.data(), arguments_.time, values_);
    if (path < 0) return false;
    if (!are_same(played_, memory_)) ++entry.differences;
    entry.operations += program.count(path);
    return true;
  }

  std::size_t steps_;
  MotionRequest request_;
  Arguments arguments_{};
  std::vector<double> memory_, before_, played_, values_;
  kernels::Status status_ = kernels::Status::ok;
  double failure_time_ = 0.0;
  kernels::Status recorded_status_ = kernels::Status::ok;
  double recorded_failure_time_ = 0.0;
  std::vector<std::optional<double>> fixed_;  // by place
  std::map<Place, Launch> launches_;
  std::vector<RecordedKernel> kernels_;
};

}  // namespace

RecordedMotion record_motion(const Plan& plan, double step, std::size_t steps) {
  return MotionRecorder(plan, step, steps).run();
}

}  // namespace gradus::specialise
