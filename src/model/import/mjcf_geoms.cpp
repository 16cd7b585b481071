// Solids of constant density: volumes and second moments by their half sizes, as MuJoCo has them.
#include "src/model/import/mjcf_geoms.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

constexpr double kWater = 1000.0;  // kg/m^3, the density unless stated

struct Solid {
  double volume = 0.0;
  Vector moments = Vector::Zero();  // principal, of a mass of 1 kg
};

Solid sphere(double r) {
  return {4.0 / 3.0 * std::numbers::pi * r * r * r, Vector::Constant(0.4 * r * r)};
}

Solid box(const Vector& half) {
  const Vector s = half.cwiseProduct(half);
  return {8.0 * half.prod(), Vector(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / 3.0};
}

Solid ellipsoid(const Vector& half) {
  const Vector s = half.cwiseProduct(half);
  return {4.0 / 3.0 * std::numbers::pi * half.prod(),
          Vector(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / 5.0};
}

Solid cylinder(double r, double half) {
  const double across = (3.0 * r * r + 4.0 * half * half) / 12.0;
  return {2.0 * std::numbers::pi * r * r * half, {across, across, 0.5 * r * r}};
}

// A cylinder between two half spheres, whose centres of mass lie 3/8 of their radius outside.
Solid capsule(double r, double half) {
  const Solid middle = cylinder(r, half), ends = sphere(r);
  const double volume = middle.volume + ends.volume, share = ends.volume / volume;
  const double away = share * (half * half + 0.75 * half * r);
  return {volume, (1.0 - share) * middle.moments + share * ends.moments + Vector(away, away, 0.0)};
}

struct Shape {
  std::string type;
  std::vector<double> size;
  Pose pose;
};

bool is_simple(const std::string& type) {
  return is_among(type, {"sphere", "capsule", "ellipsoid", "cylinder", "box"});
}

std::size_t sizes_of(const std::string& type) {
  if (type == "sphere") return 1;
  return type == "capsule" || type == "cylinder" ? 2 : 3;
}

// A shape along a line from one end to the other.
void lay_along(const Attributes& a, const std::vector<double>& ends, Shape& shape) {
  if (shape.type == "sphere" || sizes_of(shape.type) == 0)
    a.reject("fromto", "nothing of a " + shape.type);
  const Vector from = vector_of(ends), to{ends[3], ends[4], ends[5]};
  if (from == to) a.reject("fromto", "two different ends");
  shape.pose = {0.5 * (from + to), from_z_axis(from - to)};
  const double half = 0.5 * (from - to).norm();
  shape.size.resize(3, 0.0);
  if (sizes_of(shape.type) == 2)
    shape.size[1] = half;
  else
    shape.size = {shape.size[0], shape.size[0], half};
}

Shape read_shape(const Attributes& a, const MjcfCompiler& compiler) {
  Shape shape;
  shape.type = a.choice(
      "type",
      {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"},
      "sphere");
  shape.size = a.filled("size", {}, 3);
  shape.pose = read_pose(a, compiler);
  const auto ends = a.numbers("fromto", 6, 6);
  const bool is_solid = shape.type != "plane" && shape.type != "hfield" && shape.type != "mesh" &&
                        shape.type != "sdf";
  if (!is_solid) return shape;
  if (ends) lay_along(a, *ends, shape);
  const std::size_t n = sizes_of(shape.type);
  if (a.has("mesh")) return shape;  // which it is fitted to, and what it weighs is the body's own
  if (shape.size.size() < n ||
      std::any_of(shape.size.begin(), shape.size.begin() + static_cast<std::ptrdiff_t>(n),
                  [](double s) { return s <= 0.0; }))
    a.reject("size", counted(n, "number") + " above 0 for a " + shape.type);
  return shape;
}

Solid solid_of(const Shape& shape) {
  const std::vector<double>& s = shape.size;
  if (shape.type == "sphere") return sphere(s[0]);
  if (shape.type == "capsule") return capsule(s[0], s[1]);
  if (shape.type == "cylinder") return cylinder(s[0], s[1]);
  return shape.type == "box" ? box(vector_of(s)) : ellipsoid(vector_of(s));
}

// Its colour, none if it has none of its own.
std::vector<double> color_of(const Attributes& a, const MjcfMaterials& materials) {
  if (a.has("rgba")) return a.filled("rgba", {0.5, 0.5, 0.5, 1.0}, 4);
  const auto material = materials.find(a.text("material"));
  return material == materials.end() ? std::vector<double>() : material->second;
}

// The groups that MuJoCo shows unless it is told otherwise.
constexpr double kLastVisibleGroup = 2.0;

void add_look(const Attributes& a, const Shape& shape, const MjcfMaterials& materials,
              MjcfMeshes& meshes, MjcfGeom& geom) {
  const std::vector<double> color = color_of(a, materials);
  geom.is_visible =
      a.number("group", 0.0) <= kLastVisibleGroup && (color.size() < 4 || color[3] != 0.0);
  if (!geom.is_visible) return;
  const bool is_mesh = shape.type == "mesh";
  // Shapes that are fitted to meshes, planes, height fields and signed distances are none of these.
  if (!is_mesh && (!is_simple(shape.type) || a.has("mesh"))) return;
  ImportedShape look = shape_at(shape.type.c_str(), shape.pose, color);
  const std::vector<double>& s = shape.size;
  if (is_mesh) {
    look.mesh = meshes.look(a, "mesh");
    geom.is_visible = look.mesh != nullptr;  // what cannot be read has a remark of its own
    if (!look.mesh) return;
  } else if (shape.type == "box" || shape.type == "ellipsoid") {
    look.json["size"] = {2.0 * s[0], 2.0 * s[1], 2.0 * s[2]};
  } else {
    look.json["radius"] = s[0];
    if (shape.type != "sphere") look.json["length"] = 2.0 * s[1];
  }
  geom.shape = std::move(look);
}

}  // namespace

MassProperties MassProperties::placed(const Pose& pose) const {
  return {mass, pose.place + pose.rotation * com,
          pose.rotation * inertia * pose.rotation.transpose()};
}

MassProperties together(const std::vector<MassProperties>& parts) {
  MassProperties whole;
  for (const MassProperties& part : parts) {
    whole.mass += part.mass;
    whole.com += part.mass * part.com;
  }
  if (whole.mass > 0.0) whole.com /= whole.mass;
  for (const MassProperties& part : parts)
    whole.inertia += part.inertia + point_inertia(part.mass, part.com - whole.com);
  return whole;
}

MjcfMaterials read_materials(const XmlElement& mujoco, const MjcfDefaults& defaults) {
  MjcfMaterials materials;
  LeftOut unused;
  for (const XmlElement* section : mujoco.all("asset"))
    for (const XmlElement* material : section->all("material")) {
      const std::string* name = material->find("name");
      const Attributes a(defaults.chain(*material, ""), unused);
      if (name && a.has("rgba")) materials.emplace(*name, a.filled("rgba", {1, 1, 1, 1}, 4));
    }
  return materials;
}

MjcfGeom read_geom(const Attributes& a, const MjcfCompiler& compiler,
                   const MjcfMaterials& materials, MjcfMeshes& meshes, const Pose& frame,
                   bool needs_mass) {
  MjcfGeom geom;
  Shape shape = read_shape(a, compiler);
  shape.pose = frame * shape.pose;
  add_look(a, shape, materials, meshes, geom);
  const double group = a.number("group", 0.0);
  geom.counts = group >= compiler.inertia_groups[0] && group <= compiler.inertia_groups[1];
  const double own = a.number("contype", 1.0), others = a.number("conaffinity", 1.0);
  geom.touches = own != 0.0 || others != 0.0;
  geom.is_solid = shape.type != "plane" && shape.type != "hfield" && shape.type != "sdf";
  for (const char* key : {"condim", "friction", "solref", "solimp", "solmix", "margin", "gap",
                          "priority", "hfield", "fitscale"})
    a.ignore(key);
  const double density = a.number("density", kWater);
  const bool has_mass = a.has("mass");
  const double stated = a.number("mass", 0.0);
  if (!geom.is_solid || !geom.counts || !needs_mass) {
    for (const char* key : {"mesh", "shellinertia"}) a.ignore(key);
    return geom;
  }
  const bool is_massless = has_mass ? stated == 0.0 : density == 0.0;
  if (a.flag("shellinertia", false) && !is_massless)
    a.reject("shellinertia", "\"false\": shells are not read; state the body's <inertial>");
  if (is_massless) {
    a.ignore("mesh");
    return geom;
  }
  if (shape.type != "mesh" && a.has("mesh"))
    gradus::reject(a.where(), "found a " + shape.type + " fitted to a mesh",
                   "shapes are not fitted", "state its size, or the body's <inertial>");
  const auto placed = [&](double volume, const Vector& centre, const Matrix& inertia) {
    const double mass = has_mass ? stated : density * volume;
    if (mass < 0.0) a.reject(has_mass ? "mass" : "density", "a number of 0 or more");
    geom.mass = MassProperties{mass, centre, mass / volume * inertia}.placed(shape.pose);
  };
  if (shape.type == "mesh") {
    const MeshProperties& mesh = meshes.named(a, "mesh");
    placed(mesh.volume, mesh.centre, mesh.inertia);
  } else {
    const Solid solid = solid_of(shape);
    placed(solid.volume, Vector::Zero(), Matrix((solid.volume * solid.moments).asDiagonal()));
  }
  return geom;
}

MassProperties read_inertial(const Attributes& a, const MjcfCompiler& compiler) {
  MassProperties body;
  body.mass = a.required_number("mass");
  Pose pose = read_pose(a, compiler);
  if (const auto full = a.numbers("fullinertia", 6, 6)) {
    const std::vector<double>& f = *full;
    body.inertia << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  } else if (const auto moments = a.numbers("diaginertia", 3, 3)) {
    body.inertia = vector_of(*moments).asDiagonal();
  }
  return body.placed(pose);
}

MassProperties bounded(const MassProperties& body, const MjcfCompiler& compiler) {
  MassProperties result = body;
  result.mass = std::max(body.mass, compiler.least_mass);
  const Eigen::SelfAdjointEigenSolver<Matrix> principal(body.inertia);
  Vector moments = principal.eigenvalues();
  bool is_changed =
      (moments.array() < compiler.least_inertia).any() && compiler.least_inertia > 0.0;
  if (is_changed) moments = moments.cwiseMax(compiler.least_inertia);
  if (compiler.balances_inertia && moments[0] + moments[1] < moments[2]) {
    moments.setConstant(moments.mean());
    is_changed = true;
  }
  if (is_changed)
    result.inertia =
        principal.eigenvectors() * moments.asDiagonal() * principal.eigenvectors().transpose();
  return result;
}

}  // namespace gradus::importing
