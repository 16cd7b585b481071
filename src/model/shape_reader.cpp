// Shapes of bodies: what they look like.
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "src/model/message.hpp"
#include "src/model/readers.hpp"
#include "src/model/shapes.hpp"

namespace gradus {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> colors{
    {{"black", "#202020"},
     {"blue", "#1f6fb4"},
     {"brown", "#8b5a2b"},
     {"green", "#2e8b57"},
     {"grey", "#8c9196"},
     {"orange", "#e0861a"},
     {"red", "#c8372d"},
     {"white", "#f2f2f2"},
     {"yellow", "#e3c02b"}}};

std::string read_color(const JsonElement& element) {
  const std::string text = element.text();
  if (is_color(text)) return text;
  std::vector<std::string> names{"#rrggbb"};
  for (const auto& [name, color] : colors) {
    if (name == text) return std::string(color);
    names.emplace_back(name);
  }
  element.reject_value("one of " + quoted_list(names));
}

// Files lie beside the model or in folders there.
std::string read_file(const JsonElement& element) {
  const std::string text = element.text();
  const std::filesystem::path path = std::filesystem::path(text).lexically_normal();
  if (text.empty() || path.is_absolute() || *path.begin() == ".." ||
      text.find('\0') != std::string::npos)
    element.reject_value(
        "the path of a mesh file from the folder of the model, which it does not leave");
  return text;
}

Vector3 read_scale(const JsonElement& element) {
  if (element.is_array()) return element.vector();
  const Number factor = element.number();
  return {factor, factor, factor};
}

void read_ends(const JsonElement& element, const Features& features, const Vector3* com,
               Shape& shape) {
  const auto from = element.find("from"), to = element.find("to");
  if (!from && !to) {
    shape.length = element.at("length").number();
    return;
  }
  for (const std::string_view key : {"length", "at", "axis", "zero"})
    if (const auto found = element.find(key))
      reject(found->where(), "found it beside \"from\" or \"to\"",
             "these two say where a shape is and how long", "leave it out");
  shape.ends = {read_place(element.at("from"), features, com),
                read_place(element.at("to"), features, com)};
}

void read_mesh_of(const JsonElement& element, Shape& shape) {
  if (const auto scale = element.find("scale")) shape.scale = read_scale(*scale);
  const auto file = element.find("file"), vertices = element.find("vertices");
  if (file.has_value() == vertices.has_value())
    reject(element.where(),
           file ? "found \"file\" and \"vertices\"" : "found neither \"file\" nor \"vertices\"",
           "a mesh is in a file, or has \"vertices\" and \"triangles\"",
           file ? "remove one of them" : "add one of them");
  if (file) {
    if (const auto triangles = element.find("triangles"))
      reject(triangles->where(), "found it beside \"file\"", "the file has its own",
             "leave it out");
    shape.file = read_file(*file);
    return;
  }
  for (const JsonElement& number : vertices->elements())
    shape.vertices.push_back(number.constant());
  for (const JsonElement& number : element.at("triangles").elements()) {
    const double index = number.constant();
    const double most = static_cast<double>(shape.vertices.size() / 3);
    if (!(index >= 0.0 && index < most) || index != static_cast<double>(std::size_t(index)))
      number.reject_value("a vertex, from 0 to " + to_text(most - 1.0));
    shape.triangles.push_back(static_cast<std::uint32_t>(index));
  }
}

Shape read_shape(const JsonElement& element, const Features& features, const Vector3* com) {
  if (!element.is_object()) element.reject_value("a shape { \"type\": ... }");
  Shape shape;
  shape.type = element.at("type").name_among(keys::shape_types);
  element.require_keys(keys_of_shape(shape.type));
  if (const auto at = element.find("at")) shape.at = read_place(*at, features, com);
  element.read("axis", shape.axis);
  element.read("zero", shape.zero);
  if (const auto color = element.find("color")) shape.color = read_color(*color);
  element.read("size", shape.size);
  element.read("radius", shape.radius);
  if (shape.type == "cylinder" || shape.type == "capsule") read_ends(element, features, com, shape);
  if (shape.type == "mesh") read_mesh_of(element, shape);
  return shape;
}

}  // namespace

Vector3 read_place(const JsonElement& element, const Features& features, const Vector3* com) {
  if (element.is_array()) return element.vector();
  if (element.json().kind != JsonValue::Kind::text)
    element.reject_value("a vector [x, y, z] or a point of the same body");
  const std::string name = element.text();
  if (name == "com" && com != nullptr) return *com;
  const auto point = features.points.find(name);
  if (point != features.points.end()) return point->second;
  if (name.find_first_of("+-*/([") != std::string::npos) return element.vector();
  std::vector<std::string> names;
  for (const auto& [known, place] : features.points) names.push_back(known);
  if (com != nullptr) names.emplace_back("com");
  element.reject_value(names.empty() ? "a vector [x, y, z]: there is no point here"
                                     : "a vector [x, y, z] or a point of the same body, one of " +
                                           quoted_list(names));
}

std::vector<keys::Key> keys_of_shape(std::string_view type) {
  std::vector<keys::Key> all(keys::shape.begin(), keys::shape.end());
  const auto add = [&all](std::initializer_list<keys::Key> more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  if (type == "box" || type == "ellipsoid") add({{"size", true}});
  if (type == "sphere" || type == "cylinder" || type == "capsule") add({{"radius", true}});
  if (type == "cylinder" || type == "capsule") add({{"length"}, {"from"}, {"to"}});
  if (type == "mesh") add({{"file"}, {"vertices"}, {"triangles"}, {"scale"}});
  return all;
}

std::vector<Shape> read_shapes(const JsonElement& list, const Features& features,
                               const Vector3* com) {
  std::vector<Shape> shapes;
  for (const JsonElement& element : list.elements())
    shapes.push_back(read_shape(element, features, com));
  return shapes;
}

}  // namespace gradus
