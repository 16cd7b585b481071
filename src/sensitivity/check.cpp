// The verb `check`: a gradient proved to its user by its adjoint, which is the same sums in another
// order, by two methods that share no derivative with it, and by finer steps. This gathers the
// evidence; evidence.cpp judges it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "src/model/validation.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/sensitivity/contradictions.hpp"
#include "src/sensitivity/difference_errors.hpp"
#include "src/sensitivity/differences.hpp"
#include "src/sensitivity/evidence.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

using kernels::Status;

// Steps of differences, relative; the next ones are asked where these say too little.
constexpr double kSweeps[][2] = {{1e-4, 1e-5}, {1e-3, 1e-6}, {1e-2, 1e-7}};
constexpr std::size_t kInARowOfDual = 4;  // designs by dual numbers, which are dear
constexpr double kLeastTolerance = 1e-12;

// A design and those after it in a row of `count`, all parameters of which change.
std::vector<double> in_a_row(const std::vector<double>& design, std::size_t count) {
  std::vector<double> designs;
  for (std::size_t k = 0; k < count; ++k) {
    std::mt19937_64 generator(1);
    for (const double value : design) {
      const double size = value == 0.0 ? 1.0 : std::abs(value);  // upwards: zero may be a mass
      const double sign = generator() % 2 == 0 && value != 0.0 ? -1.0 : 1.0;
      designs.push_back(value + sign * static_cast<double>(k) * kSpacingInARow * size);
    }
  }
  return designs;
}

// Runs of one design on the host, which go by the same steps where an integrator would choose them.
class CheckRun {
 public:
  CheckRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
           const BackendChoice& host)
      : run_(std::move(mechanism), options, host), parameters_(run_.request().parameters) {}

  const DesignRun& run() const { return run_; }
  bool is_adaptive() const { return run_.request().tableau.error_order > 0; }

  // Of a motion that halves steps all runs iterate alike.
  MotionOutcome direct() {
    MotionRequest request = request_of(run_, "direct");
    request.notes_steps = is_adaptive();
    MotionOutcome outcome = run_.run(request);
    is_switched_ = !outcome.switched.empty() && outcome.switched.front() > 0.0;
    if (is_adaptive() || !(outcome.rejected_steps.front() > 0.0)) return outcome;
    request.notes_steps = request.renews_jacobian = renews_jacobian_ = true;
    return run_.run(std::move(request));
  }
  void take_steps(std::vector<double> steps) { steps_ = std::move(steps); }

  // The design itself, the first in a row of so many.
  MotionRequest request(const std::string& method, std::size_t count) const {
    MotionRequest request = request_of(run_, method);
    if (is_switched_) request = request.for_stiff_designs();
    request.given_steps = steps_;
    request.renews_jacobian = renews_jacobian_;
    request.parameters = in_a_row(parameters_, count);
    request.n_design = count;
    return request;
  }
  MotionOutcome outcome_of(const MotionRequest& request) const { return run_.run(request); }
  MotionOutcome dual() const {
    return run_dual_on_host(request("none", kInARowOfDual), run_.backend().threads);
  }
  Differences differences(double step) const {
    return central_differences(run_, request("none", 1), step);
  }

 private:
  DesignRun run_;
  std::vector<double> parameters_;
  bool renews_jacobian_ = false;
  bool is_switched_ = false;  // to the integrator for stiff designs
  std::vector<double> steps_;
};

// Raises `noise` to how far one design lies from another.
void note_change(const std::vector<double>& numbers, const std::vector<double>& others,
                 std::vector<double>& noise) {
  for (std::size_t k = 0; k < noise.size(); ++k) {
    const double change = std::abs(numbers[k] - others[k]);
    if (std::isfinite(change)) noise[k] = std::max(noise[k], change);
  }
}

// The gradient of the first design of a run, NaN if that has failed.
std::vector<double> first_gradient(const MotionOutcome& outcome, std::size_t size) {
  if (outcome.status.front() != Status::ok)
    return std::vector<double>(size, std::numeric_limits<double>::quiet_NaN());
  return {outcome.gradient.begin(), outcome.gradient.begin() + static_cast<std::ptrdiff_t>(size)};
}

void note_scatter_of(const MotionOutcome& outcome, Evidence& evidence) {
  note_scatter(outcome.gradient, evidence.noise);
  note_scatter(outcome.objectives, evidence.objective_noise);
}

// Direct derivatives, also where Newton's method goes on for longer: what it leaves of a step is
// noise, too.
void add_scatter_of_direct(const CheckRun& check, Evidence& evidence) {
  MotionRequest request = check.request("direct", kDesignsInARow);
  const MotionOutcome outcome = check.outcome_of(request);
  note_scatter_of(outcome, evidence);
  if (request.tolerance <= kLeastTolerance) return;
  request.tolerance = std::max(0.1 * request.tolerance, kLeastTolerance);
  const MotionOutcome longer = check.outcome_of(request);
  note_scatter_of(longer, evidence);
  note_change(outcome.gradient, longer.gradient, evidence.noise);
  note_change(outcome.objectives, longer.objectives, evidence.objective_noise);
}

void add_adjoint(const CheckRun& check, Evidence& evidence) {
  const MotionOutcome outcome = check.outcome_of(check.request("adjoint", kDesignsInARow));
  evidence.adjoint = first_gradient(outcome, evidence.direct.size());
  note_scatter_of(outcome, evidence);
}

void add_dual(const CheckRun& check, Evidence& evidence) {
  const MotionOutcome outcome = check.dual();
  evidence.dual = first_gradient(outcome, evidence.direct.size());
  note_scatter_of(outcome, evidence);
}

// Differences until every entry is proved by one, or all steps were tried.
void sweep(const CheckRun& check, Evidence& evidence, Contradictions& contradictions) {
  const auto is_settled = [](const CheckLine& line) {
    return line.verdict == CheckVerdict::proved || line.verdict == CheckVerdict::zero;
  };
  for (const auto& steps : kSweeps) {
    if (evidence.parameters.empty()) break;
    for (const double step : steps) {
      Differences found = check.differences(step);
      contradictions.add(found.neighbours, check.run());
      evidence.differences.push_back({step, std::move(found.widths), std::move(found.slopes)});
    }
    std::sort(evidence.differences.begin(), evidence.differences.end(),
              [](const auto& a, const auto& b) { return a.step > b.step; });
    const std::vector<CheckLine> lines = judge(evidence);
    if (std::all_of(lines.begin(), lines.end(), is_settled)) break;
  }
}

// Of the one design of a run.
std::string message_of_failure(const MotionOutcome& outcome, const MotionRequest& request,
                               std::span<const double> parameters) {
  return failure_message(outcome.status.front(), request, outcome.blamed.front(),
                         outcome.failure_time.front(), parameters);
}

// The same design by finer steps.
void refine(const CheckRun& check, const std::shared_ptr<const CompiledMechanism>& mechanism,
            Options options, CheckFindings& findings) {
  const MotionRequest& request = check.run().request();
  if (check.is_adaptive()) {
    // Below that, round-off is what steps are chosen by.
    const bool is_tight = request.analysis.rtol < 1e-12;
    findings.refinement = is_tight ? "ten times the tolerance" : kTenthOfTheTolerance;
    options.rtol = request.analysis.rtol * (is_tight ? 10.0 : 0.1);
    options.atol = std::min(request.analysis.atol * (is_tight ? 10.0 : 0.1), most_atol);
  } else {
    findings.refinement = kHalfTheStep;
    options.step = 0.5 * request.step;
  }
  options.log = nullptr;
  const auto finer = std::make_shared<const CompiledMechanism>(mechanism->model(), options);
  const MotionOutcome direct = CheckRun(finer, options, check.run().backend()).direct();
  findings.evidence.refined = first_gradient(direct, findings.evidence.direct.size());
  if (direct.status.front() != Status::ok)
    findings.refinement_failure =
        message_of_failure(direct, finer->request(), check.run().parameters_of(0));
}

std::string seconds(double time) {
  return std::to_string(time) + " s";
}

CheckPart model_part(const MotionOutcome& direct, const DesignRun& run) {
  const Status status = direct.status.front();
  if (status != Status::ok)
    return {false, "the motion fails at t = " + seconds(direct.failure_time.front()) + ": " +
                       message_of_failure(direct, run.request(), run.parameters_of(0))};
  if (const double passage = direct.passage.front(); passage > 0.0)
    return {false, "the motion passes through a singular configuration at t = " + seconds(passage) +
                       "; gradients beyond it may mean nothing"};
  if (!direct.jump.empty() && direct.jump.front() > 0.0)
    return {false, "the accelerations jump at t = " + seconds(direct.jump.front()) +
                       ", of which derivatives know nothing"};
  return {true, "the motion reaches its end, and passes no singular configuration"};
}

// On the host, what differs on devices left out.
std::shared_ptr<const CompiledMechanism> mechanism_on_host(
    const std::shared_ptr<const CompiledMechanism>& mechanism, const DesignRun& run,
    Options& options) {
  if (run.backend().kind == BackendKind::cpu && !asks_for_stage_solver(run.request()))
    return mechanism;
  options.backend = "cpu";
  options.solver = "auto";
  options.precision = "double";
  return std::make_shared<const CompiledMechanism>(mechanism->model(), options);
}

Evidence named_evidence(const DesignRun& run, const MotionOutcome& direct) {
  Evidence evidence;
  for (const NamedUnit& objective : run.plan().objective_names)
    evidence.objectives.push_back(objective.name);
  for (const Parameter& parameter : run.model().parameters)
    evidence.parameters.push_back(parameter.name);
  evidence.parameter_values = run.request().parameters;
  evidence.direct = direct.gradient;
  evidence.noise.assign(direct.gradient.size(), 0.0);
  evidence.objective_values = direct.objectives;
  // At least their last place.
  for (const double value : direct.objectives)
    evidence.objective_noise.push_back(std::abs(value) * std::numeric_limits<double>::epsilon());
  return evidence;
}

}  // namespace

CheckFindings gather_findings(const std::shared_ptr<const CompiledMechanism>& mechanism,
                              const Options& options) {
  Options single = options;
  single.designs = Designs();
  single.record = false;
  single.columns = false;
  const DesignRun run(mechanism, single, "direct");
  const bool on_device = run.backend().kind != BackendKind::cpu;
  Options host = single;
  const auto on_host = mechanism_on_host(mechanism, run, host);
  CheckRun check(on_host, host, on_device ? on_host->choose("cpu", 1, "none", {}) : run.backend());
  if (options.log && on_device && check.is_adaptive())
    options.log(
        "check: steps of adaptive integrators are taken again on the host only, where the direct "
        "run goes, too");

  CheckFindings findings;
  MotionOutcome direct =
      on_device && !check.is_adaptive() ? run.run(request_of(run, "direct")) : check.direct();
  if (on_device && !check.is_adaptive() && direct.rejected_steps.front() > 0.0)
    direct = check.direct();
  findings.model = model_part(direct, run);
  if (direct.status.front() != Status::ok) return findings;
  check.take_steps(std::move(direct.taken_steps));
  Evidence& evidence = findings.evidence = named_evidence(run, direct);
  refine(check, on_host, host, findings);
  add_scatter_of_direct(check, evidence);
  add_adjoint(check, evidence);
  add_dual(check, evidence);
  Contradictions contradictions(evidence.parameters.size());
  sweep(check, evidence, contradictions);
  contradictions.judge(evidence.parameters, findings.model);
  return findings;
}

CheckReport compute_check(const std::shared_ptr<const CompiledMechanism>& mechanism,
                          const Options& options) {
  return conclude(gather_findings(mechanism, options));
}

}  // namespace gradus
