// Checks a model as a whole; the subjects have files of their own.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/model/states.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

void require_known(const std::string& name, std::span<const std::string_view> known,
                   const std::string& where) {
  const std::vector<std::string> names(known.begin(), known.end());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  reject(where, "found " + in_quotes(name), "there is none of that name", suggestion(name, names));
}

void require_positive(double value, const std::string& where) {
  if (std::isfinite(value) && value > 0.0) return;
  reject(where, "found " + to_text(value), "it must be positive and finite",
         "choose a value above 0");
}

}  // namespace

void check_parameters(const Model& model, const NominalValues& nominal, const std::string& origin) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    if (!parameter.bounds) continue;
    const auto [low, high] = *parameter.bounds;
    const std::string where = origin + ": /parameters/" + parameter.name;
    const std::string bounds = "[" + to_text(low) + ", " + to_text(high) + "]";
    if (!std::isfinite(low) || !std::isfinite(high) || low > high)
      reject(where + "/bounds", "found " + bounds, "bounds are finite and ascend",
             "write [smallest, largest]");
    const double value = nominal.parameters()[i];
    if (value < low || value > high)
      reject(where + "/value", "found " + to_text(value), "it lies outside its bounds " + bounds,
             "change the value or the bounds");
  }
}

namespace {

// `found` says what the node stands for.
void require_finite_constant(const expression::Graph& graph, expression::Node node,
                             const std::string& found, const std::string& where) {
  if (!graph.is_constant(node) || std::isfinite(graph.constant_value(node))) return;
  reject(where, "found " + found, "its value is " + to_text(graph.constant_value(node)),
         "expected a finite number");
}

void check_residuals(const Objective& objective, expression::Graph& graph,
                     const expression::Scope& scope, const std::string& path) {
  const bool is_integral = objective.kind == ObjectiveKind::integral;
  const std::string where = path + (is_integral ? "/residuals" : "/terminal_residuals");
  if (objective.kind == ObjectiveKind::value)
    reject(path, "found residuals of an objective of kind \"value\"",
           "sums of squares are integrals or values at the end", "use one of these kinds");
  if (!objective.expression.empty())
    reject(path, "found the expression " + in_quotes(objective.expression) + " beside residuals",
           "an objective is one of the two", "leave one out");
  for (const expression::Node node : residuals(graph, objective, scope, where))
    require_finite_constant(graph, node, "a constant residual", where);
}

// Whether times lie within the motion and where steps end is known with the analysis of a run.
void check_times(const Objective& objective, const std::string& where) {
  if (objective.kind != ObjectiveKind::value) {
    if (!objective.at.empty())
      reject(where, "found " + to_text(objective.at.front()), "only values are taken at times",
             "use the kind value, or leave the times out");
    return;
  }
  if (objective.at.empty())
    reject(where, "found no time", "a value is taken at times", "write one or more");
  for (std::size_t k = 0; k < objective.at.size(); ++k) {
    const double time = objective.at[k];
    if (!std::isfinite(time) || time < 0.0)
      reject(where, "found " + to_text(time), "the motion begins at 0",
             "choose times from 0 to its duration");
    if (k > 0 && time <= objective.at[k - 1])
      reject(where, "found " + to_text(time) + " after " + to_text(objective.at[k - 1]),
             "times ascend", "sort them and leave out what is there twice");
  }
}

bool is_search(ObjectiveKind kind) {
  return kind == ObjectiveKind::maximum || kind == ObjectiveKind::minimum ||
         kind == ObjectiveKind::time_when;
}

void check_search(const Objective& objective, const std::string& path) {
  const std::string only = "only maxima, minima and times of passages are looked for";
  if (!is_search(objective.kind)) {
    if (objective.from != 0.0)
      reject(path + "/from", "found " + to_text(objective.from), only, "leave it out");
    if (objective.to) reject(path + "/to", "found " + to_text(*objective.to), only, "leave it out");
  }
  if (!objective.residuals.empty() && is_search(objective.kind))
    reject(path, "found residuals", "sums of squares are integrals or values at the end",
           "use one of these kinds");
  if (!std::isfinite(objective.from) || objective.from < 0.0)
    reject(path + "/from", "found " + to_text(objective.from), "the motion begins at 0",
           "choose a time from 0 to its duration");
  if (objective.to && !(*objective.to > objective.from && std::isfinite(*objective.to)))
    reject(path + "/to", "found " + to_text(*objective.to),
           "the search begins at " + to_text(objective.from) + " s", "choose a later time");
  const bool is_extremum =
      objective.kind == ObjectiveKind::maximum || objective.kind == ObjectiveKind::minimum;
  if (!std::isfinite(objective.smooth) || objective.smooth < 0.0)
    reject(path + "/smooth", "found " + to_text(objective.smooth), "it is a width",
           "choose a finite number above 0, in the unit of the expression");
  if (objective.smooth > 0.0 && !is_extremum)
    reject(path + "/smooth", "found " + to_text(objective.smooth),
           "only maxima and minima can be smooth", "leave it out");
  if (objective.smooth > 0.0 && (objective.from != 0.0 || objective.to))
    reject(path + "/smooth", "found it beside \"from\" or \"to\"",
           "a smooth extremum is made of an integral over the whole motion",
           "leave out one or the other");
  if (objective.passage < 1)
    reject(path + "/passage", "found " + std::to_string(objective.passage),
           "the first passage is 1", "choose a whole number from 1 on");
  if (objective.otherwise && !std::isfinite(*objective.otherwise))
    reject(path + "/otherwise", "found " + to_text(*objective.otherwise),
           "it is the value of the objective where there is no passage", "give a finite time");
}

std::string key_of(ObjectiveKind kind) {
  return std::string(keys::objective.at(static_cast<std::size_t>(kind)).name);
}

}  // namespace

void check_objectives(const Model& model, const std::string& origin) {
  expression::Graph graph;
  const MotionScope scope(graph, model, origin);
  for (const Objective& objective : model.objectives) {
    const std::string path = origin + ": /objectives/" + objective.name;
    check_times(objective, path + "/at");
    check_search(objective, path);
    if (!objective.residuals.empty()) {
      check_residuals(objective, graph, scope, path);
      continue;
    }
    const std::string where = path + "/" + key_of(objective.kind);
    require_finite_constant(graph,
                            expression::parse_scalar(graph, objective.expression, scope, where),
                            in_quotes(objective.expression), where);
  }
}

bool is_step_count(double number) {
  return number >= 1.0 && number <= 1e9 && number == std::floor(number);
}

namespace {

void check_independents(const Analysis& analysis, const std::string& where) {
  if (analysis.formulation != "matrix-r")
    reject(where + "independent", "found beside the formulation " + in_quotes(analysis.formulation),
           "that integrates all coordinates", "write \"formulation\": \"matrix-r\"");
  if (analysis.coordinates != "joint")
    reject(where + "independent", "found beside reference-point coordinates",
           "it belongs to those of joints", "leave one of them out");
  std::set<std::string> known;
  for (const std::string& expression : analysis.independent)
    if (!known.insert(expression).second)
      reject(where + "independent", "found " + in_quotes(expression) + " twice",
             "what is independent differs", "list another expression");
}

}  // namespace

void check_analysis(const Analysis& analysis, const std::string& origin) {
  const std::string where = origin + ": /analysis/";
  require_known(analysis.formulation, keys::formulations, where + "formulation");
  if (!analysis.integrator.empty())
    require_known(analysis.integrator, keys::integrators, where + "integrator");
  require_known(analysis.coordinates, keys::coordinates, where + "coordinates");
  require_known(analysis.reference, keys::references, where + "reference");
  require_known(analysis.projections, keys::projections, where + "projections");
  require_known(analysis.stabilisation, keys::stabilisations, where + "stabilisation");
  require_known(analysis.iteration, keys::iterations, where + "iteration");
  require_known(analysis.singular, keys::singular, where + "singular");
  for (const auto& [key, value] :
       {std::pair{"duration", analysis.duration}, std::pair{"step", analysis.step},
        std::pair{"tolerance", analysis.tolerance}, std::pair{"penalty", analysis.penalty}})
    require_positive(value, where + key);
  if (!(analysis.rtol >= least_rtol && analysis.rtol <= most_rtol))
    reject(where + "rtol", "found " + to_text(analysis.rtol),
           "smaller errors are round-off, larger ones no accuracy",
           std::string("choose a value ") + allowed_rtol);
  if (!(analysis.atol > 0.0 && analysis.atol <= most_atol))
    reject(where + "atol", "found " + to_text(analysis.atol),
           "it is an error of coordinates and their rates, which are hardly as large",
           std::string("choose a value ") + allowed_atol);
  if (!is_step_count(analysis.max_steps))
    reject(where + "max_steps", "found " + to_text(analysis.max_steps),
           "a design that needs more steps fails", std::string("choose ") + allowed_max_steps);
  if (!analysis.independent.empty()) check_independents(analysis, where);
  for (const auto& [name, penalty] : analysis.penalties)
    require_positive(penalty, where + "penalties/" + name);
  require_positive(analysis.frequency, where + "frequency");
  require_positive(analysis.damping_ratio, where + "damping_ratio");
  if (!(analysis.spectral_radius >= 0.0 && analysis.spectral_radius <= 1.0))
    reject(where + "spectral_radius", "found " + to_text(analysis.spectral_radius),
           "a step multiplies what oscillates fastest by it", "choose a value from 0 to 1");
  if (analysis.integrator == keys::hht && analysis.spectral_radius < 0.5)
    reject(where + "spectral_radius", "found " + to_text(analysis.spectral_radius),
           "hht is unstable below 1/2",
           "choose a value from 0.5 to 1, or the integrator \"generalised-alpha\"");
  if (!(analysis.gamma >= 0.5 && analysis.gamma <= 2.0))
    reject(where + "gamma", "found " + to_text(analysis.gamma),
           "below 1/2 the steps of newmark add energy", "choose a value from 0.5 to 2");
  if (!(2.0 * analysis.beta >= analysis.gamma && analysis.beta <= 2.0))
    reject(where + "beta", "found " + to_text(analysis.beta),
           "steps of newmark are stable, whatever their length, from gamma/2 on",
           "choose a value from " + to_text(0.5 * analysis.gamma) + " to 2");
  if (!(analysis.projection_tolerance >= 0.0 && std::isfinite(analysis.projection_tolerance)))
    reject(where + "projection_tolerance", "found " + to_text(analysis.projection_tolerance),
           "violations below it are not projected away", "choose 0, or a small number above it");
  check_number_of_steps(analysis.duration, analysis.step, where);
}

void check_number_of_steps(double duration, double step, const std::string& where) {
  constexpr double most_steps = 1e9;
  if (duration / step <= most_steps) return;
  const std::string steps = to_text(duration / step) + " steps";
  const std::string most = "at most " + to_text(most_steps) + " are possible";
  if (step != Analysis().step)
    reject(where + "step", "found " + to_text(step),
           "a duration of " + to_text(duration) + " s would take " + steps, most);
  // Nobody need have stated it.
  reject(where + "duration", "found " + to_text(duration),
         "it would take " + steps + " of " + to_text(step) + " s, the step where none is stated",
         most + "; state a longer step, and with it the integrator, adaptive ones as well");
}

namespace {

// Penalties belong to what the model closes or constrains; which joints are cut may be left open.
void check_penalties(const Model& model, const std::string& origin) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) names.push_back(joint.name);
  for (const Joint& loop : model.loops) names.push_back(loop.name);
  for (const Constraint& constraint : model.constraints) names.push_back(constraint.name);
  for (const auto& [name, penalty] : model.analysis.penalties)
    if (std::find(names.begin(), names.end(), name) == names.end())
      reject(origin + ": /analysis/penalties", "found " + in_quotes(name),
             "there is no constraint, loop or joint of that name", suggestion(name, names));
}

// Whether a number of a model was left as it is where nothing is said.
bool is_nothing(const Number& number) {
  return !number.is_expression() && number.value() == 0.0;
}

void check_sampling(const State& state, const std::string& where) {
  if (!is_sampled(state) && (!is_nothing(state.next) || state.offset != 0.0))
    reject(where + "/every", "found 0", "a state with \"next\" or \"offset\" is sampled",
           "choose a period above 0 s");
  if (!is_sampled(state)) return;
  require_positive(state.every, where + "/every");
  if (!is_nothing(state.rate))
    reject(where + "/rate", "found a rate of a sampled state", "it stays as it is between samples",
           "remove \"rate\" or \"every\"");
  if (!(state.offset >= 0.0 && std::isfinite(state.offset)))
    reject(where + "/offset", "found " + to_text(state.offset),
           "the first sample is taken at time 0 or later", "choose 0 or a time above it");
}

// A state that a constraint reads has a rate that has one itself.
void check_followed(const State& state, LawCheck& rates, const Model& model,
                    const std::string& where) {
  if (model.start == keys::equilibrium)
    reject(where, "found a constraint that reads it, and \"start\": \"equilibrium\"",
           "what holds the constraint at rest is not looked for there",
           "state the start positions, or let the constraint read the coordinate of a body");
  rates.nominal_value(state.rate, where + "/rate");
  if (const std::string kink = rates.kink(); !kink.empty())
    reject(where + "/rate", "found " + kink,
           "it may have a kink or jump, and the rate of a state that a constraint reads must be "
           "smooth, but at instants that parameters do not move",
           "write w*tanh(x/w) for limits, tanh(x/w) with a small w for x/abs(x), sqrt(x^2 + w^2) "
           "for abs(x), splines that are neither linear nor held at their ends, and angles "
           "without atan2");
}

void check_states(const Model& model, NominalValues& nominal, const std::string& origin) {
  if (states_of(model).empty()) return;
  LawCheck rates(model, nominal, origin, LawPlace::force);
  LawCheck followed_rates(model, nominal, origin, LawPlace::followed_rate);
  LawCheck samples(model, nominal, origin, LawPlace::sample);
  for (const State& state : model.states) {
    const std::string where = origin + ": /states/" + state.name;
    check_sampling(state, where);
    rates.nominal_value(state.rate, where + "/rate");
    if (state.is_followed) check_followed(state, followed_rates, model, where);
    samples.nominal_value(state.next, where + "/next");
    nominal.value(state.initial, where + "/initial");
  }
}

}  // namespace

Findings examine(const Model& stated, const std::string& origin) {
  check_names(stated, origin);
  check_kinds(stated, origin);
  if (stated.bodies.empty())
    reject(origin + ": /bodies", "found no body", "there is nothing to move", "add one");
  check_references(stated, References(stated), origin);
  const Model model = with_discs(stated);
  const References references(model);
  const SpanningTree tree = spanning_tree(model, origin);
  NominalValues nominal(model, origin);
  check_parameters(model, nominal, origin);
  check_moving_definitions(model, nominal, origin);
  Findings findings = check_bodies(tree.model, References(tree.model), nominal, origin);
  check_states(model, nominal, origin);
  check_events(model, nominal, origin);
  check_forces(model, nominal, origin);
  check_joints(model, nominal, origin);
  check_constraints(model, references, nominal, origin);
  check_objectives(model, origin);
  require_known(model.start, keys::starts, origin + ": /start");
  check_analysis(model.analysis, origin);
  check_penalties(model, origin);
  return findings;
}

void validate(const Model& model, const std::string& origin) {
  examine(model, origin);
}

}  // namespace gradus
