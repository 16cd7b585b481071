// Resolves "body.point" and the names of joints.
#include "src/model/reference.hpp"

#include <algorithm>
#include <vector>

#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

std::vector<std::string> points_of(const Features& features, bool is_ground) {
  std::vector<std::string> names;
  for (const auto& [name, place] : features.points) names.push_back(name);
  if (!is_ground) names.emplace_back("com");
  return names;
}

}  // namespace

References::References(const Model& model) : model_(model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    bodies_.emplace(model.bodies[i].name, static_cast<int>(i));
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    joints_.emplace(model.joints[i].name, static_cast<int>(i));
}

PointReference References::point(std::string_view text, const std::string& where) const {
  const std::size_t dot = text.find('.');
  const std::string body_name(text.substr(0, dot));
  PointReference reference;
  const bool is_ground = body_name == "ground";
  if (!is_ground) {
    const auto found = bodies_.find(body_name);
    if (found == bodies_.end()) {
      std::vector<std::string> candidates = names_of(model_.bodies);
      candidates.emplace_back("ground");
      reject(where, "found " + in_quotes(text), "there is no body " + in_quotes(body_name),
             suggestion(body_name, candidates));
    }
    reference.body = found->second;
  }
  if (dot == std::string_view::npos) return reference;

  reference.point = std::string(text.substr(dot + 1));
  const Body* body = is_ground ? nullptr : &model_.bodies[static_cast<std::size_t>(reference.body)];
  const Features& features = is_ground ? model_.ground : *body;
  const auto found = features.points.find(reference.point);
  if (found != features.points.end()) {
    reference.place = &found->second;
  } else if (!is_ground && reference.point == "com") {
    reference.place = &body->com;
  } else {
    const std::string owner = is_ground ? "the ground" : "body " + in_quotes(body_name);
    reject(where, "found " + in_quotes(text), owner + " has no point " + in_quotes(reference.point),
           suggestion(reference.point, points_of(features, is_ground)));
  }
  return reference;
}

int References::joint(const std::string& name, const std::string& where) const {
  const auto found = joints_.find(name);
  if (found != joints_.end()) return found->second;
  const bool is_loop = std::any_of(model_.loops.begin(), model_.loops.end(),
                                   [&name](const Joint& loop) { return loop.name == name; });
  if (is_loop) {
    reject(where, "found " + in_quotes(name), "loops have no coordinates of their own",
           "name a joint: known are " + quoted_list(names_of(model_.joints)));
  }
  reject(where, "found " + in_quotes(name), "there is no joint of that name",
         suggestion(name, names_of(model_.joints)));
}

}  // namespace gradus
