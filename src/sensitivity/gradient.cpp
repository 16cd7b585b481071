// The methods behind the verb `gradient`: direct differentiation and the two adjoints, which are
// runs of the motion that carry columns or rows; dual numbers; central differences.
#include "src/sensitivity/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/host_memory.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"

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
  const double parameters = static_cast<double>(run.plan().nominal.size());
  const double objectives = static_cast<double>(run.plan().objectives.size());
  const double direct = kDirect + kDirectColumn * parameters;
  const double adjoint = kAdjoint + kAdjointRow * objectives;
  const std::string method = adjoint < direct ? "adjoint" : "direct";
  if (options.log) {
    const auto rounded = [](double x) { return to_text(std::round(10.0 * x) / 10.0); };
    options.log("method: auto chose " + method + " (" + std::to_string(run.plan().nominal.size()) +
                " parameters and " + std::to_string(run.plan().objectives.size()) +
                " objectives: direct costs about " + rounded(direct) + " motions, adjoint " +
                rounded(adjoint) + ")");
  }
  return method;
}

// Reactions are worth something to multipliers, of which a continuous adjoint knows nothing; and a
// value within the motion makes its costates jump there.
void check_continuous(const Plan& plan) {
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
}

// Sensitivities over time are recorded of motions, by what has columns.
void check_columns(const Plan& plan, const std::string& method) {
  if (method != "direct")
    throw InputError("columns: the method " + method +
                     " follows objectives backwards and has no columns; use the method direct, or "
                     "leave them out");
  for (std::size_t s = 0; s < plan.sensors.size(); ++s)
    if (kernels::is_reaction(plan.sensors[s].kind))
      throw InputError("columns: the sensor " + in_quotes(plan.sensor_names[s]) +
                       " is a reaction (columns are recorded of motions, not of forces); leave the "
                       "sensor out, or use the method dual");
}

}  // namespace

MotionRequest request_of(const DesignRun& run, const std::string& method) {
  MotionRequest request = run.request();
  if (method == "none") return request;
  if (request.columns) check_columns(run.plan(), method);
  if (method == "continuous-adjoint") check_continuous(run.plan());
  request.sensitivity = method == "direct"    ? Sensitivity::direct
                        : method == "adjoint" ? Sensitivity::adjoint
                                              : Sensitivity::continuous;
  return request;
}

MotionOutcome dual_gradient(const DesignRun& run) {
  if (run.backend().kind != BackendKind::cpu)
    throw BackendError("method dual: runs on the backend cpu only (it checks the others), found " +
                       run.backend().name());
  if (asks_for_stage_solver(run.request())) check_stage_solver(run.request(), run.backend());
  require_memory_of_outcome(run.request());
  return run_dual_on_host(run.request(), run.backend().threads);
}

namespace {

// Masses of zero have one neighbour only: differences to that side alone, to the square of the step
// as well. `neighbours` are those above and below each pair of a design and a parameter, a step
// away; gradients of such pairs are overwritten, and the neighbour that failed takes the status of
// one further away.
void difference_to_one_side(const DesignRun& run, const std::vector<double>& steps,
                            MotionOutcome& neighbours, MotionOutcome& outcome) {
  const std::size_t parameters = run.plan().nominal.size();
  const std::size_t objectives = run.plan().objectives.size();
  MotionRequest request = run.request();
  request.record = false;
  request.parameters.clear();
  std::vector<std::size_t> failed;  // place among the neighbours
  const auto step_of = [&](std::size_t n) { return n % 2 == 1 ? steps[n / 2] : -steps[n / 2]; };
  for (std::size_t n = 0; n < neighbours.status.size(); ++n) {
    if (neighbours.status[n] != kernels::Status::negative_mass) continue;
    const std::size_t pair = n / 2;
    const std::span<const double> values = run.parameters_of(pair / parameters);
    request.parameters.insert(request.parameters.end(), values.begin(), values.end());
    request.parameters[failed.size() * parameters + pair % parameters] += 2.0 * step_of(n);
    failed.push_back(n);
  }
  if (failed.empty()) return;
  request.n_design = failed.size();
  const MotionOutcome further = run.run(std::move(request));
  for (std::size_t k = 0; k < failed.size(); ++k) {
    const std::size_t n = failed[k], pair = n / 2, design = pair / parameters;
    neighbours.status[n] = further.status[k];
    neighbours.failure_time[n] = further.failure_time[k];
    neighbours.blamed[n] = further.blamed[k];
    const double* near = neighbours.objectives.data() + (n ^ 1) * objectives;
    const double* far = further.objectives.data() + k * objectives;
    const double* here = outcome.objectives.data() + design * objectives;
    for (std::size_t o = 0; o < objectives; ++o)
      outcome.gradient[(design * objectives + o) * parameters + pair % parameters] =
          (4.0 * near[o] - 3.0 * here[o] - far[o]) / (2.0 * step_of(n));
  }
}

}  // namespace

// Every design becomes a batch of its neighbours.
MotionOutcome difference_gradient(const DesignRun& run, double step) {
  const MotionRequest& base = run.request();
  MotionOutcome outcome = run.run(base);
  const std::size_t parameters = run.plan().nominal.size();
  const std::size_t objectives = run.plan().objectives.size();
  outcome.gradient.assign(base.n_design * objectives * parameters, 0.0);
  if (parameters == 0) return outcome;

  MotionRequest request = base;
  request.record = false;
  request.n_design = base.n_design * parameters * 2;
  request.parameters.clear();
  std::vector<double> widths, steps;
  for (std::size_t d = 0; d < base.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const auto first = base.parameters.begin() + static_cast<std::ptrdiff_t>(d * parameters);
      std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(parameters));
      const double centre = values[p];
      const double h = step * std::max(std::abs(centre), 1.0);
      for (const double end : {centre + h, centre - h}) {
        values[p] = end;
        request.parameters.insert(request.parameters.end(), values.begin(), values.end());
      }
      widths.push_back((centre + h) - (centre - h));
      steps.push_back((centre + h) - centre);
    }
  MotionOutcome neighbours = run.run(std::move(request));
  for (std::size_t pair = 0; pair < widths.size(); ++pair) {
    const double* up = neighbours.objectives.data() + 2 * pair * objectives;
    const double* down = up + objectives;
    double* const row = outcome.gradient.data() + pair / parameters * objectives * parameters;
    for (std::size_t o = 0; o < objectives; ++o)
      row[o * parameters + pair % parameters] = (up[o] - down[o]) / widths[pair];
  }
  difference_to_one_side(run, steps, neighbours, outcome);
  // There is no difference where a neighbour has failed.
  for (std::size_t n = 0; n < neighbours.status.size(); ++n) {
    const std::size_t d = n / (2 * parameters);
    if (outcome.status[d] != kernels::Status::ok) continue;
    outcome.status[d] = neighbours.status[n];
    outcome.failure_time[d] = neighbours.failure_time[n];
    outcome.blamed[d] = neighbours.blamed[n];
  }
  outcome.sensitivity_s = neighbours.motion_s;
  return outcome;
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

Result compute_gradient(const std::shared_ptr<const CompiledMechanism>& mechanism,
                        const Options& options) {
  Stopwatch watch;
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
  Result result = run.result(std::move(outcome), method);
  result.timing.total_s = watch.lap();
  return result;
}

}  // namespace gradus
