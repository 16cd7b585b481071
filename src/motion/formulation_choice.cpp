// What "auto" stands for, and what cannot be combined.
#include "src/motion/formulation_choice.hpp"

#include <algorithm>
#include <vector>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

// What "auto" stands for, with an integrator of the same name where the user names no other.
std::string automatic_formulation(const Plan& plan, std::string& integrator) {
  const bool has_stages = integrator == keys::newmark || integrator == keys::generalised_alpha ||
                          integrator == keys::hht;
  if (has_stages) return "ali3p";
  if (integrator.empty()) integrator = keys::automatic;
  return ties(plan).empty() ? "semi-recursive" : "index1";
}

// An explicit method of high order, and the implicit one for designs whose motion it finds stiff.
void choose_by_motion(MotionRequest& request) {
  request.analysis.integrator = "dop853";
  Analysis stiff = request.analysis;
  stiff.integrator = request.stiff_integrator = stiff_integrator(request.analysis);
  stiff.controls_error = true;
  request.stiff_tableau = make_tableau(stiff);
}

// The names of formulations to use instead, which integrate.
template <class Suits>
std::string others_text(const Suits& suits) {
  std::vector<std::string> names;
  for (const FormulationTraits& other : formulations())
    if (suits(other) && !other.integrators.empty()) names.emplace_back(other.name);
  return "use one of " + quoted_list(names);
}

// Forces that depend on accelerations or reactions.
void check_unknowns(const MotionRequest& request, const Mobility& mobility) {
  const Plan& plan = *request.plan;
  if (plan.algebraic_laws.empty()) return;
  const std::string force =
      plan.unknown_name(plan.algebraic_laws.front()) + " depends on accelerations or reactions";
  if (plan.from_equilibrium != 0)
    reject("start", "found \"equilibrium\"", force + ", which are unknown at rest",
           "state the start positions");
  if (!mobility.open_readings.empty()) {
    const OpenReading& open = mobility.open_readings.front();
    reject(
        "model",
        "found " + std::to_string(mobility.redundant) +
            " redundant equations of loops and constraints",
        plan.unknown_name(open.law) +
            (plan.followed_states.empty() ? "" : ", or the constraint that reads it,") +
            " depends on " + in_quotes(open.signal) + ", which these share in more than one way",
        "use components that they leave no choice, as in the plane of a plane loop (friction in a "
        "joint does with \"load\": \"force\"), give the loop "
        "joints that say nothing twice (a spherical and a cardan joint in the place of two pins), "
        "or close it with constraints that do not, such as two of kind \"expression\" or "
        "\"distance\"");
  }
}

}  // namespace

std::string stiff_integrator(const Analysis& analysis) {
  constexpr double coarse = 1e-3;
  return analysis.rtol > coarse ? "radau5" : "radau9";
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

void choose_formulation(const Analysis& stated, const Options& options, MotionRequest& request) {
  const Plan& plan = *request.plan;
  std::string& integrator = request.analysis.integrator;
  std::string name = stated_formulation(stated, options);
  // Beside events a step is the first of those that are chosen.
  const bool is_open = !options.formulation && !stated.formulation_is_stated;
  if (!plan.events.empty() && is_open) name = stated.formulation;
  if (name == keys::automatic) name = automatic_formulation(plan, integrator);
  request.formulation = &formulation_traits(name);
}

void check_formulation(const MotionRequest& request, const Mobility& mobility) {
  const std::vector<std::string> tied = ties(*request.plan);
  if (!request.formulation->for_open_trees || tied.empty())
    return check_unknowns(request, mobility);
  reject("formulation",
         "found " + in_quotes(request.formulation->name) + " for a model with " + quoted_list(tied),
         "it serves open trees, which no cut joint or constraint ties",
         others_text([](const FormulationTraits& other) { return !other.for_open_trees; }));
}

void choose_integrator(MotionRequest& request) {
  const FormulationTraits& traits = *request.formulation;
  const Plan& plan = *request.plan;
  const std::vector<std::string>& possible = traits.integrators;
  std::string& integrator = request.analysis.integrator;
  if (integrator.empty() && !plan.events.empty() &&
      std::find(possible.begin(), possible.end(), keys::automatic) != possible.end())
    integrator = keys::automatic;
  if (integrator.empty() && !possible.empty()) integrator = possible.front();
  const auto& known = keys::integrators;
  if (!integrator.empty() && std::find(known.begin(), known.end(), integrator) == known.end())
    throw InputError("integrator: found " + in_quotes(integrator) + ", " +
                     suggestion(integrator, {known.begin(), known.end()}));
  const bool found = std::find(possible.begin(), possible.end(), integrator) != possible.end();
  if (!found && !integrator.empty())
    throw InputError(
        "integrator: found " + in_quotes(integrator) + ", which " + std::string(traits.name) +
        " cannot use; allowed: " + (possible.empty() ? "none" : quoted_list(possible)) +
        "; with the formulation \"auto\" every integrator is possible");
  if (integrator == keys::automatic) choose_by_motion(request);
  if (possible.empty() && plan.independent_count() > 0)
    throw InputError("formulation: kinematic motion needs every degree of freedom driven, but " +
                     std::to_string(plan.independent_count()) +
                     (plan.independent_count() == 1 ? " is free" : " are free") +
                     (plan.singular_start > 0 ? " at the start, which is singular; start beside it"
                      : plan.followed_states.empty()
                          ? "; add constraints that drive them"
                          : ", states among them; take another formulation"));
  if (traits.has_clock) request.tableau = make_tableau(request.analysis);
}

void check_events(const MotionRequest& request, const std::string& origin) {
  const Plan& plan = *request.plan;
  if (plan.events.empty()) return;
  const auto event = [&](const kernels::EventEntry& entry) {
    return in_quotes(plan.law_names[static_cast<std::size_t>(entry.when)]);
  };
  if (!request.is_adaptive())
    reject(
        "integrator", "found " + in_quotes(request.analysis.integrator),
        "the event " + event(plan.events[0]) +
            " comes at a time of its own, and steps of a fixed length do not end there",
        R"(use "auto", "dop853", "dopri5", "rodas5p", or "radau5" or "radau9" with rtol; leave "step" out)");
  for (std::size_t o = 0; o < plan.objectives.size(); ++o)
    if (kernels::is_searched(plan.objectives[o].kind))
      reject(origin + ": /objectives/" + plan.objective_names[o].name,
             "found a search for an extremum or a passage",
             "the motion may jump at the event " + event(plan.events[0]),
             "let an event set a state to the time t, or to the expression where its rate passes "
             "zero, and take that state");
  for (const kernels::EventEntry& entry : plan.events)
    if (entry.impulse >= 0)
      for (const int law : plan.algebraic_laws)
        if (plan.laws[static_cast<std::size_t>(law)].vanishes == 0)
          reject("model", "found the impact " + event(entry),
                 plan.unknown_name(law) +
                     " depends on accelerations or reactions, which an impact makes infinite",
                 "let the force depend on positions and velocities alone");
}

void check_projections(const MotionRequest& request, const Model& model, const Options& options,
                       const std::string& origin) {
  const Analysis& analysis = request.analysis;
  const bool damped =
      (analysis.integrator == keys::generalised_alpha || analysis.integrator == keys::hht) &&
      analysis.spectral_radius < 1.0;
  if (!request.formulation->has_stages || analysis.projections != "none" || damped ||
      ties(*request.plan).empty())
    return;
  const std::string why = "without projections " + in_quotes(analysis.integrator) +
                          " lets accelerations and reactions oscillate, however short the step";
  const std::string hint =
      "use another kind of projections, or \"generalised-alpha\" with a spectral radius below 1";
  for (const Sensor& sensor : model.sensors)
    if (kind_of(sensor).level == MotionLevel::acceleration)
      reject(origin + ": /sensors/" + sensor.name,
             "found a sensor of kind " + in_quotes(sensor.type), why,
             hint + ", or leave the sensor out");
  if (options.log && options.record)
    options.log("projections: the recorded accelerations are wrong (" + why + "), " + hint);
}

}  // namespace gradus
