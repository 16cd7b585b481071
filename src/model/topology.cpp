// What a model refers to exists, and its joints make a tree.
#include <algorithm>
#include <vector>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

void check_ends(const Joint& joint, const References& references, const std::string& where) {
  const PointReference parent = references.point(joint.parent, where + "/parent");
  const PointReference child = references.point(joint.child, where + "/child");
  if (parent.body == child.body) {
    reject(where,
           "both \"parent\" " + in_quotes(joint.parent) + " and \"child\" " +
               in_quotes(joint.child) + " are on the same body",
           "a joint connects two bodies", "name two bodies, or a body and the ground");
  }
}

void check_sensor(const Sensor& sensor, const References& references, const std::string& origin) {
  const std::string where = origin + ": /sensors/" + sensor.name;
  switch (sensor.kind) {
    case SensorKind::position:
    case SensorKind::velocity:
    case SensorKind::acceleration:
      references.point(sensor.target, where);
      return;
    case SensorKind::coordinate:
    case SensorKind::rate:
    case SensorKind::coordinate_acceleration:
      references.joint(sensor.target, where);
      return;
    case SensorKind::energy:
      break;
  }
  const std::vector<std::string> energies(keys::energies.begin(), keys::energies.end());
  if (std::find(energies.begin(), energies.end(), sensor.target) == energies.end()) {
    reject(where + "/energy", "found " + in_quotes(sensor.target), "there is no such energy",
           suggestion(sensor.target, energies));
  }
}

// The joint that carries each body.
std::vector<const Joint*> joints_of_bodies(const Model& model, const References& references,
                                           const std::string& origin) {
  std::vector<const Joint*> carriers(model.bodies.size(), nullptr);
  for (const Joint& joint : model.joints) {
    const std::string where = origin + ": /joints/" + joint.name;
    const int child = references.point(joint.child, where + "/child").body;
    if (child == ground_body) {
      reject(where + "/child", "found " + in_quotes(joint.child), "the ground cannot be a child",
             "swap \"parent\" and \"child\", or put the joint under \"loops\"");
    }
    const Joint*& carrier = carriers[static_cast<std::size_t>(child)];
    if (carrier != nullptr) {
      reject(where + "/child",
             "body " + in_quotes(model.bodies[static_cast<std::size_t>(child)].name) +
                 " is the child of two joints, " + in_quotes(carrier->name) + " and " +
                 in_quotes(joint.name),
             "the joints make a tree", "put one of the two under \"loops\"");
    }
    carrier = &joint;
  }
  for (std::size_t i = 0; i < carriers.size(); ++i) {
    if (carriers[i] != nullptr) continue;
    reject(origin + ": /bodies/" + model.bodies[i].name,
           "body " + in_quotes(model.bodies[i].name) + " is not the child of any joint",
           "nothing connects it with the ground", "add a joint whose \"child\" it is");
  }
  return carriers;
}

}  // namespace

void check_references(const Model& model, const References& references, const std::string& origin) {
  for (const Joint& joint : model.joints)
    check_ends(joint, references, origin + ": /joints/" + joint.name);
  for (const Joint& loop : model.loops) {
    const std::string where = origin + ": /loops/" + loop.name;
    check_ends(loop, references, where);
    if (!loop.start.empty()) {
      reject(where + "/initial", "found start values", "loops have no coordinates of their own",
             "give them to the joints");
    }
  }
  for (const SpringDamper& spring : model.springs) {
    const std::string where = origin + ": /forces/" + spring.name;
    const PointReference from = references.point(spring.from, where + "/from");
    const PointReference to = references.point(spring.to, where + "/to");
    if (from.body == to.body && from.place == to.place) {
      reject(where, "both ends are at " + in_quotes(spring.to), "the force has no direction",
             "name two different points");
    }
  }
  for (const Sensor& sensor : model.sensors) check_sensor(sensor, references, origin);
}

void check_tree(const Model& model, const References& references, const std::string& origin) {
  if (model.bodies.empty())
    reject(origin + ": /bodies", "found no body", "there is nothing to move", "add one");
  const std::vector<const Joint*> carriers = joints_of_bodies(model, references, origin);

  // Walking from child to parent must end at the ground; bodies known to do so end the walk as
  // well.
  std::vector<char> grounded(model.bodies.size(), 0);
  std::vector<int> walk_of(model.bodies.size(), -1);
  for (std::size_t start = 0; start < model.bodies.size(); ++start) {
    const int walk = static_cast<int>(start);
    std::vector<std::size_t> way;
    int body = walk;
    while (body != ground_body && grounded[static_cast<std::size_t>(body)] == 0) {
      const auto place = static_cast<std::size_t>(body);
      if (walk_of[place] == walk) {
        const auto first = std::find(way.begin(), way.end(), place);
        std::vector<std::string> circle;
        for (auto step = first; step != way.end(); ++step) circle.push_back(carriers[*step]->name);
        reject(origin + ": /joints/" + carriers[place]->name,
               "the joints " + quoted_list(circle) + " form a closed chain without the ground",
               "the joints make a tree that begins at the ground",
               "connect one of their bodies with the ground and put one joint under \"loops\"");
      }
      walk_of[place] = walk;
      way.push_back(place);
      const Joint& joint = *carriers[place];
      body = references.point(joint.parent, origin + ": /joints/" + joint.name + "/parent").body;
    }
    for (const std::size_t passed : way) grounded[passed] = 1;
  }
}

}  // namespace gradus
