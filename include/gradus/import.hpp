// Robots described in other formats as models of gradus (docs/import.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradus {

struct ImportOptions {
  // Which numbers become parameters: "inertial" (masses, centres of mass, inertias), "geometry"
  // (places and axes of joints), "dynamics" (damping, friction, stiffness, armature), "all", or
  // patterns of their names such as "mass_*".
  std::vector<std::string> parameters;
  // URDF: links that no joint carries float freely instead of being fixed to the ground.
  bool floating_base = false;
  // URDF: joints that mimic others follow them; otherwise they move freely.
  bool mimic = true;
  // MJCF: the keyframe at which motions start, by its name or number; empty: as described.
  std::string keyframe;
  // URDF: folders where packages of meshes (package://NAME/PATH) lie, besides those that the file
  // itself lies in.
  std::vector<std::filesystem::path> packages = {};
};

struct ImportedModel {
  std::string text;                  // a model file of gradus, JSON
  std::vector<std::string> remarks;  // what the model has otherwise than the file, or not at all
};

// Whether the name of a file says that it is one to import: it ends in .urdf, .xml or .mjcf.
bool is_importable(const std::filesystem::path& file);

// A robot in URDF or a mechanism in MJCF. Throws FileError if it cannot be read, InputError (file,
// element, value found, what is allowed) if it is wrong or has what no model can have.
ImportedModel import_model(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace gradus
