// The verb `gradient`.
#include "src/sensitivity/gradient.hpp"

#include <cmath>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {
namespace {

// Cost of a gradient in motions, between what was measured with ali3p on a plane mechanism and on
// long chains (docs/performance.md): what all columns share and each of them, and the way back of
// the adjoint with what each objective adds.
constexpr double kDirect = 1.3;
constexpr double kDirectColumn = 0.02;
constexpr double kAdjoint = 2.0;
constexpr double kAdjointRow = 0.06;

// direct or adjoint, by what they cost; says why.
std::string cheaper_method(const DesignRun& session, const Options& options) {
  if (options.columns) {
    if (options.log)
      options.log("method: auto chose direct, since only that has columns to record");
    return "direct";
  }
  if (asks_for_stage_solver(session.request())) {
    if (options.log)
      options.log("method: auto chose direct, which is what the solver asked for serves");
    return "direct";
  }
  if (session.plan().least_squares_count > 0) {
    if (options.log)
      options.log("method: auto chose direct, since only that has the matrices of sums of squares");
    return "direct";
  }
  const double parameters = static_cast<double>(session.plan().nominal.size());
  const double objectives = static_cast<double>(session.plan().objectives.size());
  const double direct = kDirect + kDirectColumn * parameters;
  const double adjoint = kAdjoint + kAdjointRow * objectives;
  const std::string method = adjoint < direct ? "adjoint" : "direct";
  if (options.log) {
    const auto rounded = [](double x) { return to_text(std::round(10.0 * x) / 10.0); };
    options.log("method: auto chose " + method + " (" +
                std::to_string(session.plan().nominal.size()) + " parameters and " +
                std::to_string(session.plan().objectives.size()) +
                " objectives: direct costs about " + rounded(direct) + " motions, adjoint " +
                rounded(adjoint) + ")");
  }
  return method;
}

}  // namespace

std::string chosen_method(const DesignRun& run, const Options& options) {
  return options.method == "auto" ? cheaper_method(run, options) : options.method;
}

MotionOutcome run_method(const DesignRun& session, const Options& options,
                         const std::string& method) {
  if (method == "direct" || method == "adjoint" || method == "continuous-adjoint")
    return session.run(request_of(session, method));
  if (method == "dual") return dual_gradient(session);
  if (method == "finite-difference") {
    if (options.columns)
      throw InputError(
          "columns: the method finite-difference differentiates objectives only; use the method "
          "direct or dual, or leave them out");
    if (!std::isfinite(options.difference_step) || options.difference_step <= 0.0)
      throw InputError("difference step: expected a finite number above 0");
    return difference_gradient(session, options.difference_step);
  }
  throw InputError(
      "method: found \"" + method +
      "\", expected direct, adjoint, continuous-adjoint, auto, finite-difference or dual");
}

Result compute_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                        const Options& options) {
  Stopwatch watch;
  // The method is chosen when the backend is known; what would run on a GPU is direct.
  const DesignRun session(mechanism, options, options.method == "auto" ? "direct" : options.method);
  const std::string method = chosen_method(session, options);
  MotionOutcome outcome = run_method(session, options, method);
  if (options.log && outcome.recomputation > 0.0)
    options.log("adjoint: within " +
                (options.memory > 0 ? std::to_string(options.memory) + " bytes, "
                                    : std::string("the memory of the device, ")) +
                std::to_string(std::lround(100.0 * outcome.recomputation)) +
                " % of the steps were taken once more");
  Result result = session.result(std::move(outcome), method);
  result.timing.total_s = watch.lap();
  return result;
}

}  // namespace gradus
