// Shapes, meshes and where they lie.
#include "src/model/import/looks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/mesh_reduction.hpp"
#include "src/model/mesh_shapes.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

Json numbers_in(const Vector& v) {
  return {v[0], v[1], v[2]};
}

std::string hexadecimal(const std::vector<double>& rgba) {
  std::array<char, 8> text{};
  const auto part = [&rgba](std::size_t k) {
    return static_cast<unsigned>(std::lround(255.0 * std::clamp(rgba[k], 0.0, 1.0)));
  };
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", part(0), part(1), part(2));
  return text.data();
}

}  // namespace

ImportedShape shape_at(const char* type, const Pose& pose, const std::vector<double>& rgba) {
  ImportedShape shape;
  shape.json = {{"type", type}};
  if (!pose.place.isZero(0.0)) shape.json["at"] = numbers_in(pose.place);
  if (!pose.rotation.isIdentity(0.0)) {
    shape.json["axis"] = numbers_in(pose.rotation.col(2));
    shape.json["zero"] = numbers_in(pose.rotation.col(0));
  }
  if (rgba.size() >= 3) shape.json["color"] = hexadecimal(rgba);
  return shape;
}

std::shared_ptr<const Mesh> LooksOfMeshes::read(const std::filesystem::path& file,
                                                const std::string& name) {
  const auto known = read_.find(file);
  if (known != read_.end()) return known->second;
  try {
    Mesh mesh = reduced(read_mesh(file), most_triangles_drawn);
    if (mesh.triangles.empty()) throw FileError("its triangles have no area");
    return read_[file] = std::make_shared<const Mesh>(std::move(mesh));
  } catch (const FileError& error) {
    refuse(name, error.what());
    return nullptr;
  }
}

void LooksOfMeshes::refuse(const std::string& name, const std::string& why) {
  if (refused_++ > 0) return;
  first_ = name;
  why_ = why;
}

void LooksOfMeshes::add_remark(std::vector<std::string>& remarks) const {
  if (refused_ == 0) return;
  remarks.push_back(counted(refused_, "shape") + " left out, whose " +
                    (refused_ == 1 ? "mesh" : "meshes") + " cannot be read: " + in_quotes(first_) +
                    " (" + why_ + ")" +
                    (refused_ == 1 ? "" : " and " + std::to_string(refused_ - 1) + " more"));
}

FilesOfPackages::FilesOfPackages(const std::filesystem::path& document,
                                 const std::vector<std::filesystem::path>& folders)
    : folders_(folders) {
  std::error_code ignored;
  document_ = std::filesystem::weakly_canonical(document, ignored).parent_path();
}

std::filesystem::path FilesOfPackages::find(const std::string& reference) const {
  const std::string scheme = "package://";
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> places;  // folder, path
  if (reference.starts_with(scheme)) {
    // Some robots have a third slash.
    const std::size_t start =
        std::min(reference.find_first_not_of('/', scheme.size()), reference.size());
    const std::size_t slash = reference.find('/', start);
    if (slash == std::string::npos) return {};
    const std::string package = reference.substr(start, slash - start);
    const std::string rest = reference.substr(slash + 1);
    if (package.empty() || package == "." || package == "..") return {};
    for (const std::filesystem::path& folder : folders_) {
      places.emplace_back(folder / package, rest);
      std::error_code ignored;
      if (std::filesystem::weakly_canonical(folder, ignored).filename() == package)
        places.emplace_back(folder, rest);
    }
    for (std::filesystem::path at = document_; at.has_relative_path(); at = at.parent_path())
      if (at.filename() == package) places.emplace_back(at, rest);
  } else {
    const std::string name = reference.starts_with("file://") ? reference.substr(7) : reference;
    for (const std::filesystem::path& folder : folders_) {
      places.emplace_back(folder, name);
      places.emplace_back(folder, document_ / name);
    }
    places.emplace_back(document_, name);
  }
  for (const auto& [folder, path] : places)
    if (std::filesystem::path found = within(folder, path); !found.empty()) return found;
  return {};
}

}  // namespace gradus::importing
