// Why designs failed, as users are told: what went wrong, what it went wrong with, and what helps.
// What holds at the start and fails later has other causes than what never held.
#include "src/motion/failure.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "src/model/message.hpp"
#include "src/motion/coincident_ends.hpp"
#include "src/motion/equilibrium.hpp"
#include "src/motion/event_failure.hpp"
#include "src/motion/massless.hpp"
#include "src/motion/mobility.hpp"
#include "src/motion/suspect_laws.hpp"
#include "src/motion/undefined_numbers.hpp"

namespace gradus {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Of the rows of the constraints: round-off is more than what positions of loops may be off by.
constexpr double kLargestScale = 1e6;

// The name of what has this row of the constraints, or nothing: one that the model states, or the
// joint of Euler parameters whose length it is.
std::string owner_of(const Plan& plan, double row, bool of_euler_parameters) {
  for (std::size_t k = 0; row > 0.0 && k < plan.constraints.size(); ++k) {
    if (row > plan.constraints[k].row + plan.constraints[k].rows) continue;
    const bool is_length = plan.constraints[k].kind == kernels::ConstraintKind::normalisation;
    return is_length == of_euler_parameters ? in_quotes(plan.constraint_names[k]) : "";
  }
  return "";
}

std::string constraint_of(const Plan& plan, double row) {
  return owner_of(plan, row, false);
}

// What turns so far within a step that Euler parameters cannot follow; empty if they are not to
// blame.
std::string turns_too_far(const Plan& plan, double row) {
  const std::string joint = owner_of(plan, row, true);
  if (joint.empty()) return "";
  return "the Euler parameters of " + joint +
         " lost their length (the motion turns too far within a step, or has grown beyond all "
         "bounds); reduce the step";
}

std::string constraint_or_some(const Plan& plan, double row) {
  const std::string name = constraint_of(plan, row);
  return name.empty() ? "a constraint" : name;
}

std::string counts(const Plan& plan) {
  return std::to_string(plan.coordinate_count()) + " coordinates of which " +
         std::to_string(plan.held.size()) + " are held and " +
         std::to_string(plan.coordinates.size() - plan.held.size()) + " are guesses for the loops" +
         (plan.start_rows > 0 ? " and what holds at the start" : "") + " to determine";
}

std::string points_coincide(const std::vector<std::string>& laws) {
  return "the points between which " + quoted_list(laws) +
         " acts coincide at the start, so that it has no direction there; move one of them";
}

std::string not_finite(const MotionRequest& request, std::span<const double> parameters) {
  const std::vector<std::string> undirected = laws_of_coincident_ends(request, parameters);
  if (!undirected.empty()) return points_coincide(undirected);
  const std::string where = where_undefined(*request.plan);
  return "the motion became infinite or undefined: it has grown beyond all bounds, as too long a "
         "step lets it, or has come to a singular configuration" +
         (where.empty() ? "" : " or to " + where) + "; reduce the step, or shorten the motion";
}

std::string loop_open(const MotionRequest& request, double row, bool begins,
                      std::span<const double> parameters) {
  const Plan& plan = *request.plan;
  const std::string turn = turns_too_far(plan, row);
  const std::vector<std::string> names = ties(plan, true);
  if (!turn.empty() && (!begins || names.empty())) return turn;
  if (names.empty()) return not_finite(request, parameters);
  const std::string open =
      turn.empty() ? constraint_or_some(plan, row) + " stays open" +
                         (names.size() > 1 ? " most, of " + quoted_list(names, kAll) : "")
                   : "the search turned " + owner_of(plan, row, true) + " beyond all bounds, for " +
                         quoted_list(names, kAll);
  const std::string what =
      "the loops cannot be closed" + std::string(begins ? "" : " any more") + " (" + open + "): ";
  if (!begins)
    return what +
           "no position near the last satisfies them; shorten the motion, reduce the step, "
           "or look for what ties the mechanism once too often";
  if (plan.from_equilibrium != 0)
    return what +
           "no position near the stated ones satisfies them, or the search for an equilibrium went "
           "where none does; check lengths, and state positions nearer to the equilibrium";
  if (plan.constraint_scale > kLargestScale)
    return what + "with numbers of about " + rounded_text(plan.constraint_scale, 1) +
           " in them, their round-off is more than they may be open by; use units in which lengths "
           "are about 1";
  return what +
         "no position with the held coordinates satisfies them, or the guesses are too far "
         "away; check lengths, held values and guesses";
}

std::string constraint_violated(const Plan& plan, double row, bool drifts) {
  const std::string turn = turns_too_far(plan, row);
  if (!turn.empty()) return turn;
  if (drifts)
    return "the equations of " + constraint_or_some(plan, row) +
           " stopped holding: nothing corrects how they drift, or they depended on the others "
           "where the motion began only, or contradict them; use projections, reduce the step, or "
           "look for what ties the mechanism once too often";
  return "the equations of " + constraint_or_some(plan, row) +
         " stopped holding: they depended on the others where the motion began, but not from there "
         "on, or contradict them; look for what ties the mechanism once too often, or start where "
         "it does not seem to";
}

std::string singular(const Plan& plan, double row, bool begins, bool fails) {
  const std::string name = constraint_or_some(plan, row);
  if (begins)
    return "the motion begins in a singular configuration of " + name +
           ", whose equations depend on others there and not beside it, so that it has more than "
           "one way to go, and no gradient; start beside it";
  if (!fails)
    return "the motion comes to a singular configuration near " + name +
           ", through which no step leads whose error can be controlled (adaptive steps go across "
           "where their error is below 1e-4); steps of fixed length may: choose another integrator "
           "with --step, or shorten the motion";
  return "the motion passes through a singular configuration near " + name +
         ", or nearer to one than its steps can follow, where it has more than one way to go on, "
         "or none if more is prescribed than it reaches, and no gradient leads through; shorten "
         "the motion, reduce the step or the tolerance "
         "--rtol, or give --singular warn";
}

std::string rank_too_low(const Plan& plan, bool begins) {
  if (begins)
    return "the loops determine fewer coordinates than are left to them (" + counts(plan) +
           "): the mechanism is in a singular configuration, or more initial positions must be "
           "values";
  return "the loops determine fewer coordinates than at the start: the motion has reached a "
         "singular configuration, or grown beyond all bounds; shorten it, or reduce the step";
}

std::string independents_singular(const Plan& plan, bool begins) {
  if (!plan.independents.empty())
    return "the independent expressions of the analysis do not determine the position (" +
           std::string(begins ? "where the motion begins" : "they did before") +
           "): list others, or leave them out, so that coordinates are chosen on the way";
  if (begins)
    return "the held coordinates do not determine the others (" + counts(plan) + "): hold others";
  return "the coordinates that are integrated do not determine the others any more: the motion has "
         "reached a singular configuration, or grown beyond all bounds; shorten it, or reduce the "
         "step";
}

std::string mass_singular(const MotionRequest& request, bool begins,
                          std::span<const double> parameters) {
  const std::vector<std::string> joints = massless_joints(request, parameters);
  if (!joints.empty())
    return "the mass matrix is singular: a motion of " + quoted_list(joints) +
           " moves no inertia; give the bodies mass and inertia, or fix them";
  const std::vector<std::string> undirected = laws_of_coincident_ends(request, parameters);
  if (!undirected.empty()) return points_coincide(undirected);
  if (begins && request.eliminates_ties()) return massless_before_ties(request);
  if (begins)
    return "the mass matrix is singular: some motion moves no inertia, or numbers are too large to "
           "be added to others; give the bodies mass and inertia, and use units in which lengths "
           "are about 1";
  return "the mass matrix became singular, which it was not at the start: the motion has grown "
         "beyond all bounds, as too long a step lets it, or has come to where some direction moves "
         "no inertia; reduce the step, or give the bodies mass and inertia";
}

std::string newton_diverged(const MotionRequest& request, double row) {
  const bool halves = request.settings().halves_steps != 0;
  const std::string found = std::string("the Newton iteration of a step did not converge") +
                            (request.is_adaptive() ? ", however short it is"
                             : halves              ? ", not even with a thousandth of it"
                                                   : "");
  const std::string name = constraint_of(*request.plan, row);
  if (!name.empty())
    return found + ", and the equations of " + name +
           " hold least; reduce the step, or look for what contradicts them";
  const std::string where = where_undefined(*request.plan);
  const std::string forces =
      "look for forces that jump" + (where.empty() ? "" : " and for " + where);
  return found + "; reduce the step, " +
         (request.tableau.stages > 0
              ? "use an explicit integrator, or " + forces
              : forces +
                    ", or use a formulation whose implicit integrators halve such steps "
                    "(index1 with radau5)");
}

std::string stiffness_singular(const std::vector<std::string>& joints) {
  const std::string whose = joints.empty() ? "some motion" : "a motion of " + quoted_list(joints);
  return "the static equilibrium to start from is one of many: " + whose +
         " meets no stiffness there (that of a contact without load vanishes as well), or so "
         "little that it is lost in the round-off of the largest forces and stiffnesses; hold it "
         "by a spring, or by a constraint at the start, or replace the stiffest springs by "
         "joints";
}

std::string equilibrium_missing(const Plan& plan, double blamed) {
  const auto coordinate = blamed > 0.0 ? static_cast<std::size_t>(blamed) - 1 : kAll;
  const std::vector<std::string> laws = laws_that_jump(plan);
  const std::string jumps =
      laws.empty() ? ""
                   : "; " + quoted_list(laws) +
                         " may jump past balance, by a division by an absolute value or by atan2";
  const std::string name = coordinate < plan.coordinate_names.size()
                               ? in_quotes(plan.coordinate_names[coordinate].name)
                               : "some coordinate";
  const auto states = static_cast<std::size_t>(plan.coordinate_count() - plan.state_count);
  if (coordinate >= states && coordinate < plan.coordinate_names.size())
    return "no static equilibrium was found to start from: the rate of " + name +
           " does not vanish where the search ended; it has to depend on the state itself, on "
           "others or on positions that can bring it to zero (a clock never rests, nor does the "
           "integral of what the equilibrium leaves as it is), or be zero; check the rate, or "
           "state positions and initial values nearer to the equilibrium" +
           jumps;
  return "no static equilibrium was found to start from (the forces on " + name +
         " are balanced least where the search ended): nothing holds it, or the stated positions "
         "are too far away; check springs and gravity, or state positions nearer to it" +
         jumps;
}

std::string step_too_small(const Plan& plan, double step) {
  return "no step is short enough for the accuracy asked for, not one of " + rounded_text(step, 3) +
         " s: the motion changes abruptly there, or --rtol and --atol ask for more than round-off "
         "allows; smooth the forces, or ask for less" +
         advice_on_jumps(plan) + advice_on_independents(plan);
}

std::string progress_too_slow(const MotionRequest& request, double step) {
  const std::string other =
      request.tableau.implicit ? "another integrator (dop853)" : "an implicit integrator (radau9)";
  return "the step became " + rounded_text(step, 3) +
         " s, and the last 10000 attempts came no further than 1e-4 of the duration: the motion is "
         "stiff there (a penalty, a large stiffness or damping), its forces are not smooth, or "
         "--rtol and --atol ask for more than round-off allows; use " +
         other +
         " or another formulation, smooth the forces, ask for less "
         "by --rtol and --atol, or shorten the motion" +
         advice_on_jumps(*request.plan) + advice_on_independents(*request.plan);
}

std::string too_many_steps(const MotionRequest& request, double step) {
  return rounded_text(request.analysis.max_steps, 9) +
         " steps (--max-steps) were not enough, and the last one was " + rounded_text(step, 3) +
         " s long: the motion grows without bound (a controller or a force that feeds it energy), "
         "is stiff or very long, or --rtol and --atol ask for much; look at it up to this time, "
         "allow "
         "more steps, or use steps of fixed length, with which motions that grow fail sooner";
}

std::string velocity_jumps(const Plan& plan, double row) {
  return "the velocities that " + constraint_or_some(plan, row) +
         " prescribes jump, or change so fast that a step this long cannot tell; a jump is an "
         "impact on everything that they leave free, and is not part of the motion by this "
         "formulation; "
         "reduce the step, round the corner of the expression (a spline that is neither linear nor "
         "extrapolated), or use --formulation ali3p with short steps" +
         advice_on_independents(plan);
}

std::string state_rate_jumps(const Plan& plan, double coordinate) {
  const auto c = static_cast<std::size_t>(coordinate);
  return "the rate of the " + in_quotes(plan.coordinate_names[c].name) +
         ", which a constraint reads, jumps, or changes so fast that a step this long misses it; a "
         "jump is an impact on everything that the constraint leaves free, and is not part of the "
         "motion; reduce the step, let an integrator choose it (auto), or smooth the rate";
}

std::string rank_too_high(const Plan& plan) {
  const std::vector<std::string> names = ties(plan, true);
  const auto& states = plan.followed_states;
  return "the loops determine more coordinates than are left to them (" + counts(plan) + "): " +
         (names.empty()       ? "they tie"
          : names.size() == 1 ? in_quotes(names[0]) + " ties"
                              : quoted_list(names, kAll) + " tie") +
         " the mechanism once too often and " + (names.size() == 1 ? "fits" : "fit") +
         " in this position only, or more initial positions must be guesses" +
         (states.empty() ? ""
                         : "; a constraint cannot determine states, which move by their rates "
                           "(here " +
                               quoted_list(states, kAll) +
                               "), and must leave something to follow each of them");
}

std::string objective_of(const Plan& plan, double blamed) {
  const auto objective = blamed < 0.0 ? static_cast<std::size_t>(-1.0 - blamed) : kAll;
  return objective < plan.objective_names.size()
             ? "the objective " + in_quotes(plan.objective_names[objective].name)
             : "an objective";
}

std::string objective_not_finite(const Plan& plan, double blamed) {
  return objective_of(plan, blamed) +
         " or its gradient became infinite or undefined: its expression divides by zero, leaves "
         "its domain or overflows, or has no derivative where the motion passes";
}

std::string algebraic_force(const Plan& plan, double blamed) {
  const auto unknown = blamed >= 0.0 ? static_cast<std::size_t>(blamed) : kAll;
  if (unknown >= plan.algebraic_laws.size()) return "a force";
  return plan.unknown_name(plan.algebraic_laws[unknown]);
}

bool is_vanishing(const Plan& plan, double blamed) {
  const auto unknown = blamed >= 0.0 ? static_cast<std::size_t>(blamed) : kAll;
  return unknown < plan.algebraic_laws.size() &&
         plan.laws[static_cast<std::size_t>(plan.algebraic_laws[unknown])].vanishes != 0;
}

std::string rate_law_name(const Plan& plan, double blamed) {
  const auto law = blamed >= 0.0 ? static_cast<std::size_t>(blamed) : kAll;
  if (law >= plan.rate_laws.size()) return "one";
  return in_quotes(plan.law_names[static_cast<std::size_t>(plan.rate_laws[law])]);
}

std::string released_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const HeldRow& row : plan.released_rows) names.push_back(held_name(plan, row));
  return quoted_list(names);
}

bool is_of_state(const Plan& plan, double blamed) {
  return algebraic_force(plan, blamed).starts_with("the state ");
}

std::string state_too_stiff(const Plan& plan, double blamed) {
  return algebraic_force(plan, blamed) +
         " could not be made to move at its rate: beside it what follows it is too light, or too "
         "heavy, for the digits of the numbers; choose a unit of the state in which it is about as "
         "large as what follows it";
}

std::string invalid_number(const Plan& plan, std::span<const double> parameters) {
  const std::string found = parameters_of_undefined_number(plan, parameters);
  return "a physical number is infinite or undefined at these parameter values" +
         (found.empty() ? "" : " (" + found + ")") +
         ", or its derivative is: an expression of the model divides by zero or leaves its domain, "
         "a coefficient or length of friction has the wrong sign, or Euler parameters are all "
         "zero, but for round-off";
}

std::string sample_not_finite(const Plan& plan, double blamed) {
  const auto sample = blamed > 0.0 ? static_cast<std::size_t>(blamed) - 1 : kAll;
  const std::string name =
      sample < plan.samples.size()
          ? "the " + plan.law_names[static_cast<std::size_t>(plan.samples[sample].law)]
          : "a sampled state";
  return name +
         " became infinite or undefined when it was sampled: its \"next\" divides by zero, leaves "
         "its domain or overflows, or the loop that it closes is unstable";
}

}  // namespace

std::string name_of_singular_start(const Plan& plan) {
  const std::string quoted =
      plan.singular_start > 0 ? constraint_of(plan, plan.singular_start) : "";
  return quoted.empty() ? "" : quoted.substr(1, quoted.size() - 2);
}

std::string failure_message(kernels::Status status, const MotionRequest& request, double blamed,
                            double time, std::span<const double> parameters) {
  using kernels::Status;
  const Plan& plan = *request.plan;
  const bool begins = !(time > 0.0);
  switch (status) {
    case Status::ok:
      return "";
    case Status::invalid_number:
      return invalid_number(plan, parameters);
    case Status::negative_mass:
      return "a mass is negative at these parameter values" + negative_mass(plan, parameters);
    case Status::negative_inertia:
      return "a principal moment of inertia is negative at these parameter values, which no "
             "distribution of mass has" +
             negative_inertia(plan, parameters);
    case Status::loop_open:
      return loop_open(request, blamed, begins, parameters);
    case Status::constraint_violated:
      return constraint_violated(plan, blamed, request.settings().drifts != 0);
    case Status::singular_passed:
      return singular(plan, blamed, begins, request.analysis.singular == "fail");
    case Status::rank_too_low:
      return rank_too_low(plan, begins);
    case Status::rank_too_high:
      return rank_too_high(plan);
    case Status::independents_singular:
      return independents_singular(plan, begins);
    case Status::mass_singular:
      return mass_singular(request, begins, parameters);
    case Status::newton_diverged:
      return newton_diverged(request, blamed);
    case Status::step_too_small:
      return step_too_small(plan, blamed);
    case Status::progress_too_slow:
      return progress_too_slow(request, blamed);
    case Status::too_many_steps:
      return too_many_steps(request, blamed);
    case Status::not_finite:
      return not_finite(request, parameters);
    case Status::objective_not_finite:
      return objective_not_finite(plan, blamed);
    case Status::objective_too_steep:
      return objective_of(plan, blamed) +
             " changes too abruptly there for the accuracy asked for, however short the step (as "
             "sqrt does where its argument begins at zero): write sqrt(x + 1e-6) for sqrt(x), "
             "search elsewhere (from, to), ask for less by --rtol and --atol, or take fixed steps "
             "(--integrator rk4)";
    case Status::passage_missing:
      return objective_of(plan, blamed) +
             " waits for its expression to pass zero, which happens too few times in the motion; "
             "give \"otherwise\", or a longer duration";
    case Status::passage_touches:
      return objective_of(plan, blamed) +
             " has no derivative: its expression touches zero rather than pass it";
    case Status::equilibrium_missing:
      return equilibrium_missing(plan, blamed);
    case Status::stiffness_singular:
      return stiffness_singular(report_equilibrium(request, parameters).joints);
    case Status::passage_jumps:
      return objective_of(plan, blamed) +
             " has no instant: its expression changes sign by a jump or through a pole rather than "
             "pass zero, growing towards it from both sides; use one that passes zero there, such "
             "as the denominator";
    case Status::velocity_jumps:
      return velocity_jumps(plan, blamed);
    case Status::state_rate_jumps:
      return state_rate_jumps(plan, blamed);
    case Status::algebraic_undefined:
      return algebraic_force(plan, blamed) +
             " became infinite or undefined, or has no derivative where the motion passes: its law "
             "divides by zero, leaves its domain, or takes the norm of what is zero";
    case Status::algebraic_unsolved:
      if (is_of_state(plan, blamed)) return state_too_stiff(plan, blamed);
      if (is_vanishing(plan, blamed))
        return algebraic_force(plan, blamed) +
               " was not found: there the nonholonomic constraints nearly depend on each other, or "
               "on others; let one of them give way";
      return algebraic_force(plan, blamed) +
             " was not found: the law that gives it from accelerations or reactions jumps, or has "
             "no solution because the force grows faster with them than they give way and jams "
             "the mechanism (Painleve's paradox); smooth the law, shorten the steps, or reduce the "
             "friction";
    case Status::algebraic_jammed:
      if (is_of_state(plan, blamed)) return state_too_stiff(plan, blamed);
      if (is_vanishing(plan, blamed))
        return algebraic_force(plan, blamed) +
               " is not determined: there the nonholonomic constraints depend on each other, or on "
               "others; let one of them give way";
      return algebraic_force(plan, blamed) +
             " grows faster with accelerations or reactions than these give way, so that it jams "
             "the mechanism (Painleve's paradox): no motion leads through; reduce the friction, or "
             "change the geometry";
    case Status::rates_singular:
      return "the rates that follow from nonholonomic constraints at the start (" +
             released_names(plan) +
             ") are not determined by them there: those of the nominal design are chosen, for all "
             "designs alike; state other rates, so that others follow, or change the nominal "
             "design";
    case Status::rate_lost:
      return "the nonholonomic constraint of " + rate_law_name(plan, blamed) +
             " does not hold any more: it jumps in time, or steps are too long to follow it; make "
             "it smooth, or reduce the step";
    case Status::sample_not_finite:
      return sample_not_finite(plan, blamed);
    case Status::event_undefined:
    case Status::events_chatter:
    case Status::event_unclear:
    case Status::impact_share:
    case Status::impact_singular:
    case Status::impact_begun:
    case Status::impact_rests:
      return event_failure(status, plan, blamed);
    case Status::stiff:
      return "the motion is stiff, and waits for an implicit integrator";
    case Status::left_pack:
      return "the design has left its pack, and waits to run alone";
    case Status::sensor_not_finite:
      return "the sensitivity of a sensor became infinite or undefined: it has no derivative where "
             "the motion passes, as a distance at zero; leave out --columns, or the sensor";
  }
  return "unknown failure";
}

}  // namespace gradus
