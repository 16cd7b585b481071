// Kernels made for one mechanism before runs ask for them.
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "gradus/error.hpp"
#include "src/motion/device_steps.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

constexpr std::size_t designs_to_learn_from = 8;
constexpr double spread_of_these = 0.01;
constexpr int most_lessons = 8;  // runs
constexpr int timed_runs = 3;

constexpr const char* adjoint = "adjoint";

using Compiled = std::shared_ptr<const CompiledMechanism>;

class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  double left() const {
    return seconds_ - std::chrono::duration<double>(Clock::now() - begun_).count();
  }
  bool is_over() const { return left() <= 0.0; }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  Clock::time_point begun_ = Clock::now();
};

Options options_of(const Options& wish, int lanes, const char* kernels) {
  Options options = wish;
  options.backend = "cpu:1";
  options.method = wish.method == adjoint ? adjoint : "direct";
  options.kernels = kernels;
  options.lanes = lanes;
  options.record = options.columns = false;
  options.estimate_every = 0;
  options.accuracy.reset();
  options.designs = {};
  options.designs.count = designs_to_learn_from;
  options.designs.spread = spread_of_these;
  options.progress = nullptr;
  options.log = nullptr;  // runs of the user will say it
  return options;
}

void take_counts(const StepCounts& counts, MadeKernels& made) {
  made.ways = counts.ways;
  made.found = counts.found;
  made.compilations = counts.compilations;
  made.compile_s = counts.compile_time;
  made.general_operations = counts.work.general_operations;
  made.operations = counts.work.operations;
  made.numbers = counts.work.numbers;
  made.code_bytes = counts.code_bytes;
}

Result run(const Compiled& mechanism, const Options& options, bool with_gradient) {
  Result result =
      with_gradient ? compute_gradient(mechanism, options) : compute_motion(mechanism, options);
  if (!result.status.front().ok) throw NumericalError(result.status.front().message);
  return result;
}

double run_s(const Compiled& mechanism, const Options& options, bool with_gradient) {
  const Result result = run(mechanism, options, with_gradient);
  return (result.timing.motion_s + result.timing.sensitivity_s) /
         static_cast<double>(designs_to_learn_from);
}

double quickest_s(const Compiled& mechanism, const Options& options, bool with_gradient) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < timed_runs; ++k)
    least = std::min(least, run_s(mechanism, options, with_gradient));
  return least;
}

// All kernels of a mechanism, those of runs that find the steps of adjoints among them.
std::vector<std::shared_ptr<SpecialisedSteps>> all_of(const CompiledMechanism& mechanism,
                                                      bool finds_steps) {
  std::vector<std::shared_ptr<SpecialisedSteps>> all = mechanism.request().workshop->all();
  if (!finds_steps) return all;
  StepWorkshop* const other = mechanism.probe().workshop;
  if (other == nullptr || other == mechanism.request().workshop) return all;
  for (auto& steps : other->all()) all.push_back(std::move(steps));
  return all;
}

// What has become of them.
StepCounts all_counts(const std::vector<std::shared_ptr<SpecialisedSteps>>& all,
                      const std::function<bool()>& ends) {
  StepCounts sum;
  for (const auto& steps : all) {
    steps->settle(ends);
    const StepCounts own = steps->counts();
    sum.programmed += own.programmed;
    sum.ways += own.ways;
    sum.found += own.found;
    sum.compilations += own.compilations;
    sum.compile_time += own.compile_time;
    if (!own.obstacle.empty()) sum.obstacle = own.obstacle;
    if (own.work.operations <= sum.work.operations) continue;
    sum.work = own.work;
    sum.code_bytes = own.code_bytes;
  }
  return sum;
}

std::string said_of_lesson(int lesson, const StepCounts& counts) {
  std::ostringstream text;
  text << "  run " << lesson + 1 << ": ways: " << counts.ways
       << ", compilations: " << counts.compilations << ", " << std::setprecision(3)
       << counts.compile_time << " s";
  return text.str();
}

// None in lanes where the designs go alone whatever is asked for.
std::optional<MadeKernels> made_kernels(const Model& model, const Options& wish, bool with_gradient,
                                        int lanes, double limit) {
  MadeKernels made;
  made.with_gradient = with_gradient;
  made.by_adjoint = with_gradient && wish.method == adjoint;
  made.lanes = static_cast<std::size_t>(lanes);
  const Options general = options_of(wish, lanes, "general");
  const auto as_stated = std::make_shared<const CompiledMechanism>(model, general);
  if (lanes > 1 && run(as_stated, general, with_gradient).lanes == 1) return std::nullopt;
  made.general_s = quickest_s(as_stated, general, with_gradient);
  Options options = options_of(wish, lanes, "specialised");
  std::string remark;
  options.log = [&](const std::string& text) { remark = text; };
  const auto mechanism = std::make_shared<const CompiledMechanism>(model, options);
  const bool finds_steps = made.by_adjoint && mechanism->request().is_adaptive();
  const TimeLimit time(limit);
  const auto ends = [&] { return time.is_over() || (wish.cancelled && wish.cancelled()); };
  StepCounts counts;
  made.complete = false;
  for (int k = 0; k < most_lessons && !made.complete && !ends(); ++k) {
    run_s(mechanism, options, with_gradient);
    const std::size_t before = counts.compilations;
    counts = all_counts(all_of(*mechanism, finds_steps), ends);
    if (wish.log) wish.log(said_of_lesson(k, counts));
    made.complete = k > 0 && counts.compilations == before && !ends();
  }
  made.specialised_s = quickest_s(mechanism, options, with_gradient);
  counts = all_counts(all_of(*mechanism, finds_steps), ends);
  take_counts(counts, made);
  if (counts.programmed == 0)
    made.obstacle = !counts.obstacle.empty() ? counts.obstacle
                    : time.is_over()
                        ? "learning ended before any were made: they take longer than the limit"
                    : !remark.empty() ? remark
                                      : "none were made of so few steps";
  return made;
}

struct Kind {
  bool with_gradient;
  int lanes;
};

bool has_gradient(const Model& model) {
  return !model.parameters.empty() && !model.objectives.empty();
}

}  // namespace

std::vector<MadeKernels> make_kernels(const Model& model, const Options& options, double limit) {
  std::vector<Kind> kinds;
  for (const bool with_gradient : {false, true}) {
    if (with_gradient && !has_gradient(model)) continue;
    kinds.push_back({with_gradient, 1});
    if (possible_lanes().back() > 1) kinds.push_back({with_gradient, possible_lanes().back()});
  }
  const TimeLimit time(limit);
  std::vector<MadeKernels> all;
  for (std::size_t k = 0; k < kinds.size(); ++k) try {
      const auto [with_gradient, lanes] = kinds[k];
      const char* const of = !with_gradient              ? "motions"
                             : options.method == adjoint ? "adjoints"
                                                         : "gradients";
      if (options.log)
        options.log(std::string("kernels of ") + of +
                    (lanes == 1 ? ", one design" : ", " + std::to_string(lanes) + " designs"));
      const double share = time.left() / static_cast<double>(kinds.size() - k);
      if (const auto made = made_kernels(model, options, with_gradient, lanes, share))
        all.push_back(*made);
      else if (options.log)
        options.log("  none: such designs run one at a time");
    } catch (const Cancelled&) {
      break;
    }
  return all;
}

MadeKernels make_device_kernel(const Model& model, const Options& wish,
                               const std::string& architecture, std::string& image) {
  const Options options = options_of(wish, 1, "specialised");
  const CompiledMechanism mechanism(model, options);
  MadeKernels made;
  made.with_gradient = has_gradient(model);
  MotionRequest request = mechanism.request();
  request.sensitivity = made.with_gradient ? Sensitivity::direct : Sensitivity::none;
  request.n_design = options.designs.count;
  request.parameters = design_values(model, options, mechanism.plan().nominal);
  const std::string why = why_general_on_device(request);
  if (!why.empty()) throw BackendError("no kernel for " + architecture + ": " + why);
  try {
    const HostSetup setup(request, request.sensitivity, static_cast<int>(request.column_count()));
    const auto steps = taught_steps(request, setup, architecture);
    if (!steps) throw Error("nothing waits for it");
    image = steps->code(architecture, setup.layout.shared).image;
    take_counts(steps->counts(), made);
    made.code_bytes = image.size();
  } catch (const Error& error) {
    throw BackendError("no kernel for " + architecture + ": " + error.what());
  }
  return made;
}

}  // namespace gradus
