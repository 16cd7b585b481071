// Models of gradus described in other formats (docs/export.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/run.hpp"

namespace gradus {

struct ExportedModel {
  std::string text;                  // of the file
  std::vector<std::string> remarks;  // what the file has otherwise than the model, or not at all
};

// The tree of a model as a robot in URDF: links, joints and their damping, with the numbers of the
// parameters that the model states. The axes of a link are those of its body, at the point where
// its joint holds it. Throws InputError if the model is wrong or has a joint of the tree that URDF
// has not.
ExportedModel to_urdf(const Model& model);

// Writes the motion of the model with these options, at a few hundred times, as an animated scene
// in binary glTF 2.0, whose file ends in .glb: bodies as their shapes, or as sticks between their
// points. Returns remarks on meshes that are not there. Throws InputError, FileError;
// NumericalError if the motion fails.
std::vector<std::string> write_gltf(const Model& model, const Options& options,
                                    const std::filesystem::path& file);

}  // namespace gradus
