// Model -> pose: the motion is begun, with sensors at all that is drawn.
#include "src/report/pose.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "gradus/error.hpp"
#include "gradus/run.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/report/looks.hpp"
#include "src/report/skeleton.hpp"

namespace gradus::report {
namespace {

std::vector<Joint> joints_with_axes(const Model& model) {
  std::vector<Joint> joints;
  for (const auto* list : {&model.joints, &model.loops})
    std::copy_if(list->begin(), list->end(), std::back_inserter(joints),
                 [](const Joint& joint) { return has_axis(joint.type); });
  return joints;
}

// Adds a sensor of the axis of each of these joints.
void add_axes(const std::vector<Joint>& joints, Model& model) {
  const std::string prefix = model.sensors.back().name + "_axis_";  // of unused names
  std::size_t count = 0;
  for (const Joint& joint : joints)
    model.sensors.push_back({prefix + std::to_string(count++), "vector", add_axis(joint, model)});
}

// One step, of which only the first recorded time is wanted.
Result begin(const Model& model) {
  Options options;
  options.backend = "cpu:1";
  options.duration = model.analysis.step;
  options.record = true;
  return simulate(model, options);
}

bool has_begun(const Result& result) {
  return !result.trajectories.empty() && !result.trajectories[0].time.empty();
}

Json triples(const std::vector<double>& values, std::size_t first, std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = first; i < first + 3 * count; ++i) list.push_back(number(values.at(i)));
  return list;
}

// Fills `pose` if the motion of `runs`, which has the places of `model`, begins; returns why not
// otherwise.
std::string draw(const Model& model, const Model& runs, Pose::Kind kind, Pose& pose) {
  const Skeleton skeleton(model);
  const std::vector<std::string>& places = skeleton.places();
  if (places.empty()) return "the model has nothing that could be drawn";
  const std::vector<Joint> axes = joints_with_axes(model);
  Model watched = with_positions(runs, places);
  watched.objectives.clear();  // they may ask for later times
  const Looks looks(model, {});
  looks.watch(watched);
  add_axes(axes, watched);
  Result result = begin(watched);
  if (!has_begun(result)) return result.status.at(0).message;
  const std::vector<double>& sensors = result.trajectories[0].sensors;
  const std::size_t first =
      result.sensor_components.size() - 3 * (places.size() + axes.size()) - looks.numbers();
  pose.kind = kind;
  pose.drawing = skeleton.description();
  pose.drawing["label"] = "start";
  pose.drawing["up"] = upwards(model);
  pose.drawing["time"] = numbers(std::vector<double>{0.0});
  pose.drawing["positions"] = triples(sensors, first, places.size());
  Json directions = Json::object();
  for (std::size_t k = 0; k < axes.size(); ++k)
    directions[axes[k].name] =
        triples(sensors, first + 3 * (places.size() + k) + looks.numbers(), 1);
  Json frames = Json::array();
  Looks::add_frames(std::span(sensors).subspan(first + 3 * places.size(), looks.numbers()), frames);
  pose.drawing["frames"] = std::move(frames);
  looks.describe(pose.drawing);
  pose.drawing["axes"] = std::move(directions);
  pose.start = std::move(result);
  return "";
}

// The same mechanism, whose motion starts wherever its position can be found: equal masses, no
// forces.
Model without_forces(Model model) {
  for (Body& body : model.bodies) {
    body.mass = 1.0;
    body.inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0, "com"};
  }
  model.forces.clear();
  model.gravity = {0.0, 0.0, 0.0};
  model.start = "stated";
  model.analysis = {};
  return model;
}

// The joints that span the tree, with nothing else to satisfy.
Model without_closures(const Model& model) {
  Model tree = spanning_tree(model, model.name).model;
  tree.loops.clear();
  tree.constraints.clear();
  tree.sensors.clear();  // they may be of a joint that is not there
  return tree;
}

}  // namespace

bool has_axis(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::floating;
}

Pose pose_of(const Model& model) {
  Pose pose;
  pose.problem = draw(model, model, Pose::Kind::start, pose);
  if (pose.kind != Pose::Kind::none) return pose;
  try {
    const Model still = without_forces(model);
    if (draw(model, still, Pose::Kind::assembled, pose).empty()) return pose;
    draw(model, without_closures(still), Pose::Kind::guess, pose);
  } catch (const InputError&) {
    // What was left out is needed elsewhere in the model: nothing can be drawn.
  }
  return pose;
}

}  // namespace gradus::report
