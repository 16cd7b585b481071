// Bodies and the ground from JSON. Places of a body may name points of its own and of the drawing.
#include <optional>

#include "src/model/message.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

void read_points(const JsonElement& element, Features& features) {
  for (const auto& [name, place] : element.named("points")) features.points[name] = place.vector();
  for (const auto& [name, direction] : element.named("vectors"))
    features.vectors[name] = direction.vector();
}

Inertia read_inertia(const JsonElement& element) {
  element.require_keys(keys::inertia);
  Inertia inertia;
  element.read("xx", inertia.xx);
  element.read("yy", inertia.yy);
  element.read("zz", inertia.zz);
  element.read("xy", inertia.xy);
  element.read("xz", inertia.xz);
  element.read("yz", inertia.yz);
  element.read("about", inertia.about);
  return inertia;
}

// The middle of a slender rod is its centre of mass.
void read_mass(const JsonElement& element, const Features& features, Body& body) {
  element.read("mass", body.mass);
  const JsonElement inertia = element.at("inertia");
  const auto slender = inertia.is_object() ? inertia.find("slender") : std::nullopt;
  if (!slender) {
    body.com = element.at("com").vector();
    body.inertia = read_inertia(inertia);
    return;
  }
  inertia.require_keys(keys::slender);
  const std::vector<JsonElement> ends = slender->elements(2);
  make_slender(body, read_place(ends[0], features), read_place(ends[1], features));
  if (const auto com = element.find("com"))
    reject(com->where(), "found a centre of mass", "that of a slender rod is its middle",
           "leave it out, or state the inertia by \"xx\", \"yy\" and \"zz\"");
}

}  // namespace

Body read_body(const std::string& name, const JsonElement& element, const Drawing& drawing) {
  element.require_keys(keys::body);
  Body body;
  body.name = name;
  read_points(element, body);
  const Features all = with_drawn_points(body, element, drawing);
  read_mass(element, all, body);
  if (const auto shapes = element.find("shapes"))
    body.shapes = read_shapes(*shapes, all, &body.com);
  return body;
}

Features read_ground(const JsonElement& element, const Drawing& drawing) {
  element.require_keys(keys::ground);
  Features ground;
  read_points(element, ground);
  if (const auto shapes = element.find("shapes"))
    ground.shapes = read_shapes(*shapes, with_drawn_points(ground, element, drawing), nullptr);
  return ground;
}

}  // namespace gradus
