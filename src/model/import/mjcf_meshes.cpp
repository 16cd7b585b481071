// Solids between triangles and a point inside: tetrahedra, whose volumes MuJoCo counts without
// their sign unless it is told to be exact.
#include "src/model/import/mjcf_meshes.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>

#include "gradus/error.hpp"
#include "src/model/mesh_reduction.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::importing {
namespace {

using Triangle = std::array<Vector, 3>;

constexpr double kFarthest = 1e12;

// The binary format of MuJoCo: four counts, then vertices, normals, texture coordinates and faces.
Mesh read_msh(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::array<std::int32_t, 4> counts{};
  stream.read(reinterpret_cast<char*>(counts.data()), sizeof counts);
  const auto [vertices, normals, textures, faces] = counts;
  if (!stream || vertices < 4 || normals < 0 || textures < 0 || faces < 1 ||
      static_cast<std::size_t>(vertices) > most_vertices_read ||
      static_cast<std::size_t>(faces) > most_triangles_read)
    throw FileError("it is no mesh of MuJoCo with faces");
  Mesh mesh;
  for (std::int32_t k = 0; k < vertices; ++k) {
    std::array<float, 3> numbers{};
    stream.read(reinterpret_cast<char*>(numbers.data()), sizeof numbers);
    mesh.vertices.push_back({numbers[0], numbers[1], numbers[2]});
  }
  stream.ignore(
      static_cast<std::streamsize>(sizeof(float)) *
      (3 * static_cast<std::streamsize>(normals) + 2 * static_cast<std::streamsize>(textures)));
  for (std::int32_t k = 0; k < faces; ++k) {
    std::array<std::uint32_t, 3> corners{};
    stream.read(reinterpret_cast<char*>(corners.data()), sizeof corners);
    for (const std::uint32_t corner : corners)
      if (!stream || corner >= mesh.vertices.size())
        throw FileError("it is damaged: a face names a vertex that is not there");
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

// Vertices and faces that stand in the document.
Mesh stated_mesh(const Attributes& a) {
  const std::vector<double> numbers =
      a.numbers("vertex", 12, 3'000'000).value_or(std::vector<double>());
  const auto faces = a.numbers("face", 3, 3'000'000);
  if (!faces)
    reject(a.where(), "found vertices without faces", "convex hulls are not computed",
           "state faces");
  if (numbers.size() % 3 != 0 || faces->size() % 3 != 0)
    a.reject(numbers.size() % 3 != 0 ? "vertex" : "face", "a multiple of three numbers");
  Mesh mesh;
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    mesh.vertices.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  for (std::size_t k = 0; k < faces->size(); k += 3) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double corner = (*faces)[k + i];
      if (corner != std::floor(corner) || corner < 0.0 ||
          corner >= static_cast<double>(mesh.vertices.size()))
        a.reject("face", "numbers of vertices, from 0 on");
      corners[i] = static_cast<std::uint32_t>(corner);
    }
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

Vector area_of(const Triangle& t) {
  return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
}

Vector middle_of(const std::vector<Triangle>& triangles) {
  Vector sum = Vector::Zero();
  double areas = 0.0;
  for (const Triangle& t : triangles) {
    const double area = area_of(t).norm();
    sum += area / 3.0 * (t[0] + t[1] + t[2]);
    areas += area;
  }
  return sum / areas;
}

double volume_of(const Triangle& t, bool is_exact) {
  const double volume = t[0].dot(t[1].cross(t[2])) / 6.0;
  return is_exact ? volume : std::abs(volume);
}

std::vector<Triangle> moved(std::vector<Triangle> triangles, const Vector& away) {
  for (Triangle& t : triangles)
    for (Vector& vertex : t) vertex -= away;
  return triangles;
}

Vector centre_of(const std::vector<Triangle>& triangles, bool is_exact) {
  Vector sum = Vector::Zero();
  double volumes = 0.0;
  for (const Triangle& t : triangles) {
    const double volume = volume_of(t, is_exact);
    sum += volume / 4.0 * (t[0] + t[1] + t[2]);
    volumes += volume;
  }
  return sum / volumes;
}

MeshProperties properties_of(const std::vector<Triangle>& triangles, bool is_exact) {
  const Vector middle = middle_of(triangles);
  MeshProperties properties;
  properties.centre = middle + centre_of(moved(triangles, middle), is_exact);
  Matrix moments = Matrix::Zero();  // of x x^T
  for (const Triangle& t : moved(triangles, properties.centre)) {
    const double volume = volume_of(t, is_exact);
    const Vector sum = t[0] + t[1] + t[2];
    properties.volume += volume;
    moments += volume / 20.0 * sum * sum.transpose();
    for (const Vector& vertex : t) moments += volume / 20.0 * vertex * vertex.transpose();
  }
  properties.inertia = moments.trace() * Matrix::Identity() - moments;
  return properties;
}

}  // namespace

MjcfMeshes::MjcfMeshes(const XmlElement& mujoco, const MjcfDefaults& defaults,
                       const MjcfCompiler& compiler, const std::filesystem::path& document)
    : defaults_(defaults),
      compiler_(compiler),
      folder_(document.parent_path() / compiler.mesh_folder) {
  for (const XmlElement* section : mujoco.all("asset"))
    for (const XmlElement* mesh : section->all("mesh")) {
      const std::string* name = mesh->find("name");
      const std::string* file = mesh->find("file");
      const std::string called = name   ? *name
                                 : file ? std::filesystem::path(*file).stem().string()
                                        : "";
      assets_.emplace(called, mesh);
    }
}

const MeshProperties& MjcfMeshes::named(const Attributes& geom, const std::string& key) {
  const std::string name = geom.required(key);
  const auto known = read_.find(name);
  if (known != read_.end()) return known->second;
  return read_.emplace(name, properties(asset(geom, name))).first->second;
}

std::shared_ptr<const Mesh> MjcfMeshes::look(const Attributes& geom, const std::string& key) {
  const std::string name = geom.text(key);
  const auto known = seen_.find(name);
  if (known != seen_.end()) return known->second;
  std::shared_ptr<const Mesh>& mesh = seen_[name];
  LeftOut unused;
  try {
    const Attributes a(defaults_.chain(asset(geom, name), ""), unused);
    mesh = std::make_shared<const Mesh>(reduced(read(a), most_triangles_drawn));
    if (mesh->triangles.empty()) throw FileError("its triangles have no area");
  } catch (const Error& error) {
    mesh = nullptr;
    looks_.refuse(name, error.what());
  }
  return mesh;
}

const XmlElement& MjcfMeshes::asset(const Attributes& geom, const std::string& name) const {
  const auto asset = assets_.find(name);
  if (asset != assets_.end()) return *asset->second;
  std::vector<std::string> names;
  for (const auto& [one, element] : assets_) names.push_back(one);
  reject(geom.where(), "found mesh = " + in_quotes(name), "there is no such mesh",
         suggestion(name, names));
}

// In the axes of the geoms that have it.
Mesh MjcfMeshes::read(const Attributes& a) const {
  if (a.has("builtin"))
    reject(a.where(), "found a built-in shape", "only files and stated vertices are read",
           "state the <inertial> of the bodies that have this mesh");
  Mesh mesh;
  if (a.has("file")) {
    const std::filesystem::path file = folder_ / a.text("file");
    try {
      mesh = file.extension() == ".msh" ? read_msh(file) : read_mesh(file);
    } catch (const FileError& error) {
      throw FileError(a.where() + ": " + in_quotes(file.string()) +
                      " cannot be read: " + error.what());
    }
  } else {
    mesh = stated_mesh(a);
  }
  // Readers leave out triangles whose corners are nowhere, which the volume would miss.
  for (const auto& vertex : mesh.vertices)
    for (const double x : vertex)
      if (!(std::abs(x) <= kFarthest))
        reject(a.where(), "found a vertex at " + to_text(x),
               "meshes are within 1e12 of their origin", "check its file");
  const Vector scale = vector_of(a.filled("scale", {1, 1, 1}, 3)),
               reference = vector_of(a.filled("refpos", {0, 0, 0}, 3));
  const std::vector<double> turned = a.filled("refquat", {1, 0, 0, 0}, 4);
  const Matrix back = from_quaternion(turned).transpose();
  for (auto& v : mesh.vertices) {
    // MuJoCo keeps the vertices of files in single precision.
    const Vector vertex = Vector(v[0], v[1], v[2]).cast<float>().cast<double>();
    const Vector at = (back * (vertex - reference)).cwiseProduct(scale);
    v = {at[0], at[1], at[2]};
  }
  return mesh;
}

MeshProperties MjcfMeshes::properties(const XmlElement& element) const {
  LeftOut looks;
  const Attributes a(defaults_.chain(element, ""), looks);
  const std::string kind = a.choice("inertia", {"legacy", "exact", "convex", "shell"}, "legacy");
  if (kind == "convex" || kind == "shell")
    a.reject("inertia",
             R"("legacy" or "exact"; or the <inertial> of the bodies that have this mesh)");
  const Mesh mesh = read(a);
  std::vector<Triangle> triangles;
  for (const auto& corners : mesh.triangles) {
    Triangle t;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& v = mesh.vertices[corners[i]];
      t[i] = Vector(v[0], v[1], v[2]);
    }
    triangles.push_back(t);
  }
  const MeshProperties properties = properties_of(triangles, kind == "exact");
  if (!(properties.volume > 0.0) || !properties.inertia.allFinite())
    reject(a.where(), "found a mesh whose volume is " + to_text(properties.volume),
           "it has to enclose something", "turn its faces outwards, or state <inertial>");
  return properties;
}

}  // namespace gradus::importing
