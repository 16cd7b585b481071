// A motion whose launches run twice: by the general kernels and by recordings of them.
#include "src/specialise/recorded_motion.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "gradus/error.hpp"
#include "src/motion/time_loop.hpp"
#include "src/specialise/motion_design.hpp"

namespace gradus::specialise {
namespace {

using kernels::KernelId;

constexpr std::size_t most_paths = 32;  // of a launch; beyond, only general kernels run

// Signs of zeros may differ.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return x == y || (x != x && y != y); });
}

class MotionRecorder {
 public:
  MotionRecorder(const Plan& plan, double step, std::size_t steps)
      : request_(steps_by_ali3p(plan, step, steps, Sensitivity::direct)), design_(request_) {}

  RecordedMotion run() {
    const auto run_beside = [this](KernelId kernel, const Instant& at,
                                   const kernels::StageTangent& stage) {
      launch(kernel, at, stage);
    };
    struct {
      const decltype(run_beside)& launch;
    } launcher{run_beside};
    const Formulation formulation =
        request_.formulation->make(design_.layout(), design_.settings());
    run_time_loop(request_, formulation, launcher,
                  [](std::size_t, const Instant&) { return true; });
    if (design_.status() != kernels::Status::ok) throw NumericalError("the motion fails");
    return {request_.steps, std::move(kernels_)};
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
    before_ = design_.copy();
    const MotionDesign::Launch launched = design_.at(kernel, at, stage);
    design_.run(launched);
    if (design_.status() != kernels::Status::ok) return;
    const Place place{kernel, stage.unknown, stage.residual_partial, at.weight, at.kind()};
    auto known = launches_.find(place);
    if (known == launches_.end()) {
      auto first = std::make_unique<Program>();
      if (!design_.record(launched, before_, *first)) return;
      known = launches_.emplace(place, Launch{std::move(first), kernels_.size()}).first;
      kernels_.emplace_back().name = kernels::kernel_name(kernel);
    }
    Program& program = *known->second.program;
    RecordedKernel& entry = kernels_[known->second.kernel];
    if (entry.launches++ > 0) {
      if (play(program, at.time, entry)) {
        ++entry.held;
        return;
      }
      if (program.path_count() == most_paths) return;
      if (!design_.record(launched, before_, program)) ++entry.differences;
    }
    ++entry.recordings;
    if (!play(program, at.time, entry)) ++entry.differences;  // of the sample itself
  }

  // Whether the program knows the way.
  bool play(const Program& program, double time, RecordedKernel& entry) {
    played_ = before_;
    const int path = program.run(played_.data(), time, values_);
    if (path < 0) return false;
    if (!are_same(played_, design_.copy())) ++entry.differences;
    entry.operations += program.count(path);
    return true;
  }

  MotionRequest request_;
  MotionDesign design_;
  std::vector<double> before_, played_, values_;
  std::map<Place, Launch> launches_;
  std::vector<RecordedKernel> kernels_;
};

}  // namespace

RecordedMotion record_motion(const Plan& plan, double step, std::size_t steps) {
  return MotionRecorder(plan, step, steps).run();
}

}  // namespace gradus::specialise
