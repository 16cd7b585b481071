// Models of gradus described in other formats (docs/export.md).
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"

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

}  // namespace gradus
