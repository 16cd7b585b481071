// Bodies that follow expressions.
#include "src/motion/independents.hpp"

#include <algorithm>
#include <memory>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/motion/design_run.hpp"

namespace gradus {
namespace {

constexpr const char* kFormulation = "matrix-r";

// In names points stand between bodies and what is theirs.
std::string follower_of(std::string expression) {
  std::replace(expression.begin(), expression.end(), '.', ' ');
  return "independent " + expression;
}

// Their values where the motion begins.
std::vector<double> values_at_start(const Model& model, const Options& options) {
  Model start = model;
  start.analysis = {};
  start.analysis.singular = "continue";
  start.analysis.formulation = "index1";
  start.analysis.integrator = "explicit-euler";
  start.analysis.duration = start.analysis.step = 1e-9;
  start.events.clear();
  start.objectives.clear();
  for (const std::string& expression : model.analysis.independent) {
    Objective value;
    value.name = follower_of(expression);
    value.kind = ObjectiveKind::value;
    value.expression = expression;
    value.at = {0.0};
    start.objectives.push_back(std::move(value));
  }
  Options own;
  own.set = options.set;
  own.reference = options.reference;
  own.backend = "cpu:1";
  const Result result =
      run_motion(std::make_shared<const CompiledMechanism>(std::move(start), own), own);
  if (result.status[0].ok) return result.objective_values;
  return std::vector<double>(model.analysis.independent.size(), 0.0);  // the run tells what fails
}

}  // namespace

bool integrates_independents(const Model& model, const Options& options,
                             const Extension& extension) {
  if (model.analysis.independent.empty()) return false;
  const std::string& formulation = options.formulation.value_or(model.analysis.formulation);
  std::string why;
  if (formulation != kFormulation) why = formulation + " integrates all coordinates";
  if (options.coordinates.value_or(model.analysis.coordinates) != keys::of_joints)
    why = "reference-point coordinates are chosen on the way";
  if (!extension.start_state.empty()) why = "start states of joints are exchanged";
  if (why.empty()) return true;
  if (options.log) options.log("independent: has no effect (" + why + ")");
  return false;
}

void add_followers(Model& model, const Options& options) {
  const std::string first = follower_of(model.analysis.independent.front());
  if (std::any_of(model.bodies.begin(), model.bodies.end(),
                  [&](const Body& body) { return body.name == first; }))
    return;  // a model that has been compiled before
  const std::vector<double> values = values_at_start(model, options);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& expression = model.analysis.independent[k];
    Body body;
    body.name = follower_of(expression);
    body.mass = 0;
    body.com = {0, 0, 0};
    body.inertia = {0, 0, 0, 0, 0, 0, "com"};
    Joint joint;
    joint.name = body.name;
    joint.type = JointType::prismatic;
    joint.parent = "ground";
    joint.child = body.name;
    joint.start = {{values[k], 0, true, true}};
    joint.cut = false;
    const std::string place = free_name(model, "independent_" + std::to_string(k + 1));
    model.sensors.push_back({place, "coordinate", joint.name, "", true});
    Constraint follow;
    follow.name = body.name;
    follow.type = "expression";
    follow.value = place + " - (" + expression + ")";
    follow.at_start = false;
    model.bodies.push_back(std::move(body));
    model.joints.push_back(std::move(joint));
    model.constraints.push_back(std::move(follow));
  }
}

void hold_followers(Plan& plan, const Model& model, const std::string& origin) {
  const auto count = static_cast<std::size_t>(plan.independent_count());
  const std::vector<std::string>& all = model.analysis.independent;
  if (all.size() != count)
    throw InputError(origin + ": /analysis/independent: found " +
                     counted(all.size(), "expression") +
                     ", expected as many as motions are free, " + std::to_string(count));
  for (const std::string& expression : all) {
    const auto joint =
        std::find(plan.joint_names.begin(), plan.joint_names.end(), follower_of(expression));
    const auto body = static_cast<std::size_t>(joint - plan.joint_names.begin());
    plan.independents.push_back(plan.bodies[body].first_coordinate);
  }
}

}  // namespace gradus
