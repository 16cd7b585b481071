// Model files that commands name: those of gradus, and robots that are imported.
#pragma once

#include <string>

#include "gradus/model.hpp"

namespace gradus::cli {

// The text of a model file with the meshes that its shapes name, or what an imported one becomes,
// with remarks on what is left out.
std::string text_of_model(const std::string& file, bool quiet);

// The model itself.
Model read_model_or_robot(const std::string& file, bool quiet);

}  // namespace gradus::cli
