// Shapes -> triangles, with coordinates as whole numbers, which take little room on a page.
#include "src/report/looks.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/mesh_reduction.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/model/shapes.hpp"
#include "src/model/validation.hpp"
#include "src/report/skeleton.hpp"
#include "src/report/tessellation.hpp"

namespace gradus::report {
namespace {

using Eigen::Vector3d;

constexpr double most_parts = 8191.0;  // of the longest side of a shape
constexpr int frame_digits = 5;

Model with_set(Model model, const std::map<std::string, double>& set) {
  for (Parameter& parameter : model.parameters)
    if (const auto found = set.find(parameter.name); found != set.end())
      parameter.value = found->second;
  return model;
}

// Triangles of shapes whose numbers are those of the parameters.
class Shaper {
 public:
  // `corners` of round ones.
  Shaper(const Model& model, std::size_t corners)
      : nominal_(model, model.name), where_(model.name + ": a shape"), corners_(corners) {}

  // In the axes of the body.
  Mesh placed(const Shape& shape, std::size_t most) {
    const ShapePlace place = place_of_shape(shape, nominal_, where_);
    Mesh mesh = solid(shape, place.length, most);
    for (auto& vertex : mesh.vertices) {
      const Vector3d at = place.middle + place.rotation * Vector3d(vertex[0], vertex[1], vertex[2]);
      vertex = {at[0], at[1], at[2]};
    }
    return mesh;
  }

  // Where parameters have been set, a size may be none any more.
  bool has_size(const Shape& shape) {
    if (shape.type == "mesh") return true;
    try {
      check_shapes({shape}, nominal_, where_);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

 private:
  Mesh solid(const Shape& shape, double length, std::size_t most) {
    if (shape.type == "box") return box(nominal_.value(shape.size, where_));
    if (shape.type == "ellipsoid") return ellipsoid(nominal_.value(shape.size, where_), corners_);
    if (shape.type == "mesh") return mesh_of(shape, most);
    const double radius = nominal_.value(shape.radius, where_);
    if (shape.type == "sphere")
      return ellipsoid({2.0 * radius, 2.0 * radius, 2.0 * radius}, corners_);
    return shape.type == "cylinder" ? cylinder(radius, length, corners_)
                                    : capsule(radius, length, corners_);
  }

  Mesh mesh_of(const Shape& shape, std::size_t most) {
    const std::array<double, 3> scale = nominal_.value(shape.scale, where_);
    const bool is_mirrored = scale[0] * scale[1] * scale[2] < 0.0;
    Mesh mesh;
    for (std::size_t k = 0; k < shape.vertices.size(); k += 3)
      mesh.vertices.push_back({scale[0] * shape.vertices[k], scale[1] * shape.vertices[k + 1],
                               scale[2] * shape.vertices[k + 2]});
    for (std::size_t k = 0; k < shape.triangles.size(); k += 3) {
      const std::uint32_t* const t = &shape.triangles[k];
      mesh.triangles.push_back({t[0], t[is_mirrored ? 2 : 1], t[is_mirrored ? 1 : 2]});
    }
    return reduced(mesh, most);
  }

  NominalValues nominal_;
  std::string where_;
  std::size_t corners_;
};

bool is_missing(const Shape& shape) {
  return !shape.file.empty() && shape.triangles.empty();
}

}  // namespace

Looks::Looks(const Model& model, const std::map<std::string, double>& set) {
  std::vector<std::pair<const Shape*, std::size_t>> drawn;  // with their bodies; the ground is last
  std::vector<std::size_t> sizes;
  std::size_t solids = 0;
  const auto note = [&](const Features& features, const std::string& name, std::size_t body) {
    for (const Shape& shape : features.shapes)
      if (is_missing(shape)) {
        missing_.push_back("the mesh " + in_quotes(shape.file) + " of " + name);
      } else {
        drawn.emplace_back(&shape, body);
        sizes.push_back(shape.triangles.size() / 3);
        if (shape.type != "mesh") ++solids;
      }
  };
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    note(model.bodies[k], model.bodies[k].name, k);
  note(model.ground, "the ground", model.bodies.size());
  if (drawn.empty()) return;
  const std::vector<std::size_t> shares = shares_of(sizes, most_triangles_drawn);
  Shaper shaper(with_set(model, set), solids <= 30 ? 20 : solids <= 100 ? 12 : 8);
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const auto [shape, body] = drawn[k];
    const std::string& owner = body < model.bodies.size() ? model.bodies[body].name : "";
    if (!shaper.has_size(*shape)) {
      missing_.push_back("a shape of " + (owner.empty() ? "the ground" : owner) +
                         ", which has no size");
      continue;
    }
    add(*shape, shaper.placed(*shape, shares[k]), owner, body);
  }
}

void Looks::add(const Shape& shape, const Mesh& mesh, const std::string& owner, std::size_t body) {
  if (mesh.triangles.empty()) return;
  std::array<double, 3> low = mesh.vertices[0], high = low;
  for (const auto& vertex : mesh.vertices)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], vertex[k]);
      high[k] = std::max(high[k], vertex[k]);
    }
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, high[k] - low[k]);
  const double grain = longest > 0.0 ? longest / most_parts : 1.0;
  Json vertices = Json::array(), triangles = Json::array();
  for (const auto& vertex : mesh.vertices)
    for (std::size_t k = 0; k < 3; ++k)
      vertices.push_back(static_cast<int>(std::lround((vertex[k] - low[k]) / grain)));
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) triangles.push_back(corner);
  if (!owner.empty() && (carriers_.empty() || carriers_.back() != owner))
    carriers_.push_back(owner);
  shapes_.push_back({{"type", shape.type},
                     {"body", owner.empty() ? -1 : static_cast<int>(body)},
                     {"carrier", owner.empty() ? -1 : static_cast<int>(carriers_.size()) - 1},
                     {"color", shape.color},
                     {"closed", shape.type != "mesh" || is_closed(mesh)},
                     {"low", report::numbers(low)},
                     {"grain", number(grain)},
                     {"vertices", std::move(vertices)},
                     {"triangles", std::move(triangles)}});
}

void Looks::watch(Model& model) const {
  const std::string prefix = unused_prefix(model, "looks_");
  std::size_t count = 0;
  const auto add = [&](const std::string& type, const std::string& target) {
    model.sensors.push_back({prefix + std::to_string(count++), type, target});
  };
  for (const std::string& carrier : carriers_) {
    add("position", carrier);
    Body& body = *std::find_if(model.bodies.begin(), model.bodies.end(),
                               [&carrier](const Body& one) { return one.name == carrier; });
    for (std::size_t k = 0; k < 2; ++k) {
      std::string axis = k == 0 ? "x axis" : "y axis";
      while (body.vectors.count(axis) > 0 || body.points.count(axis) > 0) axis += "_";
      body.vectors[axis] = k == 0 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
      add("vector", carrier + "." + axis);
    }
  }
}

void Looks::add_frames(std::span<const double> sensors, Json& frames) {
  for (std::size_t i = 0; i + 9 <= sensors.size(); i += 9) {
    const auto triple = [&](std::size_t k) {
      return Vector3d(sensors[i + k], sensors[i + k + 1], sensors[i + k + 2]);
    };
    Eigen::Matrix3d rotation;
    rotation << triple(3), triple(6), triple(3).cross(triple(6));
    const Eigen::Quaterniond turned(rotation);
    for (std::size_t k = 0; k < 3; ++k) frames.push_back(number(sensors[i + k]));
    for (const double e : {turned.w(), turned.x(), turned.y(), turned.z()})
      frames.push_back(number(e, frame_digits));
  }
}

void Looks::describe(Json& drawing) const {
  drawing["shapes"] = shapes_;
  drawing["missing"] = missing_;
}

}  // namespace gradus::report
