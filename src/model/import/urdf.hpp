// Robots as URDF describes them.
#pragma once

#include <filesystem>

#include "gradus/import.hpp"
#include "src/model/import/mechanism.hpp"
#include "src/model/import/xml.hpp"

namespace gradus::importing {

// Of the element <robot> of this file, beside which meshes are sought. Throws InputError.
ImportedMechanism read_urdf(const XmlElement& robot, const std::filesystem::path& file,
                            const ImportOptions& options);

}  // namespace gradus::importing
