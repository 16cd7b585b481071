// From a model and options to what is in force.
#include "src/motion/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/model/validation.hpp"
#include "src/motion/formulation_choice.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/idle_options.hpp"
#include "src/motion/independents.hpp"
#include "src/motion/released_rates.hpp"
#include "src/motion/remarks.hpp"
#include "src/motion/sample_times.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/motion/tree_start.hpp"

namespace gradus {
namespace {

Reference read_reference(const std::string& name) {
  if (name == "rtdyn0") return Reference::rtdyn0;
  if (name == "rtdyn1") return Reference::rtdyn1;
  throw InputError("reference: found \"" + name + "\", expected rtdyn0 or rtdyn1");
}

bool has_reference_points(const Analysis& analysis) {
  if (analysis.coordinates == keys::of_joints) return false;
  if (analysis.coordinates == keys::of_bodies) return true;
  throw InputError("coordinates: found " + in_quotes(analysis.coordinates) +
                   ", expected joint or reference-point");
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

// Null: general kernels do it all.
std::unique_ptr<StepWorkshop> workshop_for(const Options& options, const Plan& plan, double step) {
  if (options.kernels == "general") return nullptr;
  if (options.kernels == "specialised") return std::make_unique<StepWorkshop>(plan, step);
  if (options.kernels != "auto")
    throw InputError("kernels: found " + in_quotes(options.kernels) +
                     R"(, expected "general", "specialised" or "auto")");
  if (!specialised_kernels_obstacle().empty()) return nullptr;
  return std::make_unique<StepWorkshop>(plan, step, true);
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

// What penalties and drift leave open is judged by absolute bounds, but of small mechanisms.
void relax_row_weights(const MotionRequest& request, Plan& plan) {
  if (request.settings().drifts == 0 && !request.formulation->by_penalty) return;
  for (double& weight : plan.row_weights) weight = std::max(1.0, 0.1 * weight);
  plan.largest_weight = std::max(1.0, 0.1 * plan.largest_weight);
}

Analysis resolved(Analysis analysis, const Options& options) {
  analysis.integrator = options.integrator.value_or(analysis.integrator);
  analysis.coordinates = options.coordinates.value_or(analysis.coordinates);
  if (options.rtol || options.atol || options.step)
    analysis.controls_error = options.rtol || options.atol;
  analysis.rtol = options.rtol.value_or(analysis.rtol);
  analysis.atol = options.atol.value_or(analysis.atol);
  checked(analysis.rtol, analysis.rtol >= least_rtol && analysis.rtol <= most_rtol, "rtol",
          std::string("a number ") + allowed_rtol);
  checked(analysis.atol, analysis.atol > 0.0 && analysis.atol <= most_atol, "atol",
          std::string("a number ") + allowed_atol);
  analysis.max_steps = options.max_steps.value_or(analysis.max_steps);
  checked(analysis.max_steps, is_step_count(analysis.max_steps), "max_steps", allowed_max_steps);
  analysis.penalty = positive(options.penalty.value_or(analysis.penalty), "penalty");
  analysis.columns_in_error = options.columns_in_error.value_or(analysis.columns_in_error);
  analysis.projections = options.projections.value_or(analysis.projections);
  analysis.stabilisation = options.stabilisation.value_or(analysis.stabilisation);
  analysis.iteration = options.iteration.value_or(analysis.iteration);
  analysis.singular = options.singular.value_or(analysis.singular);
  Analysis rest = analysis;
  rest.independent.clear();  // the model says what they belong to
  rest.integrator.clear();   // the formulation says which it can use
  check_analysis(rest, "options");
  return analysis;
}

// Where numbers overflow nothing tells which coordinates the constraints leave free.
void require_rows(const Plan& plan) {
  if (plan.constraint_rank() <= plan.constraint_rows) return;
  throw InputError("model: found " + std::to_string(plan.constraint_rank()) + " coordinates that " +
                   std::to_string(plan.constraint_rows) +
                   " equations of loops and constraints are to determine (numbers overflow where "
                   "the mechanism starts), use units in which lengths are about 1");
}

// Start values of reference-point coordinates are rows that hold at the start: more of them than
// motions are free, where they fit, would count as what moves, in the place of a constraint.
void require_free_starts(const Plan& plan, const Mobility& mobility) {
  const int rank = plan.constraint_rows - plan.start_rows - mobility.redundant;
  if (plan.singular_start > 0 || rank <= plan.constraint_rank()) return;
  throw InputError("model: found " + std::to_string(plan.independent_count()) +
                   " start values that are held, more than motions are free (" +
                   std::to_string(plan.coordinate_count() - rank) +
                   "), as loops and constraints determine more coordinates than are left to them; "
                   "make guesses of some");
}

}  // namespace

CompiledMechanism::CompiledMechanism(Model model, const Options& options,
                                     const Extension& extension)
    : model_(std::move(model)), options_(options), extension_(extension) {
  options_.log = {};
  const std::string origin = model_.name.empty() ? "model" : model_.name;
  const Findings findings = examine(model_, origin);
  model_ = with_discs(std::move(model_));
  model_.analysis.duration = options.duration.value_or(model_.analysis.duration);
  apply(findings.changes, model_);
  const bool has_followers = integrates_independents(model_, options, extension);
  if (has_followers) add_followers(model_, options);
  const Analysis& analysis = model_.analysis;
  const Reference reference = read_reference(options.reference.value_or(analysis.reference));
  const bool begins_beside = options.singular.value_or(analysis.singular) != "fail";
  tree_ = spanning_tree(model_, origin);
  plan_ = build_plan(tree_, reference, origin, extension);
  if (has_followers) follow_from_the_start(plan_, model_);
  mobility_ = complete_start(plan_, begins_beside);
  request_.plan = &plan_;
  request_.analysis = resolved(analysis, options);
  if (has_reference_points(request_.analysis)) {
    if (!plan_.rate_laws.empty())
      throw InputError(
          "coordinates: found reference-point, with nonholonomic constraints or wheels that roll "
          "(" +
          in_quotes(plan_.law_names[static_cast<std::size_t>(plan_.rate_laws[0])]) +
          "), which joint coordinates serve alone; expected joint");
    if (!extension.start_state.empty())
      throw InputError(
          "coordinates: found reference-point, where start states are exchanged; "
          "these are those of joints");
    tree_ = reference_points(model_, tree_, start_of_tree(tree_, request_, origin), origin);
    plan_ = build_plan(tree_, reference, origin, extension);
    mobility_ = complete_start(plan_, begins_beside);
    require_free_starts(plan_, mobility_);
  }
  require_rows(plan_);
  if (has_followers) hold_followers(plan_, model_, origin);
  // Who gives start states gives the guesses among them, and need not begin where the model does.
  if (!extension.start_state.empty()) {
    plan_.guess.assign(plan_.guess.size(), std::numeric_limits<double>::quiet_NaN());
    plan_.start_shift.clear();
    plan_.singular_start = 0;
  }
  choose_formulation(analysis, options, request_);
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
  release_rates(plan_, extension, nominal_, origin);
  remark_on_bounds(model_, options);
  remark_on_friction(model_, options);
  if (options.log) std::for_each(findings.remarks.begin(), findings.remarks.end(), options.log);
  request_.lanes = checked_lanes(options.lanes);
  request_.solver = checked_solver(options);
  request_.mixed = options.precision == "mixed";
  backend_ = read_backend(options.backend);
  check_formulation(request_, mobility_);
  choose_integrator(request_);
  check_projections(request_, model_, options, origin);
  check_events(request_, origin);
  workshop_ = workshop_for(options, plan_, request_.step);
  request_.workshop = workshop_.get();
  if (options.log)
    for (const std::string& line : idle_options(options, request_)) options.log(line);
  settle_sample_times(request_, plan_, model_, origin);
  settle_value_times(request_, plan_, origin);
  remark_on_singular_start(plan_, request_.analysis.singular, options.log);
  remark_on_equilibrium(request_, nominal_, options);
  relax_row_weights(request_, plan_);
  superposition_ = superposition_of(request_);
  request_.superposition = superposition_.get();
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

BackendChoice CompiledMechanism::choose(const BackendRequest& backend, std::size_t designs,
                                        const std::string& method, const Log& log) const {
  Work work{designs, model_.bodies.size(), method == "none" ? 0 : nominal_.size(), method,
            request_.lanes};
  // Other formulations than ali3p have not been run on a GPU yet: who wants that asks for it.
  if (!request_.formulation->has_stages) work.untried = request_.formulation->name;
  return choose_backend(backend, work, log);
}

}  // namespace gradus
