// What the bodies of robots' files look like, as shapes of a model.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/model/import/mechanism.hpp"
#include "src/model/mesh.hpp"

namespace gradus::importing {

// A shape without its sizes: it lies where the pose says, in the axes of its body. `rgba` may be
// empty.
ImportedShape shape_at(const char* type, const Pose& pose, const std::vector<double>& rgba);

// Meshes that shapes name, each file read once. What cannot be read is kept for a remark: nothing
// that is about looks alone makes an import fail.
class LooksOfMeshes {
 public:
  // The mesh of a file, reduced for pictures; null if it cannot be read.
  std::shared_ptr<const Mesh> read(const std::filesystem::path& file, const std::string& name);
  // What a file calls so has no mesh.
  void refuse(const std::string& name, const std::string& why);
  // A remark on all of them, if there are any.
  void add_remark(std::vector<std::string>& remarks) const;

 private:
  std::map<std::filesystem::path, std::shared_ptr<const Mesh>> read_;
  std::string first_, why_;
  std::size_t refused_ = 0;
};

// Files that a document names by path or as package://NAME/PATH.
class FilesOfPackages {
 public:
  FilesOfPackages(const std::filesystem::path& document,
                  const std::vector<std::filesystem::path>& folders);

  // Empty if it is not there, or elsewhere than in the folder of the document, in one of the
  // folders that were given, or in that of the package. A package is what bears its name: a folder
  // that was given or lies in one, or one that the document lies in.
  std::filesystem::path find(const std::string& reference) const;

 private:
  std::filesystem::path document_;  // its folder
  std::vector<std::filesystem::path> folders_;
};

}  // namespace gradus::importing
