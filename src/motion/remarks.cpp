// Lines about what nobody asked for, but whoever runs the mechanism should know.
#include "src/motion/remarks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/motion/equilibrium.hpp"
#include "src/motion/failure.hpp"

namespace gradus {
namespace {

// Angles are counted on over turns; so many have lost the digits that tolerances ask for, and are
// hardly meant.
constexpr double kLargeAngle = 1e6;  // rad

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

// A jump is reached at another time by each neighbour, which derivatives of the motion between
// jumps know nothing of.
void remark_on_jumps(const Result& result, const Log& log) {
  if (result.jump.empty() || result.method == "none" || result.objectives.empty()) return;
  const Concerned designs = concerned(result, [&](std::size_t d) { return result.jump[d] > 0.0; });
  if (designs.empty()) return;
  log("jump: accelerations jump in " + motions_text(designs, result) + ", in that of design " +
      std::to_string(designs[0]) + " at " + rounded_text(result.jump[designs[0]], 6) +
      " s; the gradient lacks what the jump adds, make the force continuous there, or what is "
      "prescribed, or the rate of a state that a constraint reads, smoother");
}

// Another integrator than others run by, or one that would have had far less to do.
void remark_on_stiffness(const Result& result, const Log& log) {
  if (result.stiff_since.empty()) return;
  const auto is_stiff = [&](std::size_t d, bool is_switched) {
    const bool switched = !result.switched.empty() && result.switched[d] > 0.0;
    return result.stiff_since[d] > 0.0 && switched == is_switched;
  };
  const auto since = [&](const Concerned& designs) {
    return ", that of design " + std::to_string(designs[0]) + " from " +
           rounded_text(result.stiff_since[designs[0]], 3) + " s on at the latest; ";
  };
  const Concerned switched = concerned(result, [&](std::size_t d) { return is_stiff(d, true); });
  if (!switched.empty())
    log("stiff: " + motions_text(switched, result) + " are stiff" + since(switched) +
        result.stiff_integrator + " ran them from the start");
  const Concerned others = concerned(result, [&](std::size_t d) { return is_stiff(d, false); });
  if (!others.empty())
    log("stiff: " + motions_text(others, result) + " are stiff" + since(others) +
        (result.switched.empty()
             ? "an implicit integrator may take far fewer steps than " + result.integrator +
                   " (radau9, or auto, which changes over by itself)"
             : "the integrator for such motions did not get through, " + result.integrator +
                   " did"));
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
      "jump, that of design " +
      std::to_string(most) + " " + to_text(result.rejected_steps[most]) +
      " times; a shorter step needs no halving");
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

}  // namespace

void remark_on_motions(const Result& result, const Log& log) {
  remark_on_refusals(result, log);
  remark_on_passages(result, log);
  remark_on_jumps(result, log);
  remark_on_stiffness(result, log);
  remark_on_halved_steps(result, log);
  remark_on_extrapolations(result, log);
}

void remark_on_angles(const LargestAngle& largest, const Plan& plan, const Options& options) {
  if (largest.size < kLargeAngle || !options.log) return;
  options.log("motion: " + in_quotes(plan.coordinate_names[largest.coordinate].name) +
              " of design " + std::to_string(largest.design) + " ends at " +
              rounded_text(largest.size, 3) +
              " rad; a motion that turns so often has lost its digits, or has exploded: reduce the "
              "step");
}

void remark_on_singular_start(const Plan& plan, const std::string& singular, const Log& log) {
  if (!log || singular != "warn" || plan.singular_start == 0) return;
  log("singular: the motion begins in a singular configuration of " +
      in_quotes(name_of_singular_start(plan)) +
      (plan.start_shift.empty() ? ", with the rank that its constraints have there"
                                : ", and therefore 1e-4 (rad or arms) beside it, on one of its "
                                  "ways") +
      "; it has no gradient");
}

void remark_on_equilibrium(const MotionRequest& request, const std::vector<double>& parameters,
                           const Options& options) {
  if (!options.log || request.plan->from_equilibrium == 0) return;
  const EquilibriumReport report = report_equilibrium(request, parameters);
  if (report.stability == Stability::open || report.stability == Stability::kept)
    options.log("start: the equilibrium is " + equilibrium_text(report));
  if (report.stability == Stability::unstable)
    options.log("start: the equilibrium is " + equilibrium_text(report) +
                ", which the stated positions led to; state others nearer to a stable one if that "
                "is not meant");
  if (const std::string lost = lost_digits_text(report); !lost.empty())
    options.log("start: " + lost);
}

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

// Numbers that there are not are no matter of remarks: the designs fail and say so.
void remark_on_friction(const Model& model, const Options& options) try {
  if (!options.log) return;
  Model as_run = model;
  for (Parameter& parameter : as_run.parameters)
    if (const auto set = options.set.find(parameter.name); set != options.set.end()) {
      parameter.value = set->second;
      parameter.bounds.reset();
    }
  NominalValues nominal(as_run, model.name);
  std::map<std::string, std::string> on_joint;  // the force that was there before
  for (const Force& force : as_run.forces) {
    const ForceKind* const kind = find_force_kind(force.type);
    if (kind == nullptr || kind->on_joint == nullptr) continue;
    const auto value_of = [&](const char* key) {
      const ForceValue* const found = force.find(key);
      return found == nullptr ? std::nan("") : nominal.value(found->number(), model.name);
    };
    const double at_rest = value_of("static"), dynamic = value_of("dynamic");
    if (at_rest < dynamic)
      options.log("friction: " + in_quotes(force.name) + " is static " + to_text(at_rest) +
                  " and dynamic " + to_text(dynamic) +
                  ", less at rest than when sliding; the other way round is usual");
    const auto [before, is_first] = on_joint.emplace(text_of(force, "joint"), force.name);
    if (!is_first)
      options.log("friction: " + in_quotes(before->second) + " and " + in_quotes(force.name) +
                  " both act in the joint " + in_quotes(before->first) + ", and add up");
  }
} catch (const InputError&) {
}

}  // namespace gradus
