// The methods behind the verb `gradient`: direct differentiation and the two adjoints, which are
// runs of the motion that carry columns or rows; dual numbers; central differences.
#include "src/sensitivity/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/host_memory.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/superposition.hpp"
#include "src/motion/time_loop.hpp"
#include "src/sensitivity/accuracy.hpp"
#include "src/sensitivity/differences.hpp"
#include "src/sensitivity/error_estimates.hpp"

namespace gradus {
namespace {

// Cost of a gradient in motions, between what was measured with ali3p on a plane mechanism and on
// long chains (docs/performance.md): what all columns share and each of them, and the way back of
// the adjoint with what each objective adds; where elements are pooled, each unit and each
// objective.
constexpr double kDirect = 1.3;
constexpr double kDirectColumn = 0.02;
constexpr double kAdjoint = 2.0;
constexpr double kAdjointRow = 0.06;
constexpr double kPooledRow = 0.006;

// Columns that a gradient by direct differentiation carries.
std::size_t carried_columns(const DesignRun& run) {
  const bool on_host = run.backend().kind == BackendKind::cpu;
  return on_host && superposes(request_of(run, "direct"))
             ? static_cast<std::size_t>(run.request().superposition->column_count())
             : run.plan().nominal.size();
}

// direct or adjoint, by what they cost; says why.
std::string cheaper_method(const DesignRun& run, const Options& options) {
  const char* only_direct =
      options.columns                        ? "since only that has columns to record"
      : asks_for_stage_solver(run.request()) ? "which is what the solver asked for serves"
      : run.plan().least_squares_count > 0   ? "since only that has the matrices of sums of squares"
                                             : nullptr;
  if (only_direct != nullptr) {
    if (options.log) options.log(std::string("method: auto chose direct, ") + only_direct);
    return "direct";
  }
  const double objectives = static_cast<double>(run.plan().objectives.size());
  const double direct = kDirect + kDirectColumn * static_cast<double>(carried_columns(run));
  const kernels::PlanView plan = run.plan().view();
  const double units = plan.coordinate_count + plan.constraint_rows;
  const double adjoint = kAdjoint + (pools_elements(plan, Sensitivity::adjoint)
                                         ? kAdjointRow * units + kPooledRow * objectives
                                         : kAdjointRow * objectives);
  const std::string method = adjoint < direct ? "adjoint" : "direct";
  if (options.log) {
    const auto rounded = [](double x) { return to_text(std::round(10.0 * x) / 10.0); };
    options.log("method: auto chose " + method + " (" +
                counted(run.plan().nominal.size(), "parameter") + " and " +
                counted(run.plan().objectives.size(), "objective") + ": direct costs about " +
                rounded(direct) + " motions, adjoint " + rounded(adjoint) + ")");
  }
  return method;
}

// Reactions are worth something to multipliers, of which a continuous adjoint knows nothing; and a
// value within the motion makes its costates jump there, at a given time or one that is looked for.
void check_continuous(const MotionRequest& request) {
  const Plan& plan = *request.plan;
  if (request.formulation->has_stages && !plan.algebraic_laws.empty())
    throw InputError("method: found \"continuous-adjoint\" for a model with " +
                     plan.unknown_name(plan.algebraic_laws[0]) +
                     ", which depends on accelerations or reactions (by the steps of " +
                     std::string(request.formulation->name) +
                     " its gradients would be wrong however short these are); use the method "
                     "direct or adjoint, or the formulation index1");
  if (!plan.samples.empty())
    throw InputError("method: found \"continuous-adjoint\" for a model with " +
                     in_quotes(plan.law_names[static_cast<std::size_t>(plan.samples[0].law)]) +
                     ", which is sampled (the costates jump there); use the method direct or "
                     "adjoint");
  if (!plan.events.empty())
    throw InputError("method: found \"continuous-adjoint\" for a model with the event " +
                     in_quotes(plan.law_names[static_cast<std::size_t>(plan.events[0].when)]) +
                     " (the costates jump there); use the method direct or adjoint");
  const auto refuse = [&](std::size_t objective, const std::string& why) {
    throw InputError("objective " + in_quotes(plan.objective_names[objective].name) +
                     ": no continuous adjoint (" + why + "); use the method direct or adjoint");
  };
  for (std::size_t o = 0; plan.uses_reactions != 0 && o < plan.objectives.size(); ++o)
    for (int k = plan.objectives[o].sensor_begin; k < plan.objectives[o].sensor_end; ++k) {
      const auto s = static_cast<std::size_t>(plan.objective_sensors[static_cast<std::size_t>(k)]);
      if (kernels::is_reaction(plan.sensors[s].kind))
        refuse(o, "it depends on the sensor " + in_quotes(plan.sensor_names[s]) + ", a reaction");
    }
  for (std::size_t o = 0; o < plan.objectives.size(); ++o)
    if (plan.objectives[o].kind == kernels::ObjectiveKind::value)
      refuse(o, "it is a value at a time");
    else if (kernels::is_searched(plan.objectives[o].kind))
      refuse(o, "it belongs to an instant within the motion");
}

// Sensitivities over time are recorded by what has columns.
void check_columns(const std::string& method) {
  if (method != "direct")
    throw InputError("columns: the method " + method +
                     " follows objectives backwards and has no columns; use the method direct, or "
                     "leave them out");
}

// Sensitivities decide on the steps of adaptive integrators, also where a run carries none of them
// or a block of them at a time: then another goes ahead.
const MotionRequest* probe_for(const DesignRun& run, const std::string& method) {
  const MotionRequest& request = run.request();
  const bool controls = request.is_adaptive() && request.analysis.columns_in_error;
  const std::size_t parameters = request.plan->nominal.size();
  if (!controls || parameters == 0) return nullptr;
  if (method == "direct" && parameters <= kProbedColumns) return nullptr;
  return &run.probe();
}

}  // namespace

MotionRequest request_of(const DesignRun& run, const std::string& method) {
  MotionRequest request = run.request();
  if (method == "none") return request;
  if (request.columns) check_columns(method);
  if (method == "continuous-adjoint") check_continuous(run.request());
  request.sensitivity = method == "direct"    ? Sensitivity::direct
                        : method == "adjoint" ? Sensitivity::adjoint
                                              : Sensitivity::continuous;
  request.probe = probe_for(run, method);
  return request;
}

MotionOutcome dual_gradient(const DesignRun& run) {
  if (run.backend().kind != BackendKind::cpu)
    throw BackendError("method dual: runs on the backend cpu only (it checks the others), found " +
                       run.backend().name());
  if (asks_for_stage_solver(run.request())) check_stage_solver(run.request(), run.backend());
  MotionRequest request = run.request();
  require_memory_of_outcome(request);
  request.probe = probe_for(run, "dual");
  return run_dual_on_host(request, run.backend().threads);
}

void check_method(const std::string& method) {
  static const std::vector<std::string> known{"direct", "adjoint",           "continuous-adjoint",
                                              "auto",   "finite-difference", "dual"};
  if (std::find(known.begin(), known.end(), method) == known.end())
    throw InputError("method: found " + in_quotes(method) + ", " + suggestion(method, known));
}

std::string chosen_method(const DesignRun& run, const Options& options) {
  return options.method == "auto" ? cheaper_method(run, options) : options.method;
}

MotionOutcome run_method(const DesignRun& run, const Options& options, const std::string& method) {
  if (run.plan().singular_start > 0 && run.request().analysis.singular != "fail")
    throw InputError(
        "singular: found \"" + run.request().analysis.singular +
        "\", but the motion begins in a singular configuration (where it has more than one way to "
        "go, and no gradient), simulate it, or start beside it");
  if (method == "direct" || method == "adjoint" || method == "continuous-adjoint")
    return run.run(request_of(run, method));
  if (method == "dual") return dual_gradient(run);
  if (method == "finite-difference") {
    if (options.columns)
      throw InputError(
          "columns: the method finite-difference differentiates objectives only; use the method "
          "direct or dual, or leave them out");
    if (!std::isfinite(options.difference_step) || options.difference_step <= 0.0)
      throw InputError("difference step: expected a finite number above 0");
    MotionOutcome outcome = difference_gradient(run, options.difference_step);
    for (std::size_t d = 0; d < outcome.status.size(); ++d) judge_design(run.request(), d, outcome);
    return outcome;
  }
  check_method(method);
  throw InputError("method: found " + in_quotes(method) + ", which is yet to be chosen");
}

Result run_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                    const Options& options) {
  // The method is chosen when the backend is known; what would run on a GPU is direct.
  const DesignRun run(mechanism, options, options.method == "auto" ? "direct" : options.method);
  const std::string method = chosen_method(run, options);
  MotionOutcome outcome = run_method(run, options, method);
  if (options.log && outcome.recomputation > 0.0)
    options.log(
        "adjoint: within " +
        (options.memory > 0
             ? std::to_string(options.memory) + " bytes, "
             : "the memory of the " +
                   std::string(run.backend().kind == BackendKind::cpu ? "machine, " : "device, ")) +
        std::to_string(std::lround(100.0 * outcome.recomputation)) +
        " % of the steps were taken once more");
  return run.result(std::move(outcome), method);
}

namespace {

Result compute(const std::shared_ptr<const CompiledMechanism>& mechanism, const Options& options,
               bool with_gradient) {
  Stopwatch watch;
  if (options.accuracy) {
    Result result = solve_to_accuracy(*mechanism, options, with_gradient);
    Timing& timing = result.timing;
    timing.total_s = watch.lap();
    // The runs that were less fine.
    timing.estimate_s = std::max(timing.total_s - timing.motion_s - timing.sensitivity_s, 0.0);
    return result;
  }
  const bool estimates = estimates_errors(*mechanism, options);
  const std::vector<double>& listed = options.designs.values;
  const bool is_single =
      listed.empty() ? options.designs.count <= 1 : listed.size() == mechanism->nominal().size();
  Solution solution = solve(mechanism, options, with_gradient, estimates && is_single);
  if (estimates) estimate_errors(*mechanism, options, with_gradient, solution);
  solution.result.timing.total_s = watch.lap();
  return std::move(solution.result);
}

}  // namespace

Result compute_motion(const std::shared_ptr<const CompiledMechanism>& mechanism,
                      const Options& options) {
  return compute(mechanism, options, false);
}

Result compute_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                        const Options& options) {
  return compute(mechanism, options, true);
}

}  // namespace gradus
