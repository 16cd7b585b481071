// From options to what is in force, and from outcomes to results.
#include "src/motion/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/error.hpp"
#include "src/backend/device.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/states.hpp"
#include "src/model/validation.hpp"
#include "src/motion/device_run.hpp"
#include "src/motion/equilibrium.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/formulation.hpp"
#include "src/motion/host_memory.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/idle_options.hpp"
#include "src/motion/sample_times.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {
namespace {

Reference read_reference(const std::string& name) {
  if (name == "rtdyn0") return Reference::rtdyn0;
  if (name == "rtdyn1") return Reference::rtdyn1;
  throw InputError("reference: found \"" + name + "\", expected rtdyn0 or rtdyn1");
}

double checked(double value, bool is_allowed, const char* what, const std::string& expected) {
  if (!is_allowed)
    throw InputError(std::string(what) + ": found " + to_text(value) + ", expected " + expected);
  return value;
}

double positive(double value, const char* what) {
  return checked(value, std::isfinite(value) && value > 0.0, what, "a finite number above 0");
}

// Lanes that the processor at hand has.
int checked_lanes(int lanes) {
  std::string allowed = "auto";
  bool found = lanes == 0;
  for (const int some : possible_lanes()) {
    allowed += ", " + std::to_string(some);
    found = found || lanes == some;
  }
  checked(lanes, found, "lanes", allowed);
  return lanes;
}

// Who solves for columns on devices.
const std::string& checked_solver(const Options& options) {
  const std::vector<std::string> names = stage_solver_names();
  if (std::find(names.begin(), names.end(), options.solver) == names.end())
    throw InputError("solver: found " + in_quotes(options.solver) + ", expected one of " +
                     quoted_list(names));
  if (options.precision != "double" && options.precision != "mixed")
    throw InputError("precision: found " + in_quotes(options.precision) +
                     R"(, expected "double" or "mixed")");
  if (options.precision == "mixed" && options.solver != "auto" && options.solver != "native")
    throw InputError("solver: found " + in_quotes(options.solver) +
                     R"( with precision "mixed" (only "native" refines solutions))");
  return options.solver;
}

// Designs that a remark is about, ascending.
using Concerned = std::vector<std::size_t>;

template <class Is>
Concerned concerned(const Result& result, const Is& is) {
  Concerned designs;
  for (std::size_t d = 0; d < result.n_design; ++d)
    if (result.status[d].ok && is(d)) designs.push_back(d);
  return designs;
}

// "3 of 32 motions (designs 4, 7 and 30)"
std::string motions_text(const Concerned& designs, const Result& result) {
  constexpr std::size_t shown = 5;
  std::string text =
      std::to_string(designs.size()) + " of " + std::to_string(result.n_design) + " motions";
  if (designs.size() < 2) return text;
  const std::size_t count = std::min(shown, designs.size());
  text += " (designs ";
  for (std::size_t k = 0; k < count; ++k)
    text += (k == 0                                      ? ""
             : k + 1 == count && count == designs.size() ? " and "
                                                         : ", ") +
            std::to_string(designs[k]);
  if (count < designs.size()) text += " and " + std::to_string(designs.size() - count) + " more";
  return text + ")";
}

// Single precision is never silent.
void remark_on_refusals(const Result& result, const Log& log) {
  const auto refused = std::count_if(result.refused.begin(), result.refused.end(),
                                     [](double count) { return count > 0.0; });
  if (refused > 0)
    log("precision: mixed was refused by " + std::to_string(refused) + " of " +
        std::to_string(result.n_design) +
        " designs, whose systems are nearly singular in single precision; those were "
        "solved in double precision");
}

// For those who do not want them to be failures.
void remark_on_passages(const Result& result, const Log& log) {
  const Concerned designs =
      concerned(result, [&](std::size_t d) { return result.singular_passage[d] > 0.0; });
  if (designs.empty()) return;
  log("singular: " + motions_text(designs, result) +
      " pass through a singular configuration, that of design " + std::to_string(designs[0]) +
      " at " + rounded_text(result.singular_passage[designs[0]], 6) +
      " s; gradients beyond it may mean nothing");
}

// Which of its ways a motion takes is nobody's decision.
void remark_on_singular_start(const Plan& plan, const std::string& singular, const Log& log) {
  if (!log || singular != "warn" || plan.singular_start == 0) return;
  log("singular: the motion begins in a singular configuration of " +
      in_quotes(name_of_singular_start(plan)) +
      (plan.start_shift.empty() ? ", with the rank that its constraints have there"
                                : ", and therefore 1e-4 (rad or arms) beside it, on one of its "
                                  "ways") +
      "; it has no gradient");
}

// A jump is reached at another time by each neighbour, which derivatives of the motion between
// jumps know nothing of.
void remark_on_jumps(const Result& result, const Log& log) {
  if (result.jump.empty() || result.method == "none" || result.objectives.empty()) return;
  const Concerned designs = concerned(result, [&](std::size_t d) { return result.jump[d] > 0.0; });
  if (designs.empty()) return;
  log("jump: accelerations jump in " + motions_text(designs, result) + ", in that of design " +
      std::to_string(designs[0]) + " at " + rounded_text(result.jump[designs[0]], 6) +
      " s; the gradient lacks what the jump adds, make the force continuous there, or what is "
      "prescribed smoother");
}

// Steps of a length that was not asked for.
void remark_on_halved_steps(const Result& result, const Log& log) {
  if (result.adaptive) return;
  const Concerned designs =
      concerned(result, [&](std::size_t d) { return result.rejected_steps[d] > 0.0; });
  if (designs.empty()) return;
  const std::size_t most = *std::ranges::max_element(
      designs, {}, [&](std::size_t d) { return result.rejected_steps[d]; });
  log("steps: " + motions_text(designs, result) +
      " halved steps whose Newton iteration did not converge, or in which velocities seemed to "
      "jump, "
      "that of design " +
      std::to_string(most) + " " + to_text(result.rejected_steps[most]) +
      " times; a shorter step needs no halving");
}

// Outside its knots a spline is a guess.
void set_extrapolation(const Plan& plan, const std::vector<double>& extrapolation, Result& result) {
  for (std::size_t s = 0; s < plan.splines.size(); ++s)
    if (kernels::extrapolates(plan.splines[s].ends))
      result.extrapolating_splines.push_back(plan.spline_name(s));
  for (std::size_t d = 0; d < result.n_design; ++d)
    for (std::size_t s = 0; s < plan.splines.size(); ++s) {
      if (!kernels::extrapolates(plan.splines[s].ends)) continue;
      const double* const found = extrapolation.data() + 2 * (d * plan.splines.size() + s);
      result.extrapolation.push_back(found[0]);
      result.extrapolation_start.push_back(
          found[0] > 0.0 ? found[1] : std::numeric_limits<double>::quiet_NaN());
    }
}

void remark_on_extrapolations(const Result& result, const Log& log) {
  const std::size_t splines = result.extrapolating_splines.size();
  for (std::size_t s = 0; s < splines; ++s) {
    const Concerned designs = concerned(
        result, [&](std::size_t d) { return result.extrapolation[d * splines + s] > 0.0; });
    if (designs.empty()) continue;
    const std::size_t at = designs[0] * splines + s;
    log("spline of " + in_quotes(result.extrapolating_splines[s]) + ": extrapolated " +
        (result.n_design == 1 ? ""
                              : "in " + motions_text(designs, result) + ", in that of design " +
                                    std::to_string(designs[0]) + " ") +
        "from " + rounded_text(result.extrapolation_start[at], 6) + " s on and by up to " +
        rounded_text(result.extrapolation[at], 3) +
        " outside its knots; add knots, or say what it does there, such as 'hold'");
  }
}

// Angles are counted on over turns; so many have lost the digits that tolerances ask for, and are
// hardly meant.
constexpr double kLargeAngle = 1e6;  // rad

void remark_on_angles(const LargestAngle& largest, const Plan& plan, const Options& options) {
  if (largest.size < kLargeAngle || !options.log) return;
  options.log("motion: " + in_quotes(plan.coordinate_names[largest.coordinate].name) +
              " of design " + std::to_string(largest.design) + " ends at " +
              rounded_text(largest.size, 3) +
              " rad; a motion that turns so often has lost its digits, or has exploded: reduce the "
              "step");
}

// What penalties and drift leave open is judged by absolute bounds, but of small mechanisms.
void relax_row_weights(const MotionRequest& request, Plan& plan) {
  if (request.settings().drifts == 0 && !request.formulation->by_penalty) return;
  for (double& weight : plan.row_weights) weight = std::max(1.0, 0.1 * weight);
  plan.largest_weight = std::max(1.0, 0.1 * plan.largest_weight);
}

// A motion that starts from where no mechanism stays is hardly meant.
void remark_on_equilibrium(const MotionRequest& request, const std::vector<double>& parameters,
                           const Options& options) {
  if (!options.log || request.plan->from_equilibrium == 0) return;
  const EquilibriumReport report = report_equilibrium(request, parameters);
  if (report.stability == Stability::open)
    options.log("start: the equilibrium is " + equilibrium_text(report));
  if (report.stability == Stability::unstable)
    options.log("start: the equilibrium is " + equilibrium_text(report) +
                ", which the stated positions led to; state others nearer to a stable one if that "
                "is not meant");
  if (const std::string lost = lost_digits_text(report); !lost.empty())
    options.log("start: " + lost);
}

// Bounds say what is sensible; a value outside them is the user's choice, but worth a remark.
void remark_on_bounds(const Model& model, const Options& options) {
  if (!options.log) return;
  for (const Parameter& parameter : model.parameters) {
    const auto set = options.set.find(parameter.name);
    if (set == options.set.end() || !parameter.bounds) continue;
    const auto& [low, high] = *parameter.bounds;
    if (set->second < low || set->second > high)
      options.log("set: " + parameter.name + " = " + to_text(set->second) +
                  " lies outside its bounds " + to_text(low) + " to " + to_text(high));
  }
}

// What "auto" stands for: an adaptive method of high order where the user names no other.
void choose_formulation(const Plan& plan, std::string& formulation, std::string& integrator) {
  if (formulation != keys::automatic) return;
  const bool has_stages = integrator == keys::newmark || integrator == keys::generalised_alpha ||
                          integrator == keys::hht;
  if (has_stages && plan.algebraic_laws.empty()) {
    formulation = "ali3p";
    return;
  }
  formulation = ties(plan).empty() ? "semi-recursive" : "index1";
  if (integrator.empty()) integrator = "dop853";
}

Analysis resolved(Analysis analysis, const Options& options) {
  analysis.integrator = options.integrator.value_or(analysis.integrator);
  if (options.rtol || options.atol || options.step)
    analysis.controls_error = options.rtol || options.atol;
  analysis.rtol = options.rtol.value_or(analysis.rtol);
  analysis.atol = options.atol.value_or(analysis.atol);
  checked(analysis.rtol, analysis.rtol >= least_rtol && analysis.rtol <= most_rtol, "rtol",
          std::string("a number ") + allowed_rtol);
  checked(analysis.atol, analysis.atol > 0.0 && analysis.atol <= most_atol, "atol",
          std::string("a number ") + allowed_atol);
  analysis.penalty = positive(options.penalty.value_or(analysis.penalty), "penalty");
  analysis.columns_in_error = options.columns_in_error.value_or(analysis.columns_in_error);
  analysis.projections = options.projections.value_or(analysis.projections);
  analysis.stabilisation = options.stabilisation.value_or(analysis.stabilisation);
  analysis.iteration = options.iteration.value_or(analysis.iteration);
  analysis.singular = options.singular.value_or(analysis.singular);
  Analysis rest = analysis;
  rest.integrator.clear();  // the formulation says which it can use
  check_analysis(rest, "options");
  return analysis;
}

}  // namespace

void remark_on_motions(const Result& result, const Log& log) {
  remark_on_refusals(result, log);
  remark_on_passages(result, log);
  remark_on_jumps(result, log);
  remark_on_halved_steps(result, log);
  remark_on_extrapolations(result, log);
}

std::string stated_formulation(const Analysis& analysis, const Options& options) {
  if (options.formulation) return *options.formulation;
  // A program may have put another one into what it read.
  const bool is_open = analysis.formulation == keys::automatic || analysis.formulation == "ali3p";
  if (analysis.formulation_is_stated || !is_open) return analysis.formulation;
  if (options.integrator) return std::string(keys::automatic);
  const bool asks_for_steps = options.step || options.tolerance || options.projections;
  return asks_for_steps && analysis.integrator.empty() ? "ali3p" : analysis.formulation;
}

CompiledMechanism::CompiledMechanism(Model model, const Options& options,
                                     const Extension& extension)
    : model_(std::move(model)), options_(options), extension_(extension) {
  options_.log = {};
  const std::string origin = model_.name.empty() ? "model" : model_.name;
  const Findings findings = examine(model_, origin);
  model_ = with_discs(std::move(model_));
  apply(findings.changes, model_);
  const Analysis& analysis = model_.analysis;
  plan_ = build_plan(model_, read_reference(options.reference.value_or(analysis.reference)), origin,
                     extension);
  mobility_ = complete_start(plan_, options.singular.value_or(analysis.singular) != "fail");
  // Who gives start states gives the guesses among them, and need not begin where the model does.
  if (!extension.start_state.empty()) {
    plan_.guess.assign(plan_.guess.size(), std::numeric_limits<double>::quiet_NaN());
    plan_.start_shift.clear();
    plan_.singular_start = 0;
  }
  request_.plan = &plan_;
  request_.analysis = resolved(analysis, options);
  std::string formulation = stated_formulation(analysis, options);
  // Fixed steps alone mean ali3p, which cannot take every force.
  const bool is_asked_for = options.formulation || analysis.formulation_is_stated;
  if (!plan_.algebraic_laws.empty() && formulation == "ali3p" && !is_asked_for) {
    formulation = keys::automatic;
    if (request_.analysis.integrator.empty()) request_.analysis.integrator = keys::newmark;
  }
  choose_formulation(plan_, formulation, request_.analysis.integrator);
  request_.formulation = &formulation_traits(formulation);
  const double duration = positive(options.duration.value_or(analysis.duration), "duration");
  const double step = positive(options.step.value_or(analysis.step), "step");
  check_number_of_steps(duration, step, "");
  // A whole number of equal steps, the nearest to what is asked for.
  request_.steps = static_cast<std::size_t>(std::max(1LL, std::llround(duration / step)));
  request_.step = duration / static_cast<double>(request_.steps);
  const double tolerance = options.tolerance.value_or(analysis.tolerance);
  // Below the first, round-off keeps increments from ever being small enough.
  request_.tolerance =
      checked(tolerance, tolerance >= 1e-12 && tolerance <= 1e-2, "tolerance", "1e-12 to 1e-2");
  Options single = options;
  single.designs = {};
  nominal_ = design_values(model_, single, plan_.nominal);
  remark_on_bounds(model_, options);
  if (options.log) std::for_each(findings.remarks.begin(), findings.remarks.end(), options.log);
  request_.lanes = checked_lanes(options.lanes);
  request_.solver = checked_solver(options);
  request_.mixed = options.precision == "mixed";
  backend_ = read_backend(options.backend);
  check_formulation();
  choose_integrator();
  check_projections(options, origin);
  if (options.log)
    for (const std::string& line : idle_options(options, request_)) options.log(line);
  settle_sample_times(request_, plan_, model_, origin);
  settle_value_times(request_, plan_, origin);
  remark_on_singular_start(plan_, request_.analysis.singular, options.log);
  remark_on_equilibrium(request_, nominal_, options);
  relax_row_weights(request_, plan_);
}

std::shared_ptr<const CompiledMechanism> CompiledMechanism::along(int directions) const {
  Extension extension = extension_;
  extension.inputs = {directions};
  return std::make_shared<const CompiledMechanism>(model_, options_, extension);
}

const std::shared_ptr<const CompiledMechanism>& CompiledMechanism::along_direction() const {
  std::call_once(direction_flag_, [this] { along_direction_ = along(1); });
  return along_direction_;
}

const MotionRequest& CompiledMechanism::probe() const {
  std::call_once(probe_flag_, [this] {
    probe_ = request_;
    probe_.sensitivity = Sensitivity::direct;
    if (nominal_.size() <= kProbedColumns) return;
    along_directions_ = along(static_cast<int>(kProbedColumns));
    probe_ = along_directions_->request();
    probe_.sensitivity = Sensitivity::direct;
    probe_.first_column = static_cast<int>(2 * nominal_.size());
  });
  return probe_;
}

// Forces that depend on accelerations or reactions.
void CompiledMechanism::check_unknowns() const {
  if (plan_.algebraic_laws.empty()) return;
  const auto law = static_cast<std::size_t>(plan_.algebraic_laws.front());
  const std::string force =
      "the force " + in_quotes(plan_.law_names[law]) + " depends on accelerations or reactions";
  if (!request_.formulation->takes_unknowns) {
    std::vector<std::string> others;
    for (const FormulationTraits& other : formulations())
      if (other.takes_unknowns && !other.integrators.empty()) others.emplace_back(other.name);
    reject("formulation", "found " + in_quotes(request_.formulation->name),
           force + ", and this one gathers forces before it knows them",
           "use one of " + quoted_list(others));
  }
  if (plan_.from_equilibrium != 0)
    reject("initial", "found a static equilibrium to start from",
           force + ", which no equilibrium tells", "state the start positions");
  const int redundant = mobility_.redundant - repeated_rows(plan_);
  if (redundant > 0 && plan_.singular_start == 0)
    reject("model",
           "found " + std::to_string(redundant) + " redundant equations of loops and constraints",
           force + ", and redundant equations share reactions in more than one way",
           "close plane loops with constraints that say nothing twice, such as two of kind "
           "\"expression\" or \"distance\"");
}

void CompiledMechanism::check_formulation() const {
  check_unknowns();
  const FormulationTraits& traits = *request_.formulation;
  const std::vector<std::string> tied = ties(plan_);
  if (!traits.for_open_trees || tied.empty()) return;
  std::vector<std::string> others;
  for (const FormulationTraits& other : formulations())
    if (!other.for_open_trees && !other.integrators.empty()) others.emplace_back(other.name);
  reject("formulation",
         "found \"" + std::string(traits.name) + "\" for a model with " + quoted_list(tied),
         "it serves open trees, which no cut joint or constraint ties",
         "use one of " + quoted_list(others));
}

// The analysis that is in force, and the one-step method if the formulation yields accelerations.
void CompiledMechanism::choose_integrator() {
  const FormulationTraits& traits = *request_.formulation;
  const std::vector<std::string>& possible = traits.integrators;
  Analysis& analysis = request_.analysis;
  if (analysis.integrator.empty() && !possible.empty()) analysis.integrator = possible.front();
  const bool found =
      std::find(possible.begin(), possible.end(), analysis.integrator) != possible.end();
  if (!found && !analysis.integrator.empty())
    throw InputError(
        "integrator: found \"" + analysis.integrator + "\", which " + std::string(traits.name) +
        " cannot use; allowed: " + (possible.empty() ? "none" : quoted_list(possible)) +
        "; with the formulation \"auto\" every integrator is possible");
  if (possible.empty() && plan_.independent_count() > 0)
    throw InputError("formulation: kinematic motion needs every degree of freedom driven, but " +
                     std::to_string(plan_.independent_count()) +
                     (plan_.singular_start > 0
                          ? " are free at the start, which is singular; start beside it"
                          : " are free; add constraints that drive them"));
  if (traits.has_clock) request_.tableau = make_tableau(analysis);
}

// At index 3, accelerations and multipliers keep whatever error they have been given if neither
// projections nor the integrator take it away: they are wrong at any step, the positions are not.
void CompiledMechanism::check_projections(const Options& options, const std::string& origin) const {
  const Analysis& analysis = request_.analysis;
  const bool damped =
      (analysis.integrator == keys::generalised_alpha || analysis.integrator == keys::hht) &&
      analysis.spectral_radius < 1.0;
  if (!request_.formulation->has_stages || analysis.projections != "none" || damped ||
      ties(plan_).empty())
    return;
  const std::string why = "without projections " + in_quotes(analysis.integrator) +
                          " lets accelerations and reactions oscillate, however short the step";
  const std::string hint =
      "use another kind of projections, or \"generalised-alpha\" with a spectral radius below 1";
  for (const Sensor& sensor : model_.sensors)
    if (kind_of(sensor).level == MotionLevel::acceleration)
      reject(origin + ": /sensors/" + sensor.name,
             "found a sensor of kind " + in_quotes(sensor.type), why,
             hint + ", or leave the sensor out");
  if (options.log && options.record)
    options.log("projections: the recorded accelerations are wrong (" + why + "), " + hint);
}

BackendChoice CompiledMechanism::choose(const BackendRequest& backend, std::size_t designs,
                                        const std::string& method, const Log& log) const {
  Work work{designs, model_.bodies.size(), method == "none" ? 0 : nominal_.size(), method,
            request_.lanes};
  // Other formulations than ali3p have not been run on a GPU yet: who wants that asks for it.
  if (!request_.formulation->has_stages) work.untried = request_.formulation->name;
  return choose_backend(backend, work, log);
}

DesignRun::DesignRun(const Model& model, const Options& options, const std::string& method)
    : DesignRun(std::make_shared<const CompiledMechanism>(model, options), options, method) {}

DesignRun::DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
                     const std::string& method)
    : DesignRun(std::move(mechanism), options, BackendChoice{}) {
  backend_ = mechanism_->choose(options.backend, request_.n_design, method, options.log);
}

DesignRun::DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
                     const BackendChoice& backend)
    : mechanism_(std::move(mechanism)),
      options_(options),
      request_(mechanism_->request()),
      backend_(backend) {
  const std::vector<double>& nominal = plan().nominal;
  request_.parameters = design_values(model(), options, nominal);
  request_.n_design = nominal.empty() ? std::max<std::size_t>(options.designs.count, 1)
                                      : request_.parameters.size() / nominal.size();
  request_.record = options.record || options.columns;
  request_.columns = options.columns;
  if (options.record_every < 1) throw InputError("record every: found 0, expected at least 1");
  request_.record_every = options.record_every;
  request_.progress = options.progress;
  request_.cancelled = options.cancelled;
  request_.log = options.log;
  request_.memory = options.memory;
}

MotionOutcome DesignRun::run(MotionRequest request) const {
  if (asks_for_stage_solver(request)) check_stage_solver(request, backend_);
  require_memory_of_outcome(request);
  if (backend_.kind == BackendKind::cpu) return run_on_host(request, backend_.threads);
  const std::unique_ptr<Device> device =
      backend_.kind == BackendKind::debug ? make_debug_device() : make_cuda_device(backend_.device);
  return is_adjoint(request.sensitivity) ? run_adjoint_on_device(request, *device)
                                         : run_on_device(request, *device);
}

std::span<const double> DesignRun::parameters_of(std::size_t design) const {
  const std::size_t count = plan().nominal.size();
  return std::span(request_.parameters).subspan(design * count, count);
}

Result DesignRun::description(const std::string& method) const {
  Result r;
  r.model = model().name;
  r.backend = backend_.name();
  r.formulation = request_.formulation->name;
  r.reference = plan().reference == Reference::rtdyn0 ? "rtdyn0" : "rtdyn1";
  r.method = method;
  r.step = request_.step;
  r.steps = request_.steps;
  r.adaptive = request_.tableau.error_order > 0;
  r.duration = request_.step * static_cast<double>(request_.steps);
  r.n_design = request_.n_design;
  for (const Parameter& p : model().parameters) r.parameters.push_back({p.name, p.unit});
  r.objectives = plan().objective_names;
  for (const Objective& o : model().objectives)
    if (!o.residuals.empty()) r.least_squares.push_back(o.name);
  r.coordinates = plan().coordinate_names;
  r.sensor_components = plan().signal_names;
  for (std::size_t s = 0; s < model().sensors.size(); ++s) {
    r.sensors.push_back(model().sensors[s].name);
    r.sensor_sizes.push_back(static_cast<std::size_t>(plan().sensors[s].size));
  }
  if (request_.analysis.singular != "fail") r.singular_start = name_of_singular_start(plan());
  r.integrator = request_.analysis.integrator;
  r.parameter_values = request_.parameters;
  return r;
}

Result DesignRun::result(MotionOutcome outcome, const std::string& method) const {
  Result r = description(method);
  r.lanes = outcome.lanes;
  r.solver = outcome.solver;
  r.refused = std::move(outcome.refused);
  r.objective_values = std::move(outcome.objectives);
  r.final_sensors = std::move(outcome.signals);
  r.gauss_newton = std::move(outcome.gauss_newton);
  r.constraint_violation = std::move(outcome.violation);
  r.newton_iterations = std::move(outcome.iterations);
  r.singular_passage = std::move(outcome.passage);
  r.jump = std::move(outcome.jump);
  r.step_count = std::move(outcome.steps);
  r.rejected_steps = std::move(outcome.rejected_steps);
  r.gradient = std::move(outcome.gradient);
  r.trajectories = std::move(outcome.trajectories);
  r.has_sensor_columns = request_.columns;
  r.has_objective_history = request_.records_objectives();
  for (std::size_t d = 0; d < r.n_design; ++d) {
    DesignStatus status;
    status.ok = outcome.status[d] == kernels::Status::ok;
    if (status.ok && request_.tableau.stages == 0)
      r.step_count[d] = static_cast<double>(request_.steps);
    status.time = outcome.failure_time[d];
    status.message = failure_message(outcome.status[d], request_, outcome.blamed[d], status.time,
                                     parameters_of(d));
    r.status.push_back(status);
  }
  set_extrapolation(plan(), outcome.extrapolation, r);
  if (options_.log) remark_on_motions(r, options_.log);
  remark_on_angles(outcome.largest_angle, plan(), options_);
  r.recomputation = outcome.recomputation;
  r.timing.motion_s = outcome.motion_s;
  r.timing.sensitivity_s = outcome.sensitivity_s;
  return r;
}

Result run_motion(const std::shared_ptr<const CompiledMechanism>& mechanism,
                  const Options& options) {
  if (options.columns)
    throw InputError(
        "columns: simulate computes no sensitivities; use gradient, or leave them out");
  const DesignRun designs(mechanism, options);
  return designs.result(designs.run(designs.request()), "none");
}

}  // namespace gradus
