// Elements of a drawing at several values of the parameters.
#include "src/model/drawing/drawn_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"

namespace gradus {
namespace {

Eigen::Vector3d nominal(const Vector3& vector, NominalValues& values, const std::string& where) {
  const std::array<double, 3> value = values.value(vector, where);
  return {value[0], value[1], value[2]};
}

Eigen::Vector3d direction(const Vector3& vector, NominalValues& values, const std::string& where) {
  const Eigen::Vector3d value = nominal(vector, values, where);
  if (!(value.norm() > 1e-100 && value.norm() < 1e100))
    reject(where, "found the length " + to_text(value.norm()), "a direction has one",
           "choose a vector of a length between 1e-100 and 1e100");
  return value.normalized();
}

std::map<std::string, DrawnElement> elements_at(const Drawing& drawing, NominalValues& values,
                                                const std::string& origin) {
  const std::string list = origin + ": /drawing/";
  const std::string points = list + "points/", vectors = list + "vectors/";
  std::map<std::string, DrawnElement> elements;
  for (const auto& [name, place] : drawing.points)
    elements[name] = {DrawnKind::point, nominal(place, values, points + name)};
  for (const auto& [name, along] : drawing.vectors)
    elements[name] = {DrawnKind::vector, Eigen::Vector3d::Zero(),
                      direction(along, values, vectors + name)};
  const auto add = [&](const auto& surfaces, DrawnKind kind, const std::string& key,
                       const std::string& along) {
    const std::string all = list + key;
    for (const auto& [name, surface] : surfaces) {
      const std::string where = all + name;
      elements[name] = {kind, nominal(surface.through, values, where + "/through"),
                        direction(surface.along, values, where + along)};
    }
  };
  add(drawing.lines, DrawnKind::line, "lines/", "/along");
  add(drawing.planes, DrawnKind::plane, "planes/", "/normal");
  return elements;
}

DrawnScale scale_of(const std::map<std::string, DrawnElement>& elements) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  double count = 0.0, farthest = 0.0;
  for (const auto& [name, element] : elements)
    if (element.kind != DrawnKind::vector) {
      middle += element.place;
      farthest = std::max(farthest, element.place.norm());
      count += 1.0;
    }
  double extent = 0.0;
  for (const auto& [name, element] : elements)
    if (element.kind != DrawnKind::vector)
      extent = std::max(extent, (element.place - middle / std::max(count, 1.0)).norm());
  constexpr double digits = 1e-13;
  const double round_off = digits * farthest;
  if (extent > round_off) return {extent, round_off};
  return {farthest > 0.0 ? farthest : 1.0, round_off};
}

// The model with other parameter values, each its own way, by `size` to twice that of them:
// fractions of the golden ratio are spread evenly.
Model with_other_values(const Model& model, const std::string& origin, double size, double turn) {
  Model other = model;
  const std::vector<double> values = nominal_parameters(model, origin);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double place = 0.6180339887498949 * static_cast<double>(k + 1) + turn;
    const double share = 2.0 * (place - std::floor(place)) - 1.0;
    const double scale = values[k] != 0.0 ? std::abs(values[k]) : 1.0;
    other.parameters[k].value = values[k] + size * scale * (share + (share < 0.0 ? -1.0 : 1.0));
  }
  return other;
}

}  // namespace

DrawnGeometry::DrawnGeometry(const Drawing& drawing, const Model& model, const std::string& origin)
    : origin_(origin) {
  Model numbers;  // what values depend on
  numbers.parameters = model.parameters;
  numbers.definitions = model.definitions;
  numbers.sensors = model.sensors;
  numbers.states = model.states;
  NominalValues stated(numbers, origin);
  elements_.push_back(elements_at(drawing, stated, origin));
  scales_.push_back(scale_of(elements_.back()));
  models_.push_back(numbers);
  if (numbers.parameters.empty()) return;
  // Near by, where all is still there, and far away, where powers and limits show.
  for (const auto& [size, turn] :
       {std::pair{5e-4, 0.0}, std::pair{0.05, 0.37}, std::pair{0.7, 0.81}, std::pair{0.7, 0.31},
        std::pair{3.0, 0.57}}) {
    try {
      Model other = with_other_values(numbers, origin, size, turn);
      NominalValues values(other, origin);
      elements_.push_back(elements_at(drawing, values, origin));
      scales_.push_back(scale_of(elements_.back()));
      models_.push_back(std::move(other));
    } catch (const InputError&) {
      // Nothing is there at these values: the others tell.
    }
  }
}

std::vector<std::vector<DrawnElement>> DrawnGeometry::of(
    const std::vector<std::string>& names) const {
  std::vector<std::vector<DrawnElement>> all;
  for (const auto& elements : elements_) {
    std::vector<DrawnElement> found;
    for (const std::string& name : names) found.push_back(elements.at(name));
    all.push_back(std::move(found));
  }
  return all;
}

std::vector<Eigen::Vector3d> DrawnGeometry::of(const Vector3& vector,
                                               const std::string& where) const {
  std::vector<Eigen::Vector3d> all;
  for (const Model& model : models_) {
    NominalValues values(model, origin_);
    all.push_back(nominal(vector, values, where));
  }
  return all;
}

}  // namespace gradus
