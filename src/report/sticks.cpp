// Corners of the skeleton -> capsules.
#include "src/report/sticks.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/nominal.hpp"
#include "src/report/skeleton.hpp"

namespace gradus::report {
namespace {

constexpr double thickness = 0.03;  // of the largest body

Vector3 place_in(const Body& body, const std::string& corner) {
  if (corner == body.name) return {0, 0, 0};
  const std::string point = corner.substr(body.name.size() + 1);
  return point == "com" ? body.com : body.points.at(point);
}

double size_of(NominalValues& nominal, const std::vector<Vector3>& corners) {
  double size = 0.0;
  for (const Vector3& one : corners)
    for (const Vector3& other : corners) {
      const auto a = nominal.value(one, ""), b = nominal.value(other, "");
      size = std::max(size, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  return size;
}

}  // namespace

Model with_sticks(Model model) {
  const Json drawing = Skeleton(model).description();
  NominalValues nominal(model, model.name);
  std::vector<std::vector<Vector3>> corners(model.bodies.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    for (const std::size_t corner : drawing.at("bodies")[k].at("corners"))
      corners[k].push_back(
          place_in(model.bodies[k], drawing.at("places")[corner].get<std::string>()));
    largest = std::max(largest, size_of(nominal, corners[k]));
  }
  const double radius = largest > 0.0 ? thickness * largest : 0.1;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    Body& body = model.bodies[k];
    if (!body.shapes.empty()) continue;
    const auto is_away = [&](const Vector3& one, const Vector3& other) {
      return size_of(nominal, {one, other}) > 1e-3 * radius;
    };
    for (std::size_t i = 1; i < corners[k].size(); ++i)
      if (is_away(corners[k][i - 1], corners[k][i])) {
        Shape stick;
        stick.type = "capsule";
        stick.radius = 0.5 * radius;
        stick.ends = {corners[k][i - 1], corners[k][i]};
        body.shapes.push_back(std::move(stick));
      }
    if (!body.shapes.empty() || corners[k].empty()) continue;
    Shape ball;
    ball.type = "sphere";
    ball.radius = radius;
    ball.at = corners[k][0];
    body.shapes.push_back(std::move(ball));
  }
  return model;
}

}  // namespace gradus::report
