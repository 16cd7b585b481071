// Texts of failures.
#include "src/motion/failure.hpp"

namespace gradus {
namespace {

std::string counts(const Plan& plan) {
  return std::to_string(plan.coordinate_count()) + " coordinates of which " +
         std::to_string(plan.held.size()) + " are held and " +
         std::to_string(plan.coordinates.size() - plan.held.size()) + " are guesses for the loops" +
         (plan.start_rows > 0 ? " and what holds at the start" : "") + " to determine";
}

std::string loops(const Plan& plan) {
  std::string names;
  for (std::size_t k = 0; k < plan.constraint_names.size(); ++k) {
    const bool norm = plan.constraints[k].kind == kernels::ConstraintKind::normalisation;
    const bool again = k > 0 && plan.constraint_names[k] == plan.constraint_names[k - 1];
    if (norm || again) continue;
    names += (names.empty() ? "\"" : ", \"") + plan.constraint_names[k] + "\"";
  }
  return names;
}

}  // namespace

std::string failure_message(kernels::Status status, const Plan& plan) {
  using kernels::Status;
  switch (status) {
    case Status::ok:
      return "";
    case Status::invalid_number:
      return "a physical number is infinite or undefined at these parameter values, or its "
             "derivative "
             "is (an expression of the model divides by zero or leaves its domain)";
    case Status::negative_mass:
      return "a mass is negative at these parameter values";
    case Status::loop_open:
      return "the loops cannot be closed (loop " + loops(plan) +
             "): no position with the held coordinates satisfies them, or the guesses are too far "
             "away; check lengths, held "
             "values and guesses";
    case Status::rank_too_low:
      return "the loops determine fewer coordinates than are left to them (" + counts(plan) +
             "): the mechanism is in a singular configuration, or more initial positions must be "
             "values";
    case Status::rank_too_high:
      return "the loops determine more coordinates than are left to them (" + counts(plan) +
             "): make more initial positions guesses";
    case Status::independents_singular:
      return "the held coordinates do not determine the others (" + counts(plan) + "): hold others";
    case Status::mass_singular:
      return "the mass matrix is singular: some motion moves no inertia; give the bodies mass and "
             "inertia";
    case Status::newton_diverged:
      return "the Newton iteration of a step did not converge; reduce the step";
    case Status::step_too_small:
      return "no step is short enough for the accuracy asked for: the motion changes abruptly, or "
             "--rtol and --atol ask for more than round-off allows";
    case Status::not_finite:
      return "the motion became infinite or undefined; reduce the step, or look for a singular "
             "configuration";
    case Status::objective_not_finite:
      return "an objective or its gradient became infinite or undefined: its expression divides by "
             "zero, leaves its "
             "domain or overflows, or has no derivative where the motion passes";
    case Status::sensor_not_finite:
      return "the sensitivity of a sensor became infinite or undefined: it has no derivative where "
             "the motion passes, as a distance at zero; leave out --columns, or the sensor";
  }
  return "unknown failure";
}

}  // namespace gradus
