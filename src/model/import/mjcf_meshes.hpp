// Volumes and inertias of the meshes of an MJCF document, as MuJoCo has them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "src/model/import/looks.hpp"
#include "src/model/import/mjcf_document.hpp"

namespace gradus::importing {

struct MeshProperties {
  double volume = 0.0;
  Vector centre = Vector::Zero();
  Matrix inertia = Matrix::Zero();  // about the centre, of density 1
};

class MjcfMeshes {
 public:
  // Files are sought in the compiler's folder of meshes, beside the document.
  MjcfMeshes(const XmlElement& mujoco, const MjcfDefaults& defaults, const MjcfCompiler& compiler,
             const std::filesystem::path& document);

  // Read when it is first asked for. Throws InputError if the asset is not there or of a kind that
  // is not read, FileError if its file cannot be read.
  const MeshProperties& named(const Attributes& geom, const std::string& key);

  // What the mesh of a geom looks like, reduced for pictures, in the axes of the geom; null, and a
  // remark later, if it cannot be read.
  std::shared_ptr<const Mesh> look(const Attributes& geom, const std::string& key);
  const LooksOfMeshes& looks() const { return looks_; }

 private:
  const XmlElement& asset(const Attributes& geom, const std::string& name) const;
  Mesh read(const Attributes& mesh) const;
  MeshProperties properties(const XmlElement& mesh) const;

  const MjcfDefaults& defaults_;
  const MjcfCompiler& compiler_;
  std::filesystem::path folder_;
  std::unordered_map<std::string, const XmlElement*> assets_;
  std::unordered_map<std::string, MeshProperties> read_;
  std::unordered_map<std::string, std::shared_ptr<const Mesh>> seen_;
  LooksOfMeshes looks_;
};

}  // namespace gradus::importing
