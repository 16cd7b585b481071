// Corners of the skeleton -> capsules.
#include "src/report/sticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

using Place = std::array<double, 3>;

double distance(const Place& a, const Place& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// The diagonal of the box about them.
double size_of(const std::vector<Place>& places) {
  if (places.empty()) return 0.0;
  Place low = places[0], high = places[0];
  for (const Place& place : places)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], place[k]);
      high[k] = std::max(high[k], place[k]);
    }
  return distance(low, high);
}

Vector3 constant(const Place& place) {
  return {place[0], place[1], place[2]};
}

void add_sticks(const std::vector<Place>& corners, double radius, Body& body) {
  for (std::size_t i = 1; i < corners.size(); ++i) {
    if (distance(corners[i - 1], corners[i]) <= 1e-3 * radius) continue;
    Shape stick;
    stick.type = "capsule";
    stick.radius = 0.5 * radius;
    stick.ends = {constant(corners[i - 1]), constant(corners[i])};
    body.shapes.push_back(std::move(stick));
  }
  if (!body.shapes.empty() || corners.empty()) return;
  Shape ball;
  ball.type = "sphere";
  ball.radius = radius;
  ball.at = constant(corners[0]);
  body.shapes.push_back(std::move(ball));
}

}  // namespace

Model with_sticks(Model model) {
  const Json drawing = Skeleton(model).description();
  NominalValues nominal(model, model.name);
  std::vector<std::vector<Place>> corners(model.bodies.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const Body& body = model.bodies[k];
    for (const std::size_t corner : drawing.at("bodies")[k].at("corners"))
      corners[k].push_back(nominal.value(
          place_in(body, drawing.at("places")[corner].get<std::string>()), model.name));
    largest = std::max(largest, size_of(corners[k]));
  }
  const double radius = largest > 0.0 ? thickness * largest : 0.1;
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    if (model.bodies[k].shapes.empty()) add_sticks(corners[k], radius, model.bodies[k]);
  return model;
}

}  // namespace gradus::report
