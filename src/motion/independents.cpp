// Bodies that follow expressions.
#include "src/motion/independents.hpp"

#include <algorithm>
#include <memory>
#include <set>

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

// The place among bodies, or joints, of the first disc of a state: those come last.
template <class Element>
std::ptrdiff_t first_disc(const std::vector<Element>& elements, const Model& model) {
  std::set<std::string> discs;
  for (const std::string& state : states_of(model)) discs.insert(disc_of_state(state));
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const Element& element) {
    return discs.contains(element.name);
  });
  return found - elements.begin();
}

template <class Element>
void require_free_name(const std::vector<Element>& elements, const std::string& name) {
  if (std::any_of(elements.begin(), elements.end(),
                  [&](const Element& element) { return element.name == name; }))
    throw InputError("/analysis/independent: found " + in_quotes(name) +
                     " among bodies, joints or constraints (an expression gets a body of that "
                     "name), rename it");
}

// Motions that are free, without what states add.
std::size_t motions_to_list(const Plan& plan) {
  return static_cast<std::size_t>(plan.independent_count() - plan.state_count);
}

// The values of the expressions where the motion begins.
std::vector<double> values_at_start(const Model& model, const Options& options) {
  Model start = model;
  start.analysis = {};
  start.analysis.singular = "continue";
  start.analysis.formulation = "index1";
  start.analysis.integrator = "dopri5";  // which goes with events
  start.analysis.duration = start.analysis.step = 1e-9;
  start.objectives.clear();
  for (const std::string& expression : model.analysis.independent) {
    Objective value;
    value.name = "expression " + std::to_string(start.objectives.size() + 1);
    value.kind = ObjectiveKind::value;
    value.expression = expression;
    value.at = {0.0};
    start.objectives.push_back(std::move(value));
  }
  Options own;
  own.set = options.set;
  own.reference = options.reference;
  own.backend = "cpu:1";
  const auto mechanism = std::make_shared<const CompiledMechanism>(std::move(start), own);
  if (const std::size_t wanted = motions_to_list(mechanism->plan());
      wanted != model.analysis.independent.size())
    throw InputError("found " + counted(model.analysis.independent.size(), "expression") +
                     ", expected as many as motions are free, " + std::to_string(wanted));
  const Result result = run_motion(mechanism, own);
  if (result.status[0].ok) return result.objective_values;
  return std::vector<double>(model.analysis.independent.size(), 0.0);  // the run tells what fails
}

// Of bodies that follow expressions, which sensors show that gradus keeps.
std::vector<std::string> followers_of(const Model& model) {
  std::set<std::string> names;
  for (const std::string& expression : model.analysis.independent)
    names.insert(follower_of(expression));
  std::vector<std::string> found;
  for (const Sensor& sensor : model.sensors)
    if (sensor.is_added && sensor.type == "coordinate" && names.contains(sensor.target))
      found.push_back(sensor.target);
  return found;
}

std::vector<int> coordinates_of_followers(const Plan& plan, const Model& model) {
  std::vector<int> coordinates;
  for (const std::string& follower : followers_of(model)) {
    const auto joint = std::find(plan.joint_names.begin(), plan.joint_names.end(), follower);
    const auto body = static_cast<std::size_t>(joint - plan.joint_names.begin());
    coordinates.push_back(plan.bodies[body].first_coordinate);
  }
  return coordinates;
}

// What follows an expression slides on the ground and has no mass.
void add_follower(const std::string& expression, double value, const std::string& sensor,
                  Model& model) {
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
  joint.start = {{value, 0, true, true}};
  joint.cut = false;
  Constraint follow;
  follow.name = body.name;
  follow.type = "expression";
  follow.value = "(" + expression + ") - " + sensor;
  follow.at_start = false;
  require_free_name(model.bodies, body.name);
  require_free_name(model.joints, body.name);
  require_free_name(model.loops, body.name);
  require_free_name(model.constraints, body.name);
  model.sensors.push_back({sensor, "coordinate", joint.name, "", true});
  model.bodies.insert(model.bodies.begin() + first_disc(model.bodies, model), std::move(body));
  model.joints.insert(model.joints.begin() + first_disc(model.joints, model), std::move(joint));
  model.constraints.push_back(std::move(follow));
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
  if (!followers_of(model).empty()) return;  // a model that has been compiled before
  std::vector<double> values;
  try {
    values = values_at_start(model, options);
  } catch (const InputError& error) {
    throw InputError("/analysis/independent: " + std::string(error.what()));
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    add_follower(model.analysis.independent[k], values[k],
                 free_name(model, "independent_" + std::to_string(k + 1)), model);
}

void follow_from_the_start(Plan& plan, const Model& model) {
  for (const int coordinate : coordinates_of_followers(plan, model))
    std::erase_if(plan.guesses, [&](const HeldRow& row) { return row.coordinate == coordinate; });
}

void hold_followers(Plan& plan, const Model& model, const std::string& origin) {
  plan.independents = coordinates_of_followers(plan, model);
  if (plan.independents.size() != motions_to_list(plan))
    throw InputError(origin + ": /analysis/independent: found expressions beside which " +
                     std::to_string(motions_to_list(plan)) +
                     " motions are free (one has no value where the motion begins, or changes by "
                     "many orders of magnitude more than the positions that it is of), scale it, "
                     "or list another");
  for (std::size_t body = plan.bodies.size() - static_cast<std::size_t>(plan.state_count);
       body < plan.bodies.size(); ++body)
    plan.independents.push_back(plan.bodies[body].first_coordinate);
}

}  // namespace gradus
