// What users are told: by the verb `describe`, what the plan made of a model, and why designs
// failed.
#include <algorithm>
#include <limits>

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/massless.hpp"
#include "src/motion/mechanism.hpp"

namespace gradus {
namespace {

std::string type_name(JointType type) {
  return std::string(keys::joint_types.at(static_cast<std::size_t>(type)));
}

std::string held_name(const Plan& plan, const HeldRow& row) {
  const std::string name = plan.coordinate_names[static_cast<std::size_t>(row.coordinate)].name;
  return row.turn < 0 ? name : name.substr(0, name.rfind('.')) + " about " + "xyz"[row.turn];
}

std::vector<Description::BodyLine> tree_lines(const Plan& plan) {
  std::vector<Description::BodyLine> lines;
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    Description::BodyLine line;
    line.body = plan.body_names[i];
    line.joint = plan.joint_names[i];
    const int parent = plan.bodies[i].parent;
    line.parent = parent < 0 ? "ground" : plan.body_names[static_cast<std::size_t>(parent)];
    line.type = type_name(static_cast<JointType>(plan.bodies[i].joint));
    for (int k = 0; k < plan.bodies[i].coordinate_count; ++k)
      line.coordinates.push_back(
          plan.coordinate_names[static_cast<std::size_t>(plan.bodies[i].first_coordinate + k)]
              .name);
    lines.push_back(line);
  }
  return lines;
}

std::vector<Description::LoopLine> loop_lines(const Plan& plan, const Model& model) {
  std::vector<Description::LoopLine> lines;
  for (const Joint& loop : model.loops) {
    Description::LoopLine line{loop.name, type_name(loop.type), loop.parent, loop.child, 0};
    for (std::size_t k = 0; k < plan.constraints.size(); ++k)
      if (plan.constraint_names[k] == loop.name)
        line.equations += static_cast<std::size_t>(plan.constraints[k].rows);
    lines.push_back(line);
  }
  return lines;
}

std::vector<Description::ConstraintLine> constraint_lines(const Plan& plan, const Model& model) {
  std::vector<Description::ConstraintLine> lines;
  for (std::size_t k = 0; k < plan.constraints.size(); ++k) {
    const std::string& name = plan.constraint_names[k];
    const auto closes = [&](const Joint& loop) { return loop.name == name; };
    if (std::any_of(model.loops.begin(), model.loops.end(), closes)) continue;
    const bool norm = plan.constraints[k].kind == kernels::ConstraintKind::normalisation;
    const bool starts =
        k + static_cast<std::size_t>(plan.start_constraints) >= plan.constraints.size();
    lines.push_back({norm     ? "Euler parameters of " + name
                     : starts ? name + " (at the start)"
                              : name,
                     static_cast<std::size_t>(plan.constraints[k].rows)});
  }
  return lines;
}

// The constraint of a row.
std::string blamed(const Plan& plan, double row) {
  for (std::size_t k = 0; k < plan.constraints.size(); ++k)
    if (row < plan.constraints[k].row + plan.constraints[k].rows)
      return in_quotes(plan.constraint_names[k]);
  return "a constraint";
}

// Whose motion moves no inertia.
std::string massless_motion(const MotionRequest& request, std::span<const double> parameters) {
  const std::vector<std::string> joints = massless_joints(request, parameters);
  if (joints.empty()) return "some motion";
  return "a motion of " + quoted_list(joints);
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::string counts(const Plan& plan) {
  return std::to_string(plan.coordinate_count()) + " coordinates of which " +
         std::to_string(plan.held.size()) + " are held and " +
         std::to_string(plan.coordinates.size() - plan.held.size()) + " are guesses for the loops" +
         (plan.start_rows > 0 ? " and what holds at the start" : "") + " to determine";
}

}  // namespace

Description describe(const Model& model) {
  Options options;
  options.backend = "cpu";
  const DesignRun run(model, options);
  const Plan& plan = run.plan();
  Description d;
  d.model = model.name;
  const SpanningTree tree = spanning_tree(model, model.name);
  d.cut = tree.cut;
  d.reversed = tree.reversed;
  d.added = tree.added;
  d.tree = tree_lines(plan);
  d.constraints = constraint_lines(plan, tree.model);
  d.loops = loop_lines(plan, tree.model);
  d.coordinates = plan.coordinates.size();
  d.constraint_equations = static_cast<std::size_t>(plan.constraint_rows - plan.start_rows);
  d.constraint_rank = static_cast<std::size_t>(plan.constraint_rank());
  d.redundant_equations = static_cast<std::size_t>(run.mobility().redundant);
  for (const HeldRow& row : run.mobility().completed) d.completed.push_back(held_name(plan, row));
  d.degrees_of_freedom = static_cast<std::size_t>(plan.independent_count());
  for (const HeldRow& row : plan.held_rows)
    d.independent_coordinates.push_back(held_name(plan, row));
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    d.parameters.push_back({model.parameters[p].name, model.parameters[p].unit});
    std::vector<std::string>& touched = d.touches[model.parameters[p].name];
    for (int k = plan.partial_begin[p]; k < plan.partial_begin[p + 1]; ++k)
      touched.push_back(plan.partial_names[static_cast<std::size_t>(k)]);
  }
  d.parameter_values = plan.nominal;
  for (const NamedUnit& objective : plan.objective_names) d.objectives.push_back(objective.name);
  for (const Sensor& sensor : model.sensors) d.sensors.push_back(sensor.name);
  d.backends = backend_lines();
  return d;
}

std::string failure_message(kernels::Status status, const MotionRequest& request, double violated,
                            std::span<const double> parameters) {
  using kernels::Status;
  const Plan& plan = *request.plan;
  switch (status) {
    case Status::ok:
      return "";
    case Status::invalid_number:
      return "a physical number is infinite or undefined at these parameter values, or its "
             "derivative is (an expression of the model divides by zero or leaves its domain)";
    case Status::negative_mass:
      return "a mass is negative at these parameter values";
    case Status::loop_open:
      return "the loops cannot be closed (" + blamed(plan, violated) + " is open most, of " +
             quoted_list(ties(plan, true), kAll) +
             "): no position with the held coordinates satisfies them, or the guesses are too far "
             "away; check lengths, held values and guesses";
    case Status::constraint_violated:
      return "the equations of " + blamed(plan, violated) +
             " stopped holding: they depended on the others where the motion began, but not from "
             "there on, or contradict them; look for what ties the mechanism once too often, or "
             "start where it does not seem to";
    case Status::singular_passed:
      return "the motion passes through a singular configuration near " + blamed(plan, violated) +
             ", where it has more than one way to go on and no gradient leads through; "
             "shorten the motion, or give --singular warn";
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
      return "the mass matrix is singular: " + massless_motion(request, parameters) +
             " moves no inertia; give the bodies mass and inertia, or fix them";
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
             "zero, leaves its domain or overflows, or has no derivative where the motion passes";
    case Status::sensor_not_finite:
      return "the sensitivity of a sensor became infinite or undefined: it has no derivative where "
             "the motion passes, as a distance at zero; leave out --columns, or the sensor";
  }
  return "unknown failure";
}

std::vector<std::string> describe_backends() {
  return backend_lines();
}

std::string version() {
  return GRADUS_VERSION;
}

}  // namespace gradus
