// The plug-ins that this process has loaded.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// What stays of a plug-in: its file as it was when it was loaded.
struct LoadedPlugin {
  std::string file;  // absolute
  std::string content;
};

// Those of which a model has forces, in the order in which they were loaded. They live as long as
// the process.
std::vector<const LoadedPlugin*> plugins_of(const Model& model);

}  // namespace gradus
