// Model files that commands name: those of gradus, and robots that are imported.
#pragma once

#include <filesystem>
#include <string>

#include "gradus/model.hpp"

namespace gradus::cli {

// The text of a model file with the meshes that its shapes name, or what an imported one becomes,
// with remarks on what is left out.
std::string text_of_model(const std::string& file, bool quiet);

// The model itself.
Model read_model_or_robot(const std::string& file, bool quiet);

// That a file may be written which is made of `source`. Throws InputError if it is that itself, or
// is there and may not be replaced.
void require_new(const std::filesystem::path& file, const std::filesystem::path& source,
                 bool overwrite);

}  // namespace gradus::cli
