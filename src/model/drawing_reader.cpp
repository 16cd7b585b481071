// Drawings from JSON, and the joints that they make.
#include <algorithm>
#include <utility>

#include "src/model/drawing/drawn_features.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

DrawnSurface read_surface(const JsonElement& element, std::span<const keys::Key> keys,
                          std::string_view along) {
  element.require_keys(keys);
  return {element.at("through").vector(), element.at(along).vector()};
}

std::vector<std::string> read_names(const JsonElement& element) {
  std::vector<std::string> names;
  for (const JsonElement& name : element.elements()) names.push_back(name.text());
  return names;
}

// A joint without a type has that of the drawing, if there is one.
bool is_drawn(const JsonElement& joint, const Drawing& drawing) {
  return !drawing.is_empty() && joint.is_object() && !joint.find("type");
}

}  // namespace

Drawing read_drawing(const JsonElement& document) {
  Drawing drawing;
  if (const auto element = document.find("drawing")) {
    element->require_keys(keys::drawing);
    for (const auto& [name, point] : element->named("points"))
      drawing.points[name] = point.vector();
    for (const auto& [name, vector] : element->named("vectors"))
      drawing.vectors[name] = vector.vector();
    for (const auto& [name, line] : element->named("lines"))
      drawing.lines[name] = read_surface(line, keys::drawn_line, "along");
    for (const auto& [name, plane] : element->named("planes"))
      drawing.planes[name] = read_surface(plane, keys::drawn_plane, "normal");
  }
  if (const auto ground = document.find("ground"))
    if (const auto names = ground->find("drawn")) drawing.bodies["ground"] = read_names(*names);
  for (const auto& [name, body] : document.named("bodies"))
    if (const auto names = body.find("drawn")) drawing.bodies[name] = read_names(*names);
  return drawing;
}

Features with_drawn_points(Features features, const JsonElement& body, const Drawing& drawing) {
  const auto names = body.find("drawn");
  if (!names) return features;
  for (const std::string& name : read_names(*names)) {
    if (drawing.points.count(name) > 0) features.points.emplace(name, components_of(name));
    for (const auto* const surfaces : {&drawing.lines, &drawing.planes})
      if (const auto surface = surfaces->find(name); surface != surfaces->end())
        features.points.emplace(name, surface->second.through);
  }
  return features;
}

void read_joints(const JsonElement& document, Drawing drawing, const std::string& origin,
                 Model& model) {
  const auto joints = document.named("joints");
  for (const auto& [name, element] : joints) {
    if (is_drawn(element, drawing)) {
      element.require_keys(keys::drawn_joint);
      DrawnJoint joint{name, element.at("parent").text(), element.at("child").text()};
      element.read("cut", joint.cut);
      drawing.joints.push_back(std::move(joint));
    } else {
      model.joints.push_back(read_joint(name, element));
    }
  }
  add_drawing(drawing, model, origin);
  std::vector<Joint> found = std::exchange(model.joints, {});
  for (const auto& entry : joints) {
    const JsonElement& element = entry.second;
    const auto joint = std::find_if(found.begin(), found.end(),
                                    [&](const Joint& one) { return one.name == entry.first; });
    if (is_drawn(element, drawing)) read_drawn_joint(element, *joint);
    model.joints.push_back(std::move(*joint));
    found.erase(joint);
  }
  for (Joint& joint : found) model.joints.push_back(std::move(joint));
}

}  // namespace gradus
