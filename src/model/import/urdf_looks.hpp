// <visual> of links.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gradus/import.hpp"
#include "src/model/import/looks.hpp"
#include "src/model/import/xml.hpp"

namespace gradus::importing {

class UrdfLooks {
 public:
  UrdfLooks(const XmlElement& robot, const std::filesystem::path& document,
            const ImportOptions& options);

  // Adds the shape of one <visual>, or says among what is left out why there is none.
  void add(const XmlElement& visual, std::vector<ImportedShape>& shapes, LeftOut& left_out);
  void add_remark(std::vector<std::string>& remarks) const { meshes_.add_remark(remarks); }

 private:
  void add_material(const XmlElement& material);
  std::vector<double> color_of(const XmlElement& visual) const;
  void note_material(const XmlElement& visual, LeftOut& left_out) const;
  void add_mesh(const Attributes& mesh, ImportedShape shape, std::vector<ImportedShape>& shapes,
                LeftOut& left_out);

  FilesOfPackages files_;
  LooksOfMeshes meshes_;
  std::map<std::string, std::vector<double>> materials_;  // red, green, blue and alpha
};

// <origin>: where something is in the axes of its link.
Pose pose_of(const XmlElement* origin, LeftOut& left_out);

}  // namespace gradus::importing
