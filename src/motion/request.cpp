// The parameter values of designs, what a request says to kernels, the instants at which its
// objectives take values, and room for its outcome.
#include "src/motion/request.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/mobility.hpp"

namespace gradus {
namespace {

using kernels::ProjectionKind;

// The step of ali3p, with the true acceleration at its end as the unknown.
void set_newmark(const Analysis& analysis, kernels::StepSettings& s) {
  const NewmarkFamily family = newmark_family(analysis);
  const auto update = family.update();
  s.beta = family.beta * update[2];
  s.gamma = family.gamma * update[2];
  s.true_share = 1.0 / (1.0 - family.alpha_f);
  std::copy(update.begin(), update.end(), s.algorithmic);
}

// Iterative projections converge to the exact ones.
ProjectionKind projections_of(const Analysis& analysis) {
  if (analysis.projections == "penalty") return ProjectionKind::penalty;
  return analysis.projections == "none" ? ProjectionKind::none : ProjectionKind::exact;
}

constexpr double kWithinStep = 1e-9;  // of a step: round-off

// What equations of positions may be off by [m or 1]; penalties let loads open them.
constexpr double kViolation = 1e-6;
constexpr double kPenaltyViolation = 1e-3;

// The instant of sampling that a time is but for round-off, or the time.
double instant_of_sampling(double time, const Plan& plan) {
  const double round_off = 16.0 * std::numeric_limits<double>::epsilon() * time;
  const auto next =
      std::lower_bound(plan.sample_times.begin(), plan.sample_times.end(), time - round_off);
  return next != plan.sample_times.end() && *next <= time + round_off ? *next : time;
}

// The instant of the motion that a time stands for.
double instant_at(double time, const MotionRequest& request, const std::string& where) {
  const double h = request.step;
  const double duration = request.settings().duration;
  const double tolerance =
      kWithinStep * h + 4.0 * std::numeric_limits<double>::epsilon() * duration;
  if (time > duration + tolerance)
    reject(where, "found " + to_text(time),
           "the motion ends at " + rounded_text(duration, 12) + " s",
           "choose times from 0 to that, or a longer duration");
  if (time > duration - tolerance) return duration;
  const double step = std::round(time / h);
  const bool adaptive = request.tableau.error_order > 0;
  if (std::abs(time - step * h) <= tolerance && (!adaptive || step == 0.0)) return step * h;
  if (adaptive) return instant_of_sampling(time, *request.plan);
  const double below = std::floor(time / h);
  reject(where, "found " + to_text(time),
         "no step ends there, they are " + rounded_text(h, 12) + " s long",
         "the nearest possible times are " + rounded_text(below * h, 12) + " and " +
             rounded_text((below + 1.0) * h, 12));
}

constexpr std::size_t kLargestBatch = 100'000'000;

[[noreturn]] void reject_name(const std::string& name, const std::vector<std::string>& names) {
  for (const std::string& known : names)
    if (known != name && name_in_expressions(known) == name)
      throw InputError("set: \"" + name + "\" is an array, set its elements one by one: \"" +
                       known + "\" and so on");
  throw InputError("set: unknown parameter \"" + name + "\", " + suggestion(name, names));
}

void set_values(const Model& model, const Options& options, std::vector<double>& nominal) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : options.set) {
    std::size_t p = 0;
    while (p < names.size() && names[p] != name) ++p;
    if (p == names.size()) reject_name(name, names);
    if (!std::isfinite(value))
      throw InputError("set: the value of \"" + name + "\" is not a finite number");
    nominal[p] = value;
  }
}

// Uniform in [-1, 1], the same on every machine.
double draw(std::mt19937_64& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0;
}

}  // namespace

kernels::StepSettings MotionRequest::settings() const {
  kernels::StepSettings s{};
  s.step = step;
  set_newmark(analysis, s);
  s.tolerance = tolerance;
  s.iteration_limit = 50;
  s.with_columns = with_columns() ? 1 : 0;
  s.with_adjoint = is_adjoint(sensitivity) ? 1 : 0;
  s.records_columns = records_columns() ? 1 : 0;
  s.duration = step * static_cast<double>(steps);
  s.has_projections = tableau.stages > 0 ? 0 : 1;
  s.rtol = analysis.rtol;
  s.atol = analysis.atol;
  s.max_steps = analysis.max_steps;
  s.columns_in_error = analysis.columns_in_error ? 1 : 0;
  s.fixed_point = analysis.iteration == keys::fixed_point ? 1 : 0;
  s.halves_steps = tableau.implicit != 0 && sensitivity != Sensitivity::continuous ? 1 : 0;
  s.renews_jacobian = tableau.implicit != 0 && renews_jacobian ? 1 : 0;
  s.penalty = analysis.penalty;
  s.projection_kind = static_cast<int>(projections_of(analysis));
  s.projection_tolerance = analysis.projection_tolerance;
  s.projects = analysis.stabilisation == "projection" ? 1 : 0;
  const bool stabilised = formulation->by_penalty ||
                          (formulation->can_stabilise && analysis.stabilisation == "baumgarte");
  s.frequency = stabilised ? analysis.frequency : 0.0;
  s.damping_ratio = analysis.damping_ratio;
  s.multiplier_source = static_cast<int>(formulation->multipliers);
  s.violation_limit = formulation->by_penalty ? kPenaltyViolation : kViolation;
  s.watches_singularity = analysis.singular == "continue" ? 0 : 1;
  s.fails_singular = analysis.singular == "fail" ? 1 : 0;
  s.from_equilibrium = plan->from_equilibrium;
  s.leaves_stiff = leaves_stiff() ? 1 : 0;
  s.drifts = formulation->can_stabilise && s.projects == 0 ? 1 : 0;
  return s;
}

MotionRequest MotionRequest::for_stiff_designs() const {
  MotionRequest request = *this;
  request.analysis.integrator = std::exchange(request.stiff_integrator, {});
  request.analysis.controls_error = true;
  request.tableau = stiff_tableau;
  return request;
}

bool MotionRequest::uses_penalty() const {
  return formulation->by_penalty ||
         (formulation->has_stages && projections_of(analysis) == ProjectionKind::penalty);
}

bool MotionRequest::eliminates_ties() const {
  return formulation->eliminates && !ties(*plan).empty();
}

std::vector<double> design_values(const Model& model, const Options& options,
                                  std::vector<double> nominal) {
  set_values(model, options, nominal);
  const Designs& designs = options.designs;
  const std::size_t parameters = nominal.size();
  if (!designs.values.empty()) {
    if (parameters == 0 || designs.values.size() % parameters != 0)
      throw InputError("designs: " + std::to_string(designs.values.size()) +
                       " values do not make rows of " + std::to_string(parameters) + " parameters");
    return designs.values;
  }
  if (designs.count < 1 || designs.count > kLargestBatch)
    throw InputError("designs: found " + std::to_string(designs.count) + ", expected 1 to " +
                     std::to_string(kLargestBatch));
  if (!std::isfinite(designs.spread) || designs.spread < 0.0)
    throw InputError("spread: expected a finite number of at least 0");
  std::vector<double> values;
  values.reserve(designs.count * parameters);
  std::mt19937_64 generator(designs.seed);
  for (std::size_t d = 0; d < designs.count; ++d)
    for (std::size_t p = 0; p < parameters; ++p)
      values.push_back(d == 0 ? nominal[p] : nominal[p] * (1.0 + designs.spread * draw(generator)));
  return values;
}

namespace {

void settle_search(const MotionRequest& request, kernels::ObjectiveEntry& objective,
                   const std::string& where) {
  const double duration = request.settings().duration;
  objective.from = instant_at(objective.from, request, where + "/from");
  objective.to =
      std::isfinite(objective.to) ? instant_at(objective.to, request, where + "/to") : duration;
  if (objective.from < objective.to) return;
  reject(where + "/from", "found " + to_text(objective.from),
         "the search ends at " + rounded_text(objective.to, 12) + " s", "choose an earlier time");
}

}  // namespace

void settle_value_times(const MotionRequest& request, Plan& plan, const std::string& origin) {
  for (std::size_t o = 0; o < plan.objectives.size(); ++o) {
    kernels::ObjectiveEntry& objective = plan.objectives[o];
    if (kernels::is_searched(objective.kind)) {
      settle_search(request, objective, origin + ": /objectives/" + plan.objective_names[o].name);
      continue;
    }
    if (objective.kind != kernels::ObjectiveKind::value) continue;
    const std::string& row = plan.objective_names[o].name;
    const std::string where = o < plan.stated_objectives ? origin + ": /objectives/" +
                                                               row.substr(0, row.rfind('@')) + "/at"
                                                         : "sensor times";
    objective.time = instant_at(objective.time, request, where);
    // The last instant is that of end values.
    if (objective.time == request.settings().duration)
      objective.kind = kernels::ObjectiveKind::terminal;
  }
}

MotionOutcome make_outcome(const MotionRequest& request) {
  MotionOutcome outcome;
  renew_outcome(request, outcome);
  return outcome;
}

void renew_outcome(const MotionRequest& request, MotionOutcome& outcome) {
  const Plan& plan = *request.plan;
  const std::size_t designs = request.n_design;
  const std::size_t objectives = plan.objectives.size();
  outcome.recomputation = 0.0;
  outcome.largest_angle = {};
  outcome.status.assign(designs, kernels::Status::ok);
  outcome.failure_time.assign(designs, 0.0);
  outcome.blamed.assign(designs, 0.0);
  outcome.passage.assign(designs, 0.0);
  outcome.jump.assign(request.is_adaptive() ? designs : 0, 0.0);
  outcome.stiff_since.assign(request.is_adaptive() ? designs : 0, 0.0);
  outcome.switched.assign(request.is_adaptive() ? designs : 0, 0.0);
  outcome.extrapolation.assign(designs * 2 * plan.splines.size(), 0.0);
  outcome.objectives.assign(designs * objectives, 0.0);
  if (request.sensitivity != Sensitivity::none)
    outcome.gradient.assign(designs * objectives * request.column_count(), 0.0);
  if (request.with_columns())
    outcome.gauss_newton.assign(designs * gauss_newton_size(request), 0.0);
  outcome.signals.assign(designs * static_cast<std::size_t>(plan.shown_signals()), 0.0);
  outcome.violation.assign(designs * 3, 0.0);
  outcome.iterations.assign(designs, 0.0);
  outcome.steps.assign(designs, 0.0);
  outcome.rejected_steps.assign(designs, 0.0);
  outcome.taken_steps.clear();
  outcome.events.clear();
  if (request.record) {
    outcome.trajectories.assign(designs, {});
    const std::size_t columns =
        request.columns ? (recorded_row(request, request.steps) + 1) * plan.nominal.size() : 0;
    const auto fill = [](std::size_t size, std::vector<double>& values) {
      values.assign(size, std::numeric_limits<double>::quiet_NaN());
    };
    for (std::size_t d = 0; d < designs; ++d) {
      outcome.trajectories[d].design = d;
      fill(columns * static_cast<std::size_t>(plan.shown_signals()),
           outcome.trajectories[d].sensor_columns);
      fill(request.records_objectives() ? columns * objectives : 0,
           outcome.trajectories[d].gradient_history);
    }
  }
}

namespace {

// The objective whose gradient [n_objective, n_column] is not finite, as kernels blame it; 0 if all
// are not: then what they share is at fault, or the design failed elsewhere.
double blamed_gradient(std::span<const double> gradient, std::size_t objectives) {
  const std::size_t columns = objectives > 0 ? gradient.size() / objectives : 0;
  double blamed = 0.0;
  std::size_t finite = 0;
  for (std::size_t o = objectives; o-- > 0;) {
    const auto row = gradient.subspan(o * columns, columns);
    if (std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); }))
      ++finite;
    else
      blamed = -1.0 - static_cast<double>(o);
  }
  return finite > 0 || objectives == 1 ? blamed : 0.0;
}

}  // namespace

void judge_design(const MotionRequest& request, std::size_t design, MotionOutcome& outcome) {
  const auto numbers_of = [&](std::vector<double>& numbers) {
    const std::size_t size = numbers.size() / request.n_design;
    return std::span(numbers).subspan(design * size, size);
  };
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const std::span<const double> gradient = numbers_of(outcome.gradient);
  kernels::Status& status = outcome.status[design];
  if (status == kernels::Status::ok && !std::all_of(gradient.begin(), gradient.end(), is_finite)) {
    status = kernels::Status::objective_not_finite;
    outcome.failure_time[design] = request.settings().duration;
  }
  if (status == kernels::Status::ok) return;
  if (status == kernels::Status::objective_not_finite && !(outcome.blamed[design] < 0.0))
    outcome.blamed[design] = blamed_gradient(gradient, request.plan->objectives.size());
  for (std::vector<double>* const numbers :
       {&outcome.gradient, &outcome.gauss_newton, &outcome.objectives, &outcome.signals,
        &outcome.violation, &outcome.iterations, &outcome.steps, &outcome.rejected_steps})
    std::ranges::fill(numbers_of(*numbers), std::numeric_limits<double>::quiet_NaN());
}

void take_design(const MotionOutcome& some, std::size_t which, std::size_t design,
                 MotionOutcome& outcome) {
  const auto take = [&](const auto& from, auto& to) {
    const std::size_t size = from.size() / some.status.size();
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(which * size), size,
                to.begin() + static_cast<std::ptrdiff_t>(design * size));
  };
  take(some.status, outcome.status);
  take(some.failure_time, outcome.failure_time);
  take(some.blamed, outcome.blamed);
  take(some.passage, outcome.passage);
  take(some.jump, outcome.jump);
  take(some.stiff_since, outcome.stiff_since);
  take(some.switched, outcome.switched);
  take(some.extrapolation, outcome.extrapolation);
  take(some.objectives, outcome.objectives);
  take(some.gradient, outcome.gradient);
  take(some.gauss_newton, outcome.gauss_newton);
  take(some.signals, outcome.signals);
  take(some.violation, outcome.violation);
  take(some.iterations, outcome.iterations);
  take(some.steps, outcome.steps);
  take(some.rejected_steps, outcome.rejected_steps);
  take(some.refused, outcome.refused);
  take(some.trajectories, outcome.trajectories);
  if (!some.trajectories.empty()) outcome.trajectories[design].design = design;
  if (some.largest_angle.design == which)
    outcome.largest_angle.look_at(some.largest_angle.size, design, some.largest_angle.coordinate);
}

void keep_rows(const Plan& plan, std::size_t rows, Trajectory& trajectory) {
  const auto coordinates = static_cast<std::size_t>(plan.coordinate_count());
  const auto signals = static_cast<std::size_t>(plan.shown_signals());
  trajectory.time.resize(rows);
  trajectory.coordinates.resize(rows * coordinates);
  trajectory.rates.resize(rows * coordinates);
  trajectory.accelerations.resize(rows * coordinates);
  trajectory.sensors.resize(rows * signals);
  if (!trajectory.sensor_columns.empty())
    trajectory.sensor_columns.resize(rows * signals * plan.nominal.size());
  if (!trajectory.objective_history.empty())
    trajectory.objective_history.resize(rows * plan.objectives.size());
  if (!trajectory.gradient_history.empty())
    trajectory.gradient_history.resize(rows * plan.objectives.size() * plan.nominal.size());
}

}  // namespace gradus
