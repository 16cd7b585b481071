// Resolves "body.point", "body.vector", "joint" and "joint.k".
#include "src/model/reference.hpp"

#include <charconv>
#include <vector>

#include "src/model/joint_types.hpp"
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

std::vector<std::string> keys_of(const std::map<std::string, Vector3>& features) {
  std::vector<std::string> names;
  for (const auto& [name, components] : features) names.push_back(name);
  return names;
}

std::string owner_name(const Model& model, int body) {
  if (body == ground_body) return "the ground";
  return "body " + in_quotes(model.bodies[static_cast<std::size_t>(body)].name);
}

// The text behind the first point; "" if there is none.
std::string_view member_of(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
}

// "write "arm.0" (displacement, m) or "arm.1" (angle, rad)".
std::string coordinate_list(const Joint& joint) {
  const std::span<const CoordinateName> coordinates = coordinates_of(joint.type);
  std::string list = "write ";
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const bool is_last = k + 1 == coordinates.size();
    list += (k == 0    ? ""
             : is_last ? " or "
                       : ", ") +
            in_quotes(joint.name + "." + std::to_string(k)) + " (" +
            std::string(coordinates[k].name) + ", " + std::string(coordinates[k].unit) + ")";
  }
  return list;
}

}  // namespace

std::string joint_name_of(std::string_view coordinate) {
  return std::string(coordinate.substr(0, coordinate.find('.')));
}

References::References(const Model& model) : model_(model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    bodies_.emplace(model.bodies[i].name, static_cast<int>(i));
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    joints_.emplace(model.joints[i].name, static_cast<int>(i));
  for (std::size_t i = 0; i < model.loops.size(); ++i)
    loops_.emplace(model.loops[i].name, static_cast<int>(i));
}

const Features& References::features_of(int body) const {
  if (body == ground_body) return model_.ground;
  return model_.bodies[static_cast<std::size_t>(body)];
}

int References::owner(std::string_view text, const std::string& where) const {
  const std::string name(text.substr(0, text.find('.')));
  if (name == "ground") return ground_body;
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) return found->second;
  std::vector<std::string> candidates = names_of(model_.bodies);
  candidates.emplace_back("ground");
  reject(where, "found " + in_quotes(text), "there is no body " + in_quotes(name),
         suggestion(name, candidates));
}

PointReference References::point(std::string_view text, const std::string& where) const {
  PointReference reference;
  reference.body = owner(text, where);
  if (text.find('.') == std::string_view::npos) return reference;

  reference.point = std::string(member_of(text));
  const bool is_ground = reference.body == ground_body;
  const Features& features = features_of(reference.body);
  const auto found = features.points.find(reference.point);
  if (found != features.points.end()) {
    reference.place = &found->second;
  } else if (!is_ground && reference.point == "com") {
    reference.place = &model_.bodies[static_cast<std::size_t>(reference.body)].com;
  } else {
    std::vector<std::string> candidates = keys_of(features.points);
    if (!is_ground) candidates.emplace_back("com");
    reject(where, "found " + in_quotes(text),
           owner_name(model_, reference.body) + " has no point " + in_quotes(reference.point),
           suggestion(reference.point, candidates));
  }
  return reference;
}

VectorReference References::vector(std::string_view text, const std::string& where) const {
  VectorReference reference;
  reference.body = owner(text, where);
  reference.vector = std::string(member_of(text));
  const Features& features = features_of(reference.body);
  const auto found = features.vectors.find(reference.vector);
  if (found != features.vectors.end()) {
    reference.components = &found->second;
    return reference;
  }
  const std::string owner = owner_name(model_, reference.body);
  if (text.find('.') == std::string_view::npos)
    reject(where, "found " + in_quotes(text), "it names a body and no vector of it",
           "write \"body.vector\", the vector being one of \"vectors\" of the body");
  const bool is_point = features.points.count(reference.vector) != 0;
  reject(where, "found " + in_quotes(text),
         is_point ? in_quotes(reference.vector) + " is a point of " + owner + ", not a vector"
                  : owner + " has no vector " + in_quotes(reference.vector),
         suggestion(reference.vector, keys_of(features.vectors)));
}

int References::body(std::string_view text, const std::string& where) const {
  const int body = owner(text, where);
  if (text.find('.') == std::string_view::npos) return body;
  reject(where, "found " + in_quotes(text), "a body is meant as a whole",
         "write " + in_quotes(text.substr(0, text.find('.'))));
}

int References::joint(const std::string& name, const std::string& where) const {
  const auto found = joints_.find(name);
  if (found != joints_.end()) return found->second;
  if (loops_.count(name) != 0)
    reject(where, "found " + in_quotes(name), "loops have no coordinates of their own",
           "name a joint: known are " + quoted_list(names_of(model_.joints)));
  reject(where, "found " + in_quotes(name), "there is no joint of that name",
         suggestion(name, names_of(model_.joints)));
}

JointReference References::joint_or_loop(const std::string& name, const std::string& where) const {
  if (const auto found = joints_.find(name); found != joints_.end()) return {false, found->second};
  if (const auto found = loops_.find(name); found != loops_.end()) return {true, found->second};
  std::vector<std::string> candidates = names_of(model_.joints);
  for (const Joint& loop : model_.loops) candidates.push_back(loop.name);
  reject(where, "found " + in_quotes(name), "there is no joint or loop of that name",
         suggestion(name, candidates));
}

CoordinateReference References::coordinate(std::string_view text, const std::string& where) const {
  CoordinateReference reference;
  reference.joint = joint(joint_name_of(text), where);
  const Joint& joint = model_.joints[static_cast<std::size_t>(reference.joint)];
  const std::string type = name_of(joint.type) == "fixed"
                               ? "a fixed joint has no coordinates"
                               : "the joint is " + std::string(name_of(joint.type));
  const int count = coordinate_count(joint.type);
  if (count == 0) reject(where, "found " + in_quotes(text), type, "name another joint");
  if (text.find('.') == std::string_view::npos) {
    if (count == 1) return reference;
    reject(where, "found " + in_quotes(text),
           type + " and has " + std::to_string(count) + " coordinates", coordinate_list(joint));
  }
  const std::string_view number = member_of(text);
  const char* const end = number.data() + number.size();
  const std::from_chars_result read = std::from_chars(number.data(), end, reference.coordinate);
  const bool is_number = read.ec == std::errc() && read.ptr == end && !number.empty();
  if (is_number && reference.coordinate >= 0 && reference.coordinate < count) return reference;
  reject(where, "found " + in_quotes(text), type + " and has no coordinate " + in_quotes(number),
         coordinate_list(joint));
}

}  // namespace gradus
