// The verb `describe`: what the plan made of a model.
#include <algorithm>

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/model/states.hpp"
#include "src/motion/design_run.hpp"
#include "src/motion/equilibrium.hpp"

namespace gradus {
namespace {

std::string type_name(JointType type) {
  return std::string(keys::joint_types.at(static_cast<std::size_t>(type)));
}

bool counts_turns(const Model& model, const Plan& plan, const HeldRow& row) {
  const std::string& name = plan.coordinate_names[static_cast<std::size_t>(row.coordinate)].name;
  return std::any_of(model.states.begin(), model.states.end(), [&](const State& state) {
    return !state.turn.empty() && disc_of_state(state.name) == name;
  });
}

std::size_t lasting_constraints(const Plan& plan) {
  return plan.constraints.size() - static_cast<std::size_t>(plan.start_constraints);
}

// What holds the start, though it is no coordinate of the plan.
std::string held_name(const Model& model, const JointStart& start) {
  if (start.turn >= 0) return start.joint + " about " + "xyz"[start.turn];
  for (const Joint& loop : model.loops)
    if (loop.name == start.joint && coordinate_count(loop.type) == 1) return start.joint;
  return start.joint + "." + std::to_string(start.coordinate);
}

std::vector<Description::BodyLine> tree_lines(const Plan& plan) {
  std::vector<Description::BodyLine> lines;
  const std::size_t count = plan.bodies.size() - static_cast<std::size_t>(plan.state_count);
  for (std::size_t i = 0; i < count; ++i) {
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
    for (std::size_t k = 0; k < lasting_constraints(plan); ++k)
      if (plan.constraint_names[k] == loop.name)
        line.equations += static_cast<std::size_t>(plan.constraints[k].rows);
    lines.push_back(line);
  }
  return lines;
}

std::vector<Description::DrawnLine> drawn_lines(const Model& model) {
  std::vector<Description::DrawnLine> lines;
  for (const Joint& joint : model.joints)
    if (!joint.in_common.empty())
      lines.push_back({joint.name, type_name(joint.type),
                       joint.parent.substr(0, joint.parent.find('.')),
                       joint.child.substr(0, joint.child.find('.')), joint.in_common});
  return lines;
}

// Those of the model; start values of joints, which come last, are no constraints of it.
std::vector<Description::ConstraintLine> constraint_lines(const Plan& plan,
                                                          const SpanningTree& tree) {
  const Model& model = tree.model;
  std::vector<Description::ConstraintLine> lines;
  for (std::size_t k = 0; k + tree.start.size() < plan.constraints.size(); ++k) {
    const std::string& name = plan.constraint_names[k];
    const auto closes = [&](const Joint& loop) { return loop.name == name; };
    if (std::any_of(model.loops.begin(), model.loops.end(), closes)) continue;
    const bool norm = plan.constraints[k].kind == kernels::ConstraintKind::normalisation;
    const bool starts = k >= lasting_constraints(plan);
    lines.push_back({norm     ? "Euler parameters of " + name
                     : starts ? name + " (at the start)"
                              : name,
                     static_cast<std::size_t>(plan.constraints[k].rows)});
  }
  return lines;
}

}  // namespace

Description describe(const Model& model) {
  Options options;
  options.backend = "cpu";
  const DesignRun run(model, options);
  const Plan& plan = run.plan();
  Description d;
  d.model = model.name;
  d.formulation = run.request().formulation->name;
  d.integrator = run.request().analysis.integrator;
  d.stiff_integrator = run.request().stiff_integrator;
  const SpanningTree& tree = run.mechanism().tree();
  d.cut = tree.cut;
  d.reversed = tree.reversed;
  d.added = tree.added;
  d.tree = tree_lines(plan);
  d.constraints = constraint_lines(plan, tree);
  d.loops = loop_lines(plan, tree.model);
  d.drawn = drawn_lines(model);
  d.coordinate_kind = run.request().analysis.coordinates;
  for (const State& state : tree.model.states) d.turn_counts += state.turn.empty() ? 0 : 1;
  std::size_t unseen = d.turn_counts;
  for (int c = 0; c < plan.coordinate_count(); ++c) unseen += is_impulse(plan, c) ? 1 : 0;
  d.coordinates = plan.coordinates.size() - unseen;
  d.constraint_equations = static_cast<std::size_t>(plan.constraint_rows - plan.start_rows);
  d.redundant_equations = static_cast<std::size_t>(run.mobility().redundant);
  // The constraints may determine more than the held start values leave to them.
  const int found = plan.constraint_rows - plan.start_rows - run.mobility().redundant;
  const int rank =
      plan.singular_start > 0 ? plan.constraint_rank() : std::max(plan.constraint_rank(), found);
  d.constraint_rank = static_cast<std::size_t>(rank);
  for (const HeldRow& row : run.mobility().completed) d.completed.push_back(held_name(plan, row));
  for (const HeldRow& row : plan.released_rows) d.released.push_back(held_name(plan, row));
  d.start = plan.from_equilibrium == 0
                ? std::string(keys::stated)
                : std::string(keys::equilibrium) + ", " +
                      equilibrium_text(report_equilibrium(run.request(), plan.nominal));
  d.degrees_of_freedom = static_cast<std::size_t>(plan.coordinate_count() - rank) - unseen;
  for (const JointStart& start : tree.start)
    d.independent_coordinates.push_back(held_name(tree.model, start));
  for (const HeldRow& row : plan.held_rows)
    if (!counts_turns(tree.model, plan, row) && !is_impulse(plan, row.coordinate))
      d.independent_coordinates.push_back(held_name(plan, row));
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    d.parameters.push_back({model.parameters[p].name, model.parameters[p].unit});
    std::vector<std::string>& touched = d.touches[model.parameters[p].name];
    for (int k = plan.partial_begin[p]; k < plan.partial_begin[p + 1]; ++k) {
      // A force has a law for each component.
      const std::string& name = plan.partial_names[static_cast<std::size_t>(k)];
      if (std::ranges::find(touched, name) == touched.end()) touched.push_back(name);
    }
  }
  d.parameter_values = plan.nominal;
  for (const NamedUnit& objective : plan.objective_names) d.objectives.push_back(objective.name);
  for (const Sensor& sensor : run.model().sensors) d.sensors.push_back(sensor.name);
  for (const std::string& state : states_of(run.model())) d.states.push_back(state);
  for (const Event& event : run.model().events) d.events.push_back(event.name);
  d.backends = backend_lines();
  return d;
}

std::vector<std::string> describe_backends() {
  return backend_lines();
}

std::string version() {
  return GRADUS_VERSION;
}

}  // namespace gradus
