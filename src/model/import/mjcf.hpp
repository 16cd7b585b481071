// Mechanisms as MJCF, the format of MuJoCo, describes them.
#pragma once

#include <filesystem>

#include "gradus/import.hpp"
#include "src/model/import/mechanism.hpp"
#include "src/model/import/xml.hpp"

namespace gradus::importing {

// Of the element <mujoco>; files that it includes are sought beside `file`. Throws InputError, and
// FileError if an included file cannot be read.
ImportedMechanism read_mjcf(const XmlElement& mujoco, const std::filesystem::path& file,
                            const ImportOptions& options);

}  // namespace gradus::importing
