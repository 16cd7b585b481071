// Meshes of shapes in the text of a model: those of files are written into it, reduced.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/mesh.hpp"

namespace gradus {

// What `file` is within `folder`, with all links followed; empty if it lies elsewhere or is not
// there.
std::filesystem::path within(const std::filesystem::path& folder,
                             const std::filesystem::path& file);

// Puts meshes into shapes, when all are known.
class MeshShapes {
 public:
  // The mesh becomes "vertices" and "triangles" of `shape`, which must stay where it is until
  // write() was called.
  void add(nlohmann::ordered_json& shape, const Mesh& mesh);
  // All together have at most `most_triangles_drawn`.
  void write();

 private:
  std::vector<std::pair<nlohmann::ordered_json*, Mesh>> meshes_;
};

// The text of a model in which shapes with a "file", sought from `folder`, have the triangles
// themselves; the text as it is where no shape has one. Adds remarks on files that cannot be read,
// whose shapes stay as they are. Throws InputError if it is no JSON document; `origin` opens the
// message.
std::string with_meshes(const std::string& text, const std::string& origin,
                        const std::filesystem::path& folder, std::vector<std::string>& remarks);

}  // namespace gradus
