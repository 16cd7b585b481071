// Shapes have a size and a place at the nominal parameters.
#include <algorithm>
#include <cmath>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/shapes.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

constexpr double largest = 1e12;  // m; what is larger is a mistake

void require_positive(double value, const std::string& where, const char* what) {
  if (value > 0.0 && value <= largest) return;
  reject(where, "found " + to_text(value), std::string("it is the ") + what + " of a shape",
         "expected a number above 0 and up to 1e12, in m");
}

void require_direction(const std::array<double, 3>& v, const std::string& where) {
  if (std::hypot(v[0], v[1], v[2]) > 0.0) return;
  reject(where, "found a vector without length", "a shape has a direction there",
         "write one that is not zero");
}

void check_mesh(const Shape& shape, NominalValues& nominal, const std::string& where) {
  for (const double factor : nominal.value(shape.scale, where + "/scale"))
    if (factor == 0.0)
      reject(where + "/scale", "found 0", "a mesh would be without volume",
             "write factors that are not zero");
  if (!shape.file.empty()) return;
  if (shape.vertices.size() < 9 || shape.vertices.size() % 3 != 0)
    reject(where + "/vertices", "found " + counted(shape.vertices.size(), "number"),
           "vertices have three each, and a mesh has three vertices or more",
           "expected a multiple of three");
  if (shape.triangles.size() < 3 || shape.triangles.size() % 3 != 0)
    reject(where + "/triangles", "found " + counted(shape.triangles.size(), "number"),
           "triangles have three each, and a mesh has one or more", "expected a multiple of three");
  for (const double x : shape.vertices)
    if (!(std::abs(x) <= largest))
      reject(where + "/vertices", "found " + to_text(x), "a mesh is within 1e12 of its origin",
             "check it");
  for (const std::uint32_t vertex : shape.triangles)
    if (vertex >= shape.vertices.size() / 3)
      reject(where + "/triangles", "found " + std::to_string(vertex), "there is no such vertex",
             "the last one is " + std::to_string(shape.vertices.size() / 3 - 1));
}

void check_shape(const Shape& shape, NominalValues& nominal, const std::string& where) {
  if (!shape.color.empty() && !is_color(shape.color))
    reject(where + "/color", "found " + in_quotes(shape.color), "shapes are drawn in it",
           "write \"#rrggbb\"");
  if (std::find(keys::shape_types.begin(), keys::shape_types.end(), shape.type) ==
      keys::shape_types.end())
    reject(where + "/type", "found " + in_quotes(shape.type), "there is no such shape",
           "expected one of " + quoted_list({keys::shape_types.begin(), keys::shape_types.end()}));
  if (shape.type == "box" || shape.type == "ellipsoid")
    for (const double side : nominal.value(shape.size, where + "/size"))
      require_positive(side, where + "/size", "size");
  if (shape.type == "sphere" || shape.type == "cylinder" || shape.type == "capsule")
    require_positive(nominal.value(shape.radius, where + "/radius"), where + "/radius", "radius");
  if (shape.ends) {
    const auto from = nominal.value((*shape.ends)[0], where + "/from");
    const auto to = nominal.value((*shape.ends)[1], where + "/to");
    if (from == to)
      reject(where + "/to", "found the place that is its \"from\" as well",
             "a shape goes from one end to the other", "name two different places");
  } else if (shape.type == "cylinder" || shape.type == "capsule") {
    require_positive(nominal.value(shape.length, where + "/length"), where + "/length", "length");
  }
  nominal.value(shape.at, where + "/at");
  require_direction(nominal.value(shape.axis, where + "/axis"), where + "/axis");
  if (shape.zero) {
    const auto axis = nominal.value(shape.axis, where + "/axis"),
               zero = nominal.value(*shape.zero, where + "/zero");
    require_direction({axis[1] * zero[2] - axis[2] * zero[1], axis[2] * zero[0] - axis[0] * zero[2],
                       axis[0] * zero[1] - axis[1] * zero[0]},
                      where + "/zero");
  }
  if (shape.type == "mesh") check_mesh(shape, nominal, where);
}

}  // namespace

void check_shapes(const std::vector<Shape>& shapes, NominalValues& nominal,
                  const std::string& where) {
  for (std::size_t k = 0; k < shapes.size(); ++k)
    check_shape(shapes[k], nominal, where + "/" + std::to_string(k));
}

}  // namespace gradus
